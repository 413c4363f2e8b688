//! Prompts from submit to history.

use std::io::{Read as _, Write as _};

use serde_json::{Value as Json, json};
use verdigraph_workers::cpu::ComfyVersion;

use crate::harness::{Harness, data_of, kinds};

/// `value + 1`, shown.
fn sum(value: i64) -> Json {
    json!({
        "1": {"class_type": "TestNumber", "inputs": {"value": value}},
        "2": {"class_type": "TestAdd", "inputs": {"a": ["1", 0], "b": 1}},
        "3": {"class_type": "TestShow", "inputs": {"source": ["2", 0]}},
    })
}

fn waiting(value: i64) -> Json {
    json!({
        "1": {"class_type": "TestWait", "inputs": {"value": value}},
        "2": {"class_type": "TestAdd", "inputs": {"a": ["1", 0]}},
        "3": {"class_type": "TestShow", "inputs": {"source": ["2", 0]}},
    })
}

#[actix_web::test]
async fn owner_receives_every_step_of_a_prompt() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let (greeting, _) = socket.until("status").await;
    assert_eq!(greeting, json!({"status": {"exec_info": {"queue_remaining": 0}}, "sid": "a"}));
    let id = harness.submit(&sum(4), "a").await;
    let received = socket.until_end(&id).await;
    assert_eq!(
        kinds(&received),
        [
            "status",
            "status",
            "execution_start",
            "execution_cached",
            "executing",
            "executing",
            "executing",
            "executed",
            "execution_success",
            "status",
            "executing"
        ]
    );
    let remaining: Vec<Json> = data_of(&received, "status")
        .iter()
        .map(|status| status["status"]["exec_info"]["queue_remaining"].clone())
        .collect();
    assert_eq!(remaining, [json!(1), json!(1), json!(0)]);
    let executing = data_of(&received, "executing");
    assert_eq!(executing[0], json!({"node": "1", "display_node": "1", "prompt_id": id}));
    assert_eq!(executing[3], json!({"node": null, "prompt_id": id}));
    let executed = data_of(&received, "executed");
    assert_eq!(executed, [json!({"node": "3", "display_node": "3", "output": {"text": ["5"]}, "prompt_id": id})]);
    let states = data_of(&received, "progress_state");
    assert_eq!(states.len(), 6, "each of three nodes starts and finishes");
    assert_eq!(
        states[0]["nodes"]["1"],
        json!({
            "value": 0.0, "max": 1.0, "state": "running", "node_id": "1", "prompt_id": id,
            "display_node_id": "1", "parent_node_id": null, "real_node_id": "1",
        })
    );
    assert_eq!(states[5]["nodes"]["3"]["state"], "finished");

    let entry = harness.history(&id).await;
    let created_at = &entry["prompt"][3]["create_time"];
    assert!(created_at.is_i64(), "{entry}");
    assert_eq!(entry["prompt"], json!([0, id, sum(4), {"client_id": "a", "create_time": created_at}, ["3"]]));
    assert_eq!(entry["outputs"], json!({"3": {"text": ["5"]}}));
    assert_eq!(
        entry["meta"],
        json!({"3": {"node_id": "3", "display_node": "3", "parent_node": null, "real_node_id": "3"}})
    );
    assert_eq!(entry["status"]["status_str"], "success");
    assert_eq!(entry["status"]["completed"], true);
    let messages = entry["status"]["messages"].as_array().unwrap();
    let kinds: Vec<&Json> = messages.iter().map(|message| &message[0]).collect();
    assert_eq!(kinds, ["execution_start", "execution_cached", "execution_success"]);
    assert!(messages.iter().all(|message| message[1]["timestamp"].is_i64()));
    harness.stop().await;
}

