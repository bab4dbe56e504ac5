//! What the driver does besides sending and receiving.

use std::thread;
use std::time::Duration;

use bench::realtime::{ArrivalClock, DriverOptions, End, StopSignal, run, run_disturbing};
use bench::{
    Action, DisturbOutcome, Disturbance, Endpoint, Nanos, SendOutcome, Stream, StreamOptions,
    Targets, Workload,
};

use crate::peer::Peer;

/// How many datagrams the peer sends for the one it gets.
const FLOOD: u64 = 500;

/// Sends one datagram, then is deaf for a while, then listens.
#[derive(Default)]
struct Deaf {
    echo: Option<Endpoint>,
    asked: bool,
    end: Option<Nanos>,
    received: u64,
}

impl Workload for Deaf {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        let end = *self.end.get_or_insert(now + Nanos::from_millis(900));
        match self.asked {
            false => Action::Send {
                to: self.echo.unwrap(),
                payload: b"?",
            },
            true if now < end => Action::WaitUntil(end),
            true => Action::Done,
        }
    }

    fn sent(&mut self, _now: Nanos, _outcome: SendOutcome) {
        self.asked = true;
        thread::sleep(Duration::from_millis(500));
    }

    fn received(&mut self, _now: Nanos, _from: Endpoint, _payload: &[u8]) {
        self.received += 1;
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_the_kernel_drops_is_counted_exactly() {
    let peer = Peer::start(|sockets, _, from, _| {
        for _ in 0..FLOOD {
            sockets.echo.send_to(&[0; 1000], from).unwrap();
        }
    });
    let host = DriverOptions {
        buffer_bytes: 20_000,
        ..DriverOptions::default()
    };
    let mut deaf = Deaf {
        echo: Some(peer.endpoint()),
        ..Deaf::default()
    };
    let conditions = run(&mut deaf, &host, &StopSignal::new())
        .unwrap()
        .conditions;
    assert_eq!(conditions.received, deaf.received);
    assert!(
        deaf.received < FLOOD,
        "the buffer holds {} datagrams",
        deaf.received
    );
    assert_eq!(deaf.received + conditions.dropped_by_kernel.unwrap(), FLOOD);
    assert_eq!(conditions.receive_buffer.requested_bytes, 20_000);
    assert!(conditions.receive_buffer.granted_bytes < FLOOD * 1000);
}

#[test]
fn arrivals_count_from_the_instant_they_came_or_from_that_they_were_read_as_asked() {
    for requested in [ArrivalClock::Kernel, ArrivalClock::User] {
        let peer = Peer::answering(|_| 1);
        let deaf = Deaf {
            echo: Some(peer.endpoint()),
            ..Deaf::default()
        };
        let mut deaf = Listening(deaf, None);
        let host = DriverOptions {
            arrival_clock: requested,
            ..DriverOptions::default()
        };
        let run = run(&mut deaf, &host, &StopSignal::new()).unwrap();
        let clocks = run.conditions.arrival_clock;
        assert_eq!(clocks.requested, requested);
        assert_eq!(run.conditions.unusable_timestamps, 0);
        let came = deaf.1.unwrap();
        match clocks.effective {
            ArrivalClock::Kernel => assert!(came < Nanos::from_millis(500), "{came}"),
            ArrivalClock::User => assert!(came >= Nanos::from_millis(500), "{came}"),
        }
        let stamps = cfg!(target_os = "linux") && requested == ArrivalClock::Kernel;
        assert_eq!(clocks.effective == ArrivalClock::Kernel, stamps);
    }
}

/// [`Deaf`], and when its reply came.
struct Listening(Deaf, Option<Nanos>);

impl Workload for Listening {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        self.0.next(now)
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        self.0.sent(now, outcome);
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        self.1.get_or_insert(now);
        self.0.received(now, from, payload);
    }
}

/// A datagram too long for any network is refused by the host's own stack.
struct TooLong {
    echo: Endpoint,
    payload: Vec<u8>,
    outcome: Option<SendOutcome>,
}

impl Workload for TooLong {
    fn next(&mut self, _now: Nanos) -> Action<'_> {
        match self.outcome {
            None => Action::Send {
                to: self.echo,
                payload: &self.payload,
            },
            Some(_) => Action::Done,
        }
    }

    fn sent(&mut self, _now: Nanos, outcome: SendOutcome) {
        self.outcome = Some(outcome);
    }

    fn received(&mut self, _now: Nanos, _from: Endpoint, _payload: &[u8]) {}
}

#[test]
fn a_datagram_the_stack_refuses_is_a_send_error_with_its_reason() {
    let mut too_long = TooLong {
        echo: "127.0.0.1:7".parse().unwrap(),
        payload: vec![0; 70_000],
        outcome: None,
    };
    let run = run(&mut too_long, &DriverOptions::default(), &StopSignal::new()).unwrap();
    assert_eq!(too_long.outcome, Some(SendOutcome::Failed));
    assert!(run.conditions.first_send_error.is_some());
    assert_eq!(run.end, End::Done);
}

#[test]
fn a_run_that_is_stopped_says_so() {
    let peer = Peer::answering(|_| 1);
    let targets = Targets {
        echo: peer.endpoint(),
        telemetry: None,
    };
    let mut stream = Stream::new(StreamOptions::default(), targets).unwrap();
    let stop = StopSignal::new();
    let asked = stop.clone();
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        asked.request();
    });
    let run = run(&mut stream, &DriverOptions::default(), &stop).unwrap();
    stopper.join().unwrap();
    assert_eq!(run.end, End::Stopped);
}

/// Asks for one disturbance.
struct Disturbing(Option<DisturbOutcome>);

impl Workload for Disturbing {
    fn next(&mut self, _now: Nanos) -> Action<'_> {
        match self.0 {
            None => Action::Disturb(Disturbance::Reset),
            Some(_) => Action::Done,
        }
    }

    fn sent(&mut self, _now: Nanos, _outcome: SendOutcome) {}

    fn received(&mut self, _now: Nanos, _from: Endpoint, _payload: &[u8]) {}

    fn disturbed(&mut self, _now: Nanos, outcome: DisturbOutcome) {
        self.0 = Some(outcome);
    }
}

#[test]
fn a_disturbance_is_refused_unless_there_is_a_way_to_it() {
    let (host, stop) = (DriverOptions::default(), StopSignal::new());
    let mut workload = Disturbing(None);
    run(&mut workload, &host, &stop).unwrap();
    assert_eq!(workload.0, Some(DisturbOutcome::Refused));

    let mut workload = Disturbing(None);
    let mut asked = Vec::new();
    let mut disturb = |disturbance| {
        asked.push(disturbance);
        DisturbOutcome::Begun
    };
    run_disturbing(&mut workload, &host, &stop, &mut disturb).unwrap();
    assert_eq!(workload.0, Some(DisturbOutcome::Begun));
    assert_eq!(asked, [Disturbance::Reset]);
}

#[test]
fn a_socket_that_cannot_be_bound_names_its_address() {
    let host = DriverOptions {
        local: "192.0.2.1:9".parse().unwrap(),
        ..DriverOptions::default()
    };
    let error = run(&mut Disturbing(None), &host, &StopSignal::new()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("cannot open a UDP socket on 192.0.2.1:9: "),
        "{text}"
    );
}
