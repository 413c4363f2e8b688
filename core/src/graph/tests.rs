//! Held against what two real servers answered to the same mistakes, and against random graphs.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const OLD_CLASSES: &str = include_str!("../../tests/data/graph/v0.3.64/object_info.json");
const NEW_CLASSES: &str = include_str!("../../tests/data/graph/v0.33.0/object_info.json");
const OLD_TABLE: &str = include_str!("../../tests/data/graph/v0.3.64/validation-table.jsonl");
const NEW_TABLE: &str = include_str!("../../tests/data/graph/v0.33.0/validation-table.jsonl");

fn old() -> NodeDefinitions {
    NodeDefinitions::from_object_info(&serde_json::from_str(OLD_CLASSES).unwrap())
}

fn new() -> NodeDefinitions {
    NodeDefinitions::from_object_info(&serde_json::from_str(NEW_CLASSES).unwrap())
}

fn prompt(value: Value) -> Prompt {
    Prompt::from_value(value).unwrap()
}

fn check(value: Value, definitions: &NodeDefinitions) -> Result<Checked, Refusal> {
    validate(&prompt(value), definitions, &Given::default())
}

/// The parts of a refusal that do not depend on a server's build, source lines or hash order.
fn comparable(refusal: &Value) -> Value {
    let mut refusal = refusal.clone();
    for node in refusal["node_errors"].as_object_mut().unwrap().values_mut() {
        let outputs = node["dependent_outputs"].as_array_mut().unwrap();
        outputs.sort_by_key(Value::to_string);
        let errors = node["errors"].as_array_mut().unwrap();
        for error in errors.iter_mut() {
            let outer = error["type"] == "exception_during_validation";
            let extra = error["extra_info"].as_object_mut().unwrap();
            if extra.remove("traceback").is_some() && outer {
                // We add the place; servers do not.
                extra.remove("input_name");
                extra.remove("linked_node");
            }
        }
        errors.sort_by_key(Value::to_string);
    }
    refusal
}

/// Cases about the request around the prompt, which is not judged here, and those where we differ on purpose.
const NOT_COMPARED: [&str; 7] = [
    // A missing `inputs` is an empty one here, so that the answer names what is missing.
    "inputs missing",
    "inputs missing on output node",
    // Refused as malformed, where the servers answer 500.
    "node is not an object",
    "node is a string",
    // `partial_execution_targets` is not part of a prompt.
    "partial_execution_targets empty",
    "partial_execution_targets unknown id",
    "prompt_id given as number",
];

fn hold_against(table: &str, definitions: &NodeDefinitions, server_is_old: bool) -> usize {
    let mut compared = 0;
    for line in table.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["case"].as_str().unwrap();
        let (Some(sent), Some(status)) = (case["request"]["prompt"].as_object(), case["status"].as_u64()) else {
            continue;
        };
        if NOT_COMPARED.contains(&name) || status == 500 {
            continue;
        }
        compared += 1;
        let ours = Prompt::from_value(json!(sent)).and_then(|prompt| validate(&prompt, definitions, &Given::default()));
        let theirs = comparable_answer(&case["response"], status);
        match ours {
            Ok(checked) => {
                assert_eq!(status, 200, "{name}: a server refuses it");
                let ours = comparable(&json!({ "node_errors": checked.node_errors }));
                assert_eq!(ours["node_errors"], theirs["node_errors"], "{name}");
            }
            Err(refusal) => {
                assert_eq!(status, 400, "{name}: a server takes it, we say {refusal:?}");
                let ours = comparable(&refusal.to_value());
                if refusal.error.kind == "missing_node_type" {
                    // Servers stop here; we go on and list every node. The older one has other words for it.
                    assert!(server_is_old || ours["error"] == theirs["error"], "{name}: {ours} {theirs}");
                    assert!(!refusal.node_errors.is_empty(), "{name}");
                } else if server_is_old && ours["node_errors"].to_string().contains("dependency_cycle") {
                    assert_eq!(ours["error"], theirs["error"], "{name}: the older server gives no hint");
                } else if server_is_old && name == "combo given a number" {
                    assert_eq!(ours["error"], theirs["error"], "{name}: the older server quotes the number");
                } else {
                    assert_eq!(ours, theirs, "{name}");
                }
            }
        }
    }
    compared
}

