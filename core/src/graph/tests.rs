//! Prompts, definitions and needs, with the node classes of two real servers.

use serde_json::{Value, json};

use super::*;

const OLD_CLASSES: &str = include_str!("../../tests/data/graph/v0.3.64/object_info.json");
const NEW_CLASSES: &str = include_str!("../../tests/data/graph/v0.33.0/object_info.json");

pub(in crate::graph) fn old() -> NodeDefinitions {
    NodeDefinitions::from_object_info(&serde_json::from_str(OLD_CLASSES).unwrap())
}

pub(in crate::graph) fn new() -> NodeDefinitions {
    NodeDefinitions::from_object_info(&serde_json::from_str(NEW_CLASSES).unwrap())
}

pub(in crate::graph) fn prompt(value: Value) -> Prompt {
    Prompt::from_value(value).unwrap()
}

#[test]
fn values_that_a_database_or_parser_cannot_handle_are_refused() {
    let deep = format!("{}1{}", "[".repeat(MAX_DEPTH + 2), "]".repeat(MAX_DEPTH + 2));
    for (text, why) in [
        (r#"{"1": {"class_type": "A\u0000", "inputs": {}}}"#.to_owned(), "NUL in a class"),
        (r#"{"1": {"class_type": "A", "inputs": {"a": ["x", {"b\u0000": 1}]}}}"#.to_owned(), "NUL in an inner key"),
        (r#"{"1\u0000": {"class_type": "A", "inputs": {}}}"#.to_owned(), "NUL in an id"),
        (format!(r#"{{"1": {{"class_type": "A", "inputs": {{"a": {deep}}}}}}}"#), "too deep"),
        (
            format!(r#"{{"1": {{"class_type": "A", "inputs": {{"a": "{}"}}}}}}"#, "x".repeat(MAX_TEXT_BYTES + 1)),
            "too long",
        ),
        (" ".repeat(MAX_PROMPT_BYTES + 1), "too large"),
        (r#"{"1": "#.to_owned(), "cut off"),
        ("[]".to_owned(), "a list"),
        (r#"{"1": 5}"#.to_owned(), "a node that is a number"),
        (r#"{"1": {"inputs": {}}}"#.to_owned(), "a node without a class"),
        (r#"{"1": {"class_type": 4}}"#.to_owned(), "a class that is a number"),
        (r#"{"1": {"class_type": "A", "inputs": []}}"#.to_owned(), "inputs as a list"),
    ] {
        assert!(Prompt::parse(text.as_bytes()).is_err(), "taken: {why}");
    }
}

#[test]
fn definitions_of_several_workers_are_merged() {
    let with = |choices: Value, extra: &str| {
        NodeDefinitions::from_object_info(&json!({
            "CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": [choices, {}]}}, "output": ["MODEL"], "output_node": false},
            "KSamplerSelect": {"input": {"required": {"sampler_name": ["COMBO", {"options": [extra]}]}}, "output": ["SAMPLER"]},
            extra: {"input": {"required": {}}, "output": []},
        }))
    };
    let one = with(json!(["a.safetensors", "b.safetensors"]), "One");
    let other = with(json!(["b.safetensors", "c.safetensors"]), "Other");
    let all = NodeDefinitions::merged([&one, &other]);
    assert!(all.contains("One") && all.contains("Other"));
    let choices = |class: &str, input: &str| match &all.get(class).unwrap().input(input).unwrap().kind {
        InputKind::Combo { options } => options.clone(),
        other => panic!("{other:?} is not a list"),
    };
    assert_eq!(choices("CheckpointLoaderSimple", "ckpt_name"), ["a.safetensors", "b.safetensors", "c.safetensors"]);
    assert_eq!(choices("KSamplerSelect", "sampler_name"), ["One", "Other"]);
    assert_eq!(NodeDefinitions::from_object_info(&all.to_object_info()), all);
}

/// A server whose `SaveImage` has this input, and whose `LoadImage` lists this file.
fn with_save_image(input: &str, file: &str) -> NodeDefinitions {
    NodeDefinitions::from_object_info(&json!({
        "SaveImage": {
            "input": {"required": {"images": ["IMAGE"], input: ["STRING", {}]}}, "output": [], "output_node": true,
        },
        "LoadImage": {
            "input": {"required": {"image": [[file], {"image_upload": true}]}}, "output": ["IMAGE", "MASK"],
        },
    }))
}

#[test]
fn single_worker_cannot_redefine_a_class_and_is_reported() {
    let usual = with_save_image("filename_prefix", "a.png");
    let other_files = with_save_image("filename_prefix", "b.png");
    let odd = with_save_image("command", "c.png");
    let all = NodeDefinitions::merged([&odd, &usual, &other_files]);
    let inputs: Vec<&str> = all.get("SaveImage").unwrap().inputs.iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["images", "filename_prefix"], "also if it comes first");
    let named = |workers: &[&NodeDefinitions]| NodeDefinitions::differing(workers);
    let none: Vec<String> = Vec::new();
    assert_eq!(named(&[&odd, &usual, &other_files]), [vec!["SaveImage".to_owned()], none.clone(), none.clone()]);
    assert_eq!(named(&[&usual, &other_files]), [none.clone(), none.clone()], "their folders may differ");
    assert_eq!(named(&[&usual, &odd]), [vec!["SaveImage".to_owned()], vec!["SaveImage".to_owned()]]);
    assert_eq!(named(&[&odd]), [none]);
}

#[test]
fn lists_of_a_workers_files_are_hidden() {
    let lists = |name: &str, choices: Value| {
        NodeDefinitions::from_object_info(&json!({
            name: {"input": {"required": {"file": [choices, {}]}, "optional": {}}, "output": ["IMAGE"]},
        }))
    };
    let shown = |definitions: &NodeDefinitions| public_object_info(definitions).to_string();
    let flagged = with_save_image("filename_prefix", "of-another-account.png");
    assert!(!shown(&flagged).contains("of-another-account"), "{}", shown(&flagged));
    let film = lists("VHS_LoadVideo", json!(["none", "holiday.mp4", "private/clip.mov"]));
    assert_eq!(public_object_info(&film)["VHS_LoadVideo"]["input"]["required"]["file"][0], json!(["none"]));
    let sampler = lists("KSamplerSelect", json!(["euler", "heun"]));
    assert!(shown(&sampler).contains("euler"), "other lists stay");
}

#[test]
fn worker_without_the_checkpoint_does_not_meet_the_needs() {
    let worker = |file: &str| {
        NodeDefinitions::from_object_info(&json!({
            "CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": [[file], {}]}}, "output": ["MODEL"]},
            "SaveModel": {"input": {"required": {"model": ["MODEL"]}}, "output": [], "output_node": true},
        }))
    };
    let sent = prompt(json!({
        "1": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "dream.safetensors"}},
        "2": {"class_type": "SaveModel", "inputs": {"model": ["1", 0]}},
    }));
    let (has, lacks) = (worker("dream.safetensors"), worker("other.safetensors"));
    let needs = Needs::of(&sent, &NodeDefinitions::merged([&has, &lacks]));
    assert!(needs.met_by(&has));
    assert!(!needs.met_by(&lacks));
    assert_eq!(needs.unmet(&lacks), ["checkpoints/dream.safetensors"]);
    assert_eq!(
        needs.unmet(&NodeDefinitions::default()),
        ["CheckpointLoaderSimple", "SaveModel", "checkpoints/dream.safetensors"]
    );
}

#[test]
fn content_hash_ignores_order() {
    let one = json!({"1": {"class_type": "A", "inputs": {"x": 1, "y": "é\n"}}, "2": {"class_type": "B", "inputs": {}}});
    let reordered =
        json!({"2": {"inputs": {}, "class_type": "B"}, "1": {"inputs": {"y": "é\n", "x": 1}, "class_type": "A"}});
    let changed =
        json!({"1": {"class_type": "A", "inputs": {"x": 2, "y": "é\n"}}, "2": {"class_type": "B", "inputs": {}}});
    assert_eq!(prompt(one.clone()).content_hash(), prompt(reordered).content_hash());
    assert_ne!(prompt(one.clone()).content_hash(), prompt(changed).content_hash());
    assert_eq!(prompt(one).content_hash().len(), 64);
}

#[test]
fn rendering_fills_slots_and_keeps_the_template() {
    let slot = |node: &str, input: &str| Slot { node: node.into(), input: input.into() };
    let made = prompt(json!({"1": {"class_type": "EmptyImage", "inputs": {"width": 8, "height": 8}}}));
    let template = Template::new(made.clone().into(), vec![slot("1", "width"), slot("1", "color")]).unwrap();
    let rendered = template.render([(0, Some(json!(64))), (1, Some(json!(3))), (9, Some(json!("beyond")))], &[]);
    assert_eq!(json!(rendered.0["1"].inputs), json!({"width": 64, "height": 8, "color": 3}));
    assert_eq!(*template.prompt(), made);
    assert!(Template::new(made.into(), vec![slot("7", "width")]).is_err());
}

#[test]
fn shape_ignores_files_and_follows_validation() {
    let with = |change: fn(&mut Value)| {
        let mut info: Value = serde_json::from_str(NEW_CLASSES).unwrap();
        change(&mut info);
        NodeDefinitions::from_object_info(&info).shape()
    };
    let shape = new().shape();
    let uploads = |info: &mut Value| info["LoadImage"]["input"]["required"]["image"][0] = json!(["one.png", "two.png"]);
    assert_eq!(with(uploads), shape, "uploads make another worker of it");
    let words = |info: &mut Value| info["SaveImage"]["description"] = json!("other words");
    assert_eq!(with(words), shape);
    let limit = |info: &mut Value| info["EmptyImage"]["input"]["required"]["width"][1]["min"] = json!(2);
    assert_ne!(with(limit), shape, "another limit judges otherwise");
    let slot = |info: &mut Value| info["SaveImage"]["output"] = json!(["IMAGE"]);
    assert_ne!(with(slot), with(|info| info["SaveImage"]["output"] = json!([])), "another slot links otherwise");
    assert_ne!(old().shape(), shape);
}

#[test]
fn models_of_skipped_outputs_are_not_needed() {
    let list = json!([["a.safetensors"], {}]);
    let definitions = NodeDefinitions::from_object_info(&json!({
        "CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": list}}, "output": ["MODEL"]},
        "Show": {"input": {"required": {"model": ["MODEL"]}}, "output": [], "output_node": true},
    }));
    let loader = |name: &str| json!({"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": name}});
    let show = |from: &str| json!({"class_type": "Show", "inputs": {"model": [from, 0]}});
    let prompt =
        prompt(json!({"1": loader("a.safetensors"), "2": show("1"), "3": loader("gone.safetensors"), "4": show("3")}));
    let checked = validate(&prompt, &definitions, &SubmittedFiles::default()).expect("one branch is good");
    let mut needs = Needs::for_outputs(&prompt, &definitions, &checked.outputs);
    assert_eq!(needs.models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), ["a.safetensors"]);
    assert!(needs.met_by(&definitions));
    assert_eq!(needs.to_value().get("refusedBy"), None, "the hash of older entries is unchanged");
    needs.refused_by.insert("shape".into());
    assert_eq!(Needs::from_value(&needs.to_value()), Some(needs));
}

