//! Queue and history as one list of jobs, for editors since 0.33.0.

use std::cmp::Reverse;
use std::collections::HashMap;

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Data, Path, Query};
use serde_json::{Map, Value as Json, json};
use verdigraph_core::graph::python;

use super::prompts::is_canonical;
use super::queue::QueuedPrompt;
use super::worker::Worker;

/// Values of the status filter.
const STATUSES: [&str; 5] = ["pending", "in_progress", "completed", "failed", "cancelled"];

/// A prompt as a job.
struct Job {
    status: &'static str,
    created_at: i64,
    /// Milliseconds from start to end; 0 before the end.
    took_ms: i64,
    shown: Map<String, Json>,
}

impl Job {
    fn new(id: &str, status: &'static str, number: &Json, extra_data: &Json) -> Self {
        let created_at = extra_data.get("create_time").and_then(Json::as_i64);
        let mut shown = Map::new();
        shown.insert("id".to_owned(), json!(id));
        shown.insert("status".to_owned(), json!(status));
        shown.insert("priority".to_owned(), number.clone());
        if let Some(created_at) = created_at {
            shown.insert("create_time".to_owned(), json!(created_at));
        }
        Self { status, created_at: created_at.unwrap_or_default(), took_ms: 0, shown }
    }

    /// A waiting or running prompt.
    fn of_item(item: &QueuedPrompt, status: &'static str) -> Self {
        let mut job = Self::new(&item.prompt_id, status, &item.number, &item.extra_data);
        job.show_outputs(&Json::Null);
        job.show_workflow_id(&item.extra_data);
        job
    }

    /// An ended prompt from history.
    fn of_entry(id: &str, entry: &Json) -> Self {
        let part = |path: &str| entry.pointer(path).unwrap_or(&Json::Null);
        let messages = part("/status/messages").as_array().map_or(&[][..], Vec::as_slice);
        let told = |kind: &str| messages.iter().find(|message| message.get(0).is_some_and(|told| told == kind));
        let status = match part("/status/status_str").as_str() {
            Some("success") => "completed",
            _ if told("execution_interrupted").is_some() => "cancelled",
            _ => "failed",
        };
        let mut job = Self::new(id, status, part("/prompt/0"), part("/prompt/3"));
        let at = |message: Option<&Json>| message?.pointer("/1/timestamp")?.as_i64();
        let (start, end) = (at(messages.first()), at(messages.last()));
        for (name, time) in [("execution_start_time", start), ("execution_end_time", end)] {
            if let Some(time) = time {
                job.shown.insert(name.to_owned(), json!(time));
            }
        }
        job.took_ms = start.zip(end).map_or(0, |(start, end)| end - start);
        if let Some(error) = told("execution_error").and_then(|message| message.get(1)) {
            job.shown.insert("execution_error".to_owned(), error.clone());
        }
        job.show_outputs(part("/outputs"));
        job.show_workflow_id(part("/prompt/3"));
        job
    }

    /// Counts files, not texts. Prefers a stored file over a temporary one as preview.
    fn show_outputs(&mut self, outputs: &Json) {
        let nodes = outputs.as_object().into_iter().flatten();
        let lists = nodes.flat_map(|(id, output)| output.as_object().into_iter().flatten().map(move |list| (id, list)));
        let files: Vec<(&String, &String, &Json)> = lists
            .flat_map(|(id, (kind, files))| files.as_array().into_iter().flatten().map(move |file| (id, kind, file)))
            .filter(|(_, _, file)| file.get("filename").is_some())
            .collect();
        self.shown.insert("outputs_count".to_owned(), json!(files.len()));
        self.shown.insert("previewable_outputs_count".to_owned(), json!(files.len()));
        let kept = files.iter().find(|(_, _, file)| file.get("type").is_some_and(|kind| kind == "output"));
        if let Some((id, kind, file)) = kept.or(files.first()) {
            let mut shown = (*file).clone();
            shown["nodeId"] = json!(id);
            shown["mediaType"] = json!(kind);
            self.shown.insert("preview_output".to_owned(), shown);
        }
    }

    fn show_workflow_id(&mut self, extra_data: &Json) {
        if let Some(id) = extra_data.pointer("/extra_pnginfo/workflow/id").filter(|id| !id.is_null()) {
            self.shown.insert("workflow_id".to_owned(), id.clone());
        }
    }
}

/// All jobs: running, waiting in queue order, ended.
fn all(worker: &Worker) -> Vec<Job> {
    let (running, pending) = worker.queue.items();
    let ended = worker.history.entries();
    // A prompt enters history shortly before it leaves the queue.
    let running = running.into_iter().filter(|item| !ended.iter().any(|(id, _)| *id == item.prompt_id));
    let mut jobs: Vec<Job> = running.map(|item| Job::of_item(&item, "in_progress")).collect();
    jobs.extend(pending.iter().map(|item| Job::of_item(item, "pending")));
    jobs.extend(ended.iter().map(|(id, entry)| Job::of_entry(id, entry)));
    jobs
}

/// Filter and order of a job list.
#[derive(Default)]
struct JobQuery {
    statuses: Vec<String>,
    workflow_id: Option<String>,
    is_by_duration: bool,
    is_ascending: bool,
    limit: Option<usize>,
    offset: usize,
}

