use indexmap::IndexMap;

use super::form::entries::InputEntry;

/// A node, and its inputs that a form can fill.
#[derive(Debug, Clone, PartialEq)]
pub struct EditorNode {
    pub id: String,
    pub class: String,
    pub display_name: String,
    pub python_module: String,
    pub output_node: bool,
    pub title: String,
    /// Whether no connected worker knows the class.
    pub missing: bool,
    /// Inputs by name, in the order of the class.
    pub required: IndexMap<String, InputEntry>,
    pub optional: IndexMap<String, InputEntry>,
}

impl EditorNode {
    pub(in crate::mini_apps) fn inputs(&self) -> impl Iterator<Item = &InputEntry> {
        self.required.values().chain(self.optional.values())
    }
}