fn comparable_answer(answer: &Value, status: u64) -> Value {
    if status == 200 { comparable(&json!({ "node_errors": answer["node_errors"] })) } else { comparable(answer) }
}

#[test]
fn our_check_says_what_both_recorded_servers_say() {
    assert!(hold_against(OLD_TABLE, &old(), true) >= 45, "the table lost cases");
    assert!(hold_against(NEW_TABLE, &new(), false) >= 45, "the table lost cases");
}

#[test]
fn every_mistake_is_reported_at_once() {
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
    assert!(!refusal.node_errors.contains_key("4"), "a node that only stands behind a bad one has no fault of its own");
}

#[test]
fn literals_become_what_the_worker_makes_of_them() {
    let mut sent = prompt(json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": "16", "height": 16.7, "batch_size": true, "color": {"__value__": 7}}},
        "2": {"class_type": "ImageScaleBy", "inputs": {"image": ["1", 0], "upscale_method": "area", "scale_by": 2}},
        "3": {"class_type": "PreviewImage", "inputs": {"images": ["2", 0]}},
        "4": {"class_type": "PrimitiveString", "inputs": {"value": 12.5}},
        "5": {"class_type": "PreviewAny", "inputs": {"source": ["4", 0]}},
        "6": {"class_type": "PrimitiveBoolean", "inputs": {"value": "false"}},
        "7": {"class_type": "PreviewAny", "inputs": {"source": ["6", 0]}},
    }));
    let checked = validate(&sent, &new(), &Given::default()).unwrap();
    checked.apply(&mut sent);
    assert_eq!(json!(sent.0["1"].inputs), json!({"width": 16, "height": 16, "batch_size": 1, "color": 7}));
    assert_eq!(sent.0["2"].inputs["scale_by"], json!(2.0));
    assert_eq!(sent.0["4"].inputs["value"], json!("12.5"));
    assert_eq!(sent.0["6"].inputs["value"], json!(true));
    let again = validate(&sent, &new(), &Given::default()).unwrap();
    assert_eq!(again.normalised, [], "converting twice changes something");
}

#[test]
fn a_file_input_takes_only_files_that_come_along() {
    let sent = |name: &str| {
        prompt(json!({
            "1": {"class_type": "LoadImage", "inputs": {"image": name}},
            "2": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}},
        }))
    };
    let given = Given { files: BTreeSet::from(["cat.png".to_owned()]) };
    for definitions in [old(), new()] {
        assert!(validate(&sent("cat.png"), &definitions, &given).is_ok());
        assert!(validate(&sent("cat.png [input]"), &definitions, &given).is_ok());
        for stranger in ["dog.png", "../cat.png", "example.png", ""] {
            let refusal = validate(&sent(stranger), &definitions, &given).unwrap_err();
            assert_eq!(refusal.node_errors["1"].errors[0].kind, "custom_validation_failed", "{stranger} was taken");
        }
    }
}

