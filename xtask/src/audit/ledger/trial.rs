//! A file of trials.

use serde_json::Value;

use super::super::node::Node;
use super::telemetry::ImageFacts;
use super::{
    Book, Checked, burst, functional, latency, recovery, soak, stream, throughput, traffic,
};

/// Checks every trial of a file, and what binds them.
pub fn check_file(book: &mut Book, file: &Node, facts: &ImageFacts) -> Checked {
    let trials = file.get("trials")?;
    let planned = file.number("planned_trials")?;
    let workload = file.text("workload")?;
    let mut all_options = Vec::new();
    for trial in trials.items()? {
        book.trials += 1;
        let options = match trial.find("failed") {
            Some(failed) => {
                check_failed(book, &failed)?;
                failed.get("options")?
            }
            None => {
                let measured = trial.get("measured")?;
                check_boot(book, &measured.get("boot")?)?;
                let result = measured.get("result")?;
                check_result(book, workload, &result, facts)?;
                result.get("options")?
            }
        };
        let again = all_options.contains(&options.value);
        book.holds(&trial, "no two trials have the same options", !again);
        all_options.push(options.value);
    }
    book.equal(
        &trials,
        "trials = planned_trials",
        all_options.len() as u128,
        planned,
    );
    check_series(book, &trials, workload, &all_options);
    Ok(())
}

/// What tells the trials of one file apart is all that does, and rates rise.
fn check_series(book: &mut Book, trials: &Node, workload: &str, all_options: &[&Value]) {
    let varying: &[&str] = match workload {
        "sweep" | "large-sweep" => &["rate_hz", "seed"],
        "burst" => &["packets", "payload_bytes"],
        "traffic" | "throughput" => &["payload_bytes"],
        "recovery" => &["disturbance"],
        _ => &[],
    };
    let fixed = |options: &Value| {
        let entries = options.as_object().into_iter().flatten();
        let entries = entries.filter(|(key, _)| !varying.contains(&key.as_str()));
        let entries = entries.map(|(key, value)| (key.clone(), value.clone()));
        entries.collect::<Vec<_>>()
    };
    let same = all_options
        .windows(2)
        .all(|pair| fixed(pair[0]) == fixed(pair[1]));
    let identity = format!("trials differ in {} alone", varying.join(" and "));
    book.holds(trials, &identity, same);
    if varying.contains(&"rate_hz") {
        let rates = all_options
            .iter()
            .map(|options| options["rate_hz"].as_u64());
        let rates = Vec::from_iter(rates);
        let rise = rates.windows(2).all(|pair| pair[0] < pair[1]);
        book.holds(trials, "rates rise", rise);
    }
}

fn check_result(book: &mut Book, workload: &str, result: &Node, facts: &ImageFacts) -> Checked {
    match workload {
        "functional" => functional::check(book, result),
        "stream" | "sweep" | "large-sweep" => stream::check(book, result, facts),
        "burst" => burst::check(book, result),
        "traffic" => traffic::check(book, result),
        "latency" => latency::check(book, result),
        "throughput" => throughput::check(book, result),
        "soak" => soak::check(book, result),
        "recovery" => recovery::check(book, result),
        other => Err(result.misshapen(&format!("no identities are known of workload {other:?}"))),
    }
}

fn check_failed(book: &mut Book, failed: &Node) -> Checked {
    let message = failed.text("message")?;
    let one_line = !message.is_empty() && !message.contains('\n');
    book.holds(failed, "a failure has a message of one line", one_line);
    failed.number("at_ns")?;
    Ok(())
}

fn check_boot(book: &mut Book, boot: &Node) -> Checked {
    let [link, lease, echo] = ["link_up_ns", "lease_ns", "first_echo_ns"].map(|at| boot.number(at));
    let (link, lease, echo) = (link?, lease?, echo?);
    book.at_most(boot, "link_up_ns < lease_ns", link + 1, lease);
    book.at_most(boot, "lease_ns < first_echo_ns", lease + 1, echo);
    let mode = &boot.get("link_mode")?;
    book.equal(
        mode,
        "speed = 100 Mbit/s",
        mode.number("speed_mbit_per_s")?,
        100,
    );
    let full_duplex = mode.get("full_duplex")?.value.as_bool() == Some(true);
    book.holds(mode, "full duplex", full_duplex);
    Ok(())
}
