//! The debug probe as probe-rs drives it.
//!
//! Written against probe-rs 0.32 and never yet tried on a board.

use std::ops::Range;
use std::time::Duration;

use anyhow::Context;
use bench::Nanos;
use probe_rs::config::{MemoryRegion, Registry};
use probe_rs::flashing::{DownloadOptions, FlashLoader, FlashProgress};
use probe_rs::probe::DebugProbeInfo;
use probe_rs::probe::list::{Accessibility, Lister};
use probe_rs::rtt::{self, Rtt, ScanRegion};
use probe_rs::{MemoryInterface, Permissions, Session, Target};

use super::image::FlashImage;
use super::probe::{ChipId, Fault, Probe, ProbeInfo};
use super::worker::Worker;

/// The chip on the NUCLEO-H723ZG as probe-rs calls it.
pub const TARGET: &str = "STM32H723ZGTx";
/// A target of probe-rs that needs nothing of the chip but its core, to tell what chip it is.
const ANY_CHIP: &str = "Cortex-M7";
/// DBGMCU_IDC (RM0468, the chapter on debugging; recalled); DEV_ID is its lower 12 bits.
const DBGMCU_IDC: u64 = 0x5C00_1000;
/// The flash size data register (RM0468, the chapter on the device's signature; recalled), in KiB.
const FLASH_SIZE: u64 = 0x1FF1_E880;
/// The core's CPUID register, the part number in it, and that of a Cortex-M7 (ARMv7-M ARM B3.2.3).
const CPUID: u64 = 0xE000_ED00;
const PART_NUMBER: u32 = 0xFFF0;
const CORTEX_M7: u32 = 0xC270;
/// How long a core may take to halt.
const HALT_WITHIN: Duration = Duration::from_millis(500);
/// The most of the log that is read at once.
const LOG_BYTES: usize = 4096;

/// All debug probes that probe-rs knows, on a thread of their own.
pub struct DebugProbe {
    worker: Worker<State>,
}

/// What the thread of the probe works on.
struct State {
    /// All chips that probe-rs knows; it takes long to read.
    registry: Registry,
    session: Option<Session>,
    rtt: Option<Rtt>,
}

impl DebugProbe {
    /// Starts the thread; opens nothing.
    pub fn new() -> Self {
        Self {
            worker: Worker::start(State::detached),
        }
    }

    fn ask<T: Send + 'static>(
        &mut self,
        within: Nanos,
        task: impl FnOnce(&mut State) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let answer = self.worker.ask(within, task);
        answer.unwrap_or(Err(Fault::TimedOut(within)))
    }
}

impl Probe for DebugProbe {
    fn list(&mut self, within: Nanos) -> Result<Vec<ProbeInfo>, Fault> {
        self.ask(within, |_| {
            let found = Lister::new().list_all();
            Ok(found.iter().map(info).collect())
        })
    }

    fn attach(&mut self, probe: &ProbeInfo, within: Nanos) -> Result<ChipId, Fault> {
        let wanted = probe.clone();
        self.ask(within, move |state| state.attach(&wanted))
    }

    fn flash(&mut self, image: &FlashImage, within: Nanos) -> Result<(), Fault> {
        let image = image.clone();
        self.ask(within, move |state| {
            let session = state.session()?;
            let loader = loader(session.target(), &image)?;
            let committed = loader.commit(session, DownloadOptions::default());
            committed.map_err(failed)
        })
    }

    fn verify(&mut self, image: &FlashImage, within: Nanos) -> Result<(), Fault> {
        let image = image.clone();
        self.ask(within, move |state| {
            let session = state.session()?;
            let loader = loader(session.target(), &image)?;
            let verified = loader.verify(session, &mut FlashProgress::empty());
            verified.map_err(failed)
        })
    }

    fn reset(&mut self, control_block: Option<u32>, within: Nanos) -> Result<(), Fault> {
        self.ask(within, move |state| {
            state.rtt = None;
            let mut core = state.session()?.core(0).map_err(failed)?;
            core.reset_and_halt(HALT_WITHIN).map_err(failed)?;
            if let Some(address) = control_block {
                let region = ScanRegion::Exact(address.into());
                Rtt::clear_control_block(&mut core, &region).map_err(failed)?;
            }
            core.run().map_err(failed)
        })
    }

    fn read_log(&mut self, control_block: u32, within: Nanos) -> Result<Vec<u8>, Fault> {
        self.ask(within, move |state| state.read_log(control_block))
    }

    fn detach(&mut self, within: Nanos) -> Result<(), Fault> {
        self.ask(within, |state| {
            state.detach();
            Ok(())
        })
    }
}

impl State {
    fn detached() -> Self {
        Self {
            registry: Registry::from_builtin_families(),
            session: None,
            rtt: None,
        }
    }

    fn detach(&mut self) {
        self.rtt = None;
        self.session = None;
    }

    fn session(&mut self) -> Result<&mut Session, Fault> {
        let session = self.session.as_mut();
        session.ok_or_else(|| Fault::Failed("not attached".to_owned()))
    }

