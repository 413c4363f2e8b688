//! Scripts for the workers of these tests.

use std::time::Duration;

use serde_json::json;
use verdigraph_scripted::{Run, Step, THIS_PROMPT, text};

/// The nodes of [`crate::platform::graph`].
pub fn nodes() -> Vec<String> {
    vec!["1".into(), "2".into()]
}

/// A run that succeeds at once.
pub fn run() -> Run {
    Run::success(&nodes(), &[], Duration::ZERO)
}

/// A run with a picture, which is also in the history.
pub fn one_picture() -> Run {
    let shown = json!({"images": [{"filename": "a.png", "subfolder": "", "type": "output"}]});
    Run::success(&nodes(), &[("2".into(), shown)], Duration::ZERO)
}

/// A run that continues until it is interrupted.
pub fn endless() -> Run {
    let mut run = run().until("execution_success", Step::AwaitInterrupt);
    run.steps.push(text(
        "execution_interrupted",
        json!({"prompt_id": THIS_PROMPT, "node_id": "2", "node_type": "SaveImage", "executed": ["1"], "timestamp": null}),
    ));
    run.steps.push(text("executing", json!({"node": null, "prompt_id": THIS_PROMPT})));
    run
}
