//! The body of a submit.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use verdigraph_core::Error;
use verdigraph_core::jobs::JobLabels;

use super::errors::{ComfyError, Result};
use crate::extract;

/// The only key of `extra_data`: of an account at other services, which is neither stored nor sent to workers.
const PARTNER_KEY: &str = "api_key_comfy_org";

/// A job to submit.
#[derive(Debug)]
pub struct JobRequest {
    pub workflow: Box<RawValue>,
    pub labels: JobLabels,
}

#[derive(Deserialize)]
struct Body {
    workflow: Option<Box<RawValue>>,
    extra_data: Option<Value>,
    metadata: Option<Value>,
    webhook_url: Option<Value>,
    inputs: Option<Value>,
}

impl JobRequest {
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let Body { workflow, extra_data, metadata, webhook_url, inputs } = extract::parse_graph(bytes)?;
        let reserved = [("webhook_url", webhook_url.is_some()), ("inputs", inputs.is_some())];
        if let Some((field, _)) = reserved.into_iter().find(|(_, is_given)| *is_given) {
            return Err(invalid_workflow(field, "is reserved and not accepted"));
        }
        let workflow = workflow.filter(|workflow| workflow.get().starts_with('{'));
        let workflow = workflow.ok_or_else(|| invalid_workflow("workflow", "must be a graph in API format"))?;
        let is_closed = extra_data.is_none_or(|extra| match extra {
            Value::Object(extra) => extra.iter().all(|(key, value)| key == PARTNER_KEY && value.is_string()),
            _ => false,
        });
        if !is_closed {
            let message = format!("must be an object with no other key than {PARTNER_KEY}, a text");
            return Err(Error::invalid("extra_data", message).into());
        }
        Ok(Self { workflow, labels: labels(metadata)? })
    }
}

fn invalid_workflow(field: &str, message: &str) -> ComfyError {
    ComfyError::from(Error::invalid(field, message)).coded(StatusCode::UNPROCESSABLE_ENTITY, "invalid_workflow")
}

/// The labels of a job are its `metadata`.
fn labels(metadata: Option<Value>) -> Result<JobLabels> {
    let refused = |error: Error| ComfyError::from(error).coded(StatusCode::UNPROCESSABLE_ENTITY, "metadata_invalid");
    let Some(metadata) = metadata else { return Ok(JobLabels::default()) };
    let labels: BTreeMap<String, String> = serde_json::from_value(metadata)
        .map_err(|_| refused(Error::invalid("metadata", "must be an object of texts")))?;
    JobLabels::new("metadata", labels).map_err(refused)
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError as _;
    use serde_json::json;

    use super::*;

    #[test]
    fn graph_and_labels_are_read_as_they_are() {
        let body = br#"{"workflow": {"1": {"inputs": {"a": 1.0}}}, "metadata": {"run": "7"}, "extra_data":
                       {"api_key_comfy_org": "key"}, "later": true}"#;
        let read = JobRequest::read(body).expect("a request");
        assert_eq!(read.workflow.get(), r#"{"1": {"inputs": {"a": 1.0}}}"#);
        assert_eq!(read.labels.into_map(), BTreeMap::from([("run".to_owned(), "7".to_owned())]));
        for absent in [r#"{"workflow": {}}"#, r#"{"workflow": {}, "metadata": null, "extra_data": {}}"#] {
            assert!(JobRequest::read(absent.as_bytes()).expect("a request").labels.is_empty());
        }
    }

    #[test]
    fn faults_have_the_codes_of_the_api_and_name_their_field() {
        for (body, status, code, field) in [
            ("nonsense", 400, "invalid_request", "body"),
            ("{}", 422, "invalid_workflow", "workflow"),
            (r#"{"workflow": null}"#, 422, "invalid_workflow", "workflow"),
            (r#"{"workflow": []}"#, 422, "invalid_workflow", "workflow"),
            (r#"{"workflow": {}, "webhook_url": "https://example.com"}"#, 422, "invalid_workflow", "webhook_url"),
            (r#"{"workflow": {}, "inputs": {}}"#, 422, "invalid_workflow", "inputs"),
            (r#"{"workflow": {}, "extra_data": {"other": 1}}"#, 400, "invalid_request", "extra_data"),
            (r#"{"workflow": {}, "extra_data": {"api_key_comfy_org": 1}}"#, 400, "invalid_request", "extra_data"),
            (r#"{"workflow": {}, "metadata": {"run": 7}}"#, 422, "metadata_invalid", "metadata"),
            (r#"{"workflow": {}, "metadata": {"a b": ""}}"#, 422, "metadata_invalid", "metadata"),
        ] {
            let error = JobRequest::read(body.as_bytes()).expect_err(body);
            assert_eq!(error.status_code(), status, "{body}");
            assert!(error.to_string().starts_with(&format!("{code}: ")), "{body}: {error}");
            assert_eq!(error.details().and_then(|details| details.pointer("/fields/0/field")), Some(&json!(field)));
        }
    }
}
