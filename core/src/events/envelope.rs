//! An event as it is told: by the feed and in a webhook's body, word for word the same.
//!
//! The three fields are those of Standard Webhooks (`spec/standard-webhooks.md`): type, time and data.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::{Map, Value};

use super::event::{Event, EventKind};
use crate::ids::{BatchId, EventId, JobId, WorkflowApiId};

/// An event for those outside.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Envelope {
    /// The same for the feed, for webhooks, and for each attempt to deliver one.
    pub id: EventId,
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When it happened.
    pub timestamp: String,
    /// What it is about, what is to be said of it, and `links` to the rest.
    pub data: Map<String, Value>,
}

/// Puts an event into words. `workflow_api` is the one of the version that its job ran; `base` is where this installation
/// can be reached.
#[must_use]
pub fn envelope(event: &Event, workflow_api: Option<WorkflowApiId>, base: &str) -> Envelope {
    let mut data = Map::new();
    let about = &event.about;
    let workflow_api = about.workflow_api.or(workflow_api);
    let mut name = |field: &str, id: Option<String>| drop(data.insert(field.to_owned(), id.into()));
    match event.kind {
        EventKind::Test => {}
        EventKind::BatchFinished => name("batch", about.batch.map(|id| id.to_string())),
        EventKind::WorkflowApiSaved | EventKind::WorkflowApiDeleted => {
            name("workflowApi", workflow_api.map(|id| id.to_string()));
        }
        _ => {
            name("job", about.job.map(|id| id.to_string()));
            name("workflowApi", workflow_api.map(|id| id.to_string()));
            name("batch", about.batch.map(|id| id.to_string()));
        }
    }
    if let Ok(Value::Object(facts)) = serde_json::from_str(event.data.get()) {
        data.extend(facts);
    }
    let links = links(event, workflow_api, base);
    if !links.is_empty() {
        data.insert("links".to_owned(), links.into());
    }
    Envelope { id: event.id, kind: event.kind.name(), timestamp: written(event.at), data }
}

/// Where a program reads more, and where a person sees it.
fn links(event: &Event, workflow_api: Option<WorkflowApiId>, base: &str) -> Map<String, Value> {
    let mut links = Map::new();
    let mut link = |name: &str, path: String| drop(links.insert(name.to_owned(), format!("{base}{path}").into()));
    let ended = matches!(event.kind, EventKind::JobDone | EventKind::JobFailed | EventKind::JobCanceled);
    let job: Option<JobId> = event.about.job;
    let batch: Option<BatchId> = event.about.batch;
    if let Some(job) = job {
        link("job", format!("/api/general/job/{job}"));
        if ended {
            link("outputs", format!("/api/general/job/{job}/api-outputs"));
        }
        link("page", format!("/jobs/{job}"));
    } else if let Some(batch) = batch {
        link("batch", format!("/api/general/job/batch/{batch}"));
        link("page", format!("/jobs?batch={batch}"));
    } else if let (Some(app), EventKind::WorkflowApiSaved) = (workflow_api, event.kind) {
        link("workflowApi", format!("/api/general/workflow-api/{app}"));
        link("page", format!("/easy-app/{app}"));
    }
    links
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::RawValue;
    use uuid::Uuid;

    use super::*;
    use crate::events::About;
    use crate::ids::UserId;

    fn event(kind: EventKind, about: About, data: &str) -> Event {
        let data = RawValue::from_string(data.to_owned()).expect("JSON");
        let at = "2026-01-02T03:04:05.678Z".parse().expect("a time");
        Event { id: EventId(Uuid::nil()), position: 1, kind, user: UserId(Uuid::nil()), about, data, at }
    }

    #[test]
    fn an_event_says_what_it_is_about_and_where_the_rest_is() {
        let id = Uuid::from_u128(7);
        let about = About { job: Some(JobId(id)), ..About::default() };
        let told = envelope(
            &event(EventKind::JobDone, about, r#"{"status":"Done"}"#),
            Some(WorkflowApiId(id)),
            "https://verdi.example",
        );
        assert_eq!(
            serde_json::to_value(&told).expect("JSON"),
            json!({
                "id": Uuid::nil(), "type": "job.done", "timestamp": "2026-01-02T03:04:05.678Z",
                "data": {
                    "job": id, "workflowApi": id, "batch": null, "status": "Done",
                    "links": {
                        "job": format!("https://verdi.example/api/general/job/{id}"),
                        "outputs": format!("https://verdi.example/api/general/job/{id}/api-outputs"),
                        "page": format!("https://verdi.example/jobs/{id}"),
                    },
                },
            })
        );
    }

    #[test]
    fn what_is_gone_has_no_links_and_a_test_is_about_nothing() {
        let about = About { workflow_api: Some(WorkflowApiId(Uuid::nil())), ..About::default() };
        let gone = envelope(&event(EventKind::WorkflowApiDeleted, about, "{}"), None, "");
        assert_eq!(gone.data.keys().collect::<Vec<_>>(), ["workflowApi"]);
        assert!(envelope(&event(EventKind::Test, About::default(), "{}"), None, "").data.is_empty());
    }
}