#[test]
fn uploads_are_removed_from_workers_lists() {
    let upload = format!("vg-{}.png", "0123456789abcdef".repeat(4));
    let in_folder = format!("verdigraph/{upload}");
    let told = json!({ "LoadImage": { "input": {
        "required": { "image": [["example.png", upload, in_folder, "vg-mine.png"], { "image_upload": true }] },
        "optional": { "mask": ["COMBO", { "options": [upload, "mask.png"] }] },
    } } });
    let known = NodeDefinitions::from_object_info(&told).to_object_info();
    assert_eq!(known["LoadImage"]["input"]["required"]["image"][0], json!(["example.png", "vg-mine.png"]));
    assert_eq!(known["LoadImage"]["input"]["optional"]["mask"][1]["options"], json!(["mask.png"]));
    assert!(!known.to_string().contains("0123456789abcdef"), "the name of an upload is shown: {known}");
}

/// Custom classes as packs describe them, of a worker with these LoRAs.
fn wild(loras: &[&str]) -> NodeDefinitions {
    let mut wild: Value = serde_json::from_str(include_str!("../../tests/data/graph/wild-classes.json")).unwrap();
    wild["LoraLoader"]["input"]["required"]["lora_name"][0] = json!(loras);
    wild["PreviewImage"] = new().get("PreviewImage").unwrap().raw().clone();
    NodeDefinitions::from_object_info(&wild)
}

