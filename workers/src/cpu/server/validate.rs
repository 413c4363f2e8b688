//! The check of `POST /prompt`: what the core knows of ComfyUI's rules, with what only this server knows of its nodes.
//!
//! Three things differ from a real server on purpose: the order of several errors is always the order of the
//! declaration (there it follows a hash-ordered set), tracebacks are empty, and a node that is not an object is refused
//! with 400 (there: 500).

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};
use verdigraph_core::graph::{
    Checked, Exception, Judge, Like, OwnChecks, Prompt, PromptNode, Refusal, Trouble, convert, python, validate_as,
};

use super::catalog::{Catalog, Class};
use super::literal::value_of;
use crate::cpu::node::{Folders, Inputs};

/// Checks a prompt and replaces its values by the converted ones (`"16"` for an INT becomes 16); of a prompt that is
/// refused nothing is kept. `targets`: the output nodes asked for (`partial_execution_targets`), all where `None`.
///
/// # Errors
/// A [`Refusal`] where no output can be made.
pub(super) fn validate(
    like: Like,
    catalog: &Catalog,
    folders: &Folders,
    prompt: &mut Map<String, Json>,
    targets: Option<&[String]>,
) -> Result<Checked, Refusal> {
    let Taken { prompt: mut taken, broken } = take(like, catalog, prompt)?;
    let own = Own { catalog, folders, broken };
    let checked = validate_as(Judge::Server(like, &own), &taken, catalog.definitions(), targets)?;
    checked.apply(&mut taken);
    give_back(taken, prompt);
    Ok(checked)
}

/// A prompt whose nodes all have a class, and what keeps the inputs of some from being looked at.
struct Taken {
    prompt: Prompt,
    broken: HashMap<String, Exception>,
}

/// Takes the inputs out of a prompt. Every node's class must exist, also of nodes nobody uses.
fn take(like: Like, catalog: &Catalog, prompt: &mut Map<String, Json>) -> Result<Taken, Refusal> {
    let mut taken = Taken { prompt: Prompt::default(), broken: HashMap::new() };
    for (id, node) in prompt {
        let Some(node) = node.as_object_mut() else {
            let message = "Cannot execute because a node is not an object.";
            return Err(Refusal::whole("invalid_prompt", message, format!("Node ID '#{id}'")));
        };
        let class = node.get("class_type");
        let Some(class_type) = class.and_then(Json::as_str).filter(|class| catalog.class(class).is_some()) else {
            let title = node.get("_meta").and_then(|meta| meta.get("title"));
            return Err(Refusal::of(Trouble::missing_node_type(like, id, class, title)));
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

/// What only this server knows of the nodes of a prompt.
struct Own<'a> {
    catalog: &'a Catalog,
    folders: &'a Folders,
    broken: HashMap<String, Exception>,
}

impl OwnChecks for Own<'_> {
    fn broken(&self, id: &str) -> Option<Exception> {
        self.broken.get(id).cloned()
    }

    fn check(&self, node: &PromptNode) -> Result<Option<Trouble>, Exception> {
        match self.catalog.class(&node.class_type) {
            Some(class) => check(class, &node.inputs, self.folders),
            None => Ok(None),
        }
    }
}

/// The node's own check over its plain values, where it takes files. It takes the name of a file for a text, as a real
/// server does.
fn check(class: &Class, inputs: &IndexMap<String, Json>, folders: &Folders) -> Result<Option<Trouble>, Exception> {
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
    Ok(refused.map(|(name, text)| Trouble::custom_validation_failed(&name, &text)))
}
