use std::fs;
use std::time::{Duration, SystemTime};

use bench::EmptyDatagrams;
use board::NetworkDevice;
use tempfile::TempDir;

use super::libraries::Library;
use super::plan::Unit;
use super::*;
use crate::metadata::{LibrarySources, MacAddress, Scope};

fn sources() -> CSources {
    CSources {
        include: vec!["src".into()],
        linker_script: "part.ld".into(),
        libraries: Default::default(),
    }
}

fn build(name: &str, option: &str, features: &[&str]) -> Build {
    Build {
        name: name.to_string(),
        profile: option.to_string(),
        features: features.iter().map(ToString::to_string).collect(),
        core_hz: 520_000_000,
        hclk_hz: 260_000_000,
        icache: true,
        dcache: false,
        scope: Scope::Full,
        note: None,
        spi_hz: None,
    }
}

fn variant() -> Variant {
    Variant {
        id: "one".to_string(),
        title: "One".to_string(),
        order: 1,
        package: "one-package".to_string(),
        folder: "/checkout/firmware/one".into(),
        mac_address: MacAddress([2, 0, 0, 0, 0x72, 0xa4]),
        network_device: NetworkDevice::Stm32Mac,
        empty_datagrams: EmptyDatagrams::Echoed,
        c: Some(sources()),
        builds: Vec::new(),
    }
}

fn study() -> Study {
    Study {
        target: "thumbv7em-none-eabihf".to_string(),
        echo_port: 7,
        telemetry_port: 5001,
        regions: Vec::new(),
        variants: Vec::new(),
        shared: Vec::new(),
        published_states: Vec::new(),
    }
}

fn plan(build: &Build) -> Plan {
    let places = Places {
        checkout: "/checkout".into(),
        objects: "/objects".into(),
    };
    let gcc = CToolchain {
        description: "gcc".to_string(),
    };
    let library = Library {
        name: "lib".to_string(),
        folder: "/home/cargo/lib".into(),
        sources: LibrarySources {
            include: vec!["include".into()],
            sources: vec!["core/a.c".into()],
        },
    };
    let (study, variant, sources) = (study(), variant(), sources());
    let image = Image {
        study: &study,
        variant: &variant,
        build,
        sources: &sources,
        folder: variant.folder.clone(),
    };
    let own = ["/checkout/firmware/one/src/main.c".into()];
    Plan::new(&places, &gcc, &image, &own, &[library])
}

fn has(unit: &Unit, argument: &str) -> bool {
    unit.arguments.iter().any(|given| given == argument)
}

#[test]
fn first_party_sources_are_compiled_with_warnings_as_errors_and_libraries_without() {
    let plan = plan(&build("release", "-O2", &[]));
    let [library, own] = &plan.units[..] else {
        panic!("one file each: {plan:?}");
    };
    for flag in ["-Wall", "-Wextra", "-Werror"] {
        assert!(has(own, flag) && !has(library, flag), "{flag}");
    }
    assert!(has(library, "-w") && !has(own, "-w"));
    for unit in [library, own] {
        assert!(has(unit, "-O2"));
        assert!(has(unit, "-I/checkout/firmware/one/src"));
        assert!(has(unit, "-isystem/home/cargo/lib/include"));
    }
}

#[test]
fn the_sources_are_told_what_the_metadata_says() {
    let plan = plan(&build("p", "-O2", &["profiling", "interrupt-driven"]));
    for definition in [
        "-DSTUDY_CORE_HZ=520000000",
        "-DSTUDY_HCLK_HZ=260000000",
        "-DSTUDY_ICACHE=1",
        "-DSTUDY_DCACHE=0",
        "-DSTUDY_MAC_ADDRESS=0x02,0x00,0x00,0x00,0x72,0xa4",
        "-DSTUDY_ECHO_PORT=7",
        "-DSTUDY_TELEMETRY_PORT=5001",
        "-DSTUDY_FEATURE_PROFILING",
        "-DSTUDY_FEATURE_INTERRUPT_DRIVEN",
    ] {
        assert!(has(&plan.units[1], definition), "{definition}");
        assert!(!has(&plan.units[0], definition), "{definition}");
    }
}

