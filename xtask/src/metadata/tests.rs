use std::fs;

use tempfile::TempDir;

use super::*;

const WORKSPACE: &str = r#"
[workspace]
resolver = "3"
members = ["*"]
[workspace.metadata.study]
part = "STM32H723ZG"
target = "thumbv7em-none-eabihf"
echo_port = 7
telemetry_port = 5001
[[workspace.metadata.study.regions]]
name = "FLASH"
origin = 0x08000000
length = 1048576
kind = "flash"
"#;

fn variant(id: &str, order: u32) -> String {
    format!(
        r#"
[package.metadata.study]
kind = "variant"
id = "{id}"
title = "Title"
mac_address = "02:00:00:00:72:{order:02}"
network_device = "stm32-mac"
order = {order}
[package.metadata.study.builds.release]
profile = "release"
features = []
core_hz = 400000000
hclk_hz = 200000000
icache = true
dcache = false
"#
    )
}

/// Loads a workspace that has a package of each given name and metadata.
fn load(packages: &[(&str, String)]) -> anyhow::Result<Study> {
    let folder = TempDir::new()?;
    let manifest = folder.path().join("Cargo.toml");
    fs::write(&manifest, WORKSPACE)?;
    for (name, metadata) in packages {
        let package = folder.path().join(name);
        fs::create_dir_all(package.join("src"))?;
        let header = format!("[package]\nname = {name:?}\nedition = \"2024\"\n");
        fs::write(package.join("Cargo.toml"), header + metadata)?;
        fs::write(package.join("src/lib.rs"), "")?;
    }
    Study::load_from(&manifest)
}

fn refusal(packages: &[(&str, String)]) -> String {
    format!("{:#}", load(packages).unwrap_err())
}

#[test]
fn variants_come_in_the_order_they_declare() {
    let study = load(&[
        ("a", variant("second", 2)),
        ("b", variant("first", 1)),
        ("plain", String::new()),
    ])
    .unwrap();
    let ids: Vec<&str> = study.variants.iter().map(|v| v.id.as_str()).collect();
    assert_eq!(ids, ["first", "second"]);
    assert_eq!(study.regions[0].origin, 0x0800_0000);
    let address = MacAddress([2, 0, 0, 0, 0x72, 1]);
    assert_eq!(study.variants[0].mac_address, address);
}

#[test]
fn an_unknown_variant_or_build_lists_the_known_ones() {
    let study = load(&[("a", variant("one", 1)), ("b", variant("two", 2))]).unwrap();
    let error = study.select(Some("three"), None).unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no variant \"three\"; the variants are: one, two"
    );
    let error = study.select(None, Some("debug")).unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no build \"debug\"; the builds are: release"
    );
    let found = study.select(Some("two"), Some("release")).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0.id, "two");
}

#[test]
fn an_unknown_key_is_refused_with_its_package() {
    let metadata = variant("one", 1).replace("order", "place = 3\norder");
    let error = refusal(&[("a", metadata)]);
    assert!(error.contains("package a"), "{error}");
    assert!(error.contains("unknown field `place`"), "{error}");
}

#[test]
fn an_unknown_key_of_a_build_or_a_shared_package_is_refused() {
    let build = variant("one", 1).replace("icache", "cache = 1\nicache");
    assert!(refusal(&[("a", build)]).contains("unknown field `cache`"));
    let shared =
        "[package.metadata.study]\nkind = \"shared\"\nrole = \"server\"\nextra = 1\n".to_string();
    assert!(refusal(&[("a", shared)]).contains("unknown field `extra`"));
}

#[test]
fn a_shared_package_has_one_of_the_four_shared_roles() {
    let shared =
        |role: &str| format!("[package.metadata.study]\nkind = \"shared\"\nrole = {role:?}\n");
    let study = load(&[("a", shared("bring-up"))]).unwrap();
    assert_eq!(study.shared[0].role, Role::BringUp);
    assert!(refusal(&[("a", shared("entry"))]).contains("unknown variant `entry`"));
}

