//! What these tests run, and how they see it end.

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

/// Runs one job on a server with this fault; says how it ended, and checks that the next one is done.
pub async fn ends_with(fault: Fault, expected: &str) -> Stage {
    let mut stage = Stage::open().await;
    stage.server.fault(fault.clone());
    let event = stage.run().await;
    assert_eq!(name(&event), expected, "{fault:?} ended with {event:?}");
    stage.works().await;
    stage
}

/// The same with a script for the prompt.
pub async fn run_ends_with(run: Run, expected: &str) -> (Stage, ReportEvent) {
    let mut stage = Stage::open().await;
    stage.server.script(run);
    let event = stage.run().await;
    assert_eq!(name(&event), expected, "ended with {event:?}");
    stage.works().await;
    (stage, event)
}

/// A file that the platform has, under this name.
pub fn input(stage: &Stage, name: &str, bytes: &'static [u8]) -> InputFile {
    InputFile { name: name.into(), content: stage.files.put(Bytes::from_static(bytes)) }
}
