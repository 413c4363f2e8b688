use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};
use verdigraph_core::graph::ComfyVersion;

use super::super::node::{Context, Inputs, Node, NodeError, Outcome};
use super::super::testing::{folders, processor_time, with_context};
use super::super::value::{ImageBatch, MaskBatch, Value};

fn node(class: &str) -> Box<dyn Node> {
    super::nodes(ComfyVersion::default()).into_iter().find(|node| node.class() == class).expect("class of this family")
}

fn run(class: &str, inputs: IndexMap<String, Vec<Value>>) -> Result<Outcome, NodeError> {
    with_context(1 << 30, &(), |context| {
        let context = Context { max_side: 2048, max_bytes: 1 << 20, ..*context };
        node(class).run(&Inputs(inputs), &context)
    })
}

/// Converts a literal like the server: to the declared type, if there is one.
fn literal(declared: &str, value: &Json) -> Value {
    match (declared, value) {
        ("FLOAT", number) => Value::Float(number.as_f64().expect("number")),
        (_, Json::Bool(flag)) => Value::Bool(*flag),
        (_, Json::String(text)) => Value::Text(text.as_str().into()),
        (_, Json::Number(number)) if !number.is_f64() && number.to_string().len() < 38 => {
            Value::Int(number.to_string().parse().expect("whole number"))
        }
        (_, Json::Number(number)) => Value::Float(number.as_f64().expect("number")),
        (_, other) => Value::Json(Arc::new(other.clone())),
    }
}

fn declared_type(definition: &Json, name: &str) -> String {
    ["required", "optional"]
        .iter()
        .find_map(|part| definition["input"][part][name][0].as_str())
        .unwrap_or("*")
        .to_owned()
}

fn inputs(class: &str, literals: &Map<String, Json>) -> IndexMap<String, Vec<Value>> {
    let definition = node(class).definition(&folders());
    literals
        .iter()
        .map(|(name, value)| (name.clone(), vec![literal(&declared_type(&definition, name), value)]))
        .collect()
}

fn plain(outcome: Result<Outcome, NodeError>) -> Json {
    match outcome {
        Ok(Outcome { ui: Some(ui), .. }) => ui["text"][0].clone(),
        Ok(outcome) => match &outcome.outputs[0][0] {
            Value::Text(text) => json!(text.as_ref()),
            Value::Int(number) => json!(i64::try_from(*number).expect("small number")),
            Value::Bool(flag) => json!(flag),
            Value::Json(value) => value.as_ref().clone(),
            other => panic!("unexpected output {other:?}"),
        },
        Err(NodeError::Raised { kind, message }) => json!({ "raises": [kind, message] }),
        Err(NodeError::Interrupted) => panic!("unexpected interrupt"),
    }
}