#[test]
fn two_variants_of_one_id_are_refused() {
    let error = refusal(&[("a", variant("one", 1)), ("b", variant("one", 2))]);
    assert!(error.contains("the same id"), "{error}");
}

#[test]
fn two_variants_of_one_mac_address_are_refused() {
    let other = variant("two", 2).replace("72:02", "72:01");
    let error = refusal(&[("a", variant("one", 1)), ("b", other)]);
    assert!(error.contains("the same MAC address"), "{error}");
}

#[test]
fn a_network_device_the_board_does_not_have_is_refused() {
    let metadata = variant("one", 1).replace("stm32-mac", "token-ring");
    assert_eq!(
        refusal(&[("a", metadata)]),
        "package a: no network device is called \"token-ring\"; the board has stm32-mac and w5500"
    );
}

#[test]
fn what_a_variant_or_build_leaves_out_is_the_usual() {
    let study = load(&[("a", variant("one", 1))]).unwrap();
    let one = &study.variants[0];
    assert_eq!(one.network_device, NetworkDevice::Stm32Mac);
    assert_eq!(one.empty_datagrams, EmptyDatagrams::Echoed);
    let build = &one.builds[0];
    assert_eq!((build.scope, build.spi_hz), (Scope::Full, None));
    assert_eq!(build.note, None);
}

#[test]
fn a_variant_and_a_build_say_what_is_special_about_them() {
    let metadata = variant("one", 1)
        .replace("stm32-mac", "w5500")
        .replace("order", "empty_datagrams = \"dropped\"\norder");
    let special = "scope = \"comparison\"\nnote = \"SPI by DMA.\"\nspi_hz = 25_000_000\n";
    let study = load(&[("a", metadata + special)]).unwrap();
    let one = &study.variants[0];
    assert_eq!(one.network_device, NetworkDevice::W5500);
    assert_eq!(one.empty_datagrams, EmptyDatagrams::Dropped);
    let build = &one.builds[0];
    assert_eq!(
        (build.scope, build.spi_hz),
        (Scope::Comparison, Some(25_000_000))
    );
    assert_eq!(build.note.as_deref(), Some("SPI by DMA."));
}

/// The metadata of a variant in C.
fn c_variant() -> String {
    let rust = variant("one", 1);
    let c = "[package.metadata.study.c]\ninclude = [\"src\"]\nlinker_script = \"part.ld\"\n";
    rust.replace("order", "language = \"c\"\norder")
        .replace("profile = \"release\"", "optimization = \"-O2\"")
        + c
}

#[test]
fn a_variant_in_c_says_what_gcc_compiles_and_how() {
    let study = load(&[("a", c_variant())]).unwrap();
    let one = &study.variants[0];
    assert_eq!(one.c.as_ref().unwrap().linker_script, Path::new("part.ld"));
    assert_eq!(one.builds[0].profile, "-O2");
    let rust = load(&[("a", variant("one", 1))]).unwrap();
    assert_eq!(rust.variants[0].c, None);
}

#[test]
fn what_is_said_for_the_other_language_is_refused_with_package_and_build() {
    let refused = |metadata: String, expected: &str| {
        let error = refusal(&[("a", metadata)]);
        assert!(
            error.contains("package a") && error.contains(expected),
            "{error}"
        );
    };
    let both = c_variant().replace("features", "profile = \"release\"\nfeatures");
    refused(
        both,
        "build release of package a: a build in C has an optimization",
    );
    let neither = c_variant().replace("optimization = \"-O2\"\n", "");
    refused(neither, "a build in C has an optimization and no profile");
    refused(
        c_variant().replace("-O2", "fast"),
        "\"fast\" is no optimization",
    );
    let rust = variant("one", 1).replace("profile", "optimization");
    refused(rust, "a build in Rust has a profile");
    refused(c_variant().replace("language = \"c\"\n", ""), "go together");
    refused(c_variant() + "sources = []\n", "unknown field `sources`");
}

