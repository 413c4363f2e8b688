//! The body of `POST /prompt`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::Error;
use verdigraph_core::graph::Refusal;
use verdigraph_core::jobs::PromptCall;

use crate::editor::dialect::Dialect;
use crate::editor::files::HASH;
use crate::extract;

/// The most characters of a socket's or graph's id.
const ID_CHARACTERS: usize = 200;
/// The client of a prompt that names none, from a client of Comfy Cloud: all sockets of such clients get its messages.
const ANY_CLIENT: &str = "*";
/// The longest text that may name a file.
const NAME_BYTES: usize = 600;
/// Accounts at other services, which are neither stored nor sent to workers.
const SECRETS: [&str; 2] = ["auth_token_comfy_org", "api_key_comfy_org"];

/// A prompt that may be submitted.
#[derive(Debug)]
pub struct SentPrompt {
    pub prompt: Box<RawValue>,
    pub extra_data: Box<RawValue>,
    pub call: PromptCall,
}

/// Why a body is no prompt.
#[derive(Debug, PartialEq, Eq)]
pub enum PromptFault {
    NotJson(String),
    NoPrompt,
    /// The editor's format instead of a prompt.
    EditorFormat,
    ExtraData,
    PromptId,
    PromptIdTaken,
    Number,
    Targets,
}

impl PromptFault {
    /// ComfyUI's error.
    #[must_use]
    pub fn body(&self) -> Value {
        let (kind, message, details) = match self {
            Self::NotJson(details) => ("invalid_json", "The body is not valid JSON", details.as_str()),
            Self::NoPrompt => ("no_prompt", "No prompt provided", "No prompt provided"),
            Self::EditorFormat => return Refusal::editor_format().to_value(),
            Self::ExtraData => ("invalid_extra_data", "extra_data must be an object", ""),
            Self::PromptId => (
                "invalid_prompt_id",
                "prompt_id must be a valid UUID",
                "prompt_id must be a UUID string in canonical lowercase hyphenated form; omit it to let the server \
                 generate one",
            ),
            Self::PromptIdTaken => {
                ("invalid_prompt_id", "prompt_id was used for another prompt", "omit it to let the server generate one")
            }
            Self::Number => ("invalid_number", "number must be a number", ""),
            Self::Targets => ("invalid_targets", "partial_execution_targets must be a list of node ids", ""),
        };
        let error = json!({ "type": kind, "message": message, "details": details, "extra_info": {} });
        json!({ "error": error, "node_errors": {} })
    }
}

#[derive(Deserialize)]
struct Body {
    prompt: Option<Box<RawValue>>,
    extra_data: Option<Box<RawValue>>,
    client_id: Option<Value>,
    prompt_id: Option<Value>,
    number: Option<Value>,
    front: Option<Value>,
    partial_execution_targets: Option<Value>,
    workflow_id: Option<Value>,
    /// Of a workflow file that was sent as it is.
    nodes: Option<Value>,
}

