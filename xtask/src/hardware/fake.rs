//! A scripted debug probe and a clock that only moves when somebody waits.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use bench::Nanos;

use super::clock::Clock;
use super::image::FlashImage;
use super::probe::{ChipId, Fault, Probe, ProbeInfo};

/// A clock in virtual time; clones share it.
#[derive(Clone, Debug, Default)]
pub struct FakeClock(Rc<Cell<Nanos>>);

impl Clock for FakeClock {
    fn now(&self) -> Nanos {
        self.0.get()
    }

    fn sleep(&self, span: Nanos) {
        self.0.set(self.0.get() + span);
    }
}

/// What a probe can be asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    List,
    Attach,
    Flash,
    Verify,
    Reset,
    ReadLog,
    Detach,
}

/// How a scripted call goes: it fails, or takes this long.
#[derive(Clone, Debug)]
pub enum Turn {
    Fails(Fault),
    Takes(Nanos),
}

/// What a scripted probe is and does; every call without a turn of its own succeeds at once.
#[derive(Clone, Debug)]
pub struct Script {
    pub probes: Vec<ProbeInfo>,
    pub chip: ChipId,
    /// Turns of calls, the earliest first.
    pub turns: Vec<(Call, Turn)>,
    /// What the firmware writes to its log, at times since reset.
    pub log: Vec<(Nanos, Vec<u8>)>,
}

impl Default for Script {
    /// One probe with the right chip, whose firmware says nothing.
    fn default() -> Self {
        Self {
            probes: vec![stlink("A")],
            chip: ChipId {
                device: ChipId::STM32H72X_H73X,
                flash_kib: 1024,
            },
            turns: Vec::new(),
            log: Vec::new(),
        }
    }
}

/// The probe of a NUCLEO with this serial number.
pub fn stlink(serial: &str) -> ProbeInfo {
    ProbeInfo {
        name: "STLINK-V3".to_owned(),
        vendor_id: 0x0483,
        product_id: 0x374e,
        serial: Some(serial.to_owned()),
    }
}

/// A probe that follows a script, and notes what it is asked; reading the log is noted once in a row.
pub struct FakeProbe {
    script: Script,
    clock: FakeClock,
    calls: Rc<RefCell<Vec<Call>>>,
    attached: bool,
    flash: Option<FlashImage>,
    log: VecDeque<(Nanos, Vec<u8>)>,
}

impl FakeProbe {
    pub fn new(script: Script, clock: &FakeClock) -> Self {
        Self {
            script,
            clock: clock.clone(),
            calls: Rc::default(),
            attached: false,
            flash: None,
            log: VecDeque::new(),
        }
    }

    /// What the probe was asked for, as it is noted.
    pub fn calls(&self) -> Rc<RefCell<Vec<Call>>> {
        self.calls.clone()
    }

    fn turn(&mut self, call: Call, within: Nanos) -> Result<(), Fault> {
        let mut calls = self.calls.borrow_mut();
        if call != Call::ReadLog || calls.last() != Some(&call) {
            calls.push(call);
        }
        let place = self.script.turns.iter().position(|(of, _)| *of == call);
        match place.map(|place| self.script.turns.remove(place).1) {
            Some(Turn::Fails(fault)) => Err(fault),
            Some(Turn::Takes(span)) if span > within => {
                self.clock.sleep(within);
                Err(Fault::TimedOut(within))
            }
            Some(Turn::Takes(span)) => {
                self.clock.sleep(span);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn needs_attached(&self) -> Result<(), Fault> {
        match self.attached {
            true => Ok(()),
            false => Err(Fault::Failed("not attached".to_owned())),
        }
    }
}

impl Probe for FakeProbe {
    fn list(&mut self, within: Nanos) -> Result<Vec<ProbeInfo>, Fault> {
        self.turn(Call::List, within)?;
        Ok(self.script.probes.clone())
    }

    fn attach(&mut self, probe: &ProbeInfo, within: Nanos) -> Result<ChipId, Fault> {
        self.turn(Call::Attach, within)?;
        assert!(!self.attached && self.script.probes.contains(probe));
        self.attached = true;
        Ok(self.script.chip)
    }

    fn flash(&mut self, image: &FlashImage, within: Nanos) -> Result<(), Fault> {
        self.needs_attached()?;
        self.turn(Call::Flash, within)?;
        self.flash = Some(image.clone());
        Ok(())
    }

    fn verify(&mut self, image: &FlashImage, within: Nanos) -> Result<(), Fault> {
        self.needs_attached()?;
        self.turn(Call::Verify, within)?;
        match self.flash.as_ref() == Some(image) {
            true => Ok(()),
            false => Err(Fault::Failed("another content".to_owned())),
        }
    }

    fn reset(&mut self, _control_block: Option<u32>, within: Nanos) -> Result<(), Fault> {
        self.needs_attached()?;
        self.turn(Call::Reset, within)?;
        let now = self.clock.now();
        let log = self.script.log.iter();
        self.log = log.map(|(at, bytes)| (now + *at, bytes.clone())).collect();
        Ok(())
    }

    fn read_log(&mut self, control_block: u32, within: Nanos) -> Result<Vec<u8>, Fault> {
        assert_eq!(control_block, super::fixture::CONTROL_BLOCK);
        self.needs_attached()?;
        self.turn(Call::ReadLog, within)?;
        let mut bytes = Vec::new();
        while let Some((_, written)) = self.log.pop_front_if(|(at, _)| *at <= self.clock.now()) {
            bytes.extend(written);
        }
        Ok(bytes)
    }

    fn detach(&mut self, within: Nanos) -> Result<(), Fault> {
        self.turn(Call::Detach, within)?;
        self.attached = false;
        Ok(())
    }
}