#[test]
fn path_is_matched_and_sent_in_each_workers_spelling() {
    let sent_to = |lora: &str, worker: &NodeDefinitions| {
        let prompt = prompt(json!({
            "1": {"class_type": "LoraLoader", "inputs": {"lora_name": lora, "strength_model": 1.0}},
            "2": {"class_type": "Power Lora Loader (rgthree)", "inputs": {
                "lora_1": {"on": true, "lora": lora, "strength": 0.5}, "more": [{"lora": lora}]}},
            "3": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}},
            "4": {"class_type": "PreviewImage", "inputs": {"images": ["2", 0]}},
        }));
        assert_eq!(validate(&prompt, worker, &SubmittedFiles::default()).expect(lora).outputs, ["3", "4"]);
        assert!(Needs::of(&prompt, worker).met_by(worker), "{lora}");
        let text = PromptText::of(&prompt);
        worker_prompt(&text, &prompt, worker, &Default::default(), &|_| None).unwrap().text.as_str().to_owned()
    };
    let (windows, linux) = (wild(&["styles\\ink.safetensors"]), wild(&["styles/ink.safetensors"]));
    for lora in ["styles\\ink.safetensors", "styles/ink.safetensors"] {
        for (worker, own) in [(&windows, r"styles\\ink.safetensors"), (&linux, "styles/ink.safetensors")] {
            let sent = sent_to(lora, worker);
            assert_eq!(sent.matches(own).count(), 3, "{sent}");
        }
    }
    let both = NodeDefinitions::merged([&windows, &linux]);
    let options = &both.get("LoraLoader").unwrap().input("lora_name").unwrap().kind;
    assert_eq!(*options, InputKind::Combo { options: vec![json!("styles\\ink.safetensors")] }, "one file, one choice");
}

