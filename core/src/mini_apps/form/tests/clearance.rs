//! Clearance of forms.

use serde_json::{Value, json};

use crate::ids::{AssetId, UserId};
use crate::mini_apps::form::compiled;
use crate::mini_apps::tests::{definitions, described, prompt};
use crate::mini_apps::*;

/// Checks forms one by one, as a submit without clearance does.
fn one_by_one(app: &CompiledApp, definitions: &NodeDefinitions, sent: &Value) -> bool {
    let filled = app.fill(sent.as_object().unwrap()).unwrap();
    let prompt = app.render(&filled.form, |_| Some("a.png".into())).unwrap();
    let given = crate::graph::SubmittedFiles { files: ["a.png".to_owned()].into() };
    crate::graph::validate(&prompt, definitions, &given).is_ok_and(|checked| checked.node_errors.is_empty())
}

fn compiled_with(definitions: &NodeDefinitions, inputs: &[(&str, &str)]) -> CompiledApp {
    let (inputs, outputs) = described(definitions, inputs, &["10"]);
    compiled_of(definitions, inputs, outputs)
}

fn compiled_of(definitions: &NodeDefinitions, inputs: Inputs, outputs: Outputs) -> CompiledApp {
    let plan = plan(inputs, outputs, &prompt(), definitions).unwrap();
    let stored = compiled::Stored { prompt: prompt().into(), fields: plan.fields, outputs: Vec::new() };
    CompiledApp::new(WorkflowApiId::new(), WorkflowApiVersionId::new(), WorkflowId::new(), UserId::new(), stored)
        .unwrap()
}

/// The definitions of workers on which this input has another type.
fn with_input(definitions: &NodeDefinitions, class: &str, input: &str, raw: Value) -> NodeDefinitions {
    let mut all = definitions.to_object_info();
    all[class]["input"]["required"][input] = raw;
    NodeDefinitions::from_object_info(&all)
}

#[test]
fn form_of_free_values_has_a_clearance() {
    for definitions in definitions() {
        let app =
            compiled_with(&definitions, &[("1", "image"), ("2", "width"), ("3", "blend_factor"), ("3", "blend_mode")]);
        let needs = app.clearance(&definitions).expect("a clearance");
        assert!(needs.classes.contains("ImageBlend") && needs.classes.contains("SaveImage"));
        let asset = AssetId::new();
        for (width, factor, mode) in [(0, 0.0, "multiply"), (16384, 1.0, "overlay"), (777, 0.25, "screen")] {
            let sent = json!({"1.LoadImage.image": asset, "2.ImageScale.width": width,
                "3.ImageBlend.blend_factor": factor, "3.ImageBlend.blend_mode": mode});
            assert!(one_by_one(&app, &definitions, &sent), "{sent} was cleared and cannot run");
        }
    }
}

#[test]
fn stricter_workers_end_the_clearance() {
    let [definitions, _] = definitions();
    let inputs = [("1", "image"), ("2", "width"), ("3", "blend_factor"), ("3", "blend_mode")];
    let app = compiled_with(&definitions, &inputs);
    assert!(app.clearance(&definitions).is_some());
    for (class, input, raw) in [
        ("ImageScale", "width", json!(["INT", {"min": 0, "max": 4096}])),
        ("ImageScale", "width", json!(["FLOAT", {"min": 0, "max": 16384}])),
        ("ImageBlend", "blend_factor", json!(["FLOAT", {"min": 0.1, "max": 1.0}])),
        ("ImageBlend", "blend_mode", json!([["multiply"], {}])),
        ("ImageScale", "sharpness", json!(["FLOAT", {}])),
    ] {
        let narrowed = with_input(&definitions, class, input, raw.clone());
        assert_eq!(app.clearance(&narrowed), None, "{class}.{input} {raw}");
    }
    assert_eq!(app.clearance(&NodeDefinitions::default()), None, "the classes are gone");
}

#[test]
fn form_with_a_model_choice_has_no_clearance() {
    let [definitions, _] = definitions();
    let app = compiled_with(&definitions, &[("1", "image"), ("5", "ckpt_name")]);
    assert_eq!(app.clearance(&definitions), None);
}

#[test]
fn form_with_a_list_of_models_has_no_clearance() {
    let [definitions, _] = definitions();
    let files = json!([["dream.safetensors", "other.safetensors"]]);
    let definitions = with_input(&definitions, "CheckpointLoaderSimple", "ckpt_name", files);
    let (mut inputs, outputs) = described(&definitions, &[("1", "image"), ("5", "ckpt_name")], &["10"]);
    for entry in inputs.values_mut().filter(|entry| entry.name == "ckpt_name") {
        entry.adapter.ui_type = Some(UiType::Select);
    }
    let app = compiled_of(&definitions, inputs, outputs);
    assert!(app.fields().iter().any(|field| matches!(field.rule, Rule::Select { .. })));
    assert_eq!(app.clearance(&definitions), None, "its needs depend on the chosen model");
}

#[test]
fn form_whose_text_can_name_a_file_has_no_clearance() {
    for definitions in definitions() {
        let app = compiled_with(&definitions, &[("1", "image"), ("10", "filename_prefix")]);
        assert_eq!(app.clearance(&definitions), None, "a prefix can lead out of the output folder");
    }
}
