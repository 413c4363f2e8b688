//! Validates `POST /prompt`: core's rules, plus this server's own checks of its nodes.
//!
//! It differs from a real server on purpose: errors are in the order of declaration (there in that of a hash set),
//! tracebacks are empty, and a node that is not an object is rejected with 400 (there 500).

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};
use verdigraph_core::graph::{
    ComfyVersion, Exception, NodeChecks, Prompt, PromptError, PromptNode, Refusal, ValidPrompt, ValidationRules,
    convert, python, validate_as,
};

use super::catalog::{Catalog, Class};
use super::literal::value_of;
use crate::cpu::node::{Folders, Inputs};

/// Validates a prompt and replaces its values by converted ones (`"16"` for an INT becomes 16). A rejected prompt is
/// lost. `targets` are the requested output nodes (`partial_execution_targets`); `None` means all.
pub(super) fn validate(
    like: ComfyVersion,
    catalog: &Catalog,
    folders: &Folders,
    prompt: &mut Map<String, Json>,
    targets: Option<&[String]>,
) -> Result<ValidPrompt, Refusal> {
    let ParsedPrompt { prompt: mut taken, broken } = take(like, catalog, prompt)?;
    let checks = CatalogChecks { catalog, folders, broken };
    let checked = validate_as(ValidationRules::Server(like, &checks), &taken, catalog.definitions(), targets)?;
    checked.apply(&mut taken);
    give_back(taken, prompt);
    Ok(checked)
}

/// A prompt whose nodes all have a known class, and errors that prevent checking some inputs.
struct ParsedPrompt {
    prompt: Prompt,
    broken: HashMap<String, Exception>,
}

/// Parses a prompt. Every node's class must exist, even of unused nodes.
fn take(like: ComfyVersion, catalog: &Catalog, prompt: &mut Map<String, Json>) -> Result<ParsedPrompt, Refusal> {
    let mut taken = ParsedPrompt { prompt: Prompt::default(), broken: HashMap::new() };
    for (id, node) in prompt {
        let Some(node) = node.as_object_mut() else {
            let message = "Cannot execute because a node is not an object.";
            return Err(Refusal::whole("invalid_prompt", message, format!("Node ID '#{id}'")));
        };
        let class = node.get("class_type");
        let Some(class_type) = class.and_then(Json::as_str).filter(|class| catalog.class(class).is_some()) else {
            let title = node.get("_meta").and_then(|meta| meta.get("title"));
            return Err(Refusal::of(PromptError::missing_node_type(like, id, class, title)));
        };
        let class_type = class_type.to_owned();
        let inputs = match node.get_mut("inputs") {
            Some(Json::Object(inputs)) => std::mem::take(inputs).into_iter().collect(),
            Some(other) => {
                let text = format!("inputs must be a dict, not '{}'", python::type_name(other));
                taken.broken.insert(id.clone(), Exception::new("TypeError", text));
                IndexMap::new()
            }
            None => {
                taken.broken.insert(id.clone(), Exception::new("KeyError", "'inputs'"));
                IndexMap::new()
            }
        };
        taken.prompt.0.insert(id.clone(), PromptNode { class_type, inputs, meta: None });
    }
    Ok(taken)
}

fn give_back(taken: Prompt, prompt: &mut Map<String, Json>) {
    for (id, node) in taken.0 {
        if let Some(Json::Object(inputs)) = prompt.get_mut(&id).and_then(|node| node.get_mut("inputs")) {
            *inputs = node.inputs.into_iter().collect();
        }
    }
}

/// This server's own checks of a prompt's nodes.
struct CatalogChecks<'a> {
    catalog: &'a Catalog,
    folders: &'a Folders,
    broken: HashMap<String, Exception>,
}

impl NodeChecks for CatalogChecks<'_> {
    fn broken(&self, id: &str) -> Option<Exception> {
        self.broken.get(id).cloned()
    }

    fn check(&self, node: &PromptNode) -> Result<Option<PromptError>, Exception> {
        match self.catalog.class(&node.class_type) {
            Some(class) => check(class, &node.inputs, self.folders),
            None => Ok(None),
        }
    }
}

/// The node's own check of its literals, if it takes files. A file name is any text, as at a real server.
fn check(class: &Class, inputs: &IndexMap<String, Json>, folders: &Folders) -> Result<Option<PromptError>, Exception> {
    let plain = |name: &str| inputs.get(name).filter(|value| !value.is_array()).map(convert::unwrapped);
    let mut files = class.inputs().filter(|input| input.is_upload()).filter_map(|input| plain(&input.name)).peekable();
    if files.peek().is_none() {
        return Ok(None);
    }
    if let Some(other) = files.find(|value| !value.is_string()) {
        let text = format!("'{}' object has no attribute 'endswith'", python::type_name(other));
        return Err(Exception::new("AttributeError", text));
    }
    let given = class.inputs().filter_map(|input| Some((input.name.clone(), vec![value_of(plain(&input.name)?)])));
    let refused = class.node.validate(&Inputs(given.collect()), folders).err();
    Ok(refused.map(|(name, text)| PromptError::custom_validation_failed(&name, &text)))
}
