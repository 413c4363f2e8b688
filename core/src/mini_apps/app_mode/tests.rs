//! Apps of graphs that ComfyUI's front ends of 2025 and 2026 write.

use serde_json::{Value, json};

use super::*;
use crate::graph::{JsonText, NodeDefinitions, Prompt};
use crate::mini_apps::form::entries::UiType;
use crate::mini_apps::plan;
use crate::mini_apps::tests::definitions;

/// A graph of front end 1.55.18: subgraph node 6 shows three widgets of its inner nodes.
const IN_SUBGRAPH: &str = include_str!("../../../tests/data/graph/app-in-subgraph.json");
const GRAPH_ID: &str = "47376b67-cde8-4d8d-a93a-a964584b465e";

fn classes() -> NodeDefinitions {
    let [_, new] = definitions();
    new
}

fn in_subgraph(inputs: &Value, outputs: &Value) -> (Value, Prompt) {
    let mut both: Value = serde_json::from_str(IN_SUBGRAPH).expect("a file");
    both["workflow"]["extra"]["linearData"] = json!({ "inputs": inputs, "outputs": outputs });
    (both["workflow"].take(), Prompt::from_value(both["output"].take()).expect("a prompt"))
}

/// A sampler with a primitive seed, a muted saving node, and a note.
fn plain(inputs: &Value, outputs: &Value) -> (Value, Prompt) {
    let ui = json!({
        "nodes": [
            { "id": 3, "type": "KSampler", "inputs": [
                { "name": "seed", "type": "INT", "widget": { "name": "seed" }, "link": 9 },
                { "name": "steps", "type": "INT", "widget": { "name": "steps" }, "link": null, "label": "Quality" },
            ] },
            { "id": "text-7", "type": "CLIPTextEncode", "title": "The prompt", "inputs": [] },
            { "id": 8, "type": "PrimitiveNode", "outputs": [{ "name": "INT", "links": [9] }] },
            { "id": 10, "type": "SaveImage" },
            { "id": 11, "type": "SaveImage", "title": "Muted", "mode": 2 },
            { "id": 12, "type": "Note" },
        ],
        "links": [[9, 8, 0, 3, 0, "INT"]],
        "extra": { "linearData": { "inputs": inputs, "outputs": outputs } },
    });
    let prompt = json!({
        "3": { "class_type": "KSampler", "inputs": { "seed": 12, "steps": 20, "cfg": 8.0 } },
        "text-7": { "class_type": "CLIPTextEncode", "inputs": { "text": "a cat" } },
        "10": { "class_type": "SaveImage", "inputs": { "images": ["3", 0], "filename_prefix": "out" } },
    });
    (ui, Prompt::from_value(prompt).expect("a prompt"))
}

fn read((ui, prompt): &(Value, Prompt)) -> BroughtApp {
    brought(ui, prompt, &classes()).expect("an app")
}

fn names(app: &BroughtApp) -> Vec<(&str, &str)> {
    app.inputs.iter().map(|(key, entry)| (key.as_str(), entry.adapter.name.as_deref().unwrap_or_default())).collect()
}

#[test]
fn graph_without_an_app_brings_none() {
    let graph = plain(&json!([]), &json!([]));
    assert_eq!(brought(&graph.0, &graph.1, &classes()), None);
    assert_eq!(brought(&json!({ "nodes": [] }), &graph.1, &classes()), None);
    for odd in [json!(null), json!([]), json!({ "inputs": {}, "outputs": 3 })] {
        let ui = json!({ "nodes": [], "extra": { "linearData": odd } });
        assert_eq!(brought(&ui, &graph.1, &classes()), None);
    }
}

#[test]
fn inputs_have_the_order_labels_and_values_of_the_app() {
    let widget_id = json!(format!("{GRAPH_ID}:text-7:text"));
    let inputs = json!([[widget_id, "Prompt", { "height": 200 }], [3, "steps"], ["3", "cfg"], [3, "steps"]]);
    let app = read(&plain(&inputs, &json!([10, "10"])));
    assert_eq!(names(&app), [("text-7.text", "Text"), ("3.steps", "Quality"), ("3.cfg", "Cfg")]);
    assert_eq!(app.inputs.values().map(|entry| entry.order).collect::<Vec<_>>(), [1, 2, 3]);
    let text = &app.inputs["text-7.text"].adapter;
    assert_eq!((text.ui_type, &text.default), (Some(UiType::Textarea), &Some(json!("a cat"))));
    assert_eq!(app.inputs["3.steps"].adapter.api_field_name.as_deref(), Some("quality"));
    assert_eq!(app.outputs.keys().collect::<Vec<_>>(), ["10"], "an output is returned once");
    assert!(app.dropped.is_empty());
}

