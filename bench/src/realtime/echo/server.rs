//! The server: reads in batches, decides, answers.

use std::io::{self, ErrorKind};

use super::held::{Held, HeldReply};
use super::{EchoCounts, Fate, Faults, Handled};
use crate::realtime::arrivals::Arrivals;
use crate::realtime::clock::Clock;
use crate::realtime::priority::Priority;
use crate::realtime::sleeper::Sleeper;
use crate::realtime::socket::{Arrival, BATCH, Receiver, Socket};
use crate::realtime::{ArrivalClock, BufferSize, RealtimeError, StopSignal, runtime};
use crate::{Endpoint, Nanos};

/// A reordered reply leaves after this long even if no later datagram comes.
const REORDER_PATIENCE: Nanos = Nanos::from_millis(20);

/// The longest sleep, so that a request to stop is seen soon.
const SLEEP_MAX: Nanos = Nanos::from_millis(50);

/// What the server asks of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EchoServerOptions {
    /// The address and port to listen on; port 0 for any that is free.
    pub local: Endpoint,
    /// The receive and the send buffer to ask for.
    pub buffer_bytes: u64,
    /// How long the server looks for another datagram before it sleeps.
    pub spin_ns: Nanos,
    /// Ask to run before every thread that is not real-time.
    pub real_time: bool,
}

/// A bound server.
pub struct EchoServer {
    socket: Socket,
    /// Copies that come from another port leave here.
    stray: Socket,
    faults: Faults,
    spin: Nanos,
    real_time: bool,
}

impl EchoServer {
    /// Binds to the address of `options`; datagrams wait from now on.
    ///
    /// # Errors
    /// When the socket cannot be opened.
    pub fn bind(options: &EchoServerOptions, faults: Faults) -> Result<Self, RealtimeError> {
        let open = |local| {
            Socket::bind(local, options.buffer_bytes, ArrivalClock::Kernel)
                .map_err(|error| RealtimeError::Open { local, error })
        };
        Ok(Self {
            socket: open(options.local)?,
            stray: open(Endpoint::new(*options.local.ip(), 0))?,
            faults,
            spin: options.spin_ns,
            real_time: options.real_time,
        })
    }

    /// The address and port the server listens on.
    pub fn local(&self) -> Endpoint {
        self.socket.local()
    }

    /// The receive buffer, as asked and as granted.
    pub fn receive_buffer(&self) -> BufferSize {
        self.socket.receive_buffer
    }

    /// Serves until `stop` is given and tells `log` of every datagram. What is held back then
    /// leaves at once, so that the counts say what a client can know.
    ///
    /// # Errors
    /// When the socket fails.
    pub fn run(
        &self,
        stop: &StopSignal,
        log: impl FnMut(Handled),
    ) -> Result<EchoCounts, RealtimeError> {
        let runtime = runtime().map_err(RealtimeError::Socket)?;
        let served = runtime.block_on(async {
            let mut service = Service::new(self, log)?;
            service.serve(stop).await?;
            Ok(service.into_counts())
        });
        served.map_err(RealtimeError::Socket)
    }
}

/// A server at work.
struct Service<'a, Log> {
    server: &'a EchoServer,
    clock: Clock,
    arrivals: Arrivals,
    sleeper: Sleeper,
    priority: Priority,
    /// Apart from the rest, because it lends what it read.
    answering: Answering<'a, Log>,
}

/// What is needed to answer a datagram.
struct Answering<'a, Log> {
    server: &'a EchoServer,
    counts: EchoCounts,
    held: Held,
    /// The highest number of a datagram that was rightly answered.
    highest_answered: Option<u64>,
    log: Log,
}

impl<'a, Log: FnMut(Handled)> Service<'a, Log> {
    fn new(server: &'a EchoServer, log: Log) -> io::Result<Self> {
        Ok(Self {
            server,
            clock: Clock::start(),
            arrivals: Arrivals::new(server.socket.arrival_clock.effective),
            sleeper: Sleeper::on(&server.socket)?,
            priority: Priority::new(server.real_time),
            answering: Answering {
                server,
                counts: EchoCounts::default(),
                held: Held::default(),
                highest_answered: None,
                log,
            },
        })
    }

