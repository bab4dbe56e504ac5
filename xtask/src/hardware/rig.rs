//! A board behind a debug probe: which probe, which chip, its flash, and from reset to an address.

use std::net::Ipv4Addr;

use bench::Nanos;

use super::clock::Clock;
use super::failure::{Failure, FailureKind};
use super::image::FlashImage;
use super::log::{Event, LogReader};
use super::probe::{ChipId, Fault, Probe, ProbeInfo, Selector, seconds};
use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// How long each step may take.
pub mod within {
    use bench::Nanos;

    pub const LIST: Nanos = Nanos::from_secs(10);
    /// Attaching may be tried in three ways.
    pub const ATTACH: Nanos = Nanos::from_secs(30);
    /// A whole megabyte: eight sectors of at most 6 s to erase, and the writing.
    pub const FLASH: Nanos = Nanos::from_secs(180);
    pub const VERIFY: Nanos = Nanos::from_secs(60);
    pub const RESET: Nanos = Nanos::from_secs(10);
    pub const READ_LOG: Nanos = Nanos::from_secs(5);
    pub const DETACH: Nanos = Nanos::from_secs(10);
    /// From reset to a link: negotiation takes 1 to 3 s.
    pub const LINK: Nanos = Nanos::from_secs(20);
    /// From link to lease: the firmware itself gives up after 30 s.
    pub const LEASE: Nanos = Nanos::from_secs(40);
    /// From an address to the first echo.
    pub const ECHO: Nanos = Nanos::from_secs(20);
}

/// How often the log is read.
const POLL: Nanos = Nanos::from_millis(20);

/// One chosen probe and the board behind it.
pub struct Rig<'a, P, C> {
    probe: P,
    info: ProbeInfo,
    clock: &'a C,
    interrupt: &'a Interrupt,
    progress: &'a Progress,
}

/// A firmware with what reads its log.
pub struct Firmware<'a> {
    /// How messages name it.
    pub name: &'a str,
    pub elf: &'a [u8],
    pub image: &'a FlashImage,
}

/// A board that runs from reset and has an address, the debugger gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// When it was reset, by the rig's clock.
    pub reset_at: Nanos,
    pub address: Ipv4Addr,
    /// From reset until the log said so; `None` when the address was given and no log was read.
    pub link_up_ns: Option<Nanos>,
    pub lease_ns: Option<Nanos>,
}

impl<'a, P: Probe, C: Clock> Rig<'a, P, C> {
    /// Chooses the probe that `selector` selects, or the only one that is plugged in.
    pub fn choose(
        mut probe: P,
        selector: Option<&Selector>,
        clock: &'a C,
        interrupt: &'a Interrupt,
        progress: &'a Progress,
    ) -> Result<Self, Failure> {
        let listed = probe.list(within::LIST).map_err(|fault| {
            let message = format!("cannot list debug probes: {fault}");
            Failure::new(FailureKind::ProbeStuck, message)
        })?;
        Ok(Self {
            info: choose(listed, selector)?,
            probe,
            clock,
            interrupt,
            progress,
        })
    }

    /// The chosen probe.
    pub fn info(&self) -> &ProbeInfo {
        &self.info
    }

    /// Writes the firmware into flash and compares; tries again up to `retries` times when either fails.
    pub fn program(
        &mut self,
        firmware: &Firmware,
        flash_kib: u16,
        retries: u32,
    ) -> Result<(), Failure> {
        let mut retries_left = retries;
        loop {
            self.attach(flash_kib)?;
            let written = self.flash_and_verify(firmware);
            let detached = self.detach();
            let Err(failure) = written else {
                return detached;
            };
            if retries_left == 0 {
                return Err(failure);
            }
            detached?;
            let times = if retries_left == 1 { "time" } else { "times" };
            self.progress.line(&format!(
                "{failure}; trying again, {retries_left} more {times}"
            ));
            retries_left -= 1;
        }
    }

    /// Resets the board and waits for it to say its address, which is not waited for when it is given;
    /// `None` when the user asked to stop.
    pub fn start(
        &mut self,
        firmware: &Firmware,
        flash_kib: u16,
        given: Option<Ipv4Addr>,
    ) -> Result<Option<Started>, Failure> {
        self.attach(flash_kib)?;
        let started = self.reset_and_hear(firmware, given);
        let detached = self.detach();
        let started = started?;
        detached?;
        Ok(started)
    }

