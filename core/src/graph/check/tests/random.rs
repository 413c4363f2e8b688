//! Validation of random graphs.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::graph::tests::{new, old};
use crate::graph::*;

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

/// Mostly valid graphs with images flowing between random nodes, including cycles.
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
    fn validation_never_panics(nodes in prop::collection::vec(any_node(), 0..12)) {
        let nodes: serde_json::Map<String, Value> = nodes.into_iter().enumerate().map(|(id, node)| (id.to_string(), node)).collect();
        if let Ok(prompt) = Prompt::from_value(Value::Object(nodes)) {
            let definitions = new();
            if let Ok(checked) = validate(&prompt, &definitions, &SubmittedFiles::default()) {
                prop_assert!(!checked.outputs.is_empty());
                let mut prompt = prompt.clone();
                checked.apply(&mut prompt);
                let again = validate(&prompt, &definitions, &SubmittedFiles::default()).unwrap();
                prop_assert!(again.normalised.is_empty());
            }
            let _ = Needs::of(&prompt, &definitions).unmet(&definitions);
        }
    }

    #[test]
    fn valid_graph_has_no_dangling_link_and_no_cycle(nodes in plausible_graph()) {
        let prompt = Prompt::from_value(nodes).unwrap();
        if let Ok(checked) = validate(&prompt, &old(), &SubmittedFiles::default()) {
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
