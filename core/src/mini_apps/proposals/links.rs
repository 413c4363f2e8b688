//! Where the values of nodes go.

use std::collections::{HashMap, HashSet};

use crate::graph::{NodeDefinition, NodeDefinitions, Prompt};

/// The links of a prompt by their source.
pub(super) struct Links<'a> {
    prompt: &'a Prompt,
    definitions: &'a NodeDefinitions,
    by_source: HashMap<&'a str, Vec<Link<'a>>>,
}

#[derive(Clone, Copy)]
struct Link<'a> {
    slot: usize,
    target: &'a str,
    input: &'a str,
}

impl<'a> Links<'a> {
    pub fn of(prompt: &'a Prompt, definitions: &'a NodeDefinitions) -> Self {
        let mut by_source: HashMap<&str, Vec<Link<'_>>> = HashMap::new();
        for (target, node) in &prompt.0 {
            for (input, value) in &node.inputs {
                let Some(source) = value.get(0).and_then(serde_json::Value::as_str) else { continue };
                let slot = value.get(1).and_then(serde_json::Value::as_u64).and_then(|slot| usize::try_from(slot).ok());
                let link = Link { slot: slot.unwrap_or(0), target, input };
                by_source.entry(source).or_default().push(link);
            }
        }
        Self { prompt, definitions, by_source }
    }

    /// The class of a node, if a worker knows it.
    pub fn class(&self, node: &str) -> Option<&'a NodeDefinition> {
        self.definitions.get(&self.prompt.0.get(node)?.class_type).map(AsRef::as_ref)
    }

    /// Whether a value of this type leads from the node to an input that fits, also through nodes that return the type.
    pub fn leads(&self, node: &str, kind: &str, fits: impl Fn(&str, &str) -> bool) -> bool {
        let (mut seen, mut next) = (HashSet::new(), vec![node]);
        while let Some(id) = next.pop() {
            if !seen.insert(id) {
                continue;
            }
            let outputs = self.class(id).map(|class| class.outputs.as_slice());
            let is_kind = |slot: usize| {
                let output = outputs.and_then(|outputs| outputs.get(slot));
                output.is_none_or(|output| output.kind == kind || output.kind == "*")
            };
            for link in self.by_source.get(id).into_iter().flatten().filter(|link| is_kind(link.slot)) {
                if fits(link.target, link.input) {
                    return true;
                }
                next.push(link.target);
            }
        }
        false
    }

    /// Whether every consumer of the node uses it as a negative prompt in the end.
    pub fn is_negative(&self, node: &str) -> bool {
        let (mut seen, mut next, mut found) = (HashSet::new(), vec![node], false);
        while let Some(id) = next.pop() {
            if !seen.insert(id) {
                continue;
            }
            for link in self.by_source.get(id).into_iter().flatten() {
                match link.input {
                    "negative" => found = true,
                    "positive" => return false,
                    _ => next.push(link.target),
                }
            }
        }
        found
    }

    /// Whether another node fills an input with a value of one of these types.
    pub fn takes(&self, node: &str, kinds: &[&str]) -> bool {
        let inputs = self.prompt.0.get(node).into_iter().flat_map(|node| node.inputs.values());
        inputs.filter_map(|value| Some((value.get(0)?.as_str()?, value.get(1)?.as_u64()?))).any(|(source, slot)| {
            let outputs = self.class(source).map(|class| class.outputs.as_slice()).unwrap_or_default();
            let output = usize::try_from(slot).ok().and_then(|slot| outputs.get(slot));
            output.is_some_and(|output| kinds.contains(&output.kind.as_str()))
        })
    }

    pub fn gives(&self, node: &str, kinds: &[&str]) -> bool {
        let outputs = self.class(node).map(|class| class.outputs.as_slice()).unwrap_or_default();
        outputs.iter().any(|output| kinds.contains(&output.kind.as_str()))
    }
}
