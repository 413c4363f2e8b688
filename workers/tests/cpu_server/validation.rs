//! Replays recorded validation errors of a real server: request, status, answer.

use serde_json::{Value as Json, json};
use verdigraph_workers::cpu::ComfyVersion;

use crate::harness::{Harness, data_of};

/// All recorded cases of a version, one per line.
fn table(like: ComfyVersion) -> &'static str {
    match like {
        ComfyVersion::V0_3_64 => include_str!("../data/traces/v0.3.64/06-validation-table.jsonl"),
        ComfyVersion::V0_33_0 => include_str!("../data/traces/v0.33.0/06-validation-table.jsonl"),
    }
}

/// Cases that a real server answers with 500. This worker answers 400.
const REFUSED: [&str; 9] = [
    "node is not an object",
    "node is a string",
    "prompt is null",
    "invalid JSON",
    "empty body",
    "number is text",
    "extra_data is null",
    "prompt is a list",
    // Not valid JSON, but a real server accepts it.
    "FLOAT given NaN literal",
];

/// Whether a request uses classes that this worker does not have.
fn missing_classes(request: &Json, known: &Json) -> bool {
    let raw = request["raw_body"].as_str().and_then(|body| serde_json::from_str::<Json>(body).ok());
    let nodes = raw.as_ref().unwrap_or(request).pointer("/prompt").and_then(Json::as_object);
    let classes = nodes.into_iter().flat_map(|nodes| nodes.values()).filter_map(|node| node["class_type"].as_str());
    classes.filter(|class| *class != "NoSuchNode").any(|class| known.get(class).is_none())
}

/// Removes from an answer what differs between two starts of a real server: tracebacks, generated ids, numbers, and the
/// order of errors and dependents of one node.
fn evened(mut answer: Json) -> Json {
    if let Some(answer) = answer.as_object_mut() {
        for name in ["number", "prompt_id"] {
            if answer.contains_key(name) {
                answer.insert(name.to_owned(), json!("any"));
            }
        }
    }
    let nodes = answer.get_mut("node_errors").and_then(Json::as_object_mut);
    for node in nodes.into_iter().flat_map(|nodes| nodes.values_mut()) {
        if let Some(dependents) = node["dependent_outputs"].as_array_mut() {
            dependents.sort_by_key(Json::to_string);
        }
        let Some(errors) = node["errors"].as_array_mut() else {
            continue;
        };
        for error in errors.iter_mut() {
            if let Some(traceback) = error.pointer_mut("/extra_info/traceback") {
                assert!(traceback.as_array().is_some_and(|lines| lines.iter().all(Json::is_string)));
                *traceback = json!("any");
            }
        }
        errors.sort_by_key(Json::to_string);
    }
    answer
}

#[actix_web::test]
async fn validation_errors_match_recorded_server() {
    for like in ComfyVersion::ALL {
        compare_table(like).await;
    }
}

async fn compare_table(like: ComfyVersion) {
    let harness = Harness::start_with(|options| options.like = like).await;
    let known = harness.json("/object_info").await;
    let (mut compared, mut skipped) = (0, Vec::new());
    for line in table(like).lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let name = case["case"].as_str().unwrap();
        let request = &case["request"];
        if missing_classes(request, &known) {
            skipped.push(name.to_owned());
            continue;
        }
        let body = request["raw_body"].as_str().map_or_else(|| request.to_string(), str::to_owned);
        let response = harness.post("/prompt", body).await;
        let status = response.status().as_u16();
        let answer: Json = response.json().await.unwrap();
        compared += 1;
        if REFUSED.contains(&name) {
            assert_eq!(status, 400, "{name}: {answer}");
            assert!(answer["error"]["message"].is_string(), "{name}: {answer}");
            continue;
        }
        assert_eq!(json!(status), case["status"], "{like} {name}: {answer}");
        assert_eq!(evened(answer), evened(case["response"].clone()), "{like} {name}");
    }
    assert!(skipped.is_empty(), "no such nodes: {skipped:?}");
    assert!(compared >= 60, "the table is there");
    harness.stop().await;
}

fn prompt(value: Json) -> Json {
    json!({
        "1": {"class_type": "TestNumber", "inputs": {"value": value}},
        "2": {"class_type": "TestShow", "inputs": {"source": ["1", 0]}},
    })
}

async fn refusal(harness: &Harness, prompt: &Json) -> Json {
    let response = harness.post("/prompt", json!({"prompt": prompt}).to_string()).await;
    assert_eq!(response.status(), 400);
    response.json().await.unwrap()
}

#[actix_web::test]
async fn converted_values_replace_the_sent_ones() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    for (sent, kept) in [(json!("16"), 16), (json!(16.7), 16), (json!(true), 1), (json!({"__value__": 24}), 24)] {
        let id = harness.submit(&prompt(sent.clone()), "a").await;
        socket.until_end(&id).await;
        let entry = harness.history(&id).await;
        assert_eq!(entry["prompt"][2]["1"]["inputs"]["value"], json!(kept), "{sent}");
        assert_eq!(entry["outputs"]["2"]["text"], json!([kept.to_string()]), "{sent}");
    }
    harness.stop().await;
}

