//! Machine, commit and date of a measurement, for comparisons.

use std::process::Command;

/// One line: processors, memory, system, commit, date.
pub fn line() -> String {
    let commit = git(&["rev-parse", "--short", "HEAD"]);
    let dirty = !git(&[
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        ".",
        ":!load-tests/RESULTS.md",
        ":!load-tests/plots",
    ])
    .is_empty();
    let commit = if dirty { format!("{commit} with changes") } else { commit };
    let uname = rustix::system::uname();
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    format!(
        "{} · commit {commit} · {cores} × {} · {} · {} {}",
        chrono::Utc::now().format("%Y-%m-%d %H:%M UTC"),
        processor(),
        memory(),
        uname.sysname().to_string_lossy(),
        uname.release().to_string_lossy(),
    )
}

fn git(arguments: &[&str]) -> String {
    let output = Command::new("git").current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).args(arguments).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

fn processor() -> String {
    let facts = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = field(&facts, "model name").filter(|name| name != "unknown");
    let name = name.or_else(|| sysctl("machdep.cpu.brand_string"));
    name.unwrap_or_else(|| rustix::system::uname().machine().to_string_lossy().into_owned())
}

fn memory() -> String {
    let facts = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kib = field(&facts, "MemTotal").and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    let bytes = kib.map(|kib| kib * 1024).or_else(|| sysctl("hw.memsize")?.parse().ok());
    bytes.map_or_else(|| "memory unknown".to_owned(), |bytes| format!("{} GiB", bytes.div_ceil(1 << 30)))
}

fn field(facts: &str, name: &str) -> Option<String> {
    let line = facts.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn sysctl(name: &str) -> Option<String> {
    let output = Command::new("sysctl").args(["-n", name]).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()).filter(|text| !text.is_empty())
}
