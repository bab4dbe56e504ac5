//! Builds every state and measures it, or keeps what is still true.

use std::num::NonZeroUsize;

use anyhow::bail;
use bench::Nanos;
use board::BoardConfig;

use super::{model, states};
use crate::adapter::EchoTarget;
use crate::adapter::emulated::EmulatedBoard;
use crate::build::{BuiltFirmware, build};
use crate::interrupt::Interrupt;
use crate::metadata::Study;
use crate::progress::Progress;
use crate::results::{Inputs, ResultSet, Subject};
use crate::setup::{self, InstallArgs};
use crate::study::campaign::{Campaign, Image};
use crate::study::{prepare, sources};
use crate::trial::Ports;
use crate::{files, output, paths};

/// How long a board may take to its address; a trial says what is wrong with one that has none.
const BOOT_LIMIT: Nanos = Nanos::from_secs(30);
const STEP: Nanos = Nanos::from_millis(100);
/// How long it is left alone then: longer than any timer of the firmware but that of its lease.
const SETTLE: Nanos = Nanos::from_secs(3);

/// Measures what is not measured yet.
///
/// # Errors
/// No toolchain, a build that fails, a trial that fails, or an interrupt.
pub fn all(set: &ResultSet, fresh: bool, install: InstallArgs) -> anyhow::Result<()> {
    let study = Study::load()?;
    let interrupt = Interrupt::on_ctrl_c()?;
    let images = images(&study, install)?;
    let boot_board = |image: &Image| -> anyhow::Result<Box<dyn EchoTarget>> {
        let config = model::config(image.subject.variant.network_device);
        Ok(Box::new(long_up(EmulatedBoard::new(&image.elf, config)?)?))
    };
    let campaign = Campaign {
        set,
        boot_board: &boot_board,
        workers: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        fresh,
        interrupt: &interrupt,
        progress: &Progress::new(),
    };
    let tally = campaign.run(&images)?;
    if tally.left > 0 {
        bail!(
            "interrupted: {} finished trials are kept, {} were not run; the same command goes on from here",
            tally.measured,
            tally.left
        );
    }
    if tally.failed > 0 {
        bail!("{} trials failed, as their results say", tally.failed);
    }
    output::note(&format!(
        "{} trials measured, {} reused",
        tally.measured, tally.reused
    ));
    Ok(())
}

/// `board` some time after it got its address. The published board had been up for long: none of what is
/// sent to one that is still booting waits in its network device.
fn long_up(mut board: EmulatedBoard) -> anyhow::Result<EmulatedBoard> {
    while board.lease().is_none() && board.now() < BOOT_LIMIT {
        let next = board.now() + STEP;
        board.run_until(next)?;
    }
    let settled = board.now() + SETTLE;
    board.run_until(settled)?;
    Ok(board)
}

fn images(study: &Study, install: InstallArgs) -> anyhow::Result<Vec<Image>> {
    let states = states::all();
    let of = |state: &states::State| state.of(study);
    let selected = states.iter().map(of).collect::<anyhow::Result<Vec<_>>>()?;
    let toolchain = setup::toolchain(study, &selected, install)?;
    let harness_sha256 = sources::harness_sha256(paths::root())?;
    let mut images = Vec::new();
    for (state, (variant, of)) in states.iter().zip(selected) {
        let firmware: BuiltFirmware = build(study, &toolchain, variant, of)?;
        let config: BoardConfig = model::config(variant.network_device);
        images.push(Image {
            subject: Subject {
                variant: prepare::variant_subject(variant),
                build: prepare::build_subject(of),
                inputs: Inputs {
                    image: prepare::image_inputs(&firmware),
                    board: prepare::board_model(&config),
                    harness_sha256: harness_sha256.clone(),
                },
            },
            elf: files::read(&firmware.elf)?,
            ports: Ports::of(study, of),
            plan: state.workloads(),
        });
    }
    Ok(images)
}
