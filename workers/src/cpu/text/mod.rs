//! ComfyUI's string, regular-expression and primitive nodes, with Python's meaning of every operation.
//!
//! - `python`: Python's text operations where Rust's differ, and its way to print values
//! - `strings`, `primitive`, `regex`, `preview`: the nodes

mod preview;
mod primitive;
mod python;
mod regex;
mod strings;

use std::sync::LazyLock;

use serde_json::Value as Json;

use super::node::{Context, Folders, Inputs, Node, NodeError, Outcome};

/// What a node of this family does.
type Run = fn(&Inputs, &Context<'_>) -> Result<Outcome, NodeError>;

/// The nodes of this family.
#[must_use]
pub fn nodes() -> Vec<Box<dyn Node>> {
    [strings::NODES, regex::NODES, primitive::NODES, preview::NODES]
        .into_iter()
        .flatten()
        .map(|&(class, run)| Box::new(TextNode { class, run }) as Box<dyn Node>)
        .collect()
}

/// A node that is one pure function; its definition stands in `object_info.json`.
struct TextNode {
    class: &'static str,
    run: Run,
}

impl Node for TextNode {
    fn class(&self) -> &'static str {
        self.class
    }

    fn definition(&self, _folders: &Folders) -> Json {
        DEFINITIONS.get(self.class).cloned().unwrap_or(Json::Null)
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        context.check()?;
        (self.run)(inputs, context)
    }
}

/// The entries of `/object_info` for these classes, as version 0.3.64 gives them.
static DEFINITIONS: LazyLock<Json> =
    LazyLock::new(|| serde_json::from_str(include_str!("object_info.json")).unwrap_or(Json::Null));

#[cfg(test)]
mod tests;