#[test]
fn primitive_node_gives_the_input_that_it_feeds() {
    let app = read(&plain(&json!([[8, "value"]]), &json!([10])));
    assert_eq!(names(&app), [("3.seed", "Value")]);
    assert_eq!(app.inputs["3.seed"].adapter.ui_type, Some(UiType::Seed));
}

#[test]
fn entries_that_cannot_be_filled_are_named() {
    let inputs = json!([[12, "text"], [99, "seed"], [3, "nothing"], [3], "odd", ["3:4:5", "x"]]);
    let app = read(&plain(&inputs, &json!([11, 98, "text-7"])));
    let dropped = ["Note: text", "#99: seed", "KSampler: nothing", "#3:4:5: x", "Muted", "#98", "The prompt"];
    assert_eq!((app.inputs.len(), app.outputs.len()), (0, 0));
    assert_eq!(app.dropped, dropped);
}

#[test]
fn widgets_of_a_subgraph_node_lead_to_the_inner_nodes() {
    let by_id = |name: &str| format!("{GRAPH_ID}:6:{name}");
    let another_graph = format!("00000000-0000-4000-8000-000000000000:6:{}", "width_ImageScale");
    let inputs = json!([
        [by_id("color_EmptyImage"), "color_EmptyImage"],
        [6, "width_EmptyImage"],
        [another_graph, "another name"],
        ["6:1", "height"],
    ]);
    let app = read(&in_subgraph(&inputs, &json!([4, 5])));
    assert_eq!(
        names(&app),
        [
            ("6:1.color", "Colour of the field"),
            ("6:1.width", "Width EmptyImage"),
            ("6:3.width", "Width ImageScale"),
            ("6:1.height", "Height"),
        ]
    );
    assert_eq!(app.outputs.keys().collect::<Vec<_>>(), ["4", "5"]);
    assert!(app.dropped.is_empty(), "{:?}", app.dropped);
}

#[test]
fn old_entry_of_an_inner_node_is_found_where_one_subgraph_shows_it() {
    let mut graph = in_subgraph(&json!([["1", "color"]]), &json!([4]));
    assert_eq!(names(&read(&graph)), [("6:1.color", "Colour of the field")]);
    let nodes = graph.0["nodes"].as_array_mut().expect("nodes");
    let mut second = nodes[2].clone();
    second["id"] = json!(7);
    nodes.push(second);
    graph.1.0.insert("7:1".to_owned(), graph.1.0["6:1"].clone());
    assert_eq!(read(&graph).dropped, ["#1: color"], "two subgraphs show it");
}

#[test]
fn widgets_that_front_ends_of_2025_promoted_are_found() {
    let mut graph = in_subgraph(&json!([[6, "height"], [6, "color_EmptyImage"]]), &json!([4]));
    graph.0["nodes"][2]["properties"]["proxyWidgets"] = json!([["1", "height"], ["-1", "color_EmptyImage"]]);
    assert_eq!(names(&read(&graph)), [("6:1.height", "Height"), ("6:1.color", "Colour of the field")]);
}

#[test]
fn subgraphs_in_a_circle_end() {
    let ui = json!({
        "nodes": [{ "id": 1, "type": "a" }],
        "definitions": { "subgraphs": [{
            "id": "a", "nodes": [{ "id": 1, "type": "a", "inputs": [{ "name": "x", "link": 1 }] }],
            "inputs": [{ "name": "x" }], "links": [{ "id": 1, "origin_id": -10, "origin_slot": 0, "target_id": 1, "target_slot": 0 }],
        }] },
        "extra": { "linearData": { "inputs": [[1, "x"]], "outputs": [] } },
    });
    assert_eq!(brought(&ui, &Prompt::default(), &classes()).expect("an app").dropped, ["a: x"]);
}

#[test]
fn search_ends_where_subgraphs_double_at_each_level() {
    let node = |id: u32| json!({ "id": id, "type": "a", "inputs": [{ "name": "x", "link": id }] });
    let link = |id: u32| json!({ "id": id, "origin_id": -10, "origin_slot": 0, "target_id": id, "target_slot": 0 });
    let subgraph = json!({
        "id": "a", "nodes": [node(1), node(2)], "inputs": [{ "name": "x" }], "links": [link(1), link(2)],
    });
    let ui = json!({
        "nodes": [{ "id": 1, "type": "a" }],
        "definitions": { "subgraphs": [subgraph] },
        "extra": { "linearData": { "inputs": [[1, "x"]], "outputs": [] } },
    });
    assert_eq!(brought(&ui, &Prompt::default(), &classes()).expect("an app").dropped, ["a: x"]);
}

#[test]
fn brought_app_can_be_saved_unchanged() {
    let (ui, prompt) = in_subgraph(&json!([[6, "color_EmptyImage"], [6, "width_EmptyImage"]]), &json!([4]));
    let BroughtApp { inputs, outputs, .. } = brought(&ui, &prompt, &classes()).expect("an app");
    let plan = plan::plan(inputs, outputs, &prompt, &classes()).expect("the app can be saved");
    assert_eq!(plan.fields.len(), 2);
}

