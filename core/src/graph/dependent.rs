//! What a prompt leaves out where one of its nodes has no file: a form may offer a second picture that a run goes without.

use std::collections::HashMap;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::classes::definitions::NodeDefinitions;
use super::prompt::{Prompt, Slot};

/// The part of a prompt that cannot run without a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependentPart {
    /// The node, and all nodes that require a result of one of these.
    pub nodes: Vec<String>,
    /// Inputs of other nodes that take such a result and need none.
    pub links: Vec<Slot>,
}

impl DependentPart {
    /// An input whose class is unknown counts as required.
    #[must_use]
    pub fn of(prompt: &Prompt, node: &str, definitions: &NodeDefinitions) -> Self {
        let readers = readers(prompt);
        let mut nodes = IndexSet::from([node]);
        let mut optional = Vec::new();
        let mut next = 0;
        while let Some(source) = nodes.get_index(next).copied() {
            next += 1;
            for &(reader, input) in readers.get(source).into_iter().flatten() {
                let class = prompt.0.get(reader).and_then(|node| definitions.get(&node.class_type));
                if class.is_some_and(|class| !class.requires(input)) {
                    optional.push((reader, input));
                } else {
                    nodes.insert(reader);
                }
            }
        }
        optional.retain(|(reader, _)| !nodes.contains(reader));
        let slot = |(node, input): (&str, &str)| Slot { node: node.to_owned(), input: input.to_owned() };
        Self { nodes: nodes.into_iter().map(str::to_owned).collect(), links: optional.into_iter().map(slot).collect() }
    }
}

/// The nodes and inputs that take a result of each node.
fn readers(prompt: &Prompt) -> HashMap<&str, Vec<(&str, &str)>> {
    let mut readers: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
    for (id, node) in &prompt.0 {
        for (input, value) in &node.inputs {
            if let Some(source) = value.as_array().and_then(|link| link.first()).and_then(Value::as_str) {
                readers.entry(source).or_default().push((id.as_str(), input.as_str()));
            }
        }
    }
    readers
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Two pictures are combined; a third node reads the second one only if it is there.
    fn combined() -> (Prompt, NodeDefinitions) {
        let link = json!(["IMAGE", {}]);
        let names = ["image_1", "image_2"];
        let grown = json!({ "template": { "input": { "required": { "image": link } }, "names": names, "min": 1 } });
        let class = |inputs: Value| json!({ "input": inputs, "output": ["IMAGE"], "output_node": false });
        let definitions = NodeDefinitions::from_object_info(&json!({
            "Load": class(json!({ "required": { "image": [["a.png"], {}] } })),
            "Scale": class(json!({ "required": { "image": link } })),
            "Edit": class(json!({ "required": { "image": link }, "optional": { "image2": link } })),
            "Collect": class(json!({ "required": { "images": ["COMFY_AUTOGROW_V3", grown] } })),
        }));
        let prompt = Prompt::from_value(json!({
            "1": { "class_type": "Load", "inputs": { "image": "a.png" } },
            "2": { "class_type": "Load", "inputs": { "image": "b.png" } },
            "3": { "class_type": "Scale", "inputs": { "image": ["2", 0] } },
            "4": { "class_type": "Edit", "inputs": { "image": ["1", 0], "image2": ["3", 0] } },
            "5": { "class_type": "Collect", "inputs": { "images.image_1": ["1", 0], "images.image_2": ["3", 0] } },
            "6": { "class_type": "Unknown", "inputs": { "image": ["3", 0] } },
        }));
        (prompt.expect("a prompt"), definitions)
    }

    fn part_of(node: &str) -> (Vec<String>, Vec<String>) {
        let (prompt, definitions) = combined();
        let DependentPart { nodes, links } = DependentPart::of(&prompt, node, &definitions);
        (nodes, links.into_iter().map(|slot| format!("{}.{}", slot.node, slot.input)).collect())
    }

    #[test]
    fn nodes_that_require_the_result_go_and_optional_inputs_lose_their_link() {
        let (nodes, links) = part_of("2");
        assert_eq!(nodes, ["2", "3", "6"], "an unknown class may require it");
        assert_eq!(links, ["4.image2", "5.images.image_2"]);
    }

    #[test]
    fn first_input_of_a_growing_list_is_required() {
        let (nodes, links) = part_of("1");
        assert_eq!(nodes, ["1", "4", "5"]);
        assert!(links.is_empty(), "{links:?}");
    }
}