#[test]
fn every_node_matches_python() {
    let table = include_str!("../../../tests/data/text/python.jsonl");
    let mut wrong = Vec::new();
    for line in table.lines() {
        let case: Json = serde_json::from_str(line).expect("table line");
        let class = case["class"].as_str().expect("class");
        let found = plain(run(class, inputs(class, case["inputs"].as_object().expect("inputs"))));
        let wanted = case.get("is").cloned().unwrap_or_else(|| json!({ "raises": case["raises"] }));
        if found != wanted {
            wrong.push(format!("{class} {}\n  python: {wanted}\n  here:   {found}", case["inputs"]));
        }
    }
    assert!(wrong.is_empty(), "{} results differ from Python's:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn recorded_graph_gives_recorded_texts() {
    let graph: Json =
        serde_json::from_str(include_str!("../../../tests/data/text/strings/workflow.json")).expect("graph");
    let expected: Json =
        serde_json::from_str(include_str!("../../../tests/data/text/strings/expected.json")).expect("texts");
    for (id, texts) in expected["text"].as_object().expect("texts") {
        let source = graph[id]["inputs"]["source"][0].as_str().expect("link");
        let class = graph[source]["class_type"].as_str().expect("class");
        let outcome = run(class, inputs(class, graph[source]["inputs"].as_object().expect("inputs"))).expect("runs");
        let shown =
            run("PreviewAny", IndexMap::from([("source".to_owned(), outcome.outputs[0].clone())])).expect("runs");
        assert_eq!(shown.ui.expect("a preview")["text"], *texts, "node {id} ({class})");
    }
}

#[test]
fn endless_backtracking_is_an_error() {
    let before = processor_time();
    let literals = json!({
        "string": format!("{}!", "a".repeat(5000)), "regex_pattern": r"^(a|aa)+\1?$", "replace": "x",
        "case_insensitive": false,
    });
    let outcome = run("RegexReplace", inputs("RegexReplace", literals.as_object().expect("object")));
    assert!(matches!(outcome, Err(NodeError::Raised { kind: "RuntimeError", .. })), "{outcome:?}");
    let used = processor_time() - before;
    assert!(used < Duration::from_secs(5), "took {used:?}");
}

#[test]
fn oversized_text_is_rejected_before_allocation() {
    let long = "a".repeat(600_000);
    let literals = json!({ "string_a": long, "string_b": long, "delimiter": "" });
    let outcome = run("StringConcatenate", inputs("StringConcatenate", literals.as_object().expect("object")));
    assert!(matches!(outcome, Err(NodeError::Raised { kind: "MemoryError", .. })), "{outcome:?}");
    let literals = json!({ "string": long, "find": "", "replace": "bbb" });
    let outcome = run("StringReplace", inputs("StringReplace", literals.as_object().expect("object")));
    assert!(matches!(outcome, Err(NodeError::Raised { kind: "MemoryError", .. })), "{outcome:?}");
}

#[test]
fn tensor_is_formatted_like_torch() {
    let shown = |value: Value| plain(run("PreviewAny", IndexMap::from([("source".to_owned(), vec![value])])));
    let mask = MaskBatch { batch: 1, height: 2, width: 3, data: vec![0.0, 0.25, 1.0, 0.5, 0.125, 0.75] };
    assert_eq!(
        shown(Value::Mask(Arc::new(mask))),
        "tensor([[[0.0000, 0.2500, 1.0000],\n         [0.5000, 0.1250, 0.7500]]])"
    );
    let image = ImageBatch::filled(1, 64, 64, 3, 0.0);
    assert_eq!(
        shown(Value::Image(Arc::new(image))),
        "tensor([[[[0., 0., 0.],\n          [0., 0., 0.],\n          [0., 0., 0.],\n          ...,\n          [0., 0., 0.],\n          \
         [0., 0., 0.],\n          [0., 0., 0.]],\n\n         [[0., 0., 0.],\n          [0., 0., 0.],\n          [0., 0., 0.],\n          \
         ...,\n          [0., 0., 0.],\n          [0., 0., 0.],\n          [0., 0., 0.]],\n\n         [[0., 0., 0.],\n          \
         [0., 0., 0.],\n          [0., 0., 0.],\n          ...,\n          [0., 0., 0.],\n          [0., 0., 0.],\n          \
         [0., 0., 0.]],\n\n         ...,\n\n         [[0., 0., 0.],\n          [0., 0., 0.],\n          [0., 0., 0.],\n          \
         ...,\n          [0., 0., 0.],\n          [0., 0., 0.],\n          [0., 0., 0.]],\n\n         [[0., 0., 0.],\n          \
         [0., 0., 0.],\n          [0., 0., 0.],\n          ...,\n          [0., 0., 0.],\n          [0., 0., 0.],\n          \
         [0., 0., 0.]],\n\n         [[0., 0., 0.],\n          [0., 0., 0.],\n          [0., 0., 0.],\n          ...,\n          \
         [0., 0., 0.],\n          [0., 0., 0.],\n          [0., 0., 0.]]]])"
    );
}