#[actix_web::test]
async fn unchanged_nodes_are_cached_across_clients_and_node_ids() {
    let harness = Harness::start().await;
    let prompt = json!({
        "1": {"class_type": "TestNumber", "inputs": {"value": 7}},
        "2": {"class_type": "TestSave", "inputs": {"value": ["1", 0]}},
    });
    let mut first = harness.socket("a").await;
    let id = harness.submit(&prompt, "a").await;
    let saved = data_of(&first.until_end(&id).await, "executed")[0]["output"].clone();

    let mut second = harness.socket("b").await;
    let renamed = json!({
        "20": {"class_type": "TestSave", "inputs": {"value": ["10", 0]}},
        "10": {"class_type": "TestNumber", "inputs": {"value": 7}},
    });
    let id = harness.submit(&renamed, "b").await;
    let received = second.until_end(&id).await;
    assert_eq!(data_of(&received, "execution_cached")[0]["nodes"], json!(["10", "20"]));
    assert_eq!(data_of(&received, "executed")[0]["output"], saved, "the old file is named again");
    assert_eq!(data_of(&received, "executing").len(), 1, "nothing ran but the end");
    let states = data_of(&received, "progress_state");
    assert_eq!(states.len(), 1);
    assert_eq!(states[0]["nodes"]["20"]["value"], json!(1));
    assert_eq!(harness.history(&id).await["outputs"]["20"], saved);

    // Files of cached results must exist: a missing file is made again.
    let name = saved["images"][0]["filename"].as_str().unwrap();
    std::fs::remove_file(harness.folder.path().join("output").join(name)).unwrap();
    let id = harness.submit(&renamed, "b").await;
    let received = second.until_end(&id).await;
    assert_eq!(data_of(&received, "execution_cached")[0]["nodes"], json!(["10"]));
    assert!(harness.folder.path().join("output").join(name).is_file());

    assert_eq!(harness.post("/free", r#"{"free_memory": true}"#).await.status(), 200);
    let id = harness.submit(&renamed, "b").await;
    let received = second.until_end(&id).await;
    assert_eq!(data_of(&received, "execution_cached")[0]["nodes"], json!([]), "freeing forgets every result");
    assert_eq!(harness.post("/free", "").await.status(), 400);
    harness.stop().await;
}

#[actix_web::test]
async fn raised_error_is_reported_and_earlier_results_are_cached() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let prompt = json!({
        "1": {"class_type": "TestNumber", "inputs": {"value": 3}},
        "2": {"class_type": "TestShow", "inputs": {"source": ["1", 0]}},
        "3": {"class_type": "TestFail", "inputs": {"value": ["1", 0]}},
        "4": {"class_type": "TestShow", "inputs": {"source": ["3", 0]}},
    });
    let id = harness.submit(&prompt, "a").await;
    let received = socket.until_end(&id).await;
    let kinds = kinds(&received);
    assert_eq!(kinds[kinds.len() - 3..], ["execution_error", "status", "executing"]);
    let error = &data_of(&received, "execution_error")[0];
    assert_eq!(error["prompt_id"], id.as_str());
    assert_eq!(error["node_id"], "3");
    assert_eq!(error["node_type"], "TestFail");
    assert_eq!(error["exception_type"], "ValueError");
    assert_eq!(error["exception_message"], "no such luck\n");
    assert_eq!(error["executed"], json!(["1", "2"]));
    assert_eq!(error["current_inputs"], json!({"value": [3]}));
    assert_eq!(error["current_outputs"], json!(["1", "2", "3", "4"]));
    assert!(error["traceback"].as_array().is_some_and(|lines| !lines.is_empty() && lines.iter().all(Json::is_string)));
    let entry = harness.history(&id).await;
    assert_eq!(entry["status"]["status_str"], "error");
    assert_eq!(entry["status"]["completed"], false);
    assert_eq!(entry["status"]["messages"][2][0], "execution_error");
    assert_eq!(entry["outputs"], json!({"2": {"text": ["3"]}}));

    let id = harness.submit(&prompt, "a").await;
    let received = socket.until_end(&id).await;
    assert_eq!(data_of(&received, "execution_cached")[0]["nodes"], json!(["1", "2"]), "good results outlive the error");
    harness.stop().await;
}

#[actix_web::test]
async fn node_panic_fails_only_its_prompt() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let prompt = json!({
        "1": {"class_type": "TestPanic", "inputs": {"value": 1}},
        "2": {"class_type": "TestShow", "inputs": {"source": ["1", 0]}},
    });
    let id = harness.submit(&prompt, "a").await;
    let received = socket.until_end(&id).await;
    let error = &data_of(&received, "execution_error")[0];
    assert_eq!(error["exception_type"], "RuntimeError");
    assert_eq!(error["exception_message"], "the node panicked: out of the blue\n");
    let id = harness.submit(&sum(1), "a").await;
    socket.until_end(&id).await;
    assert_eq!(harness.history(&id).await["status"]["status_str"], "success");
    harness.stop().await;
}

