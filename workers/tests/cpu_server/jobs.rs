//! The jobs API of newer editors, compared with the recording `30-jobs-api.jsonl` of a real server.

use serde_json::{Value as Json, json};

use crate::harness::{Harness, Socket};

const WORKFLOW: &str = "aaaaaaaa-1111-4111-8111-111111111111";
const UNKNOWN: &str = "99999999-9999-4999-8999-999999999999";

fn picture(color: i64) -> Json {
    json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 16, "height": 16, "batch_size": 2, "color": color}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "jobs"}},
        "3": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}},
        "4": {"class_type": "PrimitiveString", "inputs": {"value": "hi"}},
        "5": {"class_type": "PreviewAny", "inputs": {"source": ["4", 0]}},
    })
}

fn of_class(class: &str) -> Json {
    json!({
        "1": {"class_type": class, "inputs": {"value": 1}},
        "2": {"class_type": "TestShow", "inputs": {"source": ["1", 0]}},
    })
}

async fn submit(harness: &Harness, prompt: Json, more: Json) -> String {
    let mut body = json!({"prompt": prompt, "client_id": "a"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer: Json = harness.post("/prompt", body.to_string()).await.json().await.unwrap();
    answer["prompt_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

async fn until_it_waits(socket: &mut Socket) {
    loop {
        let (data, _) = socket.until("executing").await;
        if data["node"] == "1" {
            return;
        }
    }
}

/// Makes one completed job, one failed, one running and two waiting.
async fn five(harness: &Harness, socket: &mut Socket) -> [String; 5] {
    let workflow = json!({"extra_data": {"extra_pnginfo": {"workflow": {"id": WORKFLOW}}}});
    let completed = submit(harness, picture(7), workflow).await;
    socket.until_end(&completed).await;
    let failed = submit(harness, of_class("TestFail"), json!({})).await;
    socket.until_end(&failed).await;
    let running = submit(harness, of_class("TestWait"), json!({})).await;
    until_it_waits(socket).await;
    let waiting = submit(harness, picture(8), json!({})).await;
    let first = submit(harness, picture(9), json!({"front": true})).await;
    [completed, failed, running, waiting, first]
}

async fn listed(harness: &Harness, query: &str) -> Vec<(String, String)> {
    let answer = harness.json(&format!("/api/jobs?{query}")).await;
    let text = |job: &Json, name: &str| job[name].as_str().unwrap().to_owned();
    answer["jobs"].as_array().unwrap().iter().map(|job| (text(job, "id"), text(job, "status"))).collect()
}

async fn error(harness: &Harness, query: &str) -> String {
    let answer = harness.get(&format!("/api/jobs?{query}")).await;
    assert_eq!(answer.status(), 400, "{query}");
    answer.json::<Json>().await.unwrap()["error"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn jobs_are_listed_by_status_workflow_and_page() {
    let harness = Harness::start().await;
    assert_eq!(
        harness.json("/api/jobs").await,
        json!({"jobs": [], "pagination": {"offset": 0, "limit": null, "total": 0, "has_more": false}})
    );
    let mut socket = harness.socket("a").await;
    let [completed, failed, running, waiting, first] = five(&harness, &mut socket).await;
    let only = |id: &str, status: &str| vec![(id.to_owned(), status.to_owned())];
    assert_eq!(listed(&harness, "status=completed").await, only(&completed, "completed"));
    assert_eq!(listed(&harness, "status=failed").await, only(&failed, "failed"));
    assert_eq!(listed(&harness, "status=in_progress").await, only(&running, "in_progress"));
    assert_eq!(listed(&harness, &format!("workflow_id={WORKFLOW}")).await, only(&completed, "completed"));
    assert_eq!(listed(&harness, "status=").await.len(), 5);
    assert_eq!(listed(&harness, "offset=-5").await.len(), 5);
    let ids = |listed: Vec<(String, String)>| listed.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    let by_time = ids(listed(&harness, "sort_by=execution_duration&status=in_progress,pending").await);
    assert_eq!(by_time, [running.clone(), first.clone(), waiting.clone()], "none has ended: as they will run");
    let page = harness.json("/api/jobs?limit=2&offset=2").await;
    assert_eq!(page["pagination"], json!({"offset": 2, "limit": 2, "total": 5, "has_more": true}));
    assert_eq!(page["jobs"].as_array().unwrap().len(), 2);
    for (query, told) in [
        (
            "status=nope",
            "Invalid status value(s): nope. Valid values: pending, in_progress, completed, failed, cancelled",
        ),
        ("sort_by=nope", "sort_by must be 'created_at' or 'execution_duration'"),
        ("sort_order=nope", "sort_order must be 'asc' or 'desc'"),
        ("limit=0", "limit must be a positive integer"),
        ("limit=x", "limit must be an integer"),
        ("offset=x", "offset must be an integer"),
    ] {
        assert_eq!(error(&harness, query).await, told);
    }
    harness.stop().await;
}

#[actix_web::test]
async fn job_matches_recorded_server() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let [completed, failed, running, ..] = five(&harness, &mut socket).await;
    let one = |id: &str| {
        let path = format!("/api/jobs/{id}");
        let harness = &harness;
        async move { harness.json(&path).await }
    };
    let keys = |job: &Json| job.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let job = one(&completed).await;
    assert_eq!(
        keys(&job),
        "id status priority create_time execution_start_time execution_end_time outputs_count \
         previewable_outputs_count preview_output workflow_id outputs execution_status workflow"
    );
    assert_eq!((&job["outputs_count"], &job["previewable_outputs_count"]), (&json!(4), &json!(4)));
    assert_eq!(
        job["preview_output"],
        json!({"filename": "jobs_00001_.png", "subfolder": "", "type": "output", "nodeId": "2", "mediaType": "images"})
    );
    assert_eq!(job["execution_status"]["status_str"], "success");
    assert_eq!(job["workflow"]["prompt"], picture(7));
    let job = one(&failed).await;
    assert_eq!(job["execution_error"]["exception_type"], "ValueError");
    let job = one(&running).await;
    assert_eq!(keys(&job), "id status priority create_time outputs_count previewable_outputs_count");
    assert_eq!(harness.get(&format!("/api/jobs/{UNKNOWN}")).await.status(), 404);
    harness.stop().await;
}

#[actix_web::test]
async fn jobs_are_cancelled_singly_and_together() {
    let harness = Harness::start().await;
    let mut socket = harness.socket("a").await;
    let [completed, _, running, waiting, first] = five(&harness, &mut socket).await;
    let cancel = |id: &str| {
        let path = format!("/api/jobs/{id}/cancel");
        let harness = &harness;
        async move { harness.post(&path, "").await.json::<Json>().await.unwrap()["cancelled"] == true }
    };
    assert!(cancel(&waiting).await);
    assert_eq!(harness.get(&format!("/api/jobs/{waiting}")).await.status(), 404, "it is gone");
    assert!(!cancel(&completed).await && !cancel(UNKNOWN).await);
    let all = |body: &str| harness.post("/api/jobs/cancel", body.to_owned());
    let told = all(&json!({"job_ids": [first, completed]}).to_string()).await.json::<Json>().await.unwrap();
    assert_eq!(told, json!({"cancelled": true}));
    assert_eq!(all(r#"{"job_ids": []}"#).await.json::<Json>().await.unwrap(), json!({"cancelled": false}));
    for (body, told) in [
        (r#"{"job_ids": ["xyz", 5]}"#, json!({"error": "job_ids contains invalid id(s)", "invalid_ids": ["xyz", "5"]})),
        ("{}", json!({"error": "job_ids must be a list"})),
        ("nonsense", json!({"error": "Request body must be valid JSON"})),
    ] {
        let answer = all(body).await;
        assert_eq!(answer.status(), 400, "{body}");
        assert_eq!(answer.json::<Json>().await.unwrap(), told);
    }
    assert!(cancel(&running).await);
    socket.until_end(&running).await;
    assert_eq!(harness.json(&format!("/api/jobs/{running}")).await["status"], "cancelled");
    assert_eq!(listed(&harness, "status=pending,in_progress").await, []);
    harness.stop().await;
}

#[actix_web::test]
async fn client_prompt_id_must_be_a_uuid() {
    let harness = Harness::start().await;
    for wrong in [json!(123), json!("x"), json!("AAAAAAAA-1111-4111-8111-111111111111"), json!(null)] {
        let body = json!({"prompt": picture(1), "prompt_id": wrong}).to_string();
        let answer = harness.post("/prompt", body).await;
        assert_eq!(answer.status(), 400, "{wrong}");
        assert_eq!(answer.json::<Json>().await.unwrap()["error"]["type"], "invalid_prompt_id", "{wrong}");
    }
    assert_eq!(submit(&harness, picture(1), json!({"prompt_id": WORKFLOW})).await, WORKFLOW);
    harness.stop().await;
}
