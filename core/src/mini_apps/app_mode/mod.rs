//! App mode of ComfyUI: a graph in the editor's format names inputs and outputs that its front end shows as a form.
//! Such a graph brings a mini app when it is imported, and a mini app is written into its graph when that is exported.
//!
//! ```text
//! extra.linearMode              whether the front end opens the form
//! extra.linearData.inputs       [node, widget, config?] in the order of the form
//! extra.linearData.outputs      ids of saving and previewing nodes
//! label of a node's input slot  the name in the form
//! extra.verdigraph.app          what ComfyUI does not know of a mini app
//! ```

mod drawing;
mod read;
mod write;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(in crate::mini_apps) use read::brought;
pub(in crate::mini_apps) use write::with_app;

use super::form::entries::{Adapter, Inputs, OutputEntry, Outputs};
use indexmap::IndexMap;

/// The app that a graph brings.
#[derive(Debug, Clone, PartialEq)]
pub struct BroughtApp {
    pub inputs: Inputs,
    pub outputs: Outputs,
    /// Inputs and outputs that the mini app cannot have, for display: their nodes and names.
    pub dropped: Vec<String>,
}

/// What ComfyUI does not know of a mini app, by the keys of its entries. ComfyUI keeps unknown fields of `extra`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct OwnData {
    inputs: IndexMap<String, Adapter>,
    outputs: IndexMap<String, OutputEntry>,
}

impl OwnData {
    /// The data in a graph. Invalid data is ignored: a graph can come from any program.
    fn of(ui: &Value) -> Self {
        ui.pointer("/extra/verdigraph/app")
            .cloned()
            .and_then(|data| serde_json::from_value(data).ok())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
