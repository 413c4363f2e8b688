//! The object info entries of ComfyUI's own nodes, and the node whose whole behaviour is one function.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};
use verdigraph_core::graph::Like;

use super::node::{Context, Folders, Inputs, Node, NodeError, Outcome};

/// What a real ComfyUI answers for the classes here; file choices are filled in when asked.
static V0_3_64: LazyLock<Map<String, Json>> = LazyLock::new(|| parse(include_str!("object_info/v0.3.64.json")));
static V0_33_0: LazyLock<Map<String, Json>> = LazyLock::new(|| parse(include_str!("object_info/v0.33.0.json")));

fn parse(text: &str) -> Map<String, Json> {
    serde_json::from_str(text).unwrap_or_default()
}

/// The entry of a class; `null` for a class that is not in the file, which a test rules out.
pub(super) fn entry(like: Like, class: &str) -> Json {
    let classes = match like {
        Like::V0_3_64 => &V0_3_64,
        Like::V0_33_0 => &V0_33_0,
    };
    classes.get(class).cloned().unwrap_or(Json::Null)
}

/// What a plain node does.
pub(super) type Run = fn(&Inputs, &Context<'_>) -> Result<Outcome, NodeError>;

/// A node that depends on its inputs alone.
pub(super) struct Plain {
    class: &'static str,
    like: Like,
    run: Run,
    /// The input that comes out again.
    passes: Option<&'static str>,
}

impl Plain {
    pub(super) fn boxed(like: Like, class: &'static str, run: Run) -> Box<dyn Node> {
        Box::new(Self { class, like, run, passes: None })
    }

    /// A node at the end of a graph. Since 0.33.0 what it was given comes out again.
    pub(super) fn output(like: Like, class: &'static str, passes: &'static str, run: Run) -> Box<dyn Node> {
        let passes = (like >= Like::V0_33_0).then_some(passes);
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