    /// Resets the board, which is left alone at once.
    pub fn reset(&mut self, firmware: &Firmware, flash_kib: u16) -> Result<(), Failure> {
        self.attach(flash_kib)?;
        let reset = self.reset_attached(firmware);
        let detached = self.detach();
        reset?;
        detached
    }

    fn attach(&mut self, flash_kib: u16) -> Result<(), Failure> {
        let attached = self.probe.attach(&self.info, within::ATTACH);
        let id = attached.map_err(|fault| not_attached(&self.info, fault))?;
        let wanted = ChipId {
            device: ChipId::STM32H72X_H73X,
            flash_kib,
        };
        if id == wanted {
            return Ok(());
        }
        self.detach()?;
        Err(wrong_chip(&self.info, &id.to_string()))
    }

    fn flash_and_verify(&mut self, firmware: &Firmware) -> Result<(), Failure> {
        let Firmware { name, image, .. } = firmware;
        self.progress.line(&format!("{name}: flashing"));
        let flashed = self.probe.flash(image, within::FLASH);
        flashed.map_err(|fault| {
            let message = format!("flash failed: {name} could not be written: {fault}");
            Failure::new(FailureKind::FlashFailed, message)
        })?;
        let verified = self.probe.verify(image, within::VERIFY);
        verified.map_err(|fault| {
            let message = format!("verify failed: flash does not hold {name}: {fault}");
            Failure::new(FailureKind::VerifyFailed, message)
        })
    }

    fn detach(&mut self) -> Result<(), Failure> {
        let detached = self.probe.detach(within::DETACH);
        detached.map_err(|fault| stuck(&self.info, "detach from the chip", &fault))
    }

    fn reset_attached(&mut self, firmware: &Firmware) -> Result<(), Failure> {
        let control_block = firmware.image.control_block;
        let reset = self.probe.reset(control_block, within::RESET);
        reset.map_err(|fault| stuck(&self.info, "reset the chip", &fault))
    }

    fn reset_and_hear(
        &mut self,
        firmware: &Firmware,
        given: Option<Ipv4Addr>,
    ) -> Result<Option<Started>, Failure> {
        self.reset_attached(firmware)?;
        let reset_at = self.clock.now();
        match given {
            Some(address) => Ok(Some(Started {
                reset_at,
                address,
                link_up_ns: None,
                lease_ns: None,
            })),
            None => self.read_address(firmware, reset_at),
        }
    }

    fn read_address(
        &mut self,
        firmware: &Firmware,
        reset_at: Nanos,
    ) -> Result<Option<Started>, Failure> {
        let no_address = |why: &str| {
            let name = firmware.name;
            let message = format!("{name} {why}; give its address with --board");
            Failure::new(FailureKind::NoAddress, message)
        };
        let Some(control_block) = firmware.image.control_block else {
            return Err(no_address("has no log that could say its address"));
        };
        let reader = LogReader::new(firmware.elf);
        let mut reader = reader.map_err(|error| no_address(&format!("{error:#}")))?;
        let mut heard = Heard::default();
        while !self.interrupt.requested() {
            let bytes = self.probe.read_log(control_block, within::READ_LOG);
            let bytes = bytes.map_err(|fault| stuck(&self.info, "read the log", &fault))?;
            let elapsed = self.clock.now().since(reset_at);
            for message in reader.messages(elapsed, &bytes) {
                self.progress
                    .line(&format!("{}: log: {message}", firmware.name));
                heard.note(elapsed, &message);
            }
            heard.undecodable_bytes = reader.undecodable_bytes();
            if let Some((address, lease_ns)) = heard.lease {
                return Ok(Some(Started {
                    reset_at,
                    address,
                    link_up_ns: heard.link_up,
                    lease_ns: Some(lease_ns),
                }));
            }
            heard.check(firmware.name, elapsed)?;
            self.clock.sleep(POLL);
        }
        Ok(None)
    }
}

/// What the log said so far, with the time since reset.
#[derive(Clone, Debug, Default)]
struct Heard {
    anything: bool,
    undecodable_bytes: u64,
    /// When the link came up that is up.
    link_up: Option<Nanos>,
    lease: Option<(Ipv4Addr, Nanos)>,
    fallback: Option<Ipv4Addr>,
}

