//! An event as the feed and webhooks send it; both send the same JSON.
//!
//! The fields follow Standard Webhooks (`spec/standard-webhooks.md`): type, timestamp and data.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::{Map, Value};

use super::event::{Event, EventKind};
use crate::ids::{BatchId, EventId, JobId, WorkflowApiId};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Envelope {
    /// The same in the feed, in webhooks, and for each delivery attempt.
    pub id: EventId,
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When it happened.
    pub timestamp: String,
    /// The subject, the event's own fields, and `links`.
    pub data: Map<String, Value>,
}

/// Builds the envelope of an event. `workflow_api` is the app of the version that the event's job ran; `base` is this
/// installation's public URL.
#[must_use]
pub fn envelope(event: &Event, workflow_api: Option<WorkflowApiId>, base: &str) -> Envelope {
    let mut data = Map::new();
    let about = &event.about;
    let workflow_api = about.workflow_api.or(workflow_api);
    let mut name = |field: &str, id: Option<String>| drop(data.insert(field.to_owned(), id.into()));
    match event.kind {
        EventKind::Test => {}
        EventKind::BatchFinished => {
            name("batch", about.batch.map(|id| id.to_string()));
            name("workflowApi", workflow_api.map(|id| id.to_string()));
        }
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
    Envelope { id: event.id, kind: event.kind.name(), timestamp: timestamp(event.at), data }
}

/// API links for programs, and a page link for people.
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

fn timestamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::RawValue;
    use uuid::Uuid;

    use super::*;
    use crate::events::EventSubject;
    use crate::ids::UserId;

    fn event(kind: EventKind, about: EventSubject, data: &str) -> Event {
        let data = RawValue::from_string(data.to_owned()).expect("JSON");
        let at = "2026-01-02T03:04:05.678Z".parse().expect("a time");
        Event { id: EventId(Uuid::nil()), position: 1, kind, user: UserId(Uuid::nil()), about, data, at }
    }

    #[test]
    fn envelope_has_subject_data_and_links() {
        let id = Uuid::from_u128(7);
        let about = EventSubject { job: Some(JobId(id)), ..EventSubject::default() };
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
    fn deleted_apps_and_test_events_have_no_links() {
        let about = EventSubject { workflow_api: Some(WorkflowApiId(Uuid::nil())), ..EventSubject::default() };
        let gone = envelope(&event(EventKind::WorkflowApiDeleted, about, "{}"), None, "");
        assert_eq!(gone.data.keys().collect::<Vec<_>>(), ["workflowApi"]);
        assert!(envelope(&event(EventKind::Test, EventSubject::default(), "{}"), None, "").data.is_empty());
    }
}
