//! Validation of prompts: by the platform before any worker is asked, and by the built-in worker.
//!
//! Decisions and messages are those of a real ComfyUI. The platform intentionally differs in two points: it reports all
//! errors at once (a server stops at the first unknown class), and it checks file inputs against the submitted files,
//! because workers do not keep our files. What only a node can decide is left to the worker, whose refusal has the same
//! format: types, ranges and lists of custom nodes, and types that `object_info` does not tell
//! ([`ValidPrompt::doubts`]). [`ValidationRules`] lists the differences.
//!
//! In both cases errors follow the order of the declaration and name exactly the outputs they affect; in a real server
//! both follow a hash order.

pub mod convert;
pub(in crate::graph) mod node;
pub(in crate::graph) mod outcome;
pub mod python;
pub(in crate::graph) mod rules;
pub(in crate::graph) mod walk;

use indexmap::IndexMap;
use serde_json::json;

use super::classes::definitions::{NodeDefinition, NodeDefinitions};
use super::nested::missing_nested;
use super::prompt::{Prompt, PromptNode};
use super::refusal::{NodeErrors, PromptError, Refusal};
use outcome::{SubmittedFiles, ValidPrompt};
use rules::ValidationRules;
use walk::{Walk, WalkResult};

/// Validates a prompt against the known classes.
///
/// # Errors
/// A [`Refusal`] with all errors, if a class is unknown or no output can be executed.
pub fn validate(
    prompt: &Prompt,
    definitions: &NodeDefinitions,
    given: &SubmittedFiles,
) -> Result<ValidPrompt, Refusal> {
    validate_as(ValidationRules::Platform(given), prompt, definitions, None)
}

/// Validates by other rules. `targets` are the requested outputs (`partial_execution_targets`); `None` means all.
pub fn validate_as(
    rules: ValidationRules<'_>,
    prompt: &Prompt,
    definitions: &NodeDefinitions,
    targets: Option<&[String]>,
) -> Result<ValidPrompt, Refusal> {
    let classes: Vec<Option<&NodeDefinition>> =
        prompt.0.values().map(|node| definitions.get(&node.class_type).map(AsRef::as_ref)).collect();
    let is_wanted = |index: usize| {
        targets.is_none_or(|targets| prompt.0.get_index(index).is_some_and(|(id, _)| targets.contains(id)))
    };
    let outputs: Vec<usize> =
        (0..classes.len()).filter(|&index| is_output(&classes, index) && is_wanted(index)).collect();
    let mut troubles: Vec<Vec<PromptError>> = vec![Vec::new(); classes.len()];
    let mut unknown = None;
    for (index, (id, node)) in prompt.0.iter().enumerate() {
        if classes.get(index).is_some_and(Option::is_none) {
            let trouble = unknown_class(rules, id, node);
            if !rules.reports_everything() {
                return Err(Refusal::of(trouble));
            }
            unknown.get_or_insert_with(|| trouble.clone());
            troubles[index].push(trouble);
        }
    }
    if unknown.is_none() && outputs.is_empty() {
        return Err(Refusal::whole("prompt_no_outputs", "Prompt has no outputs", ""));
    }

    let mut walk = Walk::new(prompt, &classes, rules, &mut troubles);
    for &output in &outputs {
        walk.visit_output(output);
    }
    let WalkResult { links, order, normalised, doubts, stuck } = walk.finish();
    if rules.accepts_other_separators() {
        for &index in &order {
            if let (Some((_, node)), Some(Some(class))) = (prompt.0.get_index(index), classes.get(index)) {
                troubles[index].extend(missing_nested(node, class, definitions));
            }
        }
    }

    if troubles.iter().all(Vec::is_empty) && stuck.is_empty() {
        return Ok(ValidPrompt { outputs: ids(prompt, &outputs), normalised, node_errors: IndexMap::new(), doubts });
    }
    let reached = outputs_reached(&outputs, &links, &order);
    let is_bad = |node: usize| troubles.get(node).is_some_and(|troubles| !troubles.is_empty()) || stuck.contains(&node);
    let spoiled = spoiled_outputs(&outputs, &reached, is_bad);
    let good: Vec<usize> = outputs.iter().copied().filter(|output| !spoiled.contains(output)).collect();
    let details = details_of(&spoiled, &troubles);
    let node_errors = node_errors(prompt, &outputs, &reached, troubles);
    match unknown {
        Some(error) => Err(Refusal { error: Box::new(error), node_errors }),
        None if good.is_empty() => Err(Refusal { error: Box::new(PromptError::outputs_failed(details)), node_errors }),
        None => Ok(ValidPrompt { outputs: ids(prompt, &good), normalised, node_errors, doubts }),
    }
}

