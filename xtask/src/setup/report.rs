//! Says what a machine has and lacks for building and testing the firmware.

use super::plan;
use super::probe::{Compiler, Facts};
use crate::toolchain::Toolchain;

/// One line for each thing looked for, then whether the firmware can be built.
pub fn text(facts: &Facts, target: &str) -> String {
    let ready = plan::toolchain(facts);
    let mut lines = Vec::new();
    for toolchain in &facts.rustup {
        let state = compiler_state(&toolchain.compiler, toolchain.compiler.has_target, target);
        lines.push(format!("rustup toolchain {}: {state}", toolchain.name));
    }
    if facts.rustup.is_empty() {
        lines.push("rustup toolchains: none".to_string());
    }
    lines.push(match &facts.distribution {
        Some(compiler) => {
            let state = compiler_state(compiler, compiler.has_sources, "sources of core");
            format!("distribution's rustc: {state}")
        }
        None => "distribution's rustc: none".to_string(),
    });
    let present = |is_there: bool| if is_there { "found" } else { "missing" };
    let version = |version: &Option<String>| version.clone().unwrap_or("missing".to_string());
    lines.push(format!("arm-none-eabi-ld: {}", version(&facts.gnu_linker)));
    lines.push(format!("arm-none-eabi-gcc: {}", version(&facts.arm_gcc)));
    lines.push(format!("newlib: {}", version(&facts.newlib)));
    let optional = |name, is_there| format!("for tests only, {name}: {}", present(is_there));
    lines.push(optional("arm-none-eabi-size", facts.arm_size));
    lines.push(optional("tshark", facts.tshark));
    let network_tools = facts.missing_network_tools.is_empty();
    lines.push(optional("ip, ping, arping, unshare", network_tools));
    let has_clippy = |ready| plan::has_clippy(facts, ready);
    let clippy = ready.as_ref().is_some_and(has_clippy);
    lines.push(optional("clippy for the firmware", clippy));
    lines.push(match ready {
        Some(Toolchain {
            c: Some(c),
            description,
            ..
        }) => {
            format!(
                "ready: firmware is built by {description}; in C by {}",
                c.description
            )
        }
        Some(Toolchain { description, .. }) => format!(
            "ready for Rust: firmware is built by {description}; for C type: {}",
            plan::manual_c_command()
        ),
        None => format!(
            "not ready: nothing here can build for {target}; type: {}",
            plan::manual_commands(facts, target).join(" or: ")
        ),
    });
    lines.join("\n") + "\n"
}

fn compiler_state(compiler: &Compiler, has: bool, what: &str) -> String {
    let (major, minor) = plan::minimum_release();
    let version = &compiler.version.line;
    if !compiler.has_cargo {
        format!("{version}, without cargo")
    } else if !plan::is_usable(compiler) {
        format!("{version}, older than {major}.{minor}")
    } else if has {
        format!("{version}, with {what}")
    } else {
        format!("{version}, without {what}")
    }
}
