//! Compares validation with recorded responses of two real servers.

use serde_json::{Value, json};

use crate::graph::tests::{new, old};
use crate::graph::*;

const OLD_TABLE: &str = include_str!("../../../../tests/data/graph/v0.3.64/validation-table.jsonl");

const NEW_TABLE: &str = include_str!("../../../../tests/data/graph/v0.33.0/validation-table.jsonl");

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

/// Cases about the request around the prompt, and intended differences.
const NOT_COMPARED: [&str; 7] = [
    // We treat missing `inputs` as empty, so that the response names what is missing.
    "inputs missing",
    "inputs missing on output node",
    // We refuse these as malformed; servers respond 500.
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
        let ours = Prompt::from_value(json!(sent))
            .and_then(|prompt| validate(&prompt, definitions, &SubmittedFiles::default()));
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
                    // Servers stop here; we list every node. The older one uses other messages.
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
fn validation_matches_both_recorded_servers() {
    assert!(hold_against(OLD_TABLE, &old(), true) >= 45, "the table lost cases");
    assert!(hold_against(NEW_TABLE, &new(), false) >= 45, "the table lost cases");
}
