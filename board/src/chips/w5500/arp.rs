//! Address resolution: the question a socket asks before it sends, and the chip's own answers.

use std::net::Ipv4Addr;

use super::packet::{Addresses, ArpMessage, ArpOperation, BROADCAST, Mac};
use super::retry::Retry;
use crate::time::Instant;

/// How the first hop of a packet is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextHop {
    /// The packet goes to everybody on the link; nobody needs to be asked.
    Broadcast,
    /// Ask who has this address: the destination's own, or the gateway's.
    Resolve(Ipv4Addr),
}

/// Finds the first hop to `destination` by SIPR, SUBR and GAR. With a SUBR of zero everybody is on
/// the link.
pub fn next_hop(own: &Addresses, destination: Ipv4Addr) -> NextHop {
    let mask = own.subnet_mask.to_bits();
    let on_link = (destination.to_bits() ^ own.ip.to_bits()) & mask == 0;
    let all_hosts = destination.to_bits() | mask == u32::MAX;
    if destination.is_broadcast() || (on_link && all_hosts && mask != 0 && mask != u32::MAX) {
        NextHop::Broadcast
    } else if on_link {
        NextHop::Resolve(destination)
    } else {
        NextHop::Resolve(own.gateway)
    }
}

/// What a resolution does when its wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overdue {
    /// Nobody answered yet; ask again.
    AskAgain,
    /// Nobody answered RCR + 1 requests: Sn_IR.TIMEOUT.
    GiveUp,
}

/// One resolution under way. Each request waits RTR for its answer, RCR + 1 requests in all
/// (DS1.0.9 §4.1: 1.8 s at the reset values).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    target: Ipv4Addr,
    retry: Retry,
    repeated: u8,
    deadline: Instant,
}

impl Resolution {
    /// Begins at `now`; the caller sends the first [`Resolution::request`].
    pub fn start(target: Ipv4Addr, retry: Retry, now: Instant) -> Self {
        Self {
            target,
            retry,
            repeated: 0,
            deadline: now + retry.base(),
        }
    }

    /// When the present request has waited long enough.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The question, to be sent to [`BROADCAST`].
    pub fn request(&self, own: &Addresses) -> ArpMessage {
        ArpMessage {
            operation: ArpOperation::Request,
            sender_mac: own.mac,
            sender_ip: own.ip,
            target_mac: [0; 6],
            target_ip: self.target,
        }
    }

    /// Looks at the time; `None` before the deadline.
    pub fn on_timer(&mut self, now: Instant) -> Option<Overdue> {
        if now < self.deadline {
            return None;
        }
        if self.repeated == self.retry.count {
            self.deadline = Instant::NEVER;
            return Some(Overdue::GiveUp);
        }
        self.repeated += 1;
        self.deadline = now + self.retry.base();
        Some(Overdue::AskAgain)
    }

    /// The hardware address sought, if `message` is the answer to it. Only a reply counts: that the
    /// chip would also learn from a request is not documented.
    pub fn answer(&self, message: &ArpMessage) -> Option<Mac> {
        let answers = message.operation == ArpOperation::Reply && message.sender_ip == self.target;
        answers.then_some(message.sender_mac)
    }
}

/// The chip's reply to a request for SIPR, to be sent to the requester. An SIPR of zero has no owner.
pub fn reply(own: &Addresses, message: &ArpMessage) -> Option<ArpMessage> {
    let asks_for_us = message.operation == ArpOperation::Request
        && message.target_ip == own.ip
        && !own.ip.is_unspecified();
    asks_for_us.then_some(ArpMessage {
        operation: ArpOperation::Reply,
        sender_mac: own.mac,
        sender_ip: own.ip,
        target_mac: message.sender_mac,
        target_ip: message.sender_ip,
    })
}

/// Whether a request's sender uses SIPR as its own: IR.CONFLICT (DS1.0.9 §4.1, IR).
pub fn is_conflict(own: &Addresses, message: &ArpMessage) -> bool {
    message.operation == ArpOperation::Request
        && message.sender_ip == own.ip
        && message.sender_mac != own.mac
        && !own.ip.is_unspecified()
}

/// Where a message is sent: a question to everybody, an answer to who asked.
pub fn destination(message: &ArpMessage) -> Mac {
    match message.operation {
        ArpOperation::Request => BROADCAST,
        ArpOperation::Reply => message.target_mac,
    }
}

#[cfg(test)]
mod tests;