#[actix_web::test]
async fn lists_run_a_node_once_per_element_unless_it_takes_them_whole() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let prompt = json!({
        "1": {"class_type": "TestList", "inputs": {"value": 3}},
        "2": {"class_type": "TestAdd", "inputs": {"a": ["1", 0], "b": 10}},
        "3": {"class_type": "TestShow", "inputs": {"source": ["2", 0]}},
        "4": {"class_type": "TestCount", "inputs": {"value": ["2", 0]}},
        "5": {"class_type": "TestShow", "inputs": {"source": ["4", -1]}},
    });
    let id = harness.submit(&prompt, "a").await;
    socket.until_end(&id).await;
    let outputs = harness.history(&id).await["outputs"].clone();
    assert_eq!(outputs, json!({"3": {"text": ["10", "11", "12"]}, "5": {"text": ["3"]}}));

    let empty = json!({
        "1": {"class_type": "TestList", "inputs": {"value": 0}},
        "2": {"class_type": "TestAdd", "inputs": {"a": ["1", 0], "b": 10}},
        "3": {"class_type": "TestShow", "inputs": {"source": ["2", 0]}},
    });
    let id = harness.submit(&empty, "a").await;
    let received = socket.until_end(&id).await;
    assert_eq!(data_of(&received, "execution_error")[0]["exception_type"], "IndexError");
    harness.stop().await;
}

#[actix_web::test]
async fn interrupt_stops_only_the_named_running_prompt() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    assert_eq!(harness.post("/interrupt", "").await.status(), 200, "nothing runs, nothing happens");
    let id = harness.submit(&waiting(1), "a").await;
    let pending = harness.submit(&sum(50), "a").await;
    loop {
        let (data, _) = socket.until("executing").await;
        if data["node"] == "1" {
            break;
        }
    }
    for other in ["unknown", pending.as_str()] {
        let body = json!({"prompt_id": other}).to_string();
        assert_eq!(harness.post("/interrupt", body).await.status(), 200);
    }
    assert_eq!(harness.json("/queue").await["queue_running"][0][1], id.as_str(), "it runs on");
    assert_eq!(harness.post("/interrupt", json!({"prompt_id": id}).to_string()).await.status(), 200);
    let received = socket.until_end(&id).await;
    let interrupted = &data_of(&received, "execution_interrupted")[0];
    assert_eq!(interrupted["node_id"], "1");
    assert_eq!(interrupted["node_type"], "TestWait");
    assert_eq!(interrupted["executed"], json!([]));
    assert!(interrupted["timestamp"].is_i64());
    let entry = harness.history(&id).await;
    assert_eq!(entry["status"]["status_str"], "error");
    assert_eq!(entry["status"]["messages"][2][0], "execution_interrupted");
    socket.until_end(&pending).await;
    assert_eq!(harness.history(&pending).await["status"]["status_str"], "success", "the next one is unharmed");
    harness.stop().await;
}

