//! The `/object_info` entries of ComfyUI's own nodes, and [`Plain`] for nodes that are one function.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};
use verdigraph_core::graph::ComfyVersion;

use super::node::{Context, Folders, Inputs, Node, NodeError, Outcome};

/// Answers of a real ComfyUI for these classes. File choices are filled in per request.
static V0_3_64: LazyLock<Map<String, Json>> = LazyLock::new(|| parse(include_str!("object_info/v0.3.64.json")));
static V0_33_0: LazyLock<Map<String, Json>> = LazyLock::new(|| parse(include_str!("object_info/v0.33.0.json")));

fn parse(text: &str) -> Map<String, Json> {
    serde_json::from_str(text).unwrap_or_default()
}

/// The entry of a class; `null` for a class that is not in the file, which a test rules out.
pub(super) fn entry(like: ComfyVersion, class: &str) -> Json {
    let classes = match like {
        ComfyVersion::V0_3_64 => &V0_3_64,
        ComfyVersion::V0_33_0 => &V0_33_0,
    };
    classes.get(class).cloned().unwrap_or(Json::Null)
}

/// The function of a plain node.
pub(super) type Run = fn(&Inputs, &Context<'_>) -> Result<Outcome, NodeError>;

/// A node whose outputs depend only on its inputs.
pub(super) struct Plain {
    class: &'static str,
    like: ComfyVersion,
    run: Run,
    /// The input that is passed through as output.
    passes: Option<&'static str>,
}

impl Plain {
    pub(super) fn boxed(like: ComfyVersion, class: &'static str, run: Run) -> Box<dyn Node> {
        Box::new(Self { class, like, run, passes: None })
    }

    /// An output node. Since 0.33.0 it also returns its input.
    pub(super) fn output(like: ComfyVersion, class: &'static str, passes: &'static str, run: Run) -> Box<dyn Node> {
        let passes = (like >= ComfyVersion::V0_33_0).then_some(passes);
        Box::new(Self { class, like, run, passes })
    }
}

impl Node for Plain {
    fn class(&self) -> &'static str {
        self.class
    }

    fn definition(&self, _folders: &Folders) -> Json {
        entry(self.like, self.class)
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        context.check()?;
        let mut outcome = (self.run)(inputs, context)?;
        if let Some(passes) = self.passes {
            outcome.outputs = vec![inputs.list(passes).to_vec()];
        }
        Ok(outcome)
    }
}
