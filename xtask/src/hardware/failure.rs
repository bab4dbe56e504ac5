//! Why a study on hardware ends early, each with an exit status of its own.

use std::fmt;

/// What kept a study on hardware from going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    NoProbe,
    SeveralProbes,
    NoPermission,
    ProbeStuck,
    WrongChip,
    ImageDoesNotFit,
    FlashFailed,
    VerifyFailed,
    NoAddress,
    NoLink,
    NoLease,
    NoEcho,
    TrialFailed,
}

impl FailureKind {
    /// Every kind, in the order of their exit statuses.
    pub const ALL: [Self; 13] = [
        Self::NoProbe,
        Self::SeveralProbes,
        Self::NoPermission,
        Self::ProbeStuck,
        Self::WrongChip,
        Self::ImageDoesNotFit,
        Self::FlashFailed,
        Self::VerifyFailed,
        Self::NoAddress,
        Self::NoLink,
        Self::NoLease,
        Self::NoEcho,
        Self::TrialFailed,
    ];

    /// The exit status; all are beyond 0, 1 and 2, which every subcommand gives.
    pub const fn exit_status(self) -> u8 {
        10 + self as u8
    }

    /// What the exit status says.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::NoProbe => "no debug probe is plugged in, or none that --probe selects",
            Self::SeveralProbes => "several debug probes are plugged in; they are listed",
            Self::NoPermission => "the debug probe may not be opened",
            Self::ProbeStuck => "the debug probe, or the chip behind it, does not answer",
            Self::WrongChip => "the chip behind the probe is another one",
            Self::ImageDoesNotFit => "the firmware does not fit the chip's flash",
            Self::FlashFailed => "the flash could not be written",
            Self::VerifyFailed => "the flash does not hold what was written",
            Self::NoAddress => "the firmware did not say its address, and --board did not either",
            Self::NoLink => "no link at 100 Mbit/s full duplex or more",
            Self::NoLease => "no DHCP lease",
            Self::NoEcho => "no echo",
            Self::TrialFailed => "a trial failed or is void",
        }
    }
}

/// The end of a study on hardware, with what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    message: String,
}

impl Failure {
    /// A failure that `message` describes in one line.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// The exit statuses as lines of a help text.
pub fn exit_statuses() -> String {
    let lines = FailureKind::ALL
        .map(|kind| format!("  {}  {}\n", kind.exit_status(), kind.meaning()))
        .concat();
    format!("Exit status with --on hardware, besides 0 and 2:\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_an_exit_status_of_its_own() {
        let statuses = FailureKind::ALL.map(FailureKind::exit_status);
        assert_eq!(statuses.to_vec(), (10..=22).collect::<Vec<u8>>());
    }

    #[test]
    fn the_readme_has_the_table_of_exit_statuses() {
        let readme = crate::files::read_text(&crate::paths::root().join("README.md")).unwrap();
        for kind in FailureKind::ALL {
            let row = format!("| {} | {} |", kind.exit_status(), kind.meaning());
            assert!(readme.contains(&row), "{row}");
        }
    }
}
