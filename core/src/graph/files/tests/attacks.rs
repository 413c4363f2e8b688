//! Foreign file names never reach a worker, regardless of spelling, class and other inputs.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::classes::{CUSTOM, RECORDED, custom, recorded};
use super::{OWN, own};
use crate::graph::tests::prompt;
use crate::graph::*;

/// Spellings of another user's file name.
const FOREIGN: [&str; 20] = [
    "secret.png",
    "secret.png [input]",
    "secret.png [output]",
    "secret.png [temp]",
    "clipspace/secret.png [input]",
    "sub/secret.png",
    "sub\\secret.png",
    "../output/secret.png",
    "..\\output\\secret.png",
    "/comfyui/output/secret.png",
    "C:\\comfyui\\output\\secret.png",
    "secret.png [OUTPUT]",
    "secret.png[output]",
    "secret.png [input] [output]",
    "secret.png [output] [input]",
    "secret.png  ",
    "SECRET.PNG",
    "%2e%2e/output/secret%2epng",
    "\u{ff33}\u{ff45}cret\u{ff0e}png",
    "output/./secret.png.",
];

/// The text that a worker receives for a prompt, from validation to sending.
fn to_worker(nodes: Value, definitions: &NodeDefinitions) -> Option<String> {
    let prompt = prompt(nodes);
    let given = SubmittedFiles { files: ["mine.png".to_owned()].into() };
    let checked = validate(&prompt, definitions, &given).ok()?;
    let refused: BTreeSet<String> =
        checked.node_errors.values().flat_map(|node| node.dependent_outputs.clone()).collect();
    let sent = worker_prompt(&PromptText::of(&prompt), &prompt, definitions, &refused, &own);
    Some(sent.expect("an accepted graph is sent").text.as_str().to_owned())
}

/// Whether a text contains the file name, in any spelling.
fn tells(text: &str) -> bool {
    let lower = text.to_lowercase().replace('\u{ff53}', "s").replace('\u{ff45}', "e");
    lower.contains("secret")
}

/// A node of this class with this value and valid other inputs, with an output after it.
fn nodes(definitions: &NodeDefinitions, class: &str, input: &str, value: Value) -> Map<String, Value> {
    let definition = definitions.get(class).unwrap();
    let mut inputs = Map::new();
    fill(&definition.inputs, "", &mut inputs);
    if let Some((outer, _)) = input.split_once('.') {
        inputs.insert(outer.to_owned(), json!("file"));
    }
    inputs.insert(input.to_owned(), value);
    let mut nodes = Map::new();
    nodes.insert("any".to_owned(), json!({"class_type": "Anything", "inputs": {}}));
    nodes.insert("1".to_owned(), json!({"class_type": class, "inputs": inputs}));
    if !definition.output_node {
        nodes.insert("2".to_owned(), json!({"class_type": "Everything", "inputs": {"source": ["1", 0]}}));
    }
    nodes
}

/// Valid values for all required inputs.
fn fill(inputs: &[InputDefinition], prefix: &str, out: &mut Map<String, Value>) {
    for input in inputs.iter().filter(|input| input.presence == InputPresence::Required) {
        let name = format!("{prefix}{}", input.name);
        let value = match &input.kind {
            _ if input.is_upload() => json!("mine.png"),
            InputKind::Int | InputKind::Float => input.min().map_or(json!(1), |min| json!(min)),
            InputKind::String => json!(""),
            InputKind::Boolean => json!(true),
            InputKind::Combo { options } => options.first().cloned().unwrap_or_else(|| json!("mine.png")),
            InputKind::DynamicCombo { choices } => {
                fill(&choices[0].inputs, &format!("{name}."), out);
                choices[0].key.clone()
            }
            InputKind::Autogrow { names, inner, .. } => {
                fill(std::slice::from_ref(inner), &format!("{name}.{}.", names[0]), out);
                continue;
            }
            InputKind::Socket { types } if types.starts_with("LOAD_3D") => json!({"image": "mine.png"}),
            InputKind::Socket { .. } | InputKind::MatchType { .. } => json!(["any", 0]),
        };
        out.insert(name, value);
    }
}

/// The name in the shape that this input has.
fn shaped(definitions: &NodeDefinitions, class: &str, input: &str, name: &str) -> Value {
    match definitions.get(class).unwrap().input(input).map(InputDefinition::type_word) {
        Some(word) if word.starts_with("LOAD_3D") => json!({"image": name, "camera_info": {"fov": 35}}),
        None => json!({"on": true, "file": name}),
        _ => json!(name),
    }
}

fn attack(definitions: &NodeDefinitions, class: &str, input: &str) {
    let place = format!("{class}.{input}");
    let own =
        to_worker(nodes(definitions, class, input, shaped(definitions, class, input, "mine.png")).into(), definitions);
    let own = own.unwrap_or_else(|| panic!("{place}: the caller's own file is refused"));
    assert!(own.contains(OWN) && !own.contains("mine.png"), "{place}: {own}");
    for foreign in FOREIGN {
        let shaped = shaped(definitions, class, input, foreign);
        for value in [shaped.clone(), json!({"__value__": shaped.clone()}), json!({"__value__": [shaped]})] {
            let mut alone = nodes(definitions, class, input, value);
            if let Some(sent) = to_worker(alone.clone().into(), definitions) {
                panic!("{place}: {foreign} alone was accepted: {sent}");
            }
            alone.insert(
                "8".to_owned(),
                json!({"class_type": "EmptyImage", "inputs":
                {"width": 16, "height": 16, "batch_size": 1, "color": 1}}),
            );
            alone.insert(
                "9".to_owned(),
                json!({"class_type": "SaveImage", "inputs":
                {"images": ["8", 0], "filename_prefix": "a"}}),
            );
            let sent = to_worker(alone.into(), definitions);
            let sent = sent.unwrap_or_else(|| panic!("{place}: {foreign} spoils the valid output beside it"));
            assert!(!tells(&sent), "{place}: {foreign} reaches the worker: {sent}");
            assert!(sent.contains("SaveImage"), "{place}: the valid output is not sent");
        }
    }
}

#[test]
fn no_foreign_name_passes_through_recorded_classes() {
    for (classes, more, inputs) in RECORDED {
        let definitions = recorded(classes, more);
        for (class, input) in inputs {
            attack(&definitions, class, input);
        }
    }
}

#[test]
fn no_foreign_name_passes_through_custom_classes() {
    let definitions = custom();
    for (class, input) in CUSTOM {
        attack(&definitions, class, input);
    }
}

#[test]
fn all_recorded_classes_with_files_are_tested() {
    for (classes, more, inputs) in RECORDED {
        let definitions = recorded(classes, more);
        for node in definitions.iter() {
            for input in &node.inputs {
                if is_always_a_file(node, &input.name) {
                    let place = (node.class.as_str(), input.name.as_str());
                    assert!(inputs.contains(&place), "{place:?} takes files and is in no list");
                }
            }
        }
    }
}

#[test]
fn branch_behind_an_undeclared_link_is_validated_and_sent() {
    let definitions = custom();
    let with = |image: &str| {
        json!({
            "1": {"class_type": "LoadImage", "inputs": {"image": image}},
            "2": {"class_type": "VHS_VideoCombine", "inputs": {"format": "image/gif", "images": ["3", 0], "extra": ["1", 0]}},
            "3": {"class_type": "EmptyImage", "inputs": {"width": 16, "height": 16, "batch_size": 1, "color": 1}},
        })
    };
    assert!(to_worker(with("mine.png"), &definitions).unwrap().contains(OWN));
    assert_eq!(to_worker(with("secret.png [output]"), &definitions), None);
}
