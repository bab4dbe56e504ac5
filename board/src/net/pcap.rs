//! The wire as a pcapng file, with check sequences and nanosecond time stamps.

use std::borrow::Cow;
use std::fmt;
use std::io::{BufWriter, Write};
use std::time::Duration;

use pcap_file::DataLink;
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption, InterfaceTsResolution,
};

use crate::net::frame::FCS_LEN;
use crate::net::wire::Direction;
use crate::time::Instant;

/// Why a capture is incomplete.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    #[error("cannot write the packet capture")]
    Write(#[from] pcap_file::pcapng::PcapNgWriteError),
    #[error("cannot write the packet capture")]
    Flush(#[from] std::io::Error),
}

type Sink = BufWriter<Box<dyn Write + Send>>;

/// A pcapng capture, seen from the board: frames to it are inbound, its own outbound.
///
/// A frame is recorded when its last bit arrives, so a frame lost on the wire is absent. Dropping the
/// capture writes what is buffered; only [`Capture::finish`] tells of errors.
pub struct Capture {
    writer: PcapNgWriter<Sink>,
    error: Option<CaptureError>,
}

/// Packet flags (pcapng, Enhanced Packet Block options): direction in bits 1:0, check sequence length
/// in bits 8:5.
const FLAG_INBOUND: u32 = 1;
const FLAG_OUTBOUND: u32 = 2;
const FLAG_FCS_LEN: u32 = (FCS_LEN as u32) << 5;

impl Capture {
    /// Begins a capture with the file's headers.
    pub fn new(sink: impl Write + Send + 'static) -> Result<Self, CaptureError> {
        let sink: Box<dyn Write + Send> = Box::new(sink);
        let mut writer = PcapNgWriter::new(BufWriter::new(sink))?;
        writer.write_pcapng_block(InterfaceDescriptionBlock {
            linktype: DataLink::ETHERNET,
            snaplen: 0,
            options: vec![
                InterfaceDescriptionOption::IfName(Cow::Borrowed("board")),
                InterfaceDescriptionOption::IfSpeed(100_000_000),
                InterfaceDescriptionOption::IfTsResol(InterfaceTsResolution::NANO),
                InterfaceDescriptionOption::IfFcsLen(FCS_LEN as u8),
            ],
        })?;
        Ok(Self {
            writer,
            error: None,
        })
    }

    /// Records a frame; after a first error nothing more is written.
    pub fn record(&mut self, direction: Direction, at: Instant, frame: &[u8]) {
        if self.error.is_some() {
            return;
        }
        let direction = match direction {
            Direction::ToBoard => FLAG_INBOUND,
            Direction::ToHost => FLAG_OUTBOUND,
        };
        let block = EnhancedPacketBlock {
            interface_id: 0,
            timestamp: Duration::from_nanos(at.as_ns()),
            original_len: frame.len() as u32,
            data: Cow::Borrowed(frame),
            options: vec![EnhancedPacketOption::Flags(direction | FLAG_FCS_LEN)],
        };
        if let Err(error) = self.writer.write_pcapng_block(block) {
            self.error = Some(error.into());
        }
    }

    /// Writes what is buffered and gives the first error of the whole capture.
    pub fn finish(mut self) -> Result<(), CaptureError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.writer.get_mut().flush()?;
        Ok(())
    }
}

impl fmt::Debug for Capture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Capture")
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