    fn attach(&mut self, wanted: &ProbeInfo) -> Result<ChipId, Fault> {
        self.detach();
        let items = Lister::new().list_all_with_access();
        let item = items.into_iter().find(|item| info(&item.info) == *wanted);
        let item = item.ok_or_else(|| Fault::Failed("it is no longer plugged in".to_owned()))?;
        if item.accessibility == Accessibility::PermissionDenied {
            return Err(Fault::NoPermission);
        }
        let mut session = open_session(&item.info, &self.registry)?;
        let id = identify(&mut session).map_err(failed)?;
        self.session = Some(session);
        Ok(id)
    }

    fn read_log(&mut self, control_block: u32) -> Result<Vec<u8>, Fault> {
        let Self { session, rtt, .. } = self;
        let session = session.as_mut();
        let session = session.ok_or_else(|| Fault::Failed("not attached".to_owned()))?;
        let mut core = session.core(0).map_err(failed)?;
        if rtt.is_none() {
            *rtt = match Rtt::attach_at(&mut core, control_block.into()) {
                Ok(found) => Some(found),
                Err(error) => return not_yet(error),
            };
        }
        let mut bytes = vec![0; LOG_BYTES];
        let channel = rtt.as_mut().and_then(|rtt| rtt.up_channel(0));
        let channel = channel.ok_or(rtt::Error::MissingChannel(0));
        match channel.and_then(|channel| channel.read(&mut core, &mut bytes)) {
            Ok(read) => {
                bytes.truncate(read);
                Ok(bytes)
            }
            Err(error) => {
                self.rtt = None;
                not_yet(error)
            }
        }
    }
}

/// An empty log while the firmware has not set up its control block, in whatever state that is.
fn not_yet(error: rtt::Error) -> Result<Vec<u8>, Fault> {
    match error {
        rtt::Error::Probe(error) => Err(failed(error)),
        _ => Ok(Vec::new()),
    }
}

/// Attaches to the chip as it runs, and under reset when that fails: firmware that sleeps may not let
/// a debugger in.
fn open_session(probe: &DebugProbeInfo, registry: &Registry) -> Result<Session, Fault> {
    let open = || probe.open().map_err(failed);
    let running = match open()?.attach_with_registry(TARGET, Permissions::default(), registry) {
        Ok(session) => return Ok(session),
        Err(error) => error,
    };
    if let Ok(session) =
        open()?.attach_under_reset_with_registry(TARGET, Permissions::default(), registry)
    {
        return Ok(session);
    }
    // The sequence that attaches to this chip fails on others; any of them has a core.
    let other = open()?.attach_with_registry(ANY_CHIP, Permissions::default(), registry);
    match other.and_then(|mut session| other_chip(&mut session)) {
        Ok(Some(what)) => Err(Fault::OtherChip(what)),
        _ => Err(failed(running)),
    }
}

/// What the chip is, if it is another one.
fn other_chip(session: &mut Session) -> Result<Option<String>, probe_rs::Error> {
    let cpuid = session.core(0)?.read_word_32(CPUID)?;
    if cpuid & PART_NUMBER != CORTEX_M7 {
        return Ok(Some(format!(
            "a core with CPUID {cpuid:#010x}, no Cortex-M7"
        )));
    }
    let id = identify(session)?;
    Ok((id.device != ChipId::STM32H72X_H73X).then(|| id.to_string()))
}

fn identify(session: &mut Session) -> Result<ChipId, probe_rs::Error> {
    let mut core = session.core(0)?;
    let device = core.read_word_32(DBGMCU_IDC)? & 0xFFF;
    Ok(ChipId {
        device: device as u16,
        flash_kib: core.read_word_16(FLASH_SIZE)?,
    })
}

fn loader(target: &Target, image: &FlashImage) -> Result<FlashLoader, Fault> {
    let mut loader = target.flash_loader();
    for segment in &image.segments {
        let added = loader.add_data(segment.address.into(), &segment.bytes);
        added.map_err(failed)?;
    }
    Ok(loader)
}

fn info(probe: &DebugProbeInfo) -> ProbeInfo {
    ProbeInfo {
        name: probe.identifier.clone(),
        vendor_id: probe.vendor_id,
        product_id: probe.product_id,
        serial: probe.serial_number.clone(),
    }
}

/// The error with its causes.
fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Fault {
    Fault::Failed(format!("{:#}", anyhow::Error::from(error)))
}

/// What probe-rs knows of the chip.
///
/// # Errors
/// When it does not know it.
fn target() -> anyhow::Result<Target> {
    let registry = Registry::from_builtin_families();
    let target = registry.get_target_by_name(TARGET);
    target.with_context(|| format!("probe-rs does not know the chip {TARGET}"))
}

/// The address ranges of the chip's own flash, as probe-rs knows them; it lists external memories of
/// other boards besides.
///
/// # Errors
/// When it does not know the chip.
pub fn flash_map() -> anyhow::Result<Vec<Range<u64>>> {
    let target = target()?;
    let flash = target.memory_map.iter();
    let flash = flash.filter_map(MemoryRegion::as_nvm_region);
    let flash = flash.filter(|region| region.is_boot_memory());
    Ok(flash.map(|region| region.range.clone()).collect())
}
