//! Parses one line of a batch.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use uuid::Uuid;
use verdigraph_core::Error;
use verdigraph_core::graph::read_lenient;
use verdigraph_core::ids::{AssetId, WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::jobs::{BatchItem, FormSubmit, JobLabels, PromptSubmit, RunTerms};

use crate::extract::{self, without_mark};
use crate::moment::Moment;
use crate::openapi::ToSchema;
use crate::terms::TermsQuery;
use crate::views::words::PriceClassWord;

/// One item of a batch: a mini app with a form, or a raw prompt.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ItemBody {
    /// The item's idempotency key: 1 to 255 visible ASCII characters.
    #[schema(min_length = 1, max_length = 255)]
    key: String,
    /// The mini app to run.
    #[serde(default)]
    workflow_api: Option<Uuid>,
    /// The version of the mini app; the current one by default.
    #[serde(default)]
    version: Option<Uuid>,
    /// Its form: API field name → value.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    form: Option<Map<String, Value>>,
    /// A prompt in ComfyUI's API format: node id → node.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    prompt: Option<Box<RawValue>>,
    /// The uploaded asset for each file name in the prompt.
    #[serde(default)]
    files: Option<HashMap<String, Uuid>>,
    /// `extra_pnginfo` and the like, for the worker.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    extra_data: Option<Box<RawValue>>,
    /// Refuses the prompt where any of its outputs cannot be made.
    #[serde(default)]
    strict: Option<bool>,
    /// The most that the job may cost.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    max_credits: Option<i64>,
    /// As the parameter of that name, which is the default.
    #[serde(default)]
    #[schema(value_type = Option<PriceClassWord>)]
    price_class: Option<String>,
    /// As the parameter of that name, which is the default.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    deadline: Option<Moment>,
    #[serde(default)]
    #[schema(schema_with = crate::routes::jobs::labels)]
    labels: BTreeMap<String, String>,
}

/// Why a line is not a valid item, with its key if it could be parse.
#[derive(Debug)]
pub struct InvalidItem {
    pub key: Option<String>,
    pub error: Error,
}

/// Parses a line. `defaults` are the terms of items without their own.
pub fn parse(line: &[u8], defaults: &RunTerms) -> Result<(String, BatchItem), Box<InvalidItem>> {
    let body: ItemBody =
        extract::parse_graph(line).map_err(|error| Box::new(InvalidItem { key: key_of(line), error }))?;
    let ItemBody {
        key,
        workflow_api,
        version,
        form,
        prompt,
        files,
        extra_data,
        strict,
        max_credits,
        price_class,
        deadline,
        labels,
    } = body;
    let terms = TermsQuery { max_credits, price_class, deadline };
    let run = RunParts { workflow_api, version, form, prompt, files, extra_data, strict, terms, labels };
    match run.item(Some(key.clone()), defaults) {
        Ok(item) => Ok((key, item)),
        Err(error) => Err(Box::new(InvalidItem { key: Some(key), error })),
    }
}

/// What an item says of its run.
#[derive(Debug)]
pub struct RunParts {
    pub workflow_api: Option<Uuid>,
    pub version: Option<Uuid>,
    pub form: Option<Map<String, Value>>,
    pub prompt: Option<Box<RawValue>>,
    pub files: Option<HashMap<String, Uuid>>,
    pub extra_data: Option<Box<RawValue>>,
    pub strict: Option<bool>,
    pub terms: TermsQuery,
    pub labels: BTreeMap<String, String>,
}

