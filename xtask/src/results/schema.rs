//! JSON Schemas of the result files, generated from the types that read them.

use bench::{
    BurstResult, FunctionalResult, LatencyResult, RecoveryResult, SoakResult, StreamResult,
    ThroughputResult,
};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::file::{LinesFile, SizeFile, TrialFile, WorkloadName};
use super::hardware::HardwareFile;
use super::measurement::Measurement;
use super::traffic::TrafficResult;

/// The schema of one kind of file.
#[derive(Debug)]
pub struct FileSchema {
    /// Where it lies in the folder of schemas.
    pub path: String,
    pub schema: Schema,
}

/// The schemas of every kind of file. Sweeps are trials of streams, and of the kind of these.
pub fn all() -> Vec<FileSchema> {
    let mut schemas = vec![
        of::<SizeFile>("emulated/size"),
        of::<LinesFile>("emulated/ncloc"),
    ];
    use WorkloadName as Workload;
    schemas.extend(both::<FunctionalResult>(Workload::Functional));
    schemas.extend(both::<StreamResult>(Workload::Stream));
    schemas.extend(both::<BurstResult>(Workload::Burst));
    schemas.extend(both::<LatencyResult>(Workload::Latency));
    schemas.extend(both::<ThroughputResult>(Workload::Throughput));
    schemas.extend(both::<SoakResult>(Workload::Soak));
    schemas.extend(both::<RecoveryResult>(Workload::Recovery));
    schemas.push(emulated::<TrafficResult>(Workload::Traffic));
    schemas
}

/// The files of a workload that is run on the emulated board and on hardware.
fn both<M: Measurement>(workload: WorkloadName) -> [FileSchema; 2] {
    let on_hardware = of::<HardwareFile<M>>(&format!("hardware/{workload}"));
    [emulated::<M>(workload), of_workload(on_hardware, workload)]
}

fn emulated<M: Measurement>(workload: WorkloadName) -> FileSchema {
    of_workload(
        of::<TrialFile<M>>(&format!("emulated/{workload}")),
        workload,
    )
}

/// The schema with the names that its `workload` may have.
fn of_workload(mut file: FileSchema, workload: WorkloadName) -> FileSchema {
    use WorkloadName as Workload;
    let names = match workload {
        Workload::Stream => vec![Workload::Stream, Workload::Sweep, Workload::LargeSweep],
        other => vec![other],
    };
    if let Some(Value::Object(properties)) = file.schema.get_mut("properties") {
        properties.insert("workload".to_owned(), json!({ "enum": names }));
    }
    file
}

fn of<T: JsonSchema>(name: &str) -> FileSchema {
    let generator = SchemaSettings::draft2020_12().into_generator();
    FileSchema {
        path: format!("{name}.json"),
        schema: generator.into_root_schema_for::<T>(),
    }
}