#[actix_web::test]
async fn range_and_conversion_errors_match_python() {
    let harness = Harness::start().await;
    let config = json!(["INT", {"default": 0, "min": -1000, "max": 1000}]);
    let error = refusal(&harness, &prompt(json!(1001))).await;
    assert_eq!(
        error["node_errors"]["1"],
        json!({
            "errors": [{
                "type": "value_bigger_than_max", "message": "Value 1001 bigger than max of 1000", "details": "value",
                "extra_info": {"input_name": "value", "input_config": config, "received_value": 1001},
            }],
            "dependent_outputs": ["2"],
            "class_type": "TestNumber",
        })
    );
    assert_eq!(error["error"]["type"], "prompt_outputs_failed_validation");
    let error = refusal(&harness, &prompt(json!({"a": [true, null]}))).await;
    assert_eq!(
        error["node_errors"]["1"]["errors"][0]["details"],
        "value, {'a': [True, None]}, int() argument must be a string, a bytes-like object or a real number, not 'dict'"
    );
    harness.stop().await;
}

#[actix_web::test]
async fn non_text_file_name_error_matches_python() {
    let harness = Harness::start().await;
    for (name, kind) in [(json!(5), "int"), (json!(0.5), "float"), (json!(null), "NoneType"), (json!({}), "dict")] {
        let prompt = json!({
            "1": {"class_type": "LoadImage", "inputs": {"image": name}},
            "2": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}},
        });
        let refusal = refusal(&harness, &prompt).await;
        let error = &refusal["node_errors"]["1"]["errors"][0];
        assert_eq!(error["type"], "exception_during_inner_validation", "{refusal}");
        assert_eq!(error["details"], format!("'{kind}' object has no attribute 'endswith'"));
        assert_eq!(error["extra_info"]["exception_type"], "AttributeError");
    }
    harness.stop().await;
}

#[actix_web::test]
async fn valid_outputs_run_beside_invalid_ones() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let mixed = json!({
        "1": {"class_type": "TestNumber", "inputs": {"value": 1}},
        "2": {"class_type": "TestShow", "inputs": {"source": ["1", 0]}},
        "3": {"class_type": "TestNumber", "inputs": {"value": "x"}},
        "4": {"class_type": "TestShow", "inputs": {"source": ["3", 0]}},
    });
    let body = json!({"prompt": mixed, "client_id": "a"}).to_string();
    let answer: Json = harness.post("/prompt", body).await.json().await.unwrap();
    assert_eq!(answer["node_errors"]["3"]["dependent_outputs"], json!(["4"]));
    let id = answer["prompt_id"].as_str().unwrap();
    socket.until_end(id).await;
    let entry = harness.history(id).await;
    assert_eq!(entry["prompt"][4], json!(["2"]));
    assert_eq!(entry["outputs"], json!({"2": {"text": ["1"]}}));
    harness.stop().await;
}

#[actix_web::test]
async fn long_chain_of_nodes_is_accepted() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let length = 1500;
    let mut nodes = serde_json::Map::new();
    nodes.insert("0".to_owned(), json!({"class_type": "TestNumber", "inputs": {"value": 0}}));
    for index in 1..=length {
        let upstream = (index - 1).to_string();
        nodes.insert(index.to_string(), json!({"class_type": "TestAdd", "inputs": {"a": [upstream, 0], "b": 1}}));
    }
    let last = length.to_string();
    nodes.insert("end".to_owned(), json!({"class_type": "TestShow", "inputs": {"source": [last, 0]}}));
    let id = harness.submit(&Json::Object(nodes), "a").await;
    let received = socket.until_end(&id).await;
    assert_eq!(harness.history(&id).await["outputs"]["end"]["text"], json!([last]));
    let states = data_of(&received, "progress_state");
    assert!(states.len() < 1500, "{} messages of up to 1500 nodes each", states.len());
    let end = states.last().unwrap()["nodes"].as_object().unwrap();
    assert_eq!(end.len(), length + 2, "the last one tells of all");
    assert!(end.values().all(|node| node["state"] == "finished"));
    harness.stop().await;
}

#[actix_web::test]
async fn link_hidden_in_value_fails_its_prompt() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let looped = json!({"1": {"class_type": "TestShow", "inputs": {"source": {"__value__": ["1", 0]}}}});
    let id = harness.submit(&looped, "a").await;
    socket.until_end(&id).await;
    let entry = harness.history(&id).await;
    assert_eq!(entry["status"]["messages"][1][0], "execution_error");
    assert_eq!(entry["status"]["messages"][1][1]["exception_message"], "the node depends on itself\n");
    harness.stop().await;
}
