//! Boards with the images that committed trials are of.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use anyhow::Context;
use board::BoardConfig;
use serde_json::Value;

use super::super::set::Places;
use super::Committed;
use crate::adapter::EchoTarget;
use crate::adapter::emulated::EmulatedBoard;
use crate::hash::sha256_hex;
use crate::metadata::{Build, Study, Variant};
use crate::setup::{self, InstallArgs};
use crate::study::{prepare, sources};
use crate::trial::Ports;
use crate::{build, files, output, paths};

/// A freshly reset board with an image.
pub struct Board {
    pub target: Box<dyn EchoTarget>,
    pub ports: Ports,
}

/// What runs images; a board, or the reason why the trial cannot be run again as it was.
pub trait Boards: Sync {
    /// A freshly reset board with the image of a trial.
    ///
    /// # Errors
    /// Nothing could be built, or read.
    fn boot(&self, places: &Places, trial: &Committed) -> anyhow::Result<Result<Board, String>>;
}

/// The emulated board, with images built where they are not there.
pub struct EmulatedBoards {
    study: Study,
    install: InstallArgs,
    /// The board and the harness of this program, as results say them.
    inputs: BTreeMap<&'static str, Value>,
    images: Mutex<BTreeMap<(String, String), Image>>,
}

/// An image, or the reason why it is not to be had.
type Image = Result<Arc<Vec<u8>>, String>;

impl EmulatedBoards {
    /// # Errors
    /// The checkout cannot be read.
    pub fn new(install: InstallArgs) -> anyhow::Result<Self> {
        let harness = sources::harness_sha256(paths::root())?;
        let board = serde_json::to_value(prepare::board_model(&BoardConfig::default()))?;
        Ok(Self {
            study: Study::load()?,
            install,
            inputs: BTreeMap::from([
                ("/inputs/board", board),
                ("/inputs/harness_sha256", harness.into()),
            ]),
            images: Mutex::default(),
        })
    }

    /// Why a result was not measured as this program would.
    fn other_inputs(&self, value: &Value) -> Option<String> {
        let mut inputs = self.inputs.iter();
        let differs = inputs.find(|(pointer, own)| value.pointer(pointer) != Some(own))?;
        let pointer = differs.0;
        Some(format!(
            "it was measured with another {pointer} than this program has"
        ))
    }

    /// The image of a build whose ELF file is to have this hash.
    fn image(&self, variant: &Variant, of: &Build, sha256: &str) -> anyhow::Result<Image> {
        let mut images = self.images.lock().expect("no worker panicked");
        let key = (variant.id.clone(), of.name.clone());
        if let Some(image) = images.get(&key) {
            return Ok(image.clone());
        }
        let image = self.found_or_built(variant, of, sha256)?;
        images.insert(key, image.clone());
        Ok(image)
    }

    fn found_or_built(&self, variant: &Variant, of: &Build, sha256: &str) -> anyhow::Result<Image> {
        let elf = build::elf_path(variant, of);
        if elf.is_file() {
            let bytes = files::read(&elf)?;
            if sha256_hex(&bytes) == sha256 {
                return Ok(Ok(Arc::new(bytes)));
            }
        }
        output::note(&format!("building {} {}", variant.id, of.name));
        let toolchain = setup::toolchain(&self.study, &[(variant, of)], self.install)?;
        let built = build::build(&self.study, &toolchain, variant, of)?;
        Ok(if built.elf_sha256 == sha256 {
            Ok(Arc::new(files::read(&built.elf)?))
        } else {
            let built = built.elf_sha256;
            Err(format!(
                "it is of the image {sha256}, and the sources here build {built}"
            ))
        })
    }
}

impl Boards for EmulatedBoards {
    fn boot(&self, places: &Places, trial: &Committed) -> anyhow::Result<Result<Board, String>> {
        let bytes = files::read(&places.set.folder().join(&trial.file))?;
        let value: Value = serde_json::from_slice(&bytes)?;
        if let Some(reason) = self.other_inputs(&value) {
            return Ok(Err(reason));
        }
        let (variant, build) = trial.image();
        let selected = self.study.select(Some(variant), Some(build))?;
        let &(variant, of) = selected.first().context("there is no such build")?;
        let sha256 = value.pointer("/inputs/image/elf_sha256");
        let sha256 = sha256.and_then(Value::as_str).unwrap_or_default();
        let elf = match self.image(variant, of, sha256)? {
            Ok(elf) => elf,
            Err(reason) => return Ok(Err(reason)),
        };
        let config = BoardConfig {
            jack: variant.network_device,
            ..BoardConfig::default()
        };
        Ok(Ok(Board {
            target: Box::new(EmulatedBoard::new(&elf, config)?),
            ports: Ports::of(&self.study, of),
        }))
    }
}
