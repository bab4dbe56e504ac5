//! What is new about the board: its log, its link, its lease.

use std::net::Ipv4Addr;

use board::{Board, LinkMode};

use crate::run::stamped;

/// What was told already.
#[derive(Debug, Default)]
pub struct News {
    log_lines: usize,
    link: Option<LinkMode>,
    lease: Option<Ipv4Addr>,
}

impl News {
    /// Tells what changed since the last call, a line each.
    ///
    /// # Errors
    /// What `say` gives.
    pub fn tell(
        &mut self,
        board: &mut Board,
        say: &mut dyn FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let lines = board.log().lines();
        for line in &lines[self.log_lines..] {
            say(&stamped(line))?;
        }
        self.log_lines = lines.len();
        let link = board.link_mode();
        if link != self.link {
            match link {
                Some(mode) => say(&format!("link up, {mode}"))?,
                None => say("link down")?,
            }
            self.link = link;
        }
        let lease = board.lease();
        if lease != self.lease {
            match lease {
                Some(address) => say(&format!("lease {address}"))?,
                None => say("no lease any more")?,
            }
            self.lease = lease;
        }
        Ok(())
    }
}
