//! Proposals for graphs of different styles, from the first pictures to films, songs and packs of custom nodes.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::graph::{NodeDefinitions, Prompt};
use crate::mini_apps::editor;
use crate::mini_apps::plan::plan;
use crate::mini_apps::tests as usual;

const GRAPHS: &str = include_str!("../../../tests/data/graph/proposals/graphs.json");
const CLASSES: &str = include_str!("../../../tests/data/graph/proposals/object_info.json");
/// Of ten graphs, so many must get a form that works as it is.
const GOOD_OF_TEN: usize = 9;
/// A form with more fields than this does not help a user who has not seen the graph.
const MOST_FIELDS: usize = 12;

#[derive(Deserialize)]
struct Sample {
    name: String,
    graph: Value,
    expected: Expected,
    unwanted: Vec<String>,
}

/// Places of inputs, as `node.input`, and output nodes.
#[derive(Deserialize)]
struct Expected {
    prompt: Vec<String>,
    negative: Vec<String>,
    seed: Vec<String>,
    size: Vec<String>,
    file: Vec<String>,
    outputs: Vec<String>,
}

fn proposed(prompt: &Prompt, definitions: &NodeDefinitions) -> (Inputs, Outputs) {
    let nodes = editor::nodes(prompt, definitions);
    let outputs = editor::outputs(prompt, definitions, &nodes);
    let offered = Offered { prompt, definitions, nodes: &nodes, outputs: &outputs };
    (common_inputs(&offered), common_outputs(&offered))
}

/// What is wrong with the proposal for a graph.
fn faults(sample: &Sample, definitions: &NodeDefinitions) -> Vec<String> {
    let prompt = Prompt::from_value(sample.graph.clone()).expect("a prompt");
    let (inputs, outputs) = proposed(&prompt, definitions);
    let Expected { prompt: prompts, negative, seed, size, file, outputs: saved } = &sample.expected;
    let mut faults = Vec::new();
    let widget = |key: &String| inputs.get(key).and_then(|entry| entry.adapter.ui_type);
    let is_said = |key: &String, word: &str| {
        let name = inputs.get(key).and_then(|entry| entry.adapter.name.clone()).unwrap_or_default();
        name.to_lowercase().contains(word)
    };
    for key in prompts.iter().chain(negative).chain(seed).chain(size).chain(file) {
        if !inputs.contains_key(key) {
            faults.push(format!("{key} is missing"));
        }
    }
    faults.extend(prompts.iter().filter(|key| is_said(key, "negative")).map(|key| format!("{key} is called negative")));
    faults.extend(negative.iter().filter(|key| !is_said(key, "negative")).map(|key| format!("{key} is not negative")));
    faults.extend(seed.iter().filter(|key| widget(key) != Some(UiType::Seed)).map(|key| format!("{key} is no seed")));
    let is_file = |key: &&String| widget(key).is_some_and(|ui| ui.file().is_some());
    faults.extend(file.iter().filter(|key| !is_file(key)).map(|key| format!("{key} takes no file")));
    faults.extend(sample.unwanted.iter().filter(|key| inputs.contains_key(*key)).map(|key| format!("{key} is there")));
    if outputs.keys().ne(saved) {
        faults.push(format!("outputs are {:?}", outputs.keys().collect::<Vec<_>>()));
    }
    if inputs.is_empty() || inputs.len() > MOST_FIELDS {
        faults.push(format!("{} inputs", inputs.len()));
    }
    if let Err(error) = plan(inputs, outputs, &prompt, definitions) {
        faults.push(format!("it cannot be saved: {error:?}"));
    }
    faults
}

#[test]
fn graphs_of_all_styles_get_a_form_that_can_be_saved_unchanged() {
    let definitions = NodeDefinitions::from_object_info(&serde_json::from_str(CLASSES).expect("classes"));
    let samples: Vec<Sample> = serde_json::from_str(GRAPHS).expect("graphs");
    let wrong: BTreeMap<&str, Vec<String>> = samples
        .iter()
        .map(|sample| (sample.name.as_str(), faults(sample, &definitions)))
        .filter(|(_, faults)| !faults.is_empty())
        .collect();
    assert!(samples.len() >= 30, "{} graphs", samples.len());
    assert!((samples.len() - wrong.len()) * 10 >= samples.len() * GOOD_OF_TEN, "{wrong:#?}");
    assert_eq!(wrong, BTreeMap::new(), "all were good when this was written");
}

#[test]
fn order_is_prompts_files_sizes_seeds() {
    let [old, _] = usual::definitions();
    let (inputs, outputs) = proposed(&usual::prompt(), &old);
    let chosen: Vec<_> = inputs.keys().map(String::as_str).collect();
    assert_eq!(chosen, ["7.text", "1.image", "2.width", "2.height", "4.seed"], "models and samplers are not proposed");
    assert_eq!(inputs.values().map(|entry| entry.order).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(inputs["4.seed"].adapter.is_random, Some(true));
    assert_eq!(inputs["7.text"].adapter.api_field_name.as_deref(), Some("prompt"));
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["10"], "a preview is proposed beside what saves");
    assert_eq!(outputs["10"].name, "The picture");
}

#[test]
fn negative_prompts_are_named_so_and_names_are_unique() {
    let graph = Prompt::from_value(json!({
        "1": {"class_type": "CLIPTextEncode", "inputs": {"text": "a cat", "clip": ["9", 1]}},
        "2": {"class_type": "CLIPTextEncode", "inputs": {"text": "blurred", "clip": ["9", 1]}},
        "3": {"class_type": "CLIPTextEncode", "inputs": {"text": "a dog", "clip": ["9", 1]}},
        "4": {"class_type": "KSampler", "inputs": {"positive": ["1", 0], "negative": ["2", 0], "seed": 1}},
        "5": {"class_type": "KSampler", "inputs": {"positive": ["3", 0], "negative": ["2", 0], "seed": 2}},
    }))
    .expect("a prompt");
    let [old, _] = usual::definitions();
    let (inputs, outputs) = proposed(&graph, &old);
    let names: Vec<_> = inputs.values().filter_map(|entry| entry.adapter.name.as_deref()).collect();
    assert_eq!(names, ["Prompt", "Prompt 2", "Negative prompt", "Seed", "Seed 2"]);
    assert!(outputs.is_empty());
}

#[test]
fn graph_without_prompts_and_pictures_gets_its_settings() {
    let graph = Prompt::from_value(json!({
        "1": {"class_type": "PrimitiveBoolean", "inputs": {"value": true}},
        "2": {"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}},
    }))
    .expect("a prompt");
    let [old, _] = usual::definitions();
    let (inputs, outputs) = proposed(&graph, &old);
    assert_eq!(inputs.keys().collect::<Vec<_>>(), ["1.value"]);
    assert_eq!(outputs["2"].name, "Text");
}
