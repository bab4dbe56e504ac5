//! What the chip did and what its driver did wrong, counted.

/// Counts since power-on; a reset does not clear them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Intact frames that arrived while the link was up.
    pub frames_received: u64,
    /// Frames put on the wire, the chip's own ARP and ICMP included.
    pub frames_sent: u64,
    /// Frames with a wrong check sequence or length, dropped.
    pub damaged_frames: u64,
    /// Intact frames that nobody took: stopped by a filter, for somebody else, of an unknown kind, or
    /// damaged inside.
    pub frames_filtered: u64,
    /// MACRAW frames stored in socket 0's buffer.
    pub macraw_frames_stored: u64,
    /// MACRAW frames dropped whole because they did not fit.
    pub macraw_frames_dropped: u64,
    /// MACRAW frames that got a wrong length prefix on purpose.
    pub wrong_prefixes: u64,
    /// UDP datagrams stored in a socket's buffer.
    pub datagrams_stored: u64,
    /// UDP datagrams for an open socket dropped whole because they did not fit.
    pub datagrams_dropped: u64,
    /// UDP datagrams for the chip's address that no open socket took.
    pub datagrams_without_socket: u64,
    /// Packets for the chip with a wrong length or checksum, and fragments; dropped.
    pub bad_packets: u64,
    /// UDP datagrams sent.
    pub datagrams_sent: u64,
    /// TCP segments that came for a socket.
    pub segments_received: u64,
    /// TCP segments that sockets sent, repeated ones included.
    pub segments_sent: u64,
    /// TCP segments for the chip's address that no socket took; all but resets are answered by one.
    pub segments_refused: u64,
    /// ARP requests sent, repeated ones included.
    pub arp_requests: u64,
    /// ARP requests of others answered.
    pub arp_replies: u64,
    /// Echo requests answered.
    pub pings_answered: u64,
    /// SENDs given up because no ARP answer came.
    pub arp_timeouts: u64,
    /// SENDs that came while an earlier one of the socket was under way, and wait behind it.
    pub sends_queued: u64,
    /// Arrivals for a socket whose RECV bit was still set: one interrupt stands for several.
    pub arrivals_merged: u64,

    /// Driver errors from here on. Transactions that ended within the header.
    pub truncated_headers: u64,
    /// Transactions that ended between two byte boundaries.
    pub misaligned_transactions: u64,
    /// Clock edges outside any byte while selected.
    pub stray_clocks: u64,
    /// Transactions while the chip was still waking up, all lost.
    pub early_transactions: u64,
    /// Data bytes read or written at reserved addresses or in reserved blocks.
    pub reserved_bytes: u64,
    /// Data bytes written to read-only registers.
    pub read_only_writes: u64,
    /// Register writes during a software reset, lost.
    pub writes_during_reset: u64,
    /// Reads of a receive buffer beyond the data that is in it, by transaction.
    pub reads_past_data: u64,
    /// Writes to a transmit buffer beyond its free space, by transaction.
    pub writes_past_space: u64,
    /// RECV commands with nothing received.
    pub recv_without_data: u64,
    /// RECV commands with RX_RD past RX_WR.
    pub recv_past_data: u64,
    /// SEND commands of more bytes than the buffer has free.
    pub sends_beyond_space: u64,
    /// SEND commands with TX_WR unchanged: they never complete.
    pub zero_length_sends: u64,
    /// MACRAW SENDs cut to the longest frame.
    pub oversize_frames: u64,
    /// Unknown commands, and commands that the socket's state or mode does not take.
    pub refused_commands: u64,
    /// Commands written before the one before them was accepted.
    pub hasty_commands: u64,
}