/// A saved mini app, written into a graph and read again.
fn exported(graph: &(Value, Prompt), change: impl FnOnce(&mut Inputs, &mut Outputs)) -> (Value, BroughtApp) {
    let BroughtApp { mut inputs, mut outputs, .. } = read(graph);
    change(&mut inputs, &mut outputs);
    let text = with_app(&JsonText::of(&graph.0), &inputs, &outputs).expect("a graph");
    let ui: Value = serde_json::from_str(text.as_str()).expect("JSON");
    let again = brought(&ui, &graph.1, &classes()).expect("an app");
    (ui, again)
}

#[test]
fn exported_app_is_read_again_as_it_was() {
    let inputs = json!([[6, "color_EmptyImage", { "height": 80 }], [6, "width_EmptyImage"], ["6:1", "height"]]);
    let graph = in_subgraph(&inputs, &json!([4, 5]));
    let before = read(&graph);
    let (ui, again) = exported(&graph, |_, _| ());
    assert_eq!(again, before);
    let data = &ui["extra"]["linearData"];
    assert_eq!(data["inputs"], inputs, "the places, and how the front end shows them");
    assert_eq!((&data["outputs"], &ui["extra"]["linearMode"]), (&json!([4, 5]), &json!(true)));
    assert_eq!(ui["nodes"], graph.0["nodes"], "no label is written that is shown already");
}

#[test]
fn names_are_labels_and_the_rest_of_the_app_is_kept_beside() {
    let graph = in_subgraph(&json!([[6, "width_EmptyImage"], ["6:1", "height"]]), &json!([4]));
    let (ui, again) = exported(&graph, |inputs, outputs| {
        let width = &mut inputs["6:1.width"].adapter;
        (width.name, width.max) = (Some("How wide".to_owned()), Some(100.into()));
        width.api_field_name = Some("wide".to_owned());
        let height = &mut inputs["6:1.height"];
        height.adapter.api_field_name = Some(String::new());
        outputs["4"].name = "The field".to_owned();
        outputs["4"].api_field_name = "field".to_owned();
    });
    let slots = ui["nodes"][2]["inputs"].as_array().expect("slots");
    assert_eq!(
        slots[1],
        json!({
            "label": "How wide", "name": "width_EmptyImage", "type": "INT", "widget": { "name": "width_EmptyImage" }, "link": null,
        })
    );
    assert_eq!(slots[0], graph.0["nodes"][2]["inputs"][0]);
    assert_eq!(ui["extra"]["linearData"]["inputs"], json!([[6, "width_EmptyImage"]]), "a hidden input is not shown");
    let width = &again.inputs["6:1.width"].adapter;
    assert_eq!((width.name.as_deref(), width.api_field_name.as_deref()), (Some("How wide"), Some("wide")));
    assert_eq!(width.max, Some(100.into()));
    assert_eq!(again.inputs["6:1.height"].adapter.api_field_name.as_deref(), Some(""));
    assert_eq!((again.outputs["4"].name.as_str(), again.outputs["4"].api_field_name.as_str()), ("The field", "field"));
}

#[test]
fn export_keeps_the_texts_of_numbers() {
    let text = r#"{"nodes":[{"id":3,"type":"KSampler","inputs":[],"widgets_values":[18446744073709551615,8.0,1e-05]}],
        "links":[],"extra":{"ds":{"scale":1.10},"linearData":{"layout":{"x":1.0}}},"version":0.4}"#;
    let raw = serde_json::value::RawValue::from_string(text.to_owned()).expect("JSON");
    let (_, prompt) = plain(&json!([]), &json!([]));
    let entry = crate::mini_apps::describe_input(&classes(), &prompt, "3", "steps").expect("an entry");
    let inputs = Inputs::from([("3.steps".to_owned(), entry)]);
    let written = with_app(&JsonText::new(&raw), &inputs, &Outputs::new()).expect("a graph");
    for part in ["[18446744073709551615,8.0,1e-05]", r#""scale":1.10"#, r#""layout":{"x":1.0}"#, r#""version":0.4"#] {
        assert!(written.as_str().contains(part), "{part} in {}", written.as_str());
    }
    assert!(written.as_str().contains(r#""inputs":[[3,"steps"]]"#), "{}", written.as_str());
}

#[test]
fn own_data_of_another_program_is_ignored() {
    let mut graph = plain(&json!([[3, "steps"]]), &json!([10]));
    graph.0["extra"]["verdigraph"] = json!({ "app": { "inputs": { "3.steps": 5 }, "outputs": [] } });
    assert_eq!(names(&read(&graph)), [("3.steps", "Quality")]);
}
