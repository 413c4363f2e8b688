mod random;
mod recorded;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::python;
use crate::graph::tests::{new, old, prompt};
use crate::graph::*;

fn check(value: Value, definitions: &NodeDefinitions) -> Result<ValidPrompt, Refusal> {
    validate(&prompt(value), definitions, &SubmittedFiles::default())
}

#[test]
fn all_errors_are_reported_at_once() {
    let refusal = check(
        json!({
            "1": {"class_type": "EmptyImage", "inputs": {"width": 0, "height": "tall", "batch_size": 1}},
            "2": {"class_type": "NoSuchNode", "inputs": {}},
            "3": {"class_type": "ImageScale", "inputs": {"image": ["9", 0], "upscale_method": "magic", "width": 8, "height": 8, "crop": "disabled"}},
            "4": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}},
            "5": {"class_type": "PreviewImage", "inputs": {"images": ["3", 0]}},
            "6": {"class_type": "PreviewImage", "inputs": {"images": ["2", 0]}},
        }),
        &new(),
    )
    .unwrap_err();
    let kinds = |id: &str| -> BTreeSet<&str> {
        refusal.node_errors[id].errors.iter().map(|error| error.kind.as_str()).collect()
    };
    assert_eq!(refusal.error.kind, "missing_node_type");
    assert_eq!(kinds("1"), BTreeSet::from(["value_smaller_than_min", "invalid_input_type", "required_input_missing"]));
    assert_eq!(kinds("2"), BTreeSet::from(["missing_node_type"]));
    assert_eq!(kinds("3"), BTreeSet::from(["exception_during_inner_validation", "value_not_in_list"]));
    assert_eq!(refusal.node_errors["2"].dependent_outputs, ["6"]);
    assert_eq!(refusal.node_errors["3"].dependent_outputs, ["5"]);
    assert!(!refusal.node_errors.contains_key("4"), "a node behind a bad one has no error of its own");
}

#[test]
fn literals_are_converted_as_by_the_worker() {
    let mut sent = prompt(json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": "16", "height": 16.7, "batch_size": true, "color": {"__value__": 7}}},
        "2": {"class_type": "ImageScaleBy", "inputs": {"image": ["1", 0], "upscale_method": "area", "scale_by": 2}},
        "3": {"class_type": "PreviewImage", "inputs": {"images": ["2", 0]}},
        "4": {"class_type": "PrimitiveString", "inputs": {"value": 12.5}},
        "5": {"class_type": "PreviewAny", "inputs": {"source": ["4", 0]}},
        "6": {"class_type": "PrimitiveBoolean", "inputs": {"value": "false"}},
        "7": {"class_type": "PreviewAny", "inputs": {"source": ["6", 0]}},
    }));
    let checked = validate(&sent, &new(), &SubmittedFiles::default()).unwrap();
    checked.apply(&mut sent);
    assert_eq!(json!(sent.0["1"].inputs), json!({"width": 16, "height": 16, "batch_size": 1, "color": 7}));
    assert_eq!(sent.0["2"].inputs["scale_by"], json!(2.0));
    assert_eq!(sent.0["4"].inputs["value"], json!("12.5"));
    assert_eq!(sent.0["6"].inputs["value"], json!(true));
    let again = validate(&sent, &new(), &SubmittedFiles::default()).unwrap();
    assert_eq!(again.normalised, [], "converting twice changes something");
}

#[test]
fn file_input_accepts_only_submitted_files() {
    let sent = |name: &str| {
        prompt(json!({
            "1": {"class_type": "LoadImage", "inputs": {"image": name}},
            "2": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}},
        }))
    };
    let given = SubmittedFiles { files: BTreeSet::from(["cat.png".to_owned()]) };
    for definitions in [old(), new()] {
        assert!(validate(&sent("cat.png"), &definitions, &given).is_ok());
        assert!(validate(&sent("cat.png [input]"), &definitions, &given).is_ok());
        for stranger in ["dog.png", "../cat.png", "example.png", ""] {
            let refusal = validate(&sent(stranger), &definitions, &given).unwrap_err();
            assert_eq!(refusal.node_errors["1"].errors[0].kind, "custom_validation_failed", "{stranger} was taken");
        }
    }
}