#[actix_web::test]
async fn waiting_prompts_run_by_number_and_can_be_deleted() {
    // Before 0.33.0 any id is accepted.
    let harness = Harness::start_with(|options| options.like = ComfyVersion::V0_3_64).await;
    let mut socket = harness.socket("a").await;
    let running = harness.submit(&waiting(2), "a").await;
    loop {
        let (data, _) = socket.until("executing").await;
        if data["node"] == "1" {
            break;
        }
    }
    let submit = |body: Json| {
        let harness = &harness;
        async move {
            let answer: Json = harness.post("/prompt", body.to_string()).await.json().await.unwrap();
            answer
        }
    };
    let last = submit(json!({"prompt": sum(10), "client_id": "a"})).await;
    let front = submit(json!({"prompt": sum(11), "client_id": "a", "front": true})).await;
    let chosen = submit(json!({"prompt": sum(12), "client_id": "a", "number": "-7", "prompt_id": 123})).await;
    let deleted = submit(json!({"prompt": sum(13), "client_id": "a"})).await;
    assert_eq!(last["number"], 1);
    assert_eq!(front["number"], -2);
    assert_eq!(chosen["number"], json!(-7.0));
    assert_eq!(chosen["prompt_id"], "123");
    let refused = submit(json!({"prompt": sum(13), "number": "x"})).await;
    assert!(refused.get("error").is_some(), "{refused}");

    let body = json!({"delete": [deleted["prompt_id"], running, "unknown"]}).to_string();
    assert_eq!(harness.post("/queue", body).await.status(), 200);
    let queue = harness.json("/api/queue").await;
    let ids = |part: &str| queue[part].as_array().unwrap().iter().map(|item| item[1].clone()).collect::<Vec<_>>();
    assert_eq!(ids("queue_running"), [json!(running)], "the running one is left alone");
    assert_eq!(ids("queue_pending"), [json!("123"), front["prompt_id"].clone(), last["prompt_id"].clone()]);
    assert_eq!(harness.json("/prompt").await, json!({"exec_info": {"queue_remaining": 4}}));
    harness.gate.open();
    socket.until_end(last["prompt_id"].as_str().unwrap()).await;
    let history = harness.json("/history").await;
    let ended: Vec<&String> = history.as_object().unwrap().keys().collect();
    assert_eq!(
        ended,
        [running.as_str(), "123", front["prompt_id"].as_str().unwrap(), last["prompt_id"].as_str().unwrap()]
    );
    assert_eq!(
        harness.history(deleted["prompt_id"].as_str().unwrap()).await,
        Json::Null,
        "a deleted one leaves no trace"
    );

    let newest = harness.json("/history?max_items=1").await;
    assert_eq!(newest.as_object().unwrap().keys().collect::<Vec<_>>(), [last["prompt_id"].as_str().unwrap()]);
    assert_eq!(harness.get("/history?max_items=x").await.status(), 400);
    assert_eq!(harness.post("/history", r#"{"delete": ["123"]}"#).await.status(), 200);
    assert_eq!(harness.json("/history/123").await, json!({}));
    assert_eq!(harness.post("/history", r#"{"clear": true}"#).await.status(), 200);
    assert_eq!(harness.json("/history").await, json!({}));
    harness.stop().await;
}

#[actix_web::test]
async fn clearing_the_queue_keeps_the_running_prompt() {
    let harness = Harness::start_with(|options| options.queue_limit = 2).await;
    let mut socket = harness.socket("a").await;
    let running = harness.submit(&waiting(3), "a").await;
    loop {
        let (data, _) = socket.until("executing").await;
        if data["node"] == "1" {
            break;
        }
    }
    harness.submit(&sum(20), "a").await;
    harness.submit(&sum(21), "a").await;
    let refused = harness.post("/prompt", json!({"prompt": sum(22)}).to_string()).await;
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(harness.post("/queue", r#"{"clear": true}"#).await.status(), 200);
    assert_eq!(harness.json("/prompt").await, json!({"exec_info": {"queue_remaining": 1}}));
    harness.gate.open();
    socket.until_end(&running).await;
    assert_eq!(harness.json("/history").await.as_object().unwrap().len(), 1);
    for body in ["nonsense", "[1]", r#"{"delete": null}"#] {
        assert_eq!(harness.post("/queue", body).await.status(), 400, "{body}");
    }
    harness.stop().await;
}

#[actix_web::test]
async fn stop_interrupts_running_prompt_and_closes_sockets() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    harness.submit(&waiting(4), "a").await;
    loop {
        let (data, _) = socket.until("executing").await;
        if data["node"] == "1" {
            break;
        }
    }
    let reader = actix_web::rt::spawn(async move {
        loop {
            if let crate::harness::Received::Closed(code) = socket.next().await {
                return code;
            }
        }
    });
    harness.stop().await;
    assert_eq!(reader.await.unwrap(), 1001);
}

#[actix_web::test]
async fn messages_wait_until_submitter_has_the_answer() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let body = json!({"prompt": sum(4), "client_id": "a"}).to_string();
    let address = harness.url("").trim_start_matches("http://").to_owned();
    let mut http = std::net::TcpStream::connect(&address).unwrap();
    http.set_nodelay(true).unwrap();
    let request = format!("POST /prompt HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    for round in 0..200 {
        http.set_nonblocking(false).unwrap();
        http.write_all(request.as_bytes()).unwrap();
        let (start, _) = socket.until("execution_start").await;
        // Its message has arrived, so the answer must be readable.
        http.set_nonblocking(true).unwrap();
        let mut answer = vec![0; 16 << 10];
        let read = http.read(&mut answer).unwrap_or_else(|error| panic!("round {round}, no answer yet: {error}"));
        let answer = String::from_utf8_lossy(&answer[..read]);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.contains(start["prompt_id"].as_str().unwrap()), "round {round}: {answer}");
        socket.until_end(start["prompt_id"].as_str().unwrap()).await;
    }
    harness.stop().await;
}