#[test]
fn builds_share_the_objects_that_do_not_depend_on_what_differs() {
    let release = plan(&build("release", "-O2", &[]));
    let profiling = plan(&build("profiling", "-O2", &["profiling"]));
    let size = plan(&build("size", "-Os", &[]));
    let object = |plan: &Plan, unit: usize| plan.units[unit].object.clone();
    assert_eq!(object(&release, 0), object(&profiling, 0));
    assert_ne!(object(&release, 1), object(&profiling, 1));
    assert_ne!(object(&release, 0), object(&size, 0));
    assert!(object(&release, 0).ends_with("lib/core/a.o"));
    assert!(object(&release, 1).ends_with("one-package/src/main.o"));
    assert_ne!(release.executable, profiling.executable);
}

#[test]
fn paths_are_replaced_the_outermost_first() {
    let plan = plan(&build("release", "-O2", &[]));
    let maps = plan.units[0].arguments.iter();
    let maps: Vec<_> = maps.filter(|argument| argument.contains("map=")).collect();
    let expected = [
        "-ffile-prefix-map=/checkout=/study",
        "-ffile-prefix-map=/home/cargo/lib=/lib",
    ];
    assert_eq!(maps, expected);
}

#[test]
fn every_object_is_linked_by_the_variants_script() {
    let plan = plan(&build("release", "-O2", &[]));
    for unit in &plan.units {
        assert!(plan.link.contains(&unit.object.display().to_string()));
    }
    let script = plan
        .link
        .iter()
        .position(|argument| argument == "-T")
        .unwrap();
    assert_eq!(plan.link[script + 1], "/checkout/firmware/one/part.ld");
    assert!(plan.link.contains(&"-Wl,--gc-sections".to_string()));
}

#[test]
fn sources_of_telemetry_are_for_builds_that_have_it() {
    let folder = TempDir::new().unwrap();
    for path in [
        "main.c",
        "server/echo.c",
        "server/echo.h",
        "profiling/load.c",
    ] {
        files::write(&folder.path().join("src").join(path), b"").unwrap();
    }
    let names = |features: &[&str]| {
        let own = own_sources(folder.path(), &build("b", "-O2", features)).unwrap();
        let own = own
            .iter()
            .map(|path| path.strip_prefix(folder.path()).unwrap());
        own.map(|path| path.display().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&[]), ["src/main.c", "src/server/echo.c"]);
    let all = ["src/main.c", "src/profiling/load.c", "src/server/echo.c"];
    assert_eq!(names(&["profiling"]), all);
}

/// A source file with a header, as a unit for GCC.
fn unit_in(folder: &Path) -> Unit {
    fs::write(folder.join("a.h"), "int a(void);\n").unwrap();
    fs::write(
        folder.join("a.c"),
        "#include \"a.h\"\nint a(void) { return 1; }\n",
    )
    .unwrap();
    Unit {
        source: folder.join("a.c"),
        object: folder.join("objects/a.o"),
        arguments: vec!["-Wall".to_string(), "-Werror".to_string()],
    }
}

fn has_gcc() -> bool {
    let found = Command::new(CToolchain::GCC)
        .arg("--version")
        .output()
        .is_ok();
    if !found {
        eprintln!("skipped: {} is not installed", CToolchain::GCC);
    }
    found
}

#[test]
fn an_object_is_made_again_when_something_it_was_made_from_has_changed() {
    if !has_gcc() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let unit = unit_in(folder.path());
    let age = |path: &Path, age: u64| {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age))
            .unwrap();
    };
    let bring_up_to_date = || {
        age(&unit.source, 100);
        compile::bring_up_to_date(folder.path(), std::slice::from_ref(&unit)).unwrap();
        fs::metadata(&unit.object).unwrap().modified().unwrap()
    };
    age(&folder.path().join("a.h"), 100);
    bring_up_to_date();
    age(&unit.object, 50);
    let made = bring_up_to_date();
    assert_eq!(bring_up_to_date(), made);
    age(&folder.path().join("a.h"), 10);
    assert_ne!(bring_up_to_date(), made);
    let read = compile::files_read(&unit).unwrap();
    assert!(read.contains(&folder.path().join("a.h")));
}

#[test]
fn a_file_that_gcc_refuses_is_named_and_leaves_no_object() {
    if !has_gcc() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let unit = unit_in(folder.path());
    fs::write(&unit.source, "static int unused(void) { return 1; }\n").unwrap();
    let error = compile::bring_up_to_date(folder.path(), std::slice::from_ref(&unit)).unwrap_err();
    let expected = format!(
        "arm-none-eabi-gcc does not compile {}, as said above",
        unit.source.display()
    );
    assert_eq!(error.to_string(), expected);
    assert!(!unit.object.exists());
}