/// Custom classes as packs describe them, with ComfyUI's own `PreviewImage` and `ImageInvert`.
fn wild() -> NodeDefinitions {
    let mut wild: Value = serde_json::from_str(include_str!("../../../../tests/data/graph/wild-classes.json")).unwrap();
    for class in ["PreviewImage", "ImageInvert", "EmptyImage"] {
        wild[class] = new().get(class).unwrap().raw().clone();
    }
    wild["AnySwitch"] = json!({
        "input": {"optional": {"one": ["IMAGE,LATENT", {}], "match": ["COMFY_MATCHTYPE_V3",
            {"template": {"template_id": "t", "allowed_types": "IMAGE,MASK"}}]}},
        "output": ["MASK,AUDIO"], "output_name": [""], "python_module": "comfy_extras.nodes_switch", "output_node": true,
    });
    NodeDefinitions::from_object_info(&wild)
}

#[test]
fn mismatch_that_only_a_custom_node_can_decide_is_a_doubt() {
    let latent = json!({"class_type": "EmptyLatentImage", "inputs": {"width": 64, "height": 64, "batch_size": 1}});
    let text = |changes: Value| {
        let mut node = json!({"class_type": "WildText", "inputs": {
            "text": "", "strength": 1, "width": 512, "mode": "auto", "flag": true, "seed": 8}});
        node["inputs"].as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        json!({"1": node, "2": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}}})
    };
    let int = json!({"class_type": "PrimitiveInt", "inputs": {"value": 12}});
    for (kind, sent) in [
        (
            "return_type_mismatch",
            json!({"1": latent, "2": {"class_type": "VHS_VideoCombine",
            "inputs": {"images": ["1", 0], "frame_rate": 8, "format": "image/gif"}}}),
        ),
        ("return_type_mismatch", {
            let mut sent = text(json!({"strength": ["3", 0]}));
            sent["3"] = int.clone();
            sent
        }),
        ("return_type_mismatch", json!({"1": int, "2": {"class_type": "AnySwitch", "inputs": {"one": ["1", 0]}}})),
        ("return_type_mismatch", json!({"1": int, "2": {"class_type": "AnySwitch", "inputs": {"match": ["1", 0]}}})),
        (
            "return_type_mismatch",
            json!({"1": {"class_type": "AnySwitch", "inputs": {}},
            "2": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}}}),
        ),
        ("value_smaller_than_min", text(json!({"width": 8}))),
        ("value_bigger_than_max", text(json!({"strength": 11}))),
        ("value_not_in_list", text(json!({"mode": "other"}))),
    ] {
        let checked = check(sent.clone(), &wild()).unwrap_or_else(|refusal| panic!("{sent}: {refusal:?}"));
        let doubts: Vec<&str> = checked.doubts.iter().map(|doubt| doubt.kind.as_str()).collect();
        assert_eq!((doubts, checked.node_errors.len()), (vec![kind], 0), "{sent}");
    }
}

