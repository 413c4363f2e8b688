//! The prompt that a worker receives: the nodes needed by accepted outputs, with the worker's names of submitted files
//! and its own spelling of paths.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use super::{FileNames, InputChange, node_files};
use crate::graph::classes::definitions::{NodeDefinition, NodeDefinitions};
use crate::graph::nested::respelled;
use crate::graph::prompt::Prompt;
use crate::graph::refusal::{NodeErrors, PromptError, Refusal};
use crate::graph::text::PromptText;

#[derive(Debug, Clone)]
pub struct WorkerPrompt {
    pub text: PromptText,
    /// The same nodes with the caller's file names.
    pub prompt: Prompt,
}

/// Builds the prompt for a worker with these definitions. ComfyUI validates again and runs every output that it
/// considers valid, so refused outputs are removed.
///
/// # Errors
/// A [`Refusal`] if no output remains, or if a remaining node names a file that was not submitted.
pub fn worker_prompt(
    text: &PromptText,
    prompt: &Prompt,
    definitions: &NodeDefinitions,
    refused: &BTreeSet<String>,
    own: FileNames<'_>,
) -> Result<WorkerPrompt, Refusal> {
    let class_of = |id: &str| -> Option<&NodeDefinition> {
        let node = prompt.0.get(id)?;
        definitions.get(&node.class_type).map(AsRef::as_ref)
    };
    let is_output = |id: &str| class_of(id).is_some_and(|class| class.output_node);
    let outputs = prompt.0.keys().filter(|id| is_output(id) && !refused.contains(*id));
    let kept = upstream(prompt, outputs);
    if kept.is_empty() {
        return Err(Refusal::whole("prompt_no_outputs", "Prompt has no outputs", ""));
    }
    let mut changes = IndexMap::new();
    let mut node_errors = IndexMap::new();
    for (id, node) in prompt.0.iter().filter(|(id, _)| kept.contains(id.as_str())) {
        let found = node_files(prompt, node, class_of(id), &class_of, own);
        if !found.refused.is_empty() {
            let class_type = node.class_type.clone();
            let errors = NodeErrors { errors: found.refused, dependent_outputs: Vec::new(), class_type };
            node_errors.insert(id.clone(), errors);
        }
        let mut of_node = found.changes;
        for (input, value) in class_of(id).map_or_else(Vec::new, |class| respelled(node, class, definitions)) {
            if !of_node.iter().any(|(changed, _)| *changed == input) {
                of_node.push((input, InputChange::Replace(value)));
            }
        }
        changes.insert(id.clone(), of_node);
    }
    if !node_errors.is_empty() {
        return Err(Refusal { error: Box::new(PromptError::outputs_failed("")), node_errors });
    }
    let text = text.with(&changes).ok_or_else(|| {
        Refusal::whole("invalid_prompt", "The prompt cannot be read", "its text is not what was judged")
    })?;
    let nodes = prompt.0.iter().filter(|(id, _)| kept.contains(id.as_str()));
    Ok(WorkerPrompt { text, prompt: Prompt(nodes.map(|(id, node)| (id.clone(), node.clone())).collect()) })
}

/// The whole prompt with other file names, for display: only the class, inputs and title of nodes are kept, and refused
/// values stay. `None` if the text does not fit the prompt.
#[must_use]
pub fn with_file_names(
    text: &PromptText,
    prompt: &Prompt,
    definitions: &NodeDefinitions,
    own: FileNames<'_>,
) -> Option<PromptText> {
    let class_of = |id: &str| definitions.get(&prompt.0.get(id)?.class_type).map(AsRef::as_ref);
    let changes = prompt.0.iter().map(|(id, node)| {
        let changes = node_files(prompt, node, class_of(id), &class_of, own).changes;
        (id.clone(), changes)
    });
    text.with(&changes.collect())?.bare()
}

/// The part of a prompt that these nodes need. Ids that it does not have are ignored.
///
/// # Errors
/// A [`Refusal`] if the prompt has none of them.
pub fn only_upstream(text: &PromptText, prompt: &Prompt, targets: &[String]) -> Result<(PromptText, Prompt), Refusal> {
    let kept = upstream(prompt, targets.iter().filter(|id| prompt.0.contains_key(*id)));
    let changes: IndexMap<String, Vec<(String, InputChange)>> =
        prompt.0.keys().filter(|id| kept.contains(id.as_str())).map(|id| (id.clone(), Vec::new())).collect();
    let text = text.with(&changes).filter(|_| !changes.is_empty());
    let text = text.ok_or_else(|| Refusal::whole("prompt_no_outputs", "Prompt has no outputs", ""))?;
    let nodes = prompt.0.iter().filter(|(id, _)| changes.contains_key(*id));
    Ok((text, Prompt(nodes.map(|(id, node)| (id.clone(), node.clone())).collect())))
}

/// These nodes and all their dependencies, declared or not: a worker follows every link.
pub(in crate::graph) fn upstream<'a>(
    prompt: &'a Prompt,
    outputs: impl Iterator<Item = &'a String>,
) -> IndexSet<&'a str> {
    let mut kept = IndexSet::new();
    let mut open: Vec<&str> = outputs.map(String::as_str).collect();
    while let Some(id) = open.pop() {
        let Some(node) = prompt.0.get(id).filter(|_| kept.insert(id)) else { continue };
        let links = node.inputs.values().filter_map(|value| value.as_array()?.first()?.as_str());
        open.extend(links.filter(|id| prompt.0.contains_key(*id)));
    }
    kept
}
