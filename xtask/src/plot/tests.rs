use super::agreement::band;
use super::*;

const SERIES: [&str; 2] = ["c-lwip-rmii", "w5500-offload"];

fn figure(series: usize, published: f64, emulated: f64, is_fitted: bool) -> Figure {
    Figure {
        series,
        published,
        emulated,
        is_fitted,
    }
}

fn kinds() -> Vec<Kind<'static>> {
    let figures = vec![
        figure(0, 118.0, 121.0, true),
        figure(1, 448.0, 300.0, false),
    ];
    let rtt = Kind {
        name: "RTT p50",
        unit: "us",
        figures,
    };
    let figures = vec![figure(1, 3_288.0, 3_401.0, false)];
    vec![
        rtt,
        Kind {
            name: "plateau",
            unit: "datagrams/s",
            figures,
        },
    ]
}

fn side(duration: &'static str, steps: &[(f64, f64, f64)]) -> Side<'static> {
    let step = |&(rate_hz, datagrams, events)| RateStep {
        rate_hz,
        datagrams,
        events,
    };
    let steps = steps.iter().map(step).collect();
    Side { duration, steps }
}

fn sweep() -> Sweep<'static> {
    Sweep {
        name: "w5500-offload, hour",
        published: side("30 s", &[(3e3, 9e4, 0.0), (4e3, 1.2e5, 21_364.0)]),
        emulated: side("3 s", &[(3e3, 9e3, 0.0), (4e3, 1.2e4, 1_800.0)]),
    }
}

/// What is drawn of a series: the lines of SVG with its colour.
fn of_colour<'a>(svg: &'a str, colour: &str) -> Vec<&'a str> {
    svg.lines().filter(|line| line.contains(colour)).collect()
}

#[test]
fn an_agreement_is_drawn_as_before() {
    insta::assert_snapshot!(agreement(&SERIES, &kinds(), "Of nothing real.").unwrap());
}

#[test]
fn error_events_are_drawn_as_before() {
    insta::assert_snapshot!(error_events(&[sweep()], "Of nothing real.").unwrap());
}

/// The library's own triangle is filled whatever its style says.
#[test]
fn each_fitted_marker_is_hollow_and_each_predicted_one_filled() {
    let names = ["one", "two", "three", "four"];
    let colours = ["#0072B2", "#D55E00", "#009E73", "#9452A0"];
    for (series, colour) in colours.into_iter().enumerate() {
        for is_fitted in [true, false] {
            let figures = vec![figure(series, 1.0, 1.0, is_fitted)];
            let kind = Kind {
                name: "kind",
                unit: "us",
                figures,
            };
            let svg = agreement(&names, &[kind], "").unwrap();
            let drawn = of_colour(&svg, colour);
            assert_eq!(
                drawn.len(),
                2,
                "one in the legend, one in the panel: {drawn:?}"
            );
            let hollow = drawn
                .iter()
                .filter(|line| line.contains("fill=\"none\""))
                .count();
            assert_eq!(hollow, usize::from(is_fitted), "{drawn:?}");
        }
    }
}

#[test]
fn the_band_reaches_a_fifth_to_each_side_and_stays_in_the_frame() {
    let corners = band(100.0, 1_000.0);
    let ratios = [corners[1], corners[2], corners[4], corners[5]].map(|(x, y)| y / x);
    for (ratio, expected) in ratios.into_iter().zip([1.2, 1.2, 0.8, 0.8]) {
        assert!((ratio - expected).abs() < 1e-12, "{ratio}");
    }
    let inside = 100.0..=1_000.0;
    assert!(
        corners
            .iter()
            .all(|(x, y)| inside.contains(x) && inside.contains(y))
    );
}

#[test]
fn a_rate_without_an_event_stands_below_the_least_share_any_rate_could_show() {
    let svg = error_events(&[sweep()], "").unwrap();
    let height = |line: &str| {
        let (_, rest) = line.split_once("cy=\"")?;
        rest.split_once('"')?.0.parse::<i32>().ok()
    };
    let published = of_colour(&svg, "#0072B2");
    let circles: Vec<_> = published
        .iter()
        .filter_map(|line| Some((height(line)?, line)))
        .collect();
    let [_legend, none, some] = circles[..] else {
        panic!("{circles:?}")
    };
    assert!(none.1.contains("fill=\"none\"") && !some.1.contains("fill=\"none\""));
    assert!(none.0 > some.0, "y grows downwards: {circles:?}");
    assert!(svg.contains("none\n</text>"));
}

#[test]
fn captions_say_how_much_and_where_from() {
    let svg = agreement(&SERIES, &kinds(), "Provenance of these.").unwrap();
    assert!(svg.contains("n = 3: 2 predicted (filled), 1 fitted (hollow)."));
    assert!(svg.contains("RTT p50, n = 2") && svg.contains("Provenance of these."));
    let svg = error_events(&[sweep()], "Provenance of those.").unwrap();
    let count =
        "n = 210000 datagrams, 30 s a rate (published); 21000 datagrams, 3 s a rate (emulated).";
    assert!(svg.contains(count) && svg.contains("Provenance of those."));
}

#[test]
fn what_has_no_place_is_refused() {
    let refused = |kinds: &[Kind]| agreement(&SERIES, kinds, "").unwrap_err().to_string();
    assert_eq!(refused(&[]), "the comparison has no point to plot");
    let none = Kind {
        name: "RTT p50",
        unit: "us",
        figures: Vec::new(),
    };
    assert_eq!(refused(&[none]), "RTT p50 has no point to plot");
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let figures = vec![figure(0, 1.0, value, false)];
        let message = refused(&[Kind {
            name: "RTT p50",
            unit: "us",
            figures,
        }]);
        assert!(
            message.contains("no place on a logarithmic axis"),
            "{message}"
        );
    }
    let five = agreement(&["a", "b", "c", "d", "e"], &kinds(), "");
    assert_eq!(five, Err(PlotError::TooManySeries(5)));
    assert_eq!(
        error_events(&[], ""),
        Err(PlotError::Empty("the comparison".to_owned()))
    );
    let mut negative = sweep();
    negative.emulated.steps[0].events = -1.0;
    assert!(error_events(&[negative], "").is_err());
}

#[test]
fn ticks_are_round_numbers_inside_the_axis() {
    assert_eq!(axis::ticks(110.0, 600.0), [200.0, 500.0]);
    assert_eq!(axis::ticks(0.04, 0.3), [0.05, 0.1, 0.2]);
    assert_eq!(axis::ticks(4e-6, 6e-6), [5e-6]);
    assert_eq!(axis::ticks(1e-4, 2.0), [1e-4, 1e-3, 0.01, 0.1, 1.0]);
    let labels = [1e-5, 0.05, 2_000.0, 20_000.0, 5e6].map(axis::label);
    assert_eq!(labels, ["1e-5", "0.05", "2000", "20k", "5M"]);
}

#[test]
fn an_axis_has_room_around_its_values() {
    let (least, most) = axis::around("one", [10.0, 40.0].into_iter()).unwrap();
    assert!(least < 10.0 && most > 40.0 && most < 50.0);
    let (least, most) = axis::around("one", [10.0].into_iter()).unwrap();
    assert!(most / least >= 2.0, "a lone value has an axis too");
}