    async fn serve(&mut self, stop: &StopSignal) -> io::Result<()> {
        let mut receiver = Receiver::new(self.server.socket.arrival_clock.effective);
        let mut last_arrival = Nanos::ZERO;
        while !stop.requested() {
            let now = self.clock.now();
            self.priority.keep(now);
            if self.answer_batch(&mut receiver, now)? > 0 {
                last_arrival = now;
            } else if now.since(last_arrival) >= self.server.spin {
                self.sleep(now).await?;
            }
            self.answering.release(self.clock.now());
        }
        self.answering.release(Nanos(u64::MAX));
        Ok(())
    }

    fn answer_batch(&mut self, receiver: &mut Receiver, now: Nanos) -> io::Result<usize> {
        let Self {
            clock,
            arrivals,
            answering,
            ..
        } = self;
        let mut batch = None;
        let read = receiver.receive(&self.server.socket, BATCH, |arrival| {
            let batch = batch.get_or_insert_with(|| arrivals.begin_batch(clock));
            let came = arrivals.enter(batch, &arrival);
            answering.answer(now, came, &arrival);
        });
        match read {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            // An error reported by the network about an earlier reply; the client is gone.
            Err(error) if crate::realtime::is_about_an_earlier_datagram(&error) => Ok(0),
            read => read,
        }
    }

    async fn sleep(&self, now: Nanos) -> io::Result<()> {
        let next = self.answering.held.next_instant();
        let span = next.map_or(SLEEP_MAX, |instant| instant.since(now).min(SLEEP_MAX));
        if span == Nanos::ZERO {
            return Ok(());
        }
        self.sleeper.sleep(span).await
    }

    fn into_counts(self) -> EchoCounts {
        EchoCounts {
            dropped_by_kernel: self.server.socket.dropped_by_kernel(),
            ..self.answering.counts
        }
    }
}

impl<Log: FnMut(Handled)> Answering<'_, Log> {
    /// Does with one datagram, which came at `came`, what its number says.
    fn answer(&mut self, now: Nanos, came: Nanos, arrival: &Arrival<'_>) {
        let Arrival { from, payload, .. } = *arrival;
        let index = self.counts.received;
        let fate = (!arrival.cut).then(|| self.server.faults.fate(index, payload.len()));
        self.counts.handled(fate);
        (self.log)(Handled {
            index,
            received_ns: came,
            payload_bytes: payload.len() as u64,
            fate,
        });
        let held = || HeldReply {
            index,
            to: from,
            payload: payload.into(),
        };
        match fate {
            None | Some(Fate::Lost) => {}
            Some(Fate::Echoed) => self.reply(index, from, payload),
            Some(Fate::Corrupted { offset, mask }) => {
                let mut reply = held().payload;
                reply[offset] ^= mask;
                self.send(from, &reply);
            }
            Some(Fate::Truncated { bytes }) => self.send(from, &payload[..bytes]),
            Some(Fate::Duplicated) => {
                self.reply(index, from, payload);
                self.send(from, payload);
            }
            Some(Fate::Delayed) => {
                let due = now + self.server.faults.delay_ns;
                self.held.until(due, held());
            }
            Some(Fate::Reordered { depth }) => {
                let patience = now + REORDER_PATIENCE;
                self.held.until_answered(index + depth, patience, held());
            }
            Some(Fate::Strayed) => {
                match send_patiently(&self.server.stray, from, payload) {
                    Ok(()) => self.counts.strays_sent += 1,
                    Err(_) => self.counts.send_errors += 1,
                }
                self.reply(index, from, payload);
            }
        }
        self.release(now);
    }

    /// Sends the replies whose time has come.
    fn release(&mut self, now: Nanos) {
        while let Some(reply) = self.held.due(now, self.counts.received) {
            self.reply(reply.index, reply.to, &reply.payload);
        }
    }

    /// Sends the first right reply to datagram `index`.
    fn reply(&mut self, index: u64, to: Endpoint, payload: &[u8]) {
        self.counts.out_of_order += u64::from(self.highest_answered > Some(index));
        self.highest_answered = self.highest_answered.max(Some(index));
        self.send(to, payload);
    }

    fn send(&mut self, to: Endpoint, payload: &[u8]) {
        match send_patiently(&self.server.socket, to, payload) {
            Ok(()) => self.counts.replies_sent += 1,
            Err(_) => self.counts.send_errors += 1,
        }
    }
}

/// Waits while the send buffer is full: what the log says was sent must have been.
fn send_patiently(socket: &Socket, to: Endpoint, payload: &[u8]) -> io::Result<()> {
    loop {
        match socket.send(to, payload) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::yield_now(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            sent => return sent,
        }
    }
}