#[test]
fn inner_inputs_of_a_dynamic_list_are_those_of_the_choice() {
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
fn a_dynamic_list_inside_another_may_be_left_out_as_older_graphs_do() {
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
    assert_eq!(refusal.node_errors["1"].errors[0].details, "format.quality", "what hangs on a known choice is needed");
}

#[test]
fn a_growing_list_needs_its_first_items_and_no_more() {
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
fn a_chain_as_long_as_allowed_is_walked_without_recursion() {
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
fn what_a_database_or_a_parser_chokes_on_is_refused_at_the_edge() {
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
fn definitions_of_several_workers_are_united() {
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

#[test]
fn a_worker_without_the_checkpoint_cannot_take_the_prompt() {
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
fn the_hash_follows_what_a_prompt_says_and_not_how_it_is_ordered() {
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
fn rendering_fills_slots_and_leaves_the_template_alone() {
    let slot = |node: &str, input: &str| Slot { node: node.into(), input: input.into() };
    let made = prompt(json!({"1": {"class_type": "EmptyImage", "inputs": {"width": 8, "height": 8}}}));
    let template = Template::new(made.clone(), vec![slot("1", "width"), slot("1", "color")]).unwrap();
    let rendered = template.render([(0, json!(64)), (1, json!(3)), (9, json!("beyond"))]);
    assert_eq!(json!(rendered.0["1"].inputs), json!({"width": 64, "height": 8, "color": 3}));
    assert_eq!(*template.prompt(), made);
    assert!(Template::new(made, vec![slot("7", "width")]).is_err());
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

/// What checking costs; printed, not judged, because the machine decides. `--nocapture` shows it.
#[test]
fn ten_nodes_are_checked_many_times() {
    let mut nodes = json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64, "batch_size": 1, "color": 1}},
        "10": {"class_type": "SaveImage", "inputs": {"images": ["9", 0], "filename_prefix": "x"}},
    });
    for id in 2..10 {
        nodes[id.to_string()] = json!({"class_type": "ImageScale", "inputs": {
            "image": [(id - 1).to_string(), 0], "upscale_method": "area", "width": 16, "height": 16, "crop": "disabled",
        }});
    }
    let (sent, definitions, given) = (prompt(nodes), old(), Given::default());
    const ROUNDS: u32 = 2_000;
    let start = std::time::Instant::now();
    for _ in 0..ROUNDS {
        assert_eq!(validate(&sent, &definitions, &given).unwrap().outputs, ["10"]);
    }
    println!("validate, 10 nodes: {:?}", start.elapsed() / ROUNDS);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_i64..70).prop_map(Value::from),
        "[a-z0-9 ._-]{0,8}".prop_map(Value::from),
        (0_u8..12, -2_i64..3).prop_map(|(node, slot)| json!([node.to_string(), slot])),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::vec(("[a-z_]{1,9}", inner), 0..3)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn any_node() -> impl Strategy<Value = Value> {
    let class = prop::sample::select(vec![
        "EmptyImage",
        "ImageScale",
        "ImageInvert",
        "PreviewImage",
        "SaveImage",
        "LoadImage",
        "PrimitiveInt",
        "PreviewAny",
        "ResizeImageMaskNode",
        "BatchImagesNode",
        "NoSuchNode",
    ]);
    let name = prop::sample::select(vec![
        "width",
        "height",
        "batch_size",
        "color",
        "image",
        "images",
        "upscale_method",
        "crop",
        "filename_prefix",
        "value",
        "source",
        "input",
        "resize_type",
        "resize_type.width",
        "images.image0",
        "scale_method",
    ]);
    (class, prop::collection::vec((name, any_value()), 0..8)).prop_map(|(class, inputs)| {
        let inputs: serde_json::Map<String, Value> =
            inputs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        json!({"class_type": class, "inputs": inputs})
    })
}

/// Graphs that mostly fit: images flowing from earlier to any nodes, so that good ones and cycles both occur.
fn plausible_graph() -> impl Strategy<Value = Value> {
    prop::collection::vec((0_u8..3, 0_usize..10, 1_i64..20), 1..10).prop_map(|nodes| {
        let nodes = nodes.into_iter().enumerate().map(|(id, (kind, from, size))| {
            let node = match kind {
                0 => json!({"class_type": "EmptyImage", "inputs": {"width": size, "height": 8, "batch_size": 1, "color": 1}}),
                1 => json!({"class_type": "ImageInvert", "inputs": {"image": [from.to_string(), 0]}}),
                _ => json!({"class_type": "PreviewImage", "inputs": {"images": [from.to_string(), 0]}}),
            };
            (id.to_string(), node)
        });
        Value::Object(nodes.collect())
    })
}

fn has_cycle_from(prompt: &Prompt, id: &str, path: &mut Vec<String>) -> bool {
    if path.iter().any(|seen| seen == id) {
        return true;
    }
    path.push(id.to_owned());
    let links = prompt.0[id].inputs.values().filter_map(|value| value.get(0)?.as_str());
    let found = links.into_iter().any(|from| prompt.0.contains_key(from) && has_cycle_from(prompt, from, path));
    path.pop();
    found
}

proptest! {
    #[test]
    fn no_graph_makes_the_check_panic(nodes in prop::collection::vec(any_node(), 0..12)) {
        let nodes: serde_json::Map<String, Value> = nodes.into_iter().enumerate().map(|(id, node)| (id.to_string(), node)).collect();
        if let Ok(prompt) = Prompt::from_value(Value::Object(nodes)) {
            let definitions = new();
            if let Ok(checked) = validate(&prompt, &definitions, &Given::default()) {
                prop_assert!(!checked.outputs.is_empty());
                let mut prompt = prompt.clone();
                checked.apply(&mut prompt);
                let again = validate(&prompt, &definitions, &Given::default()).unwrap();
                prop_assert!(again.normalised.is_empty());
            }
            let _ = Needs::of(&prompt, &definitions).unmet(&definitions);
        }
    }

    #[test]
    fn a_graph_that_passes_has_no_dangling_link_and_no_cycle(nodes in plausible_graph()) {
        let prompt = Prompt::from_value(nodes).unwrap();
        if let Ok(checked) = validate(&prompt, &old(), &Given::default()) {
            for output in &checked.outputs {
                prop_assert!(!has_cycle_from(&prompt, output, &mut Vec::new()), "{} runs in a circle", output);
                let mut open = vec![output.clone()];
                while let Some(id) = open.pop() {
                    let node = prompt.0.get(&id);
                    prop_assert!(node.is_some(), "{} hangs in the air", id);
                    let inputs = node.into_iter().flat_map(|node| node.inputs.values());
                    open.extend(inputs.filter_map(|value| value.get(0)?.as_str()).map(str::to_owned));
                }
            }
        }
    }
}

#[test]
fn workers_are_of_one_shape_where_they_judge_alike_whatever_files_they_have() {
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
fn a_worker_needs_no_model_of_outputs_that_are_left_out() {
    let list = json!([["a.safetensors"], {}]);
    let definitions = NodeDefinitions::from_object_info(&json!({
        "CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": list}}, "output": ["MODEL"]},
        "Show": {"input": {"required": {"model": ["MODEL"]}}, "output": [], "output_node": true},
    }));
    let loader = |name: &str| json!({"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": name}});
    let show = |from: &str| json!({"class_type": "Show", "inputs": {"model": [from, 0]}});
    let prompt =
        prompt(json!({"1": loader("a.safetensors"), "2": show("1"), "3": loader("gone.safetensors"), "4": show("3")}));
    let checked = validate(&prompt, &definitions, &Given::default()).expect("one branch is good");
    let mut needs = Needs::for_outputs(&prompt, &definitions, &checked.outputs);
    assert_eq!(needs.models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), ["a.safetensors"]);
    assert!(needs.met_by(&definitions));
    assert_eq!(needs.to_value().get("refusedBy"), None, "what was kept before keeps its hash");
    needs.refused_by.insert("shape".into());
    assert_eq!(Needs::from_value(&needs.to_value()), Some(needs));
}

#[test]
fn lists_of_a_workers_files_name_nobodys_uploads() {
    let upload = format!("vg-{}.png", "0123456789abcdef".repeat(4));
    let in_folder = format!("verdigraph/{upload}");
    let told = json!({ "LoadImage": { "input": {
        "required": { "image": [["example.png", upload, in_folder, "vg-mine.png"], { "image_upload": true }] },
        "optional": { "mask": ["COMBO", { "options": [upload, "mask.png"] }] },
    } } });
    let known = NodeDefinitions::from_object_info(&told).to_object_info();
    assert_eq!(known["LoadImage"]["input"]["required"]["image"][0], json!(["example.png", "vg-mine.png"]));
    assert_eq!(known["LoadImage"]["input"]["optional"]["mask"][1]["options"], json!(["mask.png"]));
    assert!(!known.to_string().contains("0123456789abcdef"), "somebody's upload is named: {known}");
}
