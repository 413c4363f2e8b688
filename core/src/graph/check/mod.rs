//! The check of a prompt: the platform's own, before any worker is asked, and that of the built-in worker.
//!
//! It judges as a real ComfyUI does and says it in the same words. For the platform two differences are meant:
//! everything that is wrong is reported at once (a server stops at the first unknown class), and file inputs are
//! held against the files that come with the submit, because workers never keep ours. What only a node itself can
//! judge is left to the worker, whose refusal has the same shape: types, ranges and lists of custom nodes, and types
//! that `object_info` does not tell. They are [`Checked::doubts`]. [`Judge`] has these differences one by one.
//!
//! In both cases several faults come in the order of the declaration, and a fault names exactly the outputs that it
//! spoils; in a real server both follow a hash-ordered set.

pub(in crate::graph) mod checked;
pub mod convert;
pub(in crate::graph) mod judge;
pub(in crate::graph) mod node;
pub mod python;
pub(in crate::graph) mod walk;

use indexmap::IndexMap;
use serde_json::json;

use super::classes::definitions::{NodeDefinition, NodeDefinitions};
use super::nested::missing_nested;
use super::prompt::{Prompt, PromptNode};
use super::refusal::{NodeTroubles, Refusal, Trouble};
use checked::{Checked, Given};
use judge::Judge;
use walk::{Seen, Walk};

/// Checks a prompt against what workers know.
///
/// # Errors
/// A [`Refusal`] with everything that is wrong, where a class is unknown or no output can be made.
pub fn validate(prompt: &Prompt, definitions: &NodeDefinitions, given: &Given) -> Result<Checked, Refusal> {
    validate_as(Judge::Platform(given), prompt, definitions, None)
}

/// The same as somebody else judges it. `targets`: the output nodes that are asked for
/// (`partial_execution_targets`), all where `None`.
///
/// # Errors
/// As [`validate`].
pub fn validate_as(
    judge: Judge<'_>,
    prompt: &Prompt,
    definitions: &NodeDefinitions,
    targets: Option<&[String]>,
) -> Result<Checked, Refusal> {
    let classes: Vec<Option<&NodeDefinition>> =
        prompt.0.values().map(|node| definitions.get(&node.class_type).map(AsRef::as_ref)).collect();
    let is_wanted = |index: usize| {
        targets.is_none_or(|targets| prompt.0.get_index(index).is_some_and(|(id, _)| targets.contains(id)))
    };
    let outputs: Vec<usize> =
        (0..classes.len()).filter(|&index| is_output(&classes, index) && is_wanted(index)).collect();
    let mut troubles: Vec<Vec<Trouble>> = vec![Vec::new(); classes.len()];
    let mut unknown = None;
    for (index, (id, node)) in prompt.0.iter().enumerate() {
        if classes.get(index).is_some_and(Option::is_none) {
            let trouble = unknown_class(judge, id, node);
            if !judge.tells_everything() {
                return Err(Refusal::of(trouble));
            }
            unknown.get_or_insert_with(|| trouble.clone());
            troubles[index].push(trouble);
        }
    }
    if unknown.is_none() && outputs.is_empty() {
        return Err(Refusal::whole("prompt_no_outputs", "Prompt has no outputs", ""));
    }

    let mut walk = Walk::new(prompt, &classes, judge, &mut troubles);
    for &output in &outputs {
        walk.visit_output(output);
    }
    let Seen { links, order, normalised, doubts, stuck } = walk.finish();
    if judge.respells_paths() {
        for &index in &order {
            if let (Some((_, node)), Some(Some(class))) = (prompt.0.get_index(index), classes.get(index)) {
                troubles[index].extend(missing_nested(node, class, definitions));
            }
        }
    }

    if troubles.iter().all(Vec::is_empty) && stuck.is_empty() {
        return Ok(Checked { outputs: ids(prompt, &outputs), normalised, node_errors: IndexMap::new(), doubts });
    }
    let reached = outputs_reached(&outputs, &links, &order);
    let is_bad = |node: usize| troubles.get(node).is_some_and(|troubles| !troubles.is_empty()) || stuck.contains(&node);
    let spoiled = spoiled_outputs(&outputs, &reached, is_bad);
    let good: Vec<usize> = outputs.iter().copied().filter(|output| !spoiled.contains(output)).collect();
    let details = details_of(&spoiled, &troubles);
    let node_errors = node_errors(prompt, &outputs, &reached, troubles);
    match unknown {
        Some(error) => Err(Refusal { error: Box::new(error), node_errors }),
        None if good.is_empty() => Err(Refusal { error: Box::new(Trouble::outputs_failed(details)), node_errors }),
        None => Ok(Checked { outputs: ids(prompt, &good), normalised, node_errors, doubts }),
    }
}

fn is_output(classes: &[Option<&NodeDefinition>], index: usize) -> bool {
    classes.get(index).is_some_and(|class| class.is_some_and(|class| class.output_node))
}

fn ids(prompt: &Prompt, indices: &[usize]) -> Vec<String> {
    indices.iter().filter_map(|&index| prompt.0.get_index(index)).map(|(id, _)| id.clone()).collect()
}

fn unknown_class(judge: Judge<'_>, id: &str, node: &PromptNode) -> Trouble {
    Trouble::missing_node_type(judge.like(), id, Some(&json!(node.class_type)), Some(&json!(node.title())))
}

/// For each node, which outputs (as a bit set over `outputs`) need it.
fn outputs_reached(outputs: &[usize], links: &[Vec<usize>], order: &[usize]) -> Vec<Vec<u64>> {
    // Consumers come first in `order`, so one pass does, unless there are cycles; those settle within few.
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

/// The outputs that some trouble keeps from being made, in the prompt's order.
fn spoiled_outputs(outputs: &[usize], reached: &[Vec<u64>], is_bad: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut bad = vec![0_u64; outputs.len().div_ceil(64)];
    for (_, words) in reached.iter().enumerate().filter(|(node, _)| is_bad(*node)) {
        for (bad, word) in bad.iter_mut().zip(words) {
            *bad |= word;
        }
    }
    outputs.iter().enumerate().filter(|(bit, _)| has_bit(&bad, *bit)).map(|(_, &output)| output).collect()
}

/// ComfyUI repeats only what is wrong with the output nodes themselves.
fn details_of(spoiled: &[usize], troubles: &[Vec<Trouble>]) -> String {
    let lines = spoiled.iter().filter_map(|&output| troubles.get(output)).flatten();
    lines.map(|trouble| format!("{}: {}", trouble.message, trouble.details)).collect::<Vec<_>>().join("\n")
}

fn node_errors(
    prompt: &Prompt,
    outputs: &[usize],
    reached: &[Vec<u64>],
    troubles: Vec<Vec<Trouble>>,
) -> IndexMap<String, NodeTroubles> {
    let nodes = prompt.0.iter().zip(reached).zip(troubles);
    nodes
        .filter(|(_, errors)| !errors.is_empty())
        .map(|(((id, node), words), errors)| {
            let dependent: Vec<usize> =
                outputs.iter().enumerate().filter(|(bit, _)| has_bit(words, *bit)).map(|(_, &output)| output).collect();
            let dependent_outputs = ids(prompt, &dependent);
            (id.clone(), NodeTroubles { errors, dependent_outputs, class_type: node.class_type.clone() })
        })
        .collect()
}

#[cfg(test)]
mod tests;