impl Heard {
    fn note(&mut self, elapsed: Nanos, message: &str) {
        self.anything = true;
        match Event::of(message) {
            Some(Event::LinkUp) => self.link_up = Some(elapsed),
            Some(Event::LinkDown) => self.link_up = None,
            Some(Event::Lease(address)) => self.lease = Some((address, elapsed)),
            Some(Event::Fallback(address)) => self.fallback = Some(address),
            None => {}
        }
    }

    /// Whether it makes sense to wait longer for a lease.
    fn check(&self, name: &str, elapsed: Nanos) -> Result<(), Failure> {
        let fail = |kind, message: String| Err(Failure::new(kind, message));
        if let Some(address) = self.fallback {
            let message = format!(
                "no lease: no DHCP server answered {name}, which took {address}; give it a DHCP server, or give `--board {address}` if this host reaches that address"
            );
            return fail(FailureKind::NoLease, message);
        }
        let link_s = seconds(within::LINK);
        match self.link_up {
            Some(at) if elapsed.since(at) >= within::LEASE => {
                let lease_s = seconds(within::LEASE);
                let message = format!(
                    "no lease: {name} had none {lease_s} s after its link came up; check the DHCP server"
                );
                fail(FailureKind::NoLease, message)
            }
            None if elapsed >= within::LINK && self.anything => {
                let message = format!(
                    "no link: {name} had none {link_s} s after reset; check the cable and the other end"
                );
                fail(FailureKind::NoLink, message)
            }
            None if elapsed >= within::LINK => {
                let garbage = match self.undecodable_bytes {
                    0 => String::new(),
                    bytes => format!(" but {bytes} bytes that are no log"),
                };
                let message = format!(
                    "{name} said nothing{garbage} within {link_s} s of reset; give its address with --board"
                );
                fail(FailureKind::NoAddress, message)
            }
            _ => Ok(()),
        }
    }
}

fn choose(listed: Vec<ProbeInfo>, selector: Option<&Selector>) -> Result<ProbeInfo, Failure> {
    let list = |probes: &[ProbeInfo]| {
        let names = probes.iter().map(ProbeInfo::to_string);
        names.collect::<Vec<_>>().join(", ")
    };
    let selected = |probe: &ProbeInfo| selector.is_none_or(|selector| selector.matches(probe));
    let (mut matching, others): (Vec<_>, Vec<_>) = listed.into_iter().partition(selected);
    match (matching.len(), selector) {
        (1, _) => Ok(matching.remove(0)),
        (0, Some(selector)) if !others.is_empty() => {
            let message = format!(
                "no debug probe is {selector}; plugged in: {}",
                list(&others)
            );
            Err(Failure::new(FailureKind::NoProbe, message))
        }
        (0, _) => {
            let message = "no debug probe: connect the USB socket of the board's ST-LINK (CN1) to this computer with a cable that carries data";
            Err(Failure::new(FailureKind::NoProbe, message))
        }
        _ => {
            let message = format!(
                "several debug probes are plugged in, choose one with --probe: {}",
                list(&matching)
            );
            Err(Failure::new(FailureKind::SeveralProbes, message))
        }
    }
}

fn not_attached(probe: &ProbeInfo, fault: Fault) -> Failure {
    match fault {
        Fault::NoPermission => {
            let message = format!(
                "permission denied for {probe}: on Linux, install the udev rule that the README gives under \"With a board\", then plug the board in again"
            );
            Failure::new(FailureKind::NoPermission, message)
        }
        Fault::OtherChip(what) => wrong_chip(probe, &what),
        fault => stuck(probe, "attach to the chip", &fault),
    }
}

fn wrong_chip(probe: &ProbeInfo, found: &str) -> Failure {
    let message =
        format!("wrong chip: behind {probe} is {found}, not an STM32H723ZG; nothing was erased");
    Failure::new(FailureKind::WrongChip, message)
}

/// The probe, or the chip behind it, does not do what it is asked.
fn stuck(probe: &ProbeInfo, what: &str, fault: &Fault) -> Failure {
    let message = format!(
        "debug probe stuck: {probe} could not {what}: {fault}; unplug the board's USB cable and plug it in again (or switch the power of its port off and on), close other programs that use the probe, and run the same command again"
    );
    Failure::new(FailureKind::ProbeStuck, message)
}
