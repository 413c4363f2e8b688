//! Which client receives which messages.

use serde_json::{Value as Json, json};

use crate::harness::{Harness, Received, data_of, kinds};

fn number(value: i64) -> Json {
    json!({
        "1": {"class_type": "TestNumber", "inputs": {"value": value}},
        "2": {"class_type": "TestShow", "inputs": {"source": ["1", 0]}},
    })
}

fn waiting() -> Json {
    json!({
        "1": {"class_type": "TestWait", "inputs": {"value": 1}},
        "2": {"class_type": "TestShow", "inputs": {"source": ["1", 0]}},
    })
}

#[actix_web::test]
async fn other_clients_receive_only_the_status() {
    let harness = Harness::start().await;
    let mut other = harness.socket("b").await;
    other.until("status").await;
    let mut owner = harness.socket("a").await;
    let theirs = harness.submit(&number(1), "a").await;
    owner.until_end(&theirs).await;
    let own = harness.submit(&number(2), "b").await;
    let received = other.until_end(&own).await;
    let before: Vec<String> = kinds(&received).into_iter().take(5).collect();
    assert_eq!(before, ["status", "status", "status", "status", "status"], "three for a's prompt, two for the own one");
    let ids =
        |kind: &str| data_of(&received, kind).into_iter().map(|data| data["prompt_id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids("execution_start"), [json!(own)]);
    assert!(ids("progress_state").iter().all(|id| *id == own.as_str()));
    harness.stop().await;
}

#[actix_web::test]
async fn prompt_without_owner_sends_progress_to_all() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let answer: Json = harness.post("/prompt", json!({"prompt": number(3)}).to_string()).await.json().await.unwrap();
    // A later prompt of client a marks the end of the prompt without an owner.
    let own = harness.submit(&number(4), "a").await;
    let received = socket.until_end(&own).await;
    let of_nameless =
        |kind: &str| data_of(&received, kind).iter().filter(|data| data["prompt_id"] == answer["prompt_id"]).count();
    assert_eq!(of_nameless("progress_state"), 4);
    for kind in ["execution_start", "execution_cached", "executing", "executed", "execution_success"] {
        assert_eq!(of_nameless(kind), 0, "{kind}");
    }
    harness.stop().await;
}

#[actix_web::test]
async fn reconnected_socket_receives_the_end() {
    let harness = Harness::start().await;
    let mut first = harness.socket("a").await;
    let id = harness.submit(&waiting(), "a").await;
    loop {
        let (data, _) = first.until("executing").await;
        if data["node"] == "1" {
            break;
        }
    }
    let mut second = harness.socket("a").await;
    let (status, _) = second.until("status").await;
    assert_eq!(status, json!({"status": {"exec_info": {"queue_remaining": 1}}, "sid": "a"}));
    assert_eq!(second.next().await, Received::Text(json!({"type": "executing", "data": {"node": "1"}})));
    first.0.close(None).await.unwrap();
    // The worker has seen the first client leave once it answers the close.
    while !matches!(first.next().await, Received::Closed(_)) {}
    harness.gate.open();
    let received = second.until_end(&id).await;
    assert_eq!(
        data_of(&received, "execution_success").len(),
        1,
        "the old socket's end must not cost the new one its id"
    );
    harness.stop().await;
}

#[actix_web::test]
async fn only_the_first_json_object_counts_as_a_handshake() {
    let harness = Harness::start().await;
    let flags = json!({
        "supports_preview_metadata": true,
        "supports_model_type_tags": true,
        "max_upload_size": 104_857_600,
        "extension": {"manager": {"supports_v4": true}},
        "node_replacements": true,
        "assets": false,
    });
    assert_eq!(harness.json("/features").await, flags);

    let mut socket = harness.socket("ff1").await;
    socket.send_text("not json").await;
    socket.send_text("[1,2]").await;
    socket.send_text(r#"{"type": "feature_flags", "data": {}}"#).await;
    assert_eq!(socket.until("feature_flags").await.0, flags);

    let mut late = harness.socket("ff2").await;
    late.send_text(r#"{"type": "hello"}"#).await;
    late.send_text(r#"{"type": "feature_flags", "data": {}}"#).await;
    let id = harness.submit(&number(5), "ff2").await;
    assert!(data_of(&late.until_end(&id).await, "feature_flags").is_empty(), "the handshake was lost");
    harness.stop().await;
}

#[actix_web::test]
async fn client_without_id_gets_one() {
    let harness = Harness::start().await;
    for path in ["/ws", "/ws?clientId=", "/api/ws"] {
        let mut socket = crate::harness::Socket::open(&harness.url(path).replace("http", "ws")).await;
        let (status, _) = socket.until("status").await;
        let sid = status["sid"].as_str().unwrap();
        assert!(sid.len() == 32 && sid.chars().all(|letter| letter.is_ascii_hexdigit()), "{path}: {sid}");
    }
    assert_eq!(harness.get("/ws").await.status(), 400);
    harness.stop().await;
}

#[actix_web::test]
async fn progress_is_throttled_except_first_and_last() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let mut with_metadata = harness.socket("b").await;
    with_metadata.send_text(r#"{"type": "feature_flags", "data": {"supports_preview_metadata": true}}"#).await;
    with_metadata.until("feature_flags").await;
    let prompt = json!({"1": {"class_type": "TestReport", "inputs": {"steps": 1000}}});
    let id = harness.submit(&prompt, "a").await;
    let received = socket.until_end(&id).await;
    let progress = data_of(&received, "progress");
    assert_eq!(progress.first().map(|data| &data["value"]), Some(&json!(1)));
    assert_eq!(progress.last().unwrap(), &json!({"value": 1000, "max": 1000, "prompt_id": id, "node": "1"}));
    assert!(progress.len() < 500, "{} of 1000 steps were sent", progress.len());
    let binary = |received: &[Received]| {
        let bytes = received.iter().filter_map(|received| match received {
            Received::Binary(bytes) => Some(bytes.clone()),
            _ => None,
        });
        bytes.collect::<Vec<_>>()
    };
    let frames = binary(&received);
    let preview = frames.first().unwrap();
    assert_eq!(preview[..8], [0, 0, 0, 1, 0, 0, 0, 1]);
    assert_eq!(preview[8..10], [0xff, 0xd8], "a JPEG file");
    let text = frames.last().unwrap();
    assert_eq!(text[..], *b"\0\0\0\x03\0\0\0\x011all done");

    let prompt = json!({"7": {"class_type": "TestReport", "inputs": {"steps": 2}}});
    let id = harness.submit(&prompt, "b").await;
    let frames = binary(&with_metadata.until_end(&id).await);
    let preview = frames.iter().find(|frame| frame[3] == 4).expect("a preview with metadata");
    let len = usize::try_from(u32::from_be_bytes(preview[4..8].try_into().unwrap())).unwrap();
    let metadata: Json = serde_json::from_slice(&preview[8..8 + len]).unwrap();
    assert_eq!(
        metadata,
        json!({
            "node_id": "7", "prompt_id": id, "display_node_id": "7", "parent_node_id": null,
            "real_node_id": "7", "image_type": "image/jpeg",
        })
    );
    assert_eq!(preview[8 + len..10 + len], [0xff, 0xd8]);
    harness.stop().await;
}

#[actix_web::test]
async fn log_lines_are_sent_to_subscribers() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    socket.until("status").await;
    let subscribe = |enabled: bool| {
        let body = json!({"clientId": "a", "enabled": enabled}).to_string();
        harness.client.patch(harness.url("/internal/logs/subscribe")).body(body).send()
    };
    assert_eq!(subscribe(true).await.unwrap().status(), 200);
    harness.submit(&number(6), "a").await;
    let (logs, before) = socket.until("logs").await;
    assert_eq!(logs["entries"][0]["m"], "got prompt\n");
    assert!(before.is_empty(), "it is the first thing said: {before:?}");
    socket.until("logs").await;
    assert_eq!(subscribe(false).await.unwrap().status(), 200);
    let id = harness.submit(&number(7), "a").await;
    assert!(data_of(&socket.until_end(&id).await, "logs").is_empty());
    assert!(harness.json("/internal/logs").await.as_str().unwrap().contains(" - got prompt\n"));
    let raw = harness.json("/internal/logs/raw").await;
    assert!(raw["entries"].as_array().unwrap().iter().any(|line| line["m"] == "got prompt\n"));
    harness.stop().await;
}

#[actix_web::test]
async fn message_over_4_mib_closes_the_socket() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    socket.until("status").await;
    socket.send_text(&"x".repeat(5 << 20)).await;
    assert_eq!(socket.next().await, Received::Closed(1009));
    harness.stop().await;
}
