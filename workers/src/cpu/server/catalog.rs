//! The node classes of this worker, for validation and execution.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value as Json;
use verdigraph_core::graph::{InputDefinition, InputPresence, NodeDefinition, NodeDefinitions};

use crate::cpu::node::{Folders, Node};

pub(super) struct Class {
    pub node: Box<dyn Node>,
    /// Its declaration, as of the server's start.
    definition: Arc<NodeDefinition>,
}

impl Class {
    /// The declared inputs: required ones first, then optional ones.
    pub fn inputs(&self) -> impl Iterator<Item = &InputDefinition> {
        self.definition.inputs.iter().filter(|input| input.presence != InputPresence::Hidden)
    }
}

/// All classes by name, in the order of `/object_info`.
pub(super) struct Catalog {
    classes: IndexMap<&'static str, Class>,
    definitions: NodeDefinitions,
}

impl Catalog {
    pub fn new(nodes: Vec<Box<dyn Node>>, folders: &Folders) -> Self {
        let object_info = nodes.iter().map(|node| (node.class().to_owned(), node.definition(folders))).collect();
        let definitions = NodeDefinitions::from_object_info(&Json::Object(object_info));
        let class = |node: Box<dyn Node>| {
            let definition = Arc::clone(definitions.get(node.class())?);
            Some((node.class(), Class { node, definition }))
        };
        Self { classes: nodes.into_iter().filter_map(class).collect(), definitions }
    }

    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.get(name)
    }

    pub fn definitions(&self) -> &NodeDefinitions {
        &self.definitions
    }

    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// The body of `/object_info`, or of `/object_info/{class}` (empty for an unknown class).
    pub fn object_info(&self, class: Option<&str>, folders: &Folders) -> Json {
        let wanted = |name: &str| class.is_none_or(|class| class == name);
        let entries = self.classes.iter().filter(|(name, _)| wanted(name));
        Json::Object(entries.map(|(name, class)| ((*name).to_owned(), class.node.definition(folders))).collect())
    }
}
