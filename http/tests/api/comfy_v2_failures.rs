//! Failed jobs and missing outputs, as clients of Comfy API v2 are told of them.

use std::time::Duration;

use serde_json::{Value, json};
use verdigraph_scripted::{Options, Run};

use crate::comfy_v2::{Client, graph};
use crate::editor_socket::with_scripted_as;
use crate::site::{Site, text};

/// What the error of a job tells programs.
fn named(job: &Value) -> [&Value; 4] {
    let error = &job["error"];
    [&job["status"], &error["code"], &error["node_id"], &error["class_type"]]
}

#[actix_web::test]
async fn output_that_is_missing_is_told_in_the_log() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let server = with_scripted_as(&site, Options::default()).await;
    let file = |name: &str, folder: &str| json!({ "filename": name, "subfolder": folder, "type": "output" });
    // The second file is outside the worker's folder.
    let shown = json!({ "images": [file("good_00001_.png", ""), file("away_00001_.png", "../elsewhere")] });
    let nodes = ["1".to_owned(), "2".to_owned()];
    server.script(Run::success(&nodes, &[("2".to_owned(), shown)], Duration::ZERO));
    let (_, job) = ann.post("/jobs", &json!({ "workflow": graph(6) })).await;
    let job = ann.wait(&text(&job, "id")).await;
    assert_eq!((&job["status"], job["outputs"].as_array().map(Vec::len)), (&json!("succeeded"), Some(1)), "{job}");
    assert!(job["urls"]["logs"].is_string(), "{job}");
    let (status, log) = ann.get(&format!("/jobs/{}/logs", text(&job, "id"))).await;
    let told = text(&log, "text");
    assert!(status == 200 && told.starts_with("node 2: away_00001_.png: "), "{log}");
    site.finish().await;
}

#[actix_web::test]
async fn failed_job_names_its_node_and_has_a_log() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let server = with_scripted_as(&site, Options::default()).await;
    let ends = async |run: Run| {
        server.script(run);
        let (status, job) = ann.post("/jobs", &json!({ "workflow": graph(5) })).await;
        assert_eq!(status, 201, "{job}");
        ann.wait(&text(&job, "id")).await
    };
    let raised = ends(Run::failure(&["1".to_owned()], Duration::ZERO)).await;
    let expected = [json!("failed"), json!("node_execution_error"), json!("1"), json!("Scripted")];
    assert_eq!(named(&raised), expected.each_ref(), "{raised}");
    assert!(text(&raised["error"], "message").starts_with("raised by the script"), "{raised}");
    let logs = text(&raised["urls"], "logs");
    assert!(logs.ends_with(&format!("/api/v2/jobs/{}/logs", text(&raised, "id"))), "{logs}");
    let (status, log) = ann.get(&format!("/jobs/{}/logs", text(&raised, "id"))).await;
    let told = text(&log, "text");
    assert_eq!((status, &log["complete"], &log["truncated"]), (200, &json!(true), &json!(false)));
    assert!(told.contains("RuntimeError: raised by the script") && told.contains("node 1 (Scripted)"), "{told}");
    assert!(text(&log, "captured_at").ends_with('Z'), "{log}");

    let refusal = json!({
        "error": { "type": "prompt_outputs_failed_validation", "message": "Prompt outputs failed validation",
                   "details": "", "extra_info": {} },
        "node_errors": { "2": { "class_type": "SaveImage", "dependent_outputs": ["2"], "errors": [] } },
    });
    let refused = ends(Run { refusal: Some((400, refusal.to_string())), ..Run::default() }).await;
    let expected = [json!("failed"), json!("invalid_workflow"), json!("2"), json!("SaveImage")];
    assert_eq!(named(&refused), expected.each_ref(), "{refused}");
    assert_eq!(refused["error"]["message"], "Prompt outputs failed validation");
    site.finish().await;
}