impl JobQuery {
    fn read(query: &HashMap<String, String>) -> Result<Self, String> {
        let text = |name: &str| query.get(name).map(String::as_str).filter(|text| !text.is_empty());
        let statuses: Vec<String> = text("status").into_iter().flat_map(|text| text.split(',')).map(plain).collect();
        let unknown: Vec<&str> =
            statuses.iter().map(String::as_str).filter(|status| !STATUSES.contains(status)).collect();
        if !unknown.is_empty() {
            let (unknown, known) = (unknown.join(", "), STATUSES.join(", "));
            return Err(format!("Invalid status value(s): {unknown}. Valid values: {known}"));
        }
        let is_by_duration = match text("sort_by") {
            None | Some("created_at") => false,
            Some("execution_duration") => true,
            Some(_) => return Err("sort_by must be 'created_at' or 'execution_duration'".to_owned()),
        };
        let is_ascending = match text("sort_order") {
            None | Some("desc") => false,
            Some("asc") => true,
            Some(_) => return Err("sort_order must be 'asc' or 'desc'".to_owned()),
        };
        let number = |name: &str| {
            let number = query.get(name).map(|text| text.trim().parse::<i64>()).transpose();
            number.map_err(|_| format!("{name} must be an integer"))
        };
        let limit = number("limit")?;
        if limit.is_some_and(|limit| limit <= 0) {
            return Err("limit must be a positive integer".to_owned());
        }
        let size = |number: i64| usize::try_from(number.max(0)).unwrap_or(usize::MAX);
        Ok(Self {
            statuses,
            workflow_id: text("workflow_id").map(str::to_owned),
            is_by_duration,
            is_ascending,
            limit: limit.map(size),
            offset: number("offset")?.map_or(0, size),
        })
    }

    fn wants(&self, job: &Job) -> bool {
        let is_of_status = self.statuses.is_empty() || self.statuses.iter().any(|status| status == job.status);
        let wanted = self.workflow_id.as_deref();
        is_of_status && wanted.is_none_or(|wanted| job.shown.get("workflow_id").is_some_and(|id| id == wanted))
    }
}

fn plain(text: &str) -> String {
    text.trim().to_owned()
}

fn refused(reason: &str) -> HttpResponse {
    HttpResponse::BadRequest().json(json!({"error": reason}))
}

pub(super) async fn list(worker: Data<Worker>, query: Query<HashMap<String, String>>) -> HttpResponse {
    let asked = match JobQuery::read(&query) {
        Ok(asked) => asked,
        Err(reason) => return refused(&reason),
    };
    let mut jobs = all(&worker);
    jobs.retain(|job| asked.wants(job));
    let by = |job: &Job| if asked.is_by_duration { job.took_ms } else { job.created_at };
    if asked.is_ascending {
        jobs.sort_by_key(by);
    } else {
        jobs.sort_by_key(|job| Reverse(by(job)));
    }
    let (total, offset) = (jobs.len(), asked.offset);
    let shown = jobs.into_iter().skip(offset).take(asked.limit.unwrap_or(usize::MAX));
    let shown: Vec<Map<String, Json>> = shown.map(|job| job.shown).collect();
    let has_more = offset.saturating_add(shown.len()) < total && !shown.is_empty();
    let pagination = json!({"offset": offset, "limit": asked.limit, "total": total, "has_more": has_more});
    HttpResponse::Ok().json(json!({"jobs": shown, "pagination": pagination}))
}

pub(super) async fn one(worker: Data<Worker>, id: Path<String>) -> HttpResponse {
    if let Some(entry) = worker.history.one(&id).get(id.as_str()) {
        let part = |path: &str| entry.pointer(path).cloned().unwrap_or_default();
        let mut shown = Job::of_entry(&id, entry).shown;
        shown.insert("outputs".to_owned(), part("/outputs"));
        shown.insert("execution_status".to_owned(), part("/status"));
        shown.insert("workflow".to_owned(), json!({"prompt": part("/prompt/2"), "extra_data": part("/prompt/3")}));
        return HttpResponse::Ok().json(shown);
    }
    let (running, pending) = worker.queue.items();
    let running = running.iter().map(|item| (item, "in_progress"));
    let mut waiting_or_running = running.chain(pending.iter().map(|item| (item, "pending")));
    match waiting_or_running.find(|(item, _)| item.prompt_id == *id) {
        Some((item, status)) => HttpResponse::Ok().json(Job::of_item(item, status).shown),
        None => HttpResponse::NotFound().json(json!({"error": "Job not found"})),
    }
}

/// Cancels a job. Returns whether there was one to cancel.
fn stop(worker: &Worker, id: &str) -> bool {
    worker.queue.delete(id) || worker.queue.interrupt(Some(id))
}

pub(super) async fn cancel(worker: Data<Worker>, id: Path<String>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"cancelled": stop(&worker, &id)}))
}

/// POST /api/jobs/cancel: `job_ids`
pub(super) async fn cancel_all(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let Ok(body) = serde_json::from_slice::<Json>(&body) else {
        return refused("Request body must be valid JSON");
    };
    let Some(ids) = body.get("job_ids").and_then(Json::as_array) else {
        return refused("job_ids must be a list");
    };
    let invalid: Vec<String> = ids.iter().filter(|id| !is_canonical(id)).map(python::text).collect();
    if !invalid.is_empty() {
        let refusal = json!({"error": "job_ids contains invalid id(s)", "invalid_ids": invalid});
        return HttpResponse::BadRequest().json(refusal);
    }
    let stopped = ids.iter().filter_map(Json::as_str).filter(|id| stop(&worker, id)).count();
    HttpResponse::Ok().json(json!({"cancelled": stopped > 0}))
}
