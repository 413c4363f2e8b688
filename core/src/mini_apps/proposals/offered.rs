use crate::graph::{NodeDefinitions, Prompt};
use crate::mini_apps::editor_node::EditorNode;
use crate::mini_apps::form::entries::OutputEntry;

/// The graph of a proposal: its nodes as the editor shows them.
pub(in crate::mini_apps) struct Offered<'a> {
    pub prompt: &'a Prompt,
    pub definitions: &'a NodeDefinitions,
    pub nodes: &'a [EditorNode],
    pub outputs: &'a [OutputEntry],
}

impl<'a> Offered<'a> {
    /// The class of an output's node.
    pub fn class(&self, output: &OutputEntry) -> &'a str {
        self.prompt.0.get(&output.id).map_or("", |node| node.class_type.as_str())
    }
}