impl SentPrompt {
    /// # Errors
    /// A [`PromptFault`], which names what to change.
    pub fn read(bytes: &[u8], dialect: Dialect) -> Result<Self, PromptFault> {
        if matches!(bytes.trim_ascii_start().first(), Some(b'[')) {
            return Err(PromptFault::NoPrompt);
        }
        let not_json = |error: Error| PromptFault::NotJson(error.to_string());
        let body: Body = extract::parse_graph(bytes).map_err(not_json)?;
        let is_workflow = body.nodes.as_ref().is_some_and(Value::is_array);
        let prompt = match body.prompt {
            Some(prompt) => prompt,
            None if is_workflow => return Err(PromptFault::EditorFormat),
            None => return Err(PromptFault::NoPrompt),
        };
        if is_editor_format(&prompt) {
            return Err(PromptFault::EditorFormat);
        }
        let mut extra = match &body.extra_data {
            None => BTreeMap::new(),
            Some(extra) => fields(extra).ok_or(PromptFault::ExtraData)?,
        };
        for secret in SECRETS {
            extra.remove(secret);
        }
        let client_id = text(body.client_id)
            .or_else(|| extra.get("client_id").and_then(|id| text(value(id))))
            .or_else(|| (dialect == Dialect::Cloud).then(|| ANY_CLIENT.to_owned()));
        if let Some(id) = client_id.as_ref().and_then(|id| to_raw_value(id).ok()) {
            extra.insert("client_id".to_owned(), id);
        }
        let graph_id = || {
            let info = fields(extra.get("extra_pnginfo")?)?;
            let workflow = fields(info.get("workflow")?)?;
            text(value(workflow.get("id")?))
        };
        // Comfy Cloud ignores what would change the order of the queue.
        let (number, front) = match dialect {
            Dialect::Local => (body.number, body.front),
            Dialect::Cloud => (None, None),
        };
        let call = PromptCall {
            prompt_id: body.prompt_id.map(|id| prompt_id(&id).ok_or(PromptFault::PromptId)).transpose()?,
            workflow_id: text(body.workflow_id).or_else(graph_id),
            client_id,
            number: number.map(|number| as_number(&number).ok_or(PromptFault::Number)).transpose()?,
            front: front.is_some_and(|front| front == Value::Bool(true)),
            targets: body
                .partial_execution_targets
                .map(|ids| node_ids(&ids).ok_or(PromptFault::Targets))
                .transpose()?,
        };
        let extra_data = to_raw_value(&extra).map_err(|error| PromptFault::NotJson(error.to_string()))?;
        Ok(Self { prompt, extra_data, call })
    }
}

/// The fields of an object, with their texts.
fn fields(text: &RawValue) -> Option<BTreeMap<String, Box<RawValue>>> {
    serde_json::from_str(text.get()).ok()
}

fn value(text: &RawValue) -> Option<Value> {
    serde_json::from_str(text.get()).ok()
}

/// The editor's format has a list of nodes; a prompt has an object for each node.
#[must_use]
pub fn is_editor_format(prompt: &RawValue) -> bool {
    fields(prompt).is_some_and(|fields| fields.get("nodes").is_some_and(|nodes| nodes.get().starts_with('[')))
}

/// The text of an id. ComfyUI makes texts of numbers.
fn text(value: Option<Value>) -> Option<String> {
    let text = match value? {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    is_valid_id(&text).then_some(text)
}

/// Whether a client or a graph may have this id.
#[must_use]
pub fn is_valid_id(id: &str) -> bool {
    (1..=ID_CHARACTERS).contains(&id.chars().count()) && !id.contains('\0')
}

/// A UUID in its canonical form, as ComfyUI demands.
fn prompt_id(value: &Value) -> Option<Uuid> {
    let text = value.as_str()?;
    Uuid::parse_str(text).ok().filter(|id| id.to_string() == text)
}

fn as_number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    number.filter(|number| number.is_finite())
}

fn node_ids(value: &Value) -> Option<Vec<String>> {
    let ids = value.as_array()?.iter();
    ids.map(|id| match id {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    })
    .collect()
}

