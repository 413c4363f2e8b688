//! What the tests of nodes share: a context, folders, and the processor time of a run.

use std::time::Duration;

use serde_json::Value as Json;

use super::budget::{Budget, Memory};
use super::node::{Context, Folders, Reports};

/// Folders for nodes that use no files.
pub(super) fn folders() -> Folders {
    Folders { input: "input".into(), output: "output".into(), temp: "temp".into() }
}

/// Runs `work` with a context of this much memory.
pub(super) fn with_context<T>(bytes: usize, reports: &dyn Reports, work: impl FnOnce(&Context<'_>) -> T) -> T {
    with_folders(&folders(), bytes, reports, work)
}

/// Runs `work` with a context of this much memory, for nodes that use files.
pub(super) fn with_folders<T>(
    folders: &Folders,
    bytes: usize,
    reports: &dyn Reports,
    work: impl FnOnce(&Context<'_>) -> T,
) -> T {
    let budget = Budget::new(bytes);
    let memory = Memory::new(&budget, &|| false);
    work(&Context {
        folders,
        node_id: "1",
        prompt: &Json::Null,
        extra_pnginfo: None,
        max_side: 8192,
        max_bytes: 1 << 30,
        memory: &memory,
        reports,
    })
}

/// This thread's processor time. Unlike wall time it does not depend on other programs.
pub(super) fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("this test runs on Linux");
    let nanoseconds = text.split_whitespace().next().and_then(|text| text.parse().ok()).expect("a number");
    Duration::from_nanos(nanoseconds)
}