#[test]
fn models_inside_objects_are_checked() {
    let worker = wild(&["a.safetensors"]);
    let of = |inputs: Value| {
        prompt(json!({
            "1": {"class_type": "Power Lora Loader (rgthree)", "inputs": inputs},
            "2": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}},
        }))
    };
    let missing = of(json!({
        "PowerLoraLoaderHeaderWidget": {"type": "PowerLoraLoaderHeaderWidget"},
        "lora_1": {"on": true, "lora": "a.safetensors", "strength": 1},
        "lora_2": {"on": true, "lora": "gone.safetensors", "strength": 1},
        "lora_3": {"on": false, "lora": "off.safetensors", "strength": 1},
        "lora_4": {"on": true, "lora": "None", "strength": 1},
        "stack": [["x", {"ckpt_name": "any.ckpt"}]],
    }));
    let refusal = validate(&missing, &worker, &SubmittedFiles::default()).unwrap_err();
    let errors = &refusal.node_errors["1"].errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(
        (errors[0].kind.as_str(), &errors[0].extra_info["input_name"]),
        ("value_not_in_list", &json!("lora_2.lora"))
    );
    assert!(errors[0].details.contains("gone.safetensors"));
    let below = wild(&["styles/a.safetensors"]);
    assert!(validate(&of(json!({"lora_1": {"lora": "a.safetensors"}})), &below, &SubmittedFiles::default()).is_ok());
    let needs = Needs::of(&missing, &worker);
    assert_eq!(needs.unmet(&worker), ["loras/gone.safetensors"]);
    assert_eq!(Needs::from_value(&needs.to_value()), Some(needs));
    assert!(
        validate(&of(json!({"lora_1": {"on": true, "lora": "a.safetensors"}})), &worker, &SubmittedFiles::default())
            .is_ok()
    );
}

#[test]
fn classes_of_an_editor_graph_are_found() {
    let id = "5f0c2f52-7b7e-4c64-9c1e-0d2a6e1b9f10";
    let ui = json!({
        "nodes": [{"type": id}, {"type": "SaveImage"}, {"type": "Note"}, {"type": "workflow>Mine"}, 7, {"type": 7}],
        "definitions": {"subgraphs": [{"id": id, "nodes": [{"type": "WildText"}, {"type": "Reroute"}]}, null]},
    });
    assert_eq!(drawn_classes(&ui).into_iter().collect::<Vec<_>>(), ["SaveImage", "WildText"]);
    assert!(drawn_classes(&json!({"nodes": {}, "definitions": []})).is_empty());
}
