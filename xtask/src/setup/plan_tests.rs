use std::path::PathBuf;

use crate::toolchain::RustVersion;

use super::super::probe::RustupToolchain;
use super::*;

const TARGET: &str = "thumbv7em-none-eabihf";

fn compiler(folder: &str, minor: u32) -> Compiler {
    Compiler {
        bin: PathBuf::from(folder).join("bin"),
        sysroot: PathBuf::from(folder),
        version: RustVersion {
            line: format!("rustc 1.{minor}.0"),
            release: (1, minor, 0),
            commit: None,
        },
        has_cargo: true,
        has_clippy: true,
        has_target: false,
        has_sources: false,
    }
}

fn rustup(name: &str, minor: u32, has_target: bool) -> RustupToolchain {
    let mut compiler = compiler(name, minor);
    compiler.has_target = has_target;
    RustupToolchain {
        name: name.to_string(),
        compiler,
    }
}

/// A Debian machine on which everything is installed but no rustup.
fn debian() -> Facts {
    let mut distribution = compiler("/usr", 96);
    distribution.has_sources = true;
    Facts {
        rustup: Vec::new(),
        distribution: Some(distribution),
        gnu_linker: Some("GNU ld 2.40".to_string()),
        arm_gcc: Some("gcc 12.2.1".to_string()),
        newlib: Some("3.3.0".to_string()),
        arm_size: true,
        tshark: true,
        missing_network_tools: Vec::new(),
        apt: true,
        privilege: Privilege::Root,
    }
}

/// The commands that would be typed if every one of them failed.
fn commands(facts: &Facts, scope: Scope) -> Vec<String> {
    let mut tried = Vec::new();
    while let Some(step) = next_step(facts, TARGET, scope, &tried) {
        tried.push(step);
    }
    tried.iter().map(Step::to_string).collect()
}

#[test]
fn the_first_rustup_toolchain_with_the_target_builds() {
    let mut facts = debian();
    facts.rustup = vec![
        rustup("active", 95, false),
        rustup("second", 96, true),
        rustup("third", 97, true),
    ];
    let ready = toolchain(&facts).unwrap();
    assert_eq!(ready.route, Route::Rustup);
    assert_eq!(ready.rustc, PathBuf::from("second/bin/rustc"));
    assert_eq!(
        ready.description,
        "rustc 1.96.0, precompiled core, rust-lld"
    );
    assert!(commands(&facts, Scope::BuildAndTest).is_empty());
}

#[test]
fn a_complete_distribution_is_preferred_to_adding_a_target() {
    let mut facts = debian();
    facts.rustup = vec![rustup("active", 95, false)];
    let ready = toolchain(&facts).unwrap();
    assert_eq!(ready.route, Route::BuildStd);
    assert_eq!(
        ready.description,
        "rustc 1.96.0, core built with -Zbuild-std, GNU ld 2.40"
    );
    assert!(commands(&facts, Scope::BuildAndTest).is_empty());
}

#[test]
fn a_toolchain_that_is_too_old_does_not_build() {
    let (_, minor) = minimum_release();
    let mut facts = Facts {
        rustup: vec![rustup("old", minor - 1, true)],
        ..Facts::default()
    };
    assert_eq!(toolchain(&facts), None);
    assert!(commands(&facts, Scope::Build).is_empty());
    facts.rustup.push(rustup("new", minor, true));
    assert_eq!(toolchain(&facts).unwrap().sysroot, PathBuf::from("new"));
}

#[test]
fn each_missing_part_of_the_distribution_makes_it_incomplete() {
    let break_one: [fn(&mut Facts); 6] = [
        |facts| facts.distribution = None,
        |facts| facts.distribution.as_mut().unwrap().has_cargo = false,
        |facts| facts.distribution.as_mut().unwrap().has_sources = false,
        |facts| facts.gnu_linker = None,
        |facts| facts.arm_gcc = None,
        |facts| facts.newlib = None,
    ];
    for break_it in break_one {
        let mut facts = debian();
        break_it(&mut facts);
        assert_eq!(toolchain(&facts), None);
        assert_eq!(
            commands(&facts, Scope::Build),
            [
                "apt-get install --yes --no-install-recommends rustc-web cargo-web rust-web-src \
              gcc-arm-none-eabi libnewlib-arm-none-eabi binutils-arm-none-eabi"
            ]
        );
    }
}

#[test]
fn the_target_is_added_before_packages_are_installed() {
    let facts = Facts {
        rustup: vec![rustup("active", 95, false), rustup("other", 95, false)],
        apt: true,
        privilege: Privilege::Sudo,
        ..Facts::default()
    };
    let commands = commands(&facts, Scope::Build);
    assert_eq!(
        commands[0],
        "rustup target add thumbv7em-none-eabihf --toolchain active"
    );
    assert!(commands[1].starts_with("sudo -n apt-get install --yes"));
    assert_eq!(commands.len(), 2);
}

#[test]
fn without_privilege_or_apt_nothing_is_installed_and_the_commands_are_given() {
    let mut facts = debian();
    facts.gnu_linker = None;
    facts.privilege = Privilege::None;
    assert!(commands(&facts, Scope::Build).is_empty());
    let manual = manual_commands(&facts, TARGET);
    assert!(manual[0].starts_with("rustup toolchain install stable --target thumbv7em"));
    assert!(manual[1].starts_with("sudo apt-get install rustc-web"));

    facts.apt = false;
    facts.privilege = Privilege::Root;
    assert!(commands(&facts, Scope::Build).is_empty());
    assert_eq!(manual_commands(&facts, TARGET).len(), 1);
}

#[test]
fn what_builds_c_is_installed_for_variants_in_c_and_for_tests() {
    let mut facts = debian();
    facts.rustup = vec![rustup("active", 96, true)];
    let c = toolchain(&facts).unwrap().c.unwrap();
    assert_eq!(c.description, "gcc 12.2.1, newlib 3.3.0, GNU ld 2.40");
    facts.newlib = None;
    assert_eq!(toolchain(&facts).unwrap().c, None);
    let packages = "apt-get install --yes --no-install-recommends gcc-arm-none-eabi \
        libnewlib-arm-none-eabi binutils-arm-none-eabi";
    assert!(commands(&facts, Scope::Build).is_empty());
    assert_eq!(commands(&facts, Scope::BuildC), [packages]);
    assert_eq!(commands(&facts, Scope::BuildAndTest), [packages]);
}

#[test]
fn tools_of_tests_are_installed_for_tests_alone() {
    let mut facts = debian();
    facts.tshark = false;
    facts.missing_network_tools = vec!["iputils-ping"];
    facts.arm_size = false;
    facts.distribution.as_mut().unwrap().has_clippy = false;
    assert!(commands(&facts, Scope::Build).is_empty());
    assert_eq!(
        commands(&facts, Scope::BuildAndTest),
        [
            "apt-get install --yes --no-install-recommends rust-web-clippy binutils-arm-none-eabi tshark \
             iputils-ping"
        ]
    );
}

#[test]
fn clippy_of_a_rustup_toolchain_is_a_component() {
    let mut facts = Facts {
        rustup: vec![rustup("active", 95, true)],
        arm_size: true,
        tshark: true,
        ..Facts::default()
    };
    facts.rustup[0].compiler.has_clippy = false;
    assert_eq!(
        commands(&facts, Scope::BuildAndTest),
        ["rustup component add clippy --toolchain active"]
    );
}
