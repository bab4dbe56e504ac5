//! What a result says of the device under test, in words: a stall is not a loss, and a corrupt
//! reply is neither.

use std::fmt;

use crate::rtt_series::RttSeries;
use crate::tail::Tail;
use crate::{Corruption, Counts, Nanos, RttGrowth};

/// A device stalled when at least this many datagrams at the end were not answered,
pub const STALL_UNANSWERED_MIN: u64 = 8;

/// and this long before the last of them was sent the last reply had come.
pub const STALL_SILENCE_MIN: Nanos = Nanos::from_millis(500);

/// What became of a flow, the gravest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What went wrong; empty when every datagram came back whole, once, in order and in time.
    pub faults: Vec<Fault>,
    /// The rise of RTT over the run, which is no fault in itself.
    pub rtt_growth: Option<RttGrowth>,
}

/// One thing that went wrong. The order is by severity, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// From some instant on nothing was answered any more.
    Stalled(Stall),
    /// Replies came with a byte wrong, absent or too many.
    Corrupt {
        /// How many.
        replies: u64,
        /// The first of them.
        first: Corruption,
    },
    /// Datagrams were not answered at all, those after a stall left aside.
    Lost {
        /// How many.
        datagrams: u64,
    },
    /// Replies came more than once.
    Duplicated {
        /// Copies beyond the first.
        copies: u64,
    },
    /// Replies came after that to a later datagram.
    Reordered {
        /// How many.
        datagrams: u64,
    },
    /// Replies took longer than the late threshold.
    Late {
        /// How many.
        datagrams: u64,
    },
    /// Datagrams came that answer nothing of this flow.
    Foreign {
        /// How many.
        datagrams: u64,
    },
    /// The host's own stack refused datagrams.
    Unsent {
        /// How many.
        datagrams: u64,
    },
}

/// When a device stopped answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// When the last reply came, from the start of the measured run; `None` when none ever did.
    pub last_reply_ns: Option<Nanos>,
    /// Datagrams sent after the last one that was replied to.
    pub unanswered: u64,
    /// Whether anything else came from the device after that: only its receiver, or its echo
    /// server, stalled.
    pub transmit_alive: bool,
}

impl Fault {
    /// The fault in a word or two.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Stalled(Stall {
                transmit_alive: true,
                ..
            }) => "receive stalled",
            Self::Stalled(_) => "stalled",
            Self::Corrupt { .. } => "corrupt",
            Self::Lost { .. } => "lost",
            Self::Duplicated { .. } => "duplicated",
            Self::Reordered { .. } => "reordered",
            Self::Late { .. } => "late",
            Self::Foreign { .. } => "foreign",
            Self::Unsent { .. } => "unsent",
        }
    }
}

impl Stall {
    /// The stall at the end of a run whose last datagram left at `last_send_ns`, if there is one.
    fn of(tail: Tail, last_send_ns: Option<Nanos>) -> Option<Self> {
        let silence = last_send_ns?.since(tail.last_reply_ns.unwrap_or_default());
        let stalled = tail.unanswered >= STALL_UNANSWERED_MIN && silence >= STALL_SILENCE_MIN;
        stalled.then_some(Self {
            last_reply_ns: tail.last_reply_ns,
            unanswered: tail.unanswered,
            transmit_alive: tail.heard_after > 0,
        })
    }
}

impl Verdict {
    /// The verdict on a flow from what its result holds.
    pub(crate) fn new(
        counts: &Counts,
        tail: Tail,
        last_send_ns: Option<Nanos>,
        first_corruption: Option<Corruption>,
        rtt_over_time: &RttSeries,
    ) -> Self {
        let stall = Stall::of(tail, last_send_ns);
        let stalled = stall.map_or(0, |stall| stall.unanswered);
        let corrupt = first_corruption.map(|first| Fault::Corrupt {
            replies: counts.corrupt,
            first,
        });
        let lost = counts.lost().saturating_sub(stalled);
        let counted = [
            (lost, Fault::Lost { datagrams: lost }),
            (
                counts.duplicate,
                Fault::Duplicated {
                    copies: counts.duplicate,
                },
            ),
            (
                counts.reordered,
                Fault::Reordered {
                    datagrams: counts.reordered,
                },
            ),
            (
                counts.late,
                Fault::Late {
                    datagrams: counts.late,
                },
            ),
            (
                counts.foreign,
                Fault::Foreign {
                    datagrams: counts.foreign,
                },
            ),
            (
                counts.send_errors,
                Fault::Unsent {
                    datagrams: counts.send_errors,
                },
            ),
        ];
        let counted = counted.into_iter().filter(|&(count, _)| count > 0);
        let faults = stall.map(Fault::Stalled).into_iter().chain(corrupt);
        Self {
            faults: faults.chain(counted.map(|(_, fault)| fault)).collect(),
            rtt_growth: rtt_over_time.growth(),
        }
    }

    /// Whether nothing went wrong.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// The stall, if there is one.
    pub fn stall(&self) -> Option<Stall> {
        self.faults.iter().find_map(|fault| match fault {
            Fault::Stalled(stall) => Some(*stall),
            _ => None,
        })
    }
}

/// The words of the verdict: `clean`, or `corrupt, lost`, or `growing RTT, then stalled, late`.
impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::from_iter(self.faults.iter().map(Fault::word));
        if words.is_empty() {
            words.push("clean");
        }
        let growing = match (self.rtt_growth, self.stall()) {
            (Some(_), Some(_)) => "growing RTT, then ",
            (Some(_), None) => "growing RTT, ",
            (None, _) => "",
        };
        write!(formatter, "{growing}{}", words.join(", "))
    }
}