impl RunParts {
    /// A mini app with a form, or a prompt. `defaults` are for what its terms leave open.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the field.
    pub fn item(self, idempotency_key: Option<String>, defaults: &RunTerms) -> Result<BatchItem, Error> {
        let Self { workflow_api, version, form, prompt, files, extra_data, strict, terms, labels } = self;
        let terms = terms.read(defaults)?;
        let labels = JobLabels::new("labels", labels)?;
        match (workflow_api, prompt) {
            (Some(app), None) => {
                let stray =
                    [("files", files.is_some()), ("extraData", extra_data.is_some()), ("strict", strict.is_some())];
                if let Some((field, _)) = stray.into_iter().find(|(_, given)| *given) {
                    return Err(Error::invalid(field, "belongs to a prompt, not to a mini app"));
                }
                let (app, version) = (WorkflowApiId(app), version.map(WorkflowApiVersionId));
                let form = form.unwrap_or_default();
                let submit = FormSubmit { app, version, form, terms, idempotency_key, batch: None, labels };
                Ok(BatchItem::Form(submit))
            }
            (None, Some(_)) if version.is_some() => {
                Err(Error::invalid("version", "belongs to a mini app, not to a prompt"))
            }
            (None, Some(prompt)) if form.is_none() => {
                let files = files.unwrap_or_default().into_iter().map(|(name, asset)| (name, AssetId(asset))).collect();
                let strict = strict.unwrap_or_default();
                let batch = None;
                let submit = PromptSubmit { prompt, files, extra_data, strict, terms, idempotency_key, batch, labels };
                Ok(BatchItem::Prompt(submit))
            }
            (None, Some(_)) => Err(Error::invalid("form", "belongs to a mini app, not to a prompt")),
            (Some(_), Some(_)) => Err(Error::invalid("prompt", "an item has a workflowApi or a prompt, not both")),
            (None, None) => Err(Error::invalid("workflowApi", "an item needs a workflowApi or a prompt")),
        }
    }
}

/// The key of an invalid line, so that its sender can find it.
fn key_of(line: &[u8]) -> Option<String> {
    let value: Value = read_lenient(without_mark(line)).ok()?;
    Some(value.get("key")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> (Option<String>, String) {
        let InvalidItem { key, error } = *parse(line.as_bytes(), &RunTerms::default()).expect_err(line);
        match error {
            Error::Invalid { field, .. } => (key, field),
            other => panic!("{line}: {other}"),
        }
    }

    #[test]
    fn invalid_line_is_refused_with_its_field() {
        let id = Uuid::now_v7();
        let app = format!(r#"{{"key":"a","workflowApi":"{id}""#);
        for (line, field) in [
            (r#"{"prompt":{}}"#.to_owned(), "key"),
            (r#"{"key":"a"}"#.to_owned(), "workflowApi"),
            (r#"{"key":"a","prompt":{},"more":1}"#.to_owned(), "more"),
            (r#"{"key":"a","prompt":{},"form":{}}"#.to_owned(), "form"),
            (format!(r#"{{"key":"a","prompt":{{}},"version":"{id}"}}"#), "version"),
            (r#"{"key":"a","prompt":{},"maxCredits":0}"#.to_owned(), "maxCredits"),
            (r#"{"key":"a","prompt":{},"priceClass":"cheap"}"#.to_owned(), "priceClass"),
            (r#"{"key":"a","prompt":{},"deadline":"07:00"}"#.to_owned(), "deadline"),
            (r#"{"key":"a","prompt":{},"labels":{"a b":""}}"#.to_owned(), "labels"),
            (format!(r#"{app},"prompt":{{}}}}"#), "prompt"),
            (format!(r#"{app},"files":{{}}}}"#), "files"),
            (format!(r#"{app},"form":{{}}"#), "body"),
            ("nonsense".to_owned(), "body"),
        ] {
            let (_, found) = refused(&line);
            assert!(found == field || (field == "key" && found == "body"), "{line}: {found}");
        }
        assert!(
            parse(b"{\"key\":\"\xff\",\"prompt\":{}}", &RunTerms::default()).is_err(),
            "bytes that are no text were taken"
        );
        assert_eq!(refused(r#"{"key":"mine","prompt":{},"more":1}"#).0.as_deref(), Some("mine"));
    }

    #[test]
    fn app_needs_no_form_and_prompt_no_files() {
        let id = Uuid::now_v7();
        let (key, item) =
            parse(format!(r#"{{"key":"a","workflowApi":"{id}"}}"#).as_bytes(), &RunTerms::default()).unwrap();
        assert!(key == "a" && matches!(item, BatchItem::Form(FormSubmit { app, .. }) if app.0 == id));
        let (_, item) = parse(br#"{"key":"b","prompt":{"1":{"x": [-0.0, "\ud83d"]}}}"#, &RunTerms::default()).unwrap();
        let BatchItem::Prompt(PromptSubmit { idempotency_key: Some(key), prompt, .. }) = item else {
            panic!("a prompt")
        };
        assert_eq!((key.as_str(), prompt.get()), ("b", r#"{"1":{"x": [-0.0, "\ud83d"]}}"#), "it is kept as written");
    }
}