/// The texts of a prompt's inputs that may name files.
#[must_use]
pub fn file_names(prompt: &RawValue) -> BTreeSet<String> {
    fn collect(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::String(text) => {
                let may_name = text.len() <= NAME_BYTES && (text.contains('.') || text.starts_with(HASH));
                let may_name = may_name && !text.contains(['\n', '\0']);
                if may_name {
                    found.insert(text.clone());
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(fields) => fields.values().for_each(|field| collect(field, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut found = BTreeSet::new();
    let nodes: Value = value(prompt).unwrap_or_default();
    for node in nodes.as_object().into_iter().flat_map(|nodes| nodes.values()) {
        collect(node.get("inputs").unwrap_or(&Value::Null), &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<SentPrompt, PromptFault> {
        SentPrompt::read(body.as_bytes(), Dialect::Local)
    }

    #[test]
    fn faults_of_bodies_are_told_in_the_words_of_comfyui() {
        for (body, fault) in [
            ("{}", PromptFault::NoPrompt),
            ("[]", PromptFault::NoPrompt),
            (r#"{"client_id":"a"}"#, PromptFault::NoPrompt),
            (r#"{"prompt":null}"#, PromptFault::NoPrompt),
            (r#"{"prompt":{"nodes":[],"links":[]}}"#, PromptFault::EditorFormat),
            (r#"{"nodes":[],"links":[],"version":0.4}"#, PromptFault::EditorFormat),
            (r#"{"prompt":{},"extra_data":[]}"#, PromptFault::ExtraData),
            (r#"{"prompt":{},"prompt_id":123}"#, PromptFault::PromptId),
            (r#"{"prompt":{},"prompt_id":"11111111222233334444555555555555"}"#, PromptFault::PromptId),
            (r#"{"prompt":{},"number":"x"}"#, PromptFault::Number),
            (r#"{"prompt":{},"partial_execution_targets":"3"}"#, PromptFault::Targets),
        ] {
            assert_eq!(read(body).err(), Some(fault), "{body}");
        }
        assert!(matches!(read(r#"{"prompt": "#), Err(PromptFault::NotJson(_))));
        let body = PromptFault::NoPrompt.body();
        assert_eq!((&body["error"]["type"], &body["node_errors"]), (&json!("no_prompt"), &json!({})));
    }

    #[test]
    fn call_is_read_and_secrets_are_removed() {
        let body = r#"{"prompt":{"1":{}},"client_id":"a","prompt_id":"11111111-2222-3333-4444-555555555555","number":"7",
            "front":true,"partial_execution_targets":["3",4],"extra_data":{"client_id":"b","api_key_comfy_org":"k",
            "auth_token_comfy_org":"t","extra_pnginfo":{"workflow":{"id":"w","x":1.50}}}}"#;
        let SentPrompt { extra_data, call, .. } = read(body).expect("a prompt");
        assert_eq!(
            call,
            PromptCall {
                prompt_id: Some("11111111-2222-3333-4444-555555555555".parse().expect("an id")),
                client_id: Some("a".to_owned()),
                number: Some(7.0),
                front: true,
                targets: Some(vec!["3".to_owned(), "4".to_owned()]),
                workflow_id: Some("w".to_owned()),
            }
        );
        let extra = extra_data.get();
        assert!(extra.contains(r#""client_id":"a""#) && extra.contains("1.50"), "{extra}");
        assert!(!extra.contains("comfy_org"), "{extra}");
    }

    #[test]
    fn missing_parts_are_not_made_up() {
        let SentPrompt { extra_data, call, .. } = read(r#"{"prompt":{"1":{}},"client_id":""}"#).expect("a prompt");
        assert_eq!((extra_data.get(), call), ("{}", PromptCall::default()));
        // The worker sends its messages only for prompts that have a client.
        let cloud = SentPrompt::read(br#"{"prompt":{"1":{}}}"#, Dialect::Cloud).expect("a prompt");
        assert_eq!(
            (cloud.extra_data.get(), cloud.call.client_id.as_deref()),
            (r#"{"client_id":"*"}"#, Some(ANY_CLIENT))
        );
        let ordered = br#"{"prompt":{"1":{}},"number":"x","front":true,"extra_data":{"comfy_usage_source":"cli"}}"#;
        let cloud = SentPrompt::read(ordered, Dialect::Cloud).expect("the order of the queue is ignored there");
        assert_eq!((cloud.call.number, cloud.call.front), (None, false));
        assert!(cloud.extra_data.get().contains("comfy_usage_source"), "unknown keys are kept");
    }

    #[test]
    fn texts_that_may_be_files_are_found_in_all_places() {
        let prompt = r#"{"1":{"class_type":"A","inputs":{"image":"a.png [input]","text":"no file","list":["b.png",{"f":"c.wav"}],
            "link":["2",0],"prose":"one.\ntwo.","hash":"sha256:00"},"_meta":{"title":"d.png"}}}"#;
        let prompt = RawValue::from_string(prompt.to_owned()).expect("JSON");
        assert_eq!(
            file_names(&prompt).into_iter().collect::<Vec<_>>(),
            ["a.png [input]", "b.png", "c.wav", "sha256:00"]
        );
    }
}
