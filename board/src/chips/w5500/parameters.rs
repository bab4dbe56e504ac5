//! What the data sheet leaves open, each as a parameter with a default and its reason.
//!
//! None is calibrated on a chip. "Assumed" marks a choice without a source; what an error in it moves is
//! said beside it.

use crate::time::Span;

/// Settings of a [`W5500`](super::W5500).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// From RSTn high (or power-on) until SPI answers; accesses before it are lost. 1 ms: the longest
    /// lock time of the PLL (LL, reset documentation). Drivers wait longer.
    pub power_up: Span,
    /// From writing MR.RST until it reads zero; registers have their reset values at once and writes
    /// until then are lost. Undocumented; assumed to be over before an access that follows at once can
    /// reach its data, since WIZ reads VERSIONR right away.
    pub software_reset: Span,
    /// Whether MR.RST drops the link. Undocumented, assumed not; moves only the time to link.
    pub software_reset_restarts_link: bool,
    /// From power-on or the end of a PHY reset until PHYCFGR.LNK. Usual with real switches: 1 to 3 s.
    pub link_up: Span,
    /// What MISO reads while the chip is not selected or not awake: it is high-impedance (data sheet),
    /// and an input that floats or is pulled up reads ones.
    pub deselected_miso: u8,
    /// What MISO carries during the three header bytes. Undocumented; as recalled from logic analyser
    /// traces. Drivers ignore it.
    pub header_miso: [u8; 3],
    /// What MISO carries while data is written. Undocumented, assumed zero. Drivers ignore it.
    pub write_miso: u8,
    /// What MOSI reads at a stray clock edge. The line floats then; assumed low.
    pub stray_mosi: bool,
    /// What reserved registers and blocks read. Assumed zero.
    pub reserved_value: u8,
    /// What a buffer of size 0 reads; writes to it are lost. Assumed zero.
    pub empty_block_value: u8,
    /// The KB that a size register with a value other than 0, 1, 2, 4, 8 and 16 stands for. The data
    /// sheet only forbids it; assumed none, so that the fault shows.
    pub unlisted_size_kb: u8,
    /// From writing Sn_CR until it reads zero. Assumed: a few tens of the chip's 150 MHz cycles. The
    /// command itself acts at the write.
    pub command_accept: Span,
    /// From a SEND, or the end of the one before it, until the preamble's first bit. Undocumented,
    /// assumed: header building and a copy inside the chip. An error goes into the RTT once.
    pub send_to_wire: Span,
    /// From a frame's last bit until RX_RSR, Sn_IR and INTn show it, all three in the same instant.
    /// Undocumented, assumed: check sequence, filters, checksum and pointers. An error goes into the RTT
    /// once.
    pub wire_to_interrupt: Span,
    /// How long a socket uses an ARP answer for one unchanged destination; `None`: until the destination
    /// changes or the socket is opened again. Undocumented; assumed without an end, since no driver's
    /// author reports repeated requests.
    pub arp_lifetime: Option<Span>,
    /// What Sn_IMR gates. Data sheet 1.0.9 suggests SIR only, earlier ones say Sn_IR too.
    pub socket_mask: SocketMask,
    /// What TX_WR reads between a write and SEND. The old value on silicon (w5500-lwip-freertos issue 4).
    pub tx_wr_readback: PointerReadback,
    /// What RX_RD reads between a write and RECV. Undocumented; assumed the new value.
    pub rx_rd_readback: PointerReadback,
    /// The value that OPEN sets the socket's pointers to. The data sheet says only that they are equal.
    pub pointer_at_open: u16,
    /// RECV with RX_RD moved past RX_WR. Undocumented; assumed plain 16-bit arithmetic: RX_RSR wraps to
    /// nearly 65536, as drivers' authors report (esp-idf 6572: length 65534).
    pub recv_past_data: RecvPastData,
    /// SEND of more bytes than the buffer holds. Undocumented; assumed that the chip reads its block
    /// round and round.
    pub send_beyond_space: SendBeyondSpace,
    /// Longest frame without check sequence that a MACRAW SEND puts on the wire; longer ones are cut.
    /// Assumed: the longest untagged frame.
    pub macraw_longest: usize,
    /// Largest UDP payload of one datagram; a longer SEND leaves as several (WDOC UDP.md).
    pub udp_largest: usize,
    /// How long a TCP socket stays in time wait. Undocumented; assumed one RTR at its reset value, in
    /// which a peer repeats its FIN if our last acknowledgement was lost. Drivers wait for closed.
    pub tcp_time_wait: Span,
    /// What the first sequence numbers of TCP connections follow from. The chip's own choice is
    /// undocumented; a fixed one lets a run repeat itself.
    pub tcp_seed: u64,
    /// Whether a MACRAW socket 0 also gets the frames that another socket or the chip itself consumes.
    /// Undocumented, assumed so.
    pub macraw_gets_all: bool,
    /// A wrong length prefix put before MACRAW frames on purpose, to see what a driver does with it.
    pub prefix_fault: Option<PrefixFault>,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            power_up: Span::from_ms(1),
            software_reset: Span::from_ns(200),
            software_reset_restarts_link: false,
            link_up: Span::from_ms(1_500),
            deselected_miso: 0xFF,
            header_miso: [1, 2, 3],
            write_miso: 0,
            stray_mosi: false,
            reserved_value: 0,
            empty_block_value: 0,
            unlisted_size_kb: 0,
            command_accept: Span::from_ns(200),
            send_to_wire: Span::from_us(2),
            wire_to_interrupt: Span::from_us(2),
            arp_lifetime: None,
            socket_mask: SocketMask::Sir,
            tx_wr_readback: PointerReadback::Old,
            rx_rd_readback: PointerReadback::New,
            pointer_at_open: 0,
            recv_past_data: RecvPastData::AsWritten,
            send_beyond_space: SendBeyondSpace::Sent,
            macraw_longest: crate::net::frame::MAX_LEN,
            udp_largest: 1_472,
            tcp_time_wait: Span::from_ms(200),
            tcp_seed: 0x5500,
            macraw_gets_all: true,
            prefix_fault: None,
        }
    }
}

/// What Sn_IMR keeps from happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketMask {
    /// A masked source sets its Sn_IR bit and leaves SIR alone.
    Sir,
    /// A masked source does not even set its Sn_IR bit.
    SnIr,
}

/// What a buffer pointer reads after it was written and before the command that makes it count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerReadback {
    Old,
    New,
}

/// What RECV does when RX_RD was moved past the data there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecvPastData {
    /// RX_RSR = RX_WR - RX_RD in 16 bits: nearly 65536, and nothing more is received.
    AsWritten,
    /// The buffer counts as empty: RX_RD becomes RX_WR.
    Clamped,
}

/// What SEND does when TX_WR is further from TX_RD than the buffer is long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendBeyondSpace {
    /// As many bytes leave, the block's content repeating.
    Sent,
    /// Nothing leaves and nothing completes.
    Ignored,
}

/// Gives every `every`-th MACRAW frame that is stored the length prefix `prefix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefixFault {
    /// 1: every frame; 0: none.
    pub every: u64,
    pub prefix: u16,
}
