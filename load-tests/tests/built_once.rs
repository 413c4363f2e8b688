//! Building the load tests after the server must not rebuild the server's crates. Cargo does so silently if a feature
//! differs.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The crates built for a package without its tests, with their features.
fn built(package: &str) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let made = Command::new(cargo)
        .args(["tree", "--locked", "--offline", "--edges", "normal,build", "--prefix", "none", "--no-dedupe"])
        .args(["--format", "{p} [{f}]", "--package", package])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace"))
        .output()
        .expect("cargo");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let lines = String::from_utf8(made.stdout).expect("UTF-8");
    lines.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn name(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

#[test]
fn load_tests_reuse_the_servers_builds() {
    let (server, load) = (built("verdigraph-http"), built("verdigraph-load"));
    assert!(server.iter().any(|line| name(line) == "verdigraph-core"), "{server:?}");
    let missing: Vec<&String> = server.difference(&load).collect();
    assert!(missing.is_empty(), "built with other features for the load tests: {missing:#?}");
    let own: BTreeSet<&str> = load.difference(&server).map(|line| name(line)).collect();
    assert_eq!(own, BTreeSet::from(["verdigraph-load", "verdigraph-scripted"]), "only these are built besides");
}
