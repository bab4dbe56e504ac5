//! The firmware's log: defmt frames that the debug probe read over RTT.

#[cfg(test)]
mod tests;

use defmt_decoder::{DecodeError, Encoding, Table};

use crate::soc::rtt::Chunk;
use crate::time::Instant;

/// Why an ELF file's log cannot be decoded.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("the firmware's defmt data cannot be used: {0}")]
    Table(String),
    #[error("the firmware logs in defmt's raw encoding; only rzCOBS, the default, can be read")]
    Encoding,
}

/// One entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// When the probe read it: at most a polling period after the firmware wrote it.
    pub at: Instant,
    /// The firmware's own time stamp, as it formats it.
    pub timestamp: Option<String>,
    /// `error`, `warn`, `info`, `debug` or `trace`; `println!` has none.
    pub level: Option<&'static str>,
    pub message: String,
}

impl std::fmt::Display for LogLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(timestamp) = &self.timestamp {
            write!(f, "{timestamp} ")?;
        }
        if let Some(level) = self.level {
            write!(f, "{:5} ", level.to_uppercase())?;
        }
        f.write_str(&self.message)
    }
}

/// Everything the firmware logged.
pub struct FirmwareLog {
    table: Option<Table>,
    /// The beginning of a frame whose end has not come.
    partial: Vec<u8>,
    lines: Vec<LogLine>,
    undecodable: u64,
}

impl FirmwareLog {
    /// An empty log for the firmware in `elf`; without defmt data in it nothing can be decoded.
    pub fn new(elf: &[u8]) -> Result<Self, LogError> {
        let table = Table::parse(elf).map_err(|error| LogError::Table(format!("{error:#}")))?;
        if let Some(table) = &table
            && !matches!(table.encoding(), Encoding::Rzcobs)
        {
            return Err(LogError::Encoding);
        }
        Ok(Self {
            table,
            partial: Vec::new(),
            lines: Vec::new(),
            undecodable: 0,
        })
    }

    /// The entries so far, oldest first.
    pub fn lines(&self) -> &[LogLine] {
        &self.lines
    }

    /// Takes the entries so far out of the log, oldest first.
    pub fn take_lines(&mut self) -> Vec<LogLine> {
        std::mem::take(&mut self.lines)
    }

    /// Bytes that were no log frames.
    pub fn undecodable(&self) -> u64 {
        self.undecodable
    }

    /// Takes what a debug probe read out of the firmware's memory at `at`.
    pub fn received(&mut self, at: Instant, bytes: &[u8]) {
        self.push(Chunk {
            at,
            bytes: bytes.to_vec(),
        });
    }

    pub(crate) fn push(&mut self, chunk: Chunk) {
        let Some(table) = &self.table else {
            self.undecodable += chunk.bytes.len() as u64;
            return;
        };
        self.partial.extend_from_slice(&chunk.bytes);
        // A zero byte ends a frame, so that decoding can start afresh behind it.
        while let Some(end) = self.partial.iter().position(|byte| *byte == 0) {
            let frame: Vec<u8> = self.partial.drain(..=end).collect();
            match decode(table, &frame, chunk.at) {
                Ok(Some(line)) => self.lines.push(line),
                Ok(None) => {}
                Err(Undecodable) => self.undecodable += frame.len() as u64,
            }
        }
    }
}

struct Undecodable;

fn decode(table: &Table, frame: &[u8], at: Instant) -> Result<Option<LogLine>, Undecodable> {
    let mut decoder = table.new_stream_decoder();
    decoder.received(frame);
    match decoder.decode() {
        Ok(frame) => Ok(Some(LogLine {
            at,
            timestamp: frame.display_timestamp().map(|t| t.to_string()),
            level: frame.level().map(|level| level.as_str()),
            message: frame.display_message().to_string(),
        })),
        // An empty frame.
        Err(DecodeError::UnexpectedEof) if frame.len() == 1 => Ok(None),
        Err(_) => Err(Undecodable),
    }
}

impl std::fmt::Debug for FirmwareLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FirmwareLog")
            .field("lines", &self.lines)
            .field("undecodable", &self.undecodable)
            .finish_non_exhaustive()
    }
}
