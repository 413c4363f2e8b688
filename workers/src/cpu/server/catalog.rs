//! The node classes this worker serves, and what validation and execution need to know of each.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value as Json;
use verdigraph_core::graph::{InputDefinition, NodeDefinition, NodeDefinitions, Presence};

use crate::cpu::node::{Folders, Node};

/// One node class.
pub(super) struct Class {
    pub node: Box<dyn Node>,
    /// What it declares, as `/object_info` had it when the server began.
    definition: Arc<NodeDefinition>,
}

impl Class {
    /// The declared inputs: required ones first, then optional ones.
    pub fn inputs(&self) -> impl Iterator<Item = &InputDefinition> {
        self.definition.inputs.iter().filter(|input| input.presence != Presence::Hidden)
    }
}

/// Every class, by name, in the order of `/object_info`.
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

    /// What all classes declare.
    pub fn definitions(&self) -> &NodeDefinitions {
        &self.definitions
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// The body of `/object_info`; with a class name, of `/object_info/{class}` (empty where there is no such class).
    pub fn object_info(&self, class: Option<&str>, folders: &Folders) -> Json {
        let wanted = |name: &str| class.is_none_or(|class| class == name);
        let entries = self.classes.iter().filter(|(name, _)| wanted(name));
        Json::Object(entries.map(|(name, class)| ((*name).to_owned(), class.node.definition(folders))).collect())
    }
}