#[test]
fn mismatch_that_no_custom_node_can_accept_is_an_error() {
    let refused = |sent: Value| {
        let refusal = check(sent, &wild()).unwrap_err();
        refusal.node_errors.values().flat_map(|node| &node.errors).map(|error| error.kind.clone()).collect::<Vec<_>>()
    };
    let preview = json!({"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}});
    let int = json!({"class_type": "PrimitiveInt", "inputs": {"value": 12}});
    assert_eq!(refused(json!({"1": int, "2": preview})), ["return_type_mismatch"], "ComfyUI's own nodes on both sides");
    let film =
        json!({"class_type": "VHS_LoadVideo", "inputs": {"video": ["1", 0], "force_rate": 0, "frame_load_cap": 0}});
    let from_film = json!({"1": {"class_type": "WildText", "inputs": {"text": "", "strength": 1, "width": 512,
        "mode": "auto", "flag": true, "seed": 8}}, "3": film, "2": {"class_type": "PreviewImage", "inputs": {"images": ["3", 0]}}});
    assert!(!refused(from_film).is_empty(), "a custom node may give a path, whatever its type is called");
    let lora = |name: &str| json!({"1": {"class_type": "LoraLoader", "inputs": {"lora_name": name, "strength_model": 1}}, "2": preview});
    assert_eq!(refused(lora("missing.safetensors")), ["value_not_in_list"]);
    let wild = |inputs: Value| json!({"1": {"class_type": "WildText", "inputs": inputs}, "2": preview});
    assert_eq!(refused(wild(json!({"text": ""}))), ["required_input_missing"; 5]);
    for file in ["theirs.png", "../x", "theirs.mp4 [output]", "clipspace/a"] {
        let sent = wild(json!({"text": "", "strength": 1, "width": 512, "mode": file, "flag": true, "seed": 8}));
        assert_eq!(refused(sent), ["custom_validation_failed"], "{file} is a file of another account");
    }
}

#[test]
fn inner_inputs_of_a_dynamic_list_follow_the_choice() {
    let sent = |resize: Value| {
        let mut inputs = json!({"input": ["1", 0], "scale_method": "area"});
        inputs.as_object_mut().unwrap().extend(resize.as_object().unwrap().clone());
        json!({
            "1": {"class_type": "EmptyImage", "inputs": {"width": 8, "height": 8, "batch_size": 1, "color": 1}},
            "2": {"class_type": "ResizeImageMaskNode", "inputs": inputs},
            "3": {"class_type": "PreviewImage", "inputs": {"images": ["2", 0]}},
        })
    };
    let new = new();
    let good = json!({"resize_type": "scale dimensions", "resize_type.width": 64, "resize_type.height": "32", "resize_type.crop": "center"});
    let checked = check(sent(good), &new).unwrap();
    assert_eq!(checked.normalised[0].input, "resize_type.height");
    let missing = check(sent(json!({"resize_type": "scale by multiplier"})), &new).unwrap_err();
    assert_eq!(missing.node_errors["2"].errors[0].details, "resize_type.multiplier");
    for unseen in [json!({"resize_type": "wish"}), json!({}), json!({"resize_type": ["9", 0]})] {
        assert!(check(sent(unseen.clone()), &new).is_ok(), "ComfyUI does not look at {unseen}");
    }
}

#[test]
fn nested_dynamic_list_may_be_missing_in_older_graphs() {
    let choice = |key: &str, required: Value| json!({"key": key, "inputs": {"required": required}});
    let codec = json!(["COMFY_DYNAMICCOMBO_V3", {"options": [choice("auto", json!({})), choice("h264", json!({}))]}]);
    let quality = json!({"quality": ["COMBO", {"options": ["V0", "128k"]}]});
    let format = |options: Value| {
        json!({"input": {"required": {"format": ["COMFY_DYNAMICCOMBO_V3", {"options": options}]}},
        "output": [], "output_node": true})
    };
    let definitions = NodeDefinitions::from_object_info(&json!({
        "SaveVideo": format(json!([choice("auto", json!({"codec": codec})), choice("mp4", json!({"codec": codec}))])),
        "SaveAudioAdvanced": format(json!([choice("flac", json!({})), choice("mp3", quality)])),
    }));
    let sent = |class: &str, inputs: Value| check(json!({"1": {"class_type": class, "inputs": inputs}}), &definitions);
    for format in ["auto", "mp4"] {
        assert!(sent("SaveVideo", json!({"format": format, "codec": "h264"})).is_ok(), "the flat form of 0.3.64");
    }
    assert!(sent("SaveAudioAdvanced", json!({})).is_ok(), "a dynamic list that is left out");
    let refusal = sent("SaveAudioAdvanced", json!({"format": "mp3"})).unwrap_err();
    assert_eq!(refusal.node_errors["1"].errors[0].details, "format.quality", "an input of a known choice is required");
}

#[test]
fn growing_list_requires_its_first_items() {
    let sent = |images: Value| {
        json!({
            "1": {"class_type": "EmptyImage", "inputs": {"width": 8, "height": 8, "batch_size": 1, "color": 1}},
            "2": {"class_type": "BatchImagesNode", "inputs": images},
            "3": {"class_type": "PreviewImage", "inputs": {"images": ["2", 0]}},
        })
    };
    let new = new();
    assert!(check(sent(json!({"images.image0": ["1", 0], "images.image3": ["1", 0]})), &new).is_ok());
    let refusal = check(sent(json!({"images.image3": ["1", 7]})), &new).unwrap_err();
    let kinds: Vec<&str> = refusal.node_errors["2"].errors.iter().map(|error| error.kind.as_str()).collect();
    assert_eq!(kinds, ["required_input_missing", "exception_during_inner_validation"]);
}

#[test]
fn longest_allowed_chain_is_walked_without_recursion() {
    let mut nodes = serde_json::Map::new();
    nodes.insert(
        "0".into(),
        json!({"class_type": "EmptyImage", "inputs": {"width": 8, "height": 8, "batch_size": 1, "color": 1}}),
    );
    for index in 1..MAX_NODES - 1 {
        nodes.insert(
            index.to_string(),
            json!({"class_type": "ImageInvert", "inputs": {"image": [(index - 1).to_string(), 0]}}),
        );
    }
    nodes.insert(
        "last".into(),
        json!({"class_type": "PreviewImage", "inputs": {"images": [(MAX_NODES - 2).to_string(), 0]}}),
    );
    assert_eq!(check(Value::Object(nodes.clone()), &old()).unwrap().outputs, ["last"]);
    nodes.insert("more".into(), json!({"class_type": "PreviewImage", "inputs": {}}));
    assert!(Prompt::from_value(Value::Object(nodes)).is_err(), "a node beyond the limit was taken");
}

#[test]
fn numbers_read_as_python_writes_them() {
    for (value, text) in [
        (json!(8.0), "8.0"),
        (json!(1e16), "1e+16"),
        (json!(0.00001), "1e-05"),
        (json!(1.5e-7), "1.5e-07"),
        (json!(18_446_744_073_709_551_615_u64), "18446744073709551615"),
        (json!([1, null, true, "it's"]), r#"[1, None, True, "it's"]"#),
        (json!({"a": 1}), "{'a': 1}"),
    ] {
        assert_eq!(python::text(&value), text);
    }
}

/// Prints the cost of validation, without a limit; use `--nocapture`.
#[test]
fn validation_of_ten_nodes_is_timed() {
    let mut nodes = json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64, "batch_size": 1, "color": 1}},
        "10": {"class_type": "SaveImage", "inputs": {"images": ["9", 0], "filename_prefix": "x"}},
    });
    for id in 2..10 {
        nodes[id.to_string()] = json!({"class_type": "ImageScale", "inputs": {
            "image": [(id - 1).to_string(), 0], "upscale_method": "area", "width": 16, "height": 16, "crop": "disabled",
        }});
    }
    let (sent, definitions, given) = (prompt(nodes), old(), SubmittedFiles::default());
    const ROUNDS: u32 = 2_000;
    let start = std::time::Instant::now();
    for _ in 0..ROUNDS {
        assert_eq!(validate(&sent, &definitions, &given).unwrap().outputs, ["10"]);
    }
    println!("validate, 10 nodes: {:?}", start.elapsed() / ROUNDS);
}
