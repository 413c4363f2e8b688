//! Runs of these tests, and checks of their ends.

use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use verdigraph_core::fleet::{InputFile, ReportEvent};
use verdigraph_scripted::{Fault, Run};

use crate::stage::{Stage, name};

/// A run that shows one picture.
pub fn one_picture() -> Run {
    let shown = json!({"images": [{"filename": "a.png", "subfolder": "", "type": "output"}]});
    Run::success(&["1".into(), "2".into()], &[("2".into(), shown)], Duration::ZERO)
}

/// Runs one job on a server with this fault, checks how it ended, and that the next job succeeds.
pub async fn ends_with(fault: Fault, expected: &str) -> Stage {
    let mut stage = Stage::open().await;
    stage.server.fault(fault.clone());
    let event = stage.run().await;
    assert_eq!(name(&event), expected, "{fault:?} ended with {event:?}");
    stage.works().await;
    stage
}

/// Runs one job with a script for its prompt, and checks how it ended.
pub async fn run_ends_with(run: Run, expected: &str) -> (Stage, ReportEvent) {
    let mut stage = Stage::open().await;
    stage.server.script(run);
    let event = stage.run().await;
    assert_eq!(name(&event), expected, "ended with {event:?}");
    stage.works().await;
    (stage, event)
}

/// Stores a file and returns it as an input with this name.
pub fn input(stage: &Stage, name: &str, bytes: &'static [u8]) -> InputFile {
    InputFile { name: name.into(), content: stage.files.put(Bytes::from_static(bytes)) }
}