fn is_output(classes: &[Option<&NodeDefinition>], index: usize) -> bool {
    classes.get(index).is_some_and(|class| class.is_some_and(|class| class.output_node))
}

fn ids(prompt: &Prompt, indices: &[usize]) -> Vec<String> {
    indices.iter().filter_map(|&index| prompt.0.get_index(index)).map(|(id, _)| id.clone()).collect()
}

fn unknown_class(rules: ValidationRules<'_>, id: &str, node: &PromptNode) -> PromptError {
    PromptError::missing_node_type(rules.version(), id, Some(&json!(node.class_type)), Some(&json!(node.title())))
}

/// For each node, the outputs that need it (a bit set over `outputs`).
fn outputs_reached(outputs: &[usize], links: &[Vec<usize>], order: &[usize]) -> Vec<Vec<u64>> {
    // Consumers come first in `order`, so one pass is enough without cycles; with cycles a few more are.
    const PASSES: usize = 16;
    let mut reached = vec![vec![0_u64; outputs.len().div_ceil(64)]; links.len()];
    for (bit, &output) in outputs.iter().enumerate() {
        reached[output][bit / 64] |= 1 << (bit % 64);
    }
    for _ in 0..PASSES {
        let mut changed = false;
        for &node in order {
            let words = reached[node].clone();
            for &upstream in &links[node] {
                for (theirs, ours) in reached[upstream].iter_mut().zip(&words) {
                    changed |= *theirs | ours != *theirs;
                    *theirs |= ours;
                }
            }
        }
        if !changed {
            break;
        }
    }
    reached
}

fn has_bit(words: &[u64], bit: usize) -> bool {
    words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
}

/// The outputs affected by errors, in the prompt's order.
fn spoiled_outputs(outputs: &[usize], reached: &[Vec<u64>], is_bad: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut bad = vec![0_u64; outputs.len().div_ceil(64)];
    for (_, words) in reached.iter().enumerate().filter(|(node, _)| is_bad(*node)) {
        for (bad, word) in bad.iter_mut().zip(words) {
            *bad |= word;
        }
    }
    outputs.iter().enumerate().filter(|(bit, _)| has_bit(&bad, *bit)).map(|(_, &output)| output).collect()
}

/// ComfyUI repeats only the errors of the output nodes themselves.
fn details_of(spoiled: &[usize], troubles: &[Vec<PromptError>]) -> String {
    let lines = spoiled.iter().filter_map(|&output| troubles.get(output)).flatten();
    lines.map(|trouble| format!("{}: {}", trouble.message, trouble.details)).collect::<Vec<_>>().join("\n")
}

fn node_errors(
    prompt: &Prompt,
    outputs: &[usize],
    reached: &[Vec<u64>],
    troubles: Vec<Vec<PromptError>>,
) -> IndexMap<String, NodeErrors> {
    let nodes = prompt.0.iter().zip(reached).zip(troubles);
    nodes
        .filter(|(_, errors)| !errors.is_empty())
        .map(|(((id, node), words), errors)| {
            let dependent: Vec<usize> =
                outputs.iter().enumerate().filter(|(bit, _)| has_bit(words, *bit)).map(|(_, &output)| output).collect();
            let dependent_outputs = ids(prompt, &dependent);
            (id.clone(), NodeErrors { errors, dependent_outputs, class_type: node.class_type.clone() })
        })
        .collect()
}

#[cfg(test)]
mod tests;
