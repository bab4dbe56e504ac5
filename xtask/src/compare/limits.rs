//! How much worse each kind of figure may become.

use bench::Ratio;

use super::facts::Kind;
use crate::render::parse_decimal;

/// How much worse a figure may become before its threshold is crossed, in percent of what it was.
#[derive(Clone, Debug, clap::Args)]
pub struct LimitArgs {
    /// Flash
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    flash: Percent,
    /// Static RAM
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    ram: Percent,
    /// Source lines of a build
    #[arg(long, value_name = "PERCENT", default_value = "5", value_parser = percent)]
    lines: Percent,
    /// Any percentile of RTT
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = percent)]
    rtt: Percent,
    /// Clean rates and goodput
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    rate: Percent,
    /// Share of the core, and cycles a datagram
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = percent)]
    cpu: Percent,
    /// The most stack ever used
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = percent)]
    stack: Percent,
    /// SPI transactions and bytes a datagram
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    spi: Percent,
    /// Outages
    #[arg(long, value_name = "PERCENT", default_value = "5", value_parser = percent)]
    recovery: Percent,
}

/// A share in percent as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Percent {
    pub value: Ratio,
    pub text: String,
}

fn percent(text: &str) -> Result<Percent, String> {
    let (value, digits) = parse_decimal(text).ok_or("not a number such as 1 or 0.5")?;
    if digits > 3 || value.numerator > 1_000_000_000 {
        return Err("at most three digits after the point, and no more than a million".to_owned());
    }
    Ok(Percent {
        value,
        text: text.to_owned(),
    })
}

impl LimitArgs {
    /// The threshold of a kind of figure; `None` for one that has none.
    pub fn of(&self, kind: Kind) -> Option<Percent> {
        let limit = match kind {
            Kind::Flash => &self.flash,
            Kind::Ram => &self.ram,
            Kind::Lines => &self.lines,
            Kind::Rtt => &self.rtt,
            Kind::Rate => &self.rate,
            Kind::Cpu => &self.cpu,
            Kind::Stack => &self.stack,
            Kind::Spi => &self.spi,
            Kind::Outage => &self.recovery,
            Kind::Errors | Kind::Successes => return percent("0").ok(),
            Kind::Part | Kind::Input | Kind::Failure => return None,
        };
        Some(limit.clone())
    }
}
