//! The object info entries of the image and mask nodes, and the node whose whole behaviour is one function.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

use super::node::{Context, Folders, Inputs, Node, NodeError, Outcome};

/// What a real ComfyUI 0.3.64 answers for the classes here; file choices are filled in when asked.
static OBJECT_INFO: LazyLock<Map<String, Json>> =
    LazyLock::new(|| serde_json::from_str(include_str!("object_info.json")).unwrap_or_default());

/// The entry of a class; `null` for a class that is not in the file, which a test rules out.
pub(super) fn entry(class: &str) -> Json {
    OBJECT_INFO.get(class).cloned().unwrap_or(Json::Null)
}

/// What a plain node does.
type Run = fn(&Inputs, &Context<'_>) -> Result<Outcome, NodeError>;

/// A node that depends on its inputs alone.
pub(super) struct Plain {
    class: &'static str,
    run: Run,
}

impl Plain {
    pub(super) fn boxed(class: &'static str, run: Run) -> Box<dyn Node> {
        Box::new(Self { class, run })
    }
}

impl Node for Plain {
    fn class(&self) -> &'static str {
        self.class
    }

    fn definition(&self, _folders: &Folders) -> Json {
        entry(self.class)
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        (self.run)(inputs, context)
    }
}