#[test]
fn an_unknown_scope_or_expectation_is_refused_with_its_package() {
    let scope = variant("one", 1) + "scope = \"half\"\n";
    let error = refusal(&[("a", scope)]);
    assert!(error.contains("package a"), "{error}");
    assert!(error.contains("unknown variant `half`"), "{error}");
    let empty = variant("one", 1).replace("order", "empty_datagrams = \"eaten\"\norder");
    assert!(refusal(&[("a", empty)]).contains("unknown variant `eaten`"));
}

#[test]
fn a_bad_mac_address_is_refused() {
    for bad in [
        "",
        "02:00:00:00:72",
        "02:00:00:00:72:01:02",
        "02:00:00:00:72:+1",
        "2:0:0:0:72:1",
    ] {
        assert!(bad.parse::<MacAddress>().is_err(), "{bad}");
    }
}

#[test]
fn a_mac_address_is_shown_as_it_is_written() {
    let address = "02:00:0a:00:72:ff";
    assert_eq!(address.parse::<MacAddress>().unwrap().to_string(), address);
}

#[test]
fn a_missing_workspace_is_an_error_with_its_path() {
    let error = Study::load_from(Path::new("/nowhere/Cargo.toml")).unwrap_err();
    assert!(error.to_string().contains("/nowhere/Cargo.toml"));
}

/// The metadata of a package with one state of a variant.
fn states(variant: &str, name: &str) -> String {
    format!(
        r#"
[package.metadata.study]
kind = "published-states"
[package.metadata.study.states.{variant}.{name}]
published = "2e0d80d: everything"
profile = "release"
features = ["rmii", "profiling"]
core_hz = 400_000_000
hclk_hz = 200_000_000
icache = false
dcache = false
spi_hz = 25_000_000
poll_us = 1000
udp_storage_bytes = 1536
note = "Polled."
"#
    )
}

#[test]
fn a_published_state_is_built_from_its_own_package_and_is_no_build() {
    let study = load(&[("a", variant("one", 1)), ("b", states("one", "old"))]).unwrap();
    assert_eq!(study.variants[0].builds.len(), 1);
    assert_eq!(study.select(None, None).unwrap().len(), 1);
    assert!(study.shared.is_empty());
    let state = study.published_state("one", "old").unwrap();
    assert_eq!(
        (state.variant.id.as_str(), state.variant.package.as_str()),
        ("one", "b")
    );
    assert!(state.variant.folder.ends_with("b"));
    assert_eq!(state.variant.mac_address, study.variants[0].mac_address);
    assert_eq!(
        (state.build.name.as_str(), state.build.icache),
        ("old", false)
    );
    assert!(state.build.has_telemetry());
    assert_eq!(state.build.note.as_deref(), Some("Polled."));
    assert_eq!(
        (state.poll_us, state.udp_storage_bytes),
        (Some(1000), Some(1536))
    );
    assert_eq!(state.published, "2e0d80d: everything");
}

#[test]
fn an_unknown_published_state_lists_those_of_the_variant() {
    let two = states("two", "later").replace(
        "[package.metadata.study]\nkind = \"published-states\"\n",
        "",
    );
    let both = states("one", "old") + &two;
    let variants = [
        ("a", variant("one", 1)),
        ("b", variant("two", 2)),
        ("c", both),
    ];
    let study = load(&variants).unwrap();
    assert_eq!(
        study
            .published_state("one", "later")
            .unwrap_err()
            .to_string(),
        "one has no published state \"later\"; its states are: old"
    );
    let error = study
        .published_state("three", "old")
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("there is no variant \"three\""),
        "{error}"
    );
}

#[test]
fn a_published_state_needs_a_variant_and_a_name_of_its_own() {
    assert_eq!(
        refusal(&[("a", variant("one", 1)), ("b", states("two", "old"))]),
        "package b: there is no variant \"two\"; the variants are: one"
    );
    assert_eq!(
        refusal(&[("a", variant("one", 1)), ("b", states("one", "release"))]),
        "package b: one has a build release, so that no state of it can be called that"
    );
    let unknown = states("one", "old").replace("poll_us", "poll_ms");
    let error = refusal(&[("a", variant("one", 1)), ("b", unknown)]);
    assert!(error.contains("unknown field `poll_ms`"), "{error}");
}
