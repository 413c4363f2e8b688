//! Reads recordings of real servers as scripts: the answer to each posted prompt, the messages to its client until its
//! end, and its history entry.

use std::path::Path;

use bytes::Bytes;
use serde_json::{Value, json};

use verdigraph_workers::comfy::{HistoryEntry, PromptEnd, json as lenient};

use crate::run::{NAN, Run, Step, THIS_PROMPT, text};

/// One recorded session.
#[derive(Debug, Clone)]
pub struct Trace {
    events: Vec<Value>,
}

/// One prompt of a recording.
#[derive(Debug, Clone)]
pub struct Case {
    /// Line of the recording, starting at 1.
    pub line: usize,
    pub prompt: Value,
    pub run: Run,
    pub expected: Expected,
}

/// The expected end of a recorded prompt, for a client that stops the same prompts.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    Finished,
    Refused(Value),
    /// 5xx.
    ProtocolError,
    Failed,
    /// The client stops it when the script waits for that.
    Interrupted,
    /// The server died or lost the prompt.
    Lost,
}

impl Trace {
    pub fn read(path: &Path) -> std::io::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let events = text
            .lines()
            .filter(|line| !line.is_empty())
            .map(|line| {
                serde_json::from_str(&line.replace(": NaN", &format!(": {NAN}")).replace("[NaN", &format!("[{NAN}")))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { events })
    }

    /// All events.
    #[must_use]
    pub fn events(&self) -> &[Value] {
        &self.events
    }

    /// Successful answers to GET requests without a query, by path.
    pub fn answers(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.of("http_response").filter_map(|(_, event)| {
            let asked = event["method"] == "GET" && event["status"] == 200;
            asked.then(|| event["path"].as_str().zip(event.get("json"))).flatten()
        })
    }

    /// Text messages to any client, in order.
    pub fn messages(&self) -> impl Iterator<Item = Step> {
        self.of("ws_text").map(|(_, event)| Step::Text(event["msg"].clone()))
    }

    /// All posted prompts.
    #[must_use]
    pub fn cases(&self) -> Vec<Case> {
        self.of("http_request")
            .filter(|(_, event)| event["method"] == "POST" && is(event, "path", &["/prompt", "/api/prompt"]))
            .filter_map(|(index, request)| self.case(index, request))
            .collect()
    }

    fn case(&self, index: usize, request: &Value) -> Option<Case> {
        // Bodies that are not valid JSON were recorded as text.
        let raw = request.get("body").and_then(Value::as_str);
        let read = |raw: &str| lenient::read::<Value>(raw.as_bytes()).ok();
        let body = request.get("json").cloned().or_else(|| raw.and_then(read)).unwrap_or_default();
        let prompt = body.get("prompt").filter(|prompt| prompt.is_object()).cloned().unwrap_or_else(|| json!({}));
        let answered = |(_, event): &(usize, &Value)| event["method"] == "POST" && event["path"] == request["path"];
        let end = self.of("http_exception").map(|(at, _)| at).find(|at| *at > index).unwrap_or(usize::MAX);
        let (_, response) =
            self.of("http_response").filter(|(at, _)| *at > index).find(answered).filter(|(at, _)| *at < end)?;
        let status = u16::try_from(response["status"].as_u64()?).ok()?;
        let text_body = response.get("body").and_then(Value::as_str).map(str::to_owned);
        let id = response.pointer("/json/prompt_id").and_then(Value::as_str);
        let (Some(id), 200) = (id, status) else {
            let answer = response.get("json").cloned();
            let raw = answer.as_ref().map(Value::to_string).or(text_body).unwrap_or_default();
            let expected = match answer {
                Some(answer) if status == 400 => Expected::Refused(answer),
                _ => Expected::ProtocolError,
            };
            let run = Run { refusal: Some((status, raw)), ..Run::default() };
            return Some(Case { line: index + 1, prompt, run, expected });
        };
        let client_id = body.get("client_id").or_else(|| body.pointer("/extra_data/client_id")).and_then(Value::as_str);
        let (run, expected) = self.run(index, id, client_id);
        Some(Case { line: index + 1, prompt, run, expected })
    }

    /// The events from the post to the last one about the prompt.
    fn run(&self, index: usize, id: &str, client_id: Option<&str>) -> (Run, Expected) {
        let history = self.history(id);
        let sockets = self.sockets(index, client_id);
        let own = client_id.is_some_and(|client_id| !self.named(client_id).is_empty());
        let mut steps: Vec<Step> = Vec::new();
        let mut expected = None;
        for (at, event) in self.events.iter().enumerate().skip(index + 1) {
            let ours = sockets.iter().any(|label| event["client"] == *label);
            match event["kind"].as_str() {
                Some("ws_text") if ours => {
                    let message = &event["msg"];
                    let about_us = message.pointer("/data/prompt_id").and_then(Value::as_str) == Some(id);
                    if let Some(end) = message["type"].as_str().and_then(end).filter(|_| about_us) {
                        expected = Some(end);
                    }
                    steps.push(Step::Text(replaced(message, id)));
                    // Messages after the end belong to this prompt, but not those of the next prompt.
                    if expected.is_some() && about_us && message["type"] == "executing" {
                        break;
                    }
                }
                Some("ws_binary") if ours => steps.extend(binary(event, id)),
                Some("ws_closed") if ours => {
                    steps.push(Step::CutSocket);
                    let again =
                        self.events.iter().skip(at).any(|event| event["kind"] == "ws_open" && names(event, client_id));
                    if again {
                        steps.push(Step::AwaitSocket);
                    }
                }
                Some("signal") => {
                    steps.push(Step::Kill);
                    return (
                        Run { steps, history: None, unrecorded: true, refusal: None, node_errors: None },
                        Expected::Lost,
                    );
                }
                Some("http_request") if event["path"] == "/interrupt" && self.is_interrupted(id, history) => {
                    let wanted = event.pointer("/json/prompt_id").and_then(Value::as_str);
                    let started = steps.iter().any(|step| step.kind() == Some("execution_start"));
                    let waits = steps.iter().any(|step| matches!(step, Step::AwaitInterrupt));
                    if !waits && (wanted == Some(id) || (wanted.is_none() && (started || !own))) {
                        steps.push(Step::AwaitInterrupt);
                    }
                }
                Some("http_request") if event["path"] == "/queue" && event["method"] == "POST" => {
                    let started = self.is_started(id);
                    let deleted = event.pointer("/json/delete").and_then(Value::as_array);
                    if !started && history.is_none() && deleted.is_some_and(|ids| ids.iter().any(|known| known == id)) {
                        let run = Run {
                            steps: vec![Step::AwaitDelete],
                            history: None,
                            unrecorded: true,
                            refusal: None,
                            node_errors: None,
                        };
                        return (run, Expected::Interrupted);
                    }
                    if !started && history.is_none() && event.pointer("/json/clear") == Some(&Value::Bool(true)) {
                        let run = Run {
                            steps: vec![Step::Vanish],
                            history: None,
                            unrecorded: true,
                            refusal: None,
                            node_errors: None,
                        };
                        return (run, Expected::Lost);
                    }
                }
                // The newer jobs API removes a waiting prompt without a message.
                Some("http_request") if self.cancels(event, id) => {
                    if self.is_started(id) {
                        steps.push(Step::AwaitInterrupt);
                    } else if history.is_none() {
                        let run = Run {
                            steps: vec![Step::Vanish],
                            history: None,
                            unrecorded: true,
                            refusal: None,
                            node_errors: None,
                        };
                        return (run, Expected::Lost);
                    }
                }
                // No client received its end: the history had been asked for, or it did not matter.
                Some("http_request") if !own && asks_for(event, id) => break,
                _ => {}
            }
        }
        let recorded = history.and_then(ended).map(|ended| match ended.end {
            PromptEnd::Success => Expected::Finished,
            PromptEnd::Error(_) => Expected::Failed,
            PromptEnd::Interrupted => Expected::Interrupted,
        });
        let expected = expected.or(recorded).unwrap_or(Expected::Finished);
        if !own {
            // No client received messages about this prompt, so this one does not either.
            steps.insert(0, Step::ForgetSocket);
        }
        let told = steps.iter().any(|step| match step {
            Step::Text(message) => message["data"]["prompt_id"] == THIS_PROMPT && step.kind().and_then(end).is_some(),
            _ => false,
        });
        if history.is_none() && !told {
            // The recording ends before the prompt.
            steps.push(text("execution_success", json!({"prompt_id": THIS_PROMPT, "timestamp": null})));
        }
        let history = history.map(|entry| replaced(entry, id));
        (Run { refusal: None, node_errors: None, steps, history, unrecorded: false }, expected)
    }

    /// The prompt's last history entry in the recording.
    fn history(&self, id: &str) -> Option<&Value> {
        self.of("http_response")
            .filter(|(_, event)| event["path"].as_str().is_some_and(|path| path.contains("/history")))
            .filter_map(|(_, event)| event.get("json")?.get(id))
            .last()
    }

    fn is_interrupted(&self, id: &str, history: Option<&Value>) -> bool {
        self.heard(id, "execution_interrupted")
            || history.and_then(ended).is_some_and(|ended| ended.end == PromptEnd::Interrupted)
    }

    fn cancels(&self, event: &Value, id: &str) -> bool {
        let path = event["path"].as_str().unwrap_or_default();
        let listed = event.pointer("/json/job_ids").and_then(Value::as_array);
        path.ends_with(&format!("/jobs/{id}/cancel"))
            || path.ends_with("/jobs/cancel") && listed.is_some_and(|ids| ids.iter().any(|known| known == id))
    }

    fn is_started(&self, id: &str) -> bool {
        self.heard(id, "execution_start")
    }

    fn heard(&self, id: &str, kind: &str) -> bool {
        self.of("ws_text").any(|(_, event)| event["msg"]["type"] == kind && event["msg"]["data"]["prompt_id"] == id)
    }

    /// The sockets whose messages the prompt's client would get: its own, otherwise any open one.
    fn sockets(&self, index: usize, client_id: Option<&str>) -> Vec<&str> {
        let own = client_id.map(|client_id| self.named(client_id)).unwrap_or_default();
        if !own.is_empty() {
            return own;
        }
        let opened = self.of("ws_open").filter(|(at, _)| *at < index);
        opened.filter_map(|(_, event)| event["client"].as_str()).take(1).collect()
    }

    fn named(&self, client_id: &str) -> Vec<&str> {
        self.of("ws_open")
            .filter(|(_, event)| names(event, Some(client_id)))
            .filter_map(|(_, event)| event["client"].as_str())
            .collect()
    }

    fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = (usize, &'a Value)> {
        self.events.iter().enumerate().filter(move |(_, event)| event["kind"] == kind)
    }
}

/// Whether the client asks for the prompt's history or continues with the next prompt.
fn asks_for(event: &Value, id: &str) -> bool {
    let path = event["path"].as_str().unwrap_or_default();
    path.ends_with(id) || event["method"] == "POST" && path == "/prompt"
}

fn is(event: &Value, key: &str, wanted: &[&str]) -> bool {
    event[key].as_str().is_some_and(|value| wanted.contains(&value))
}

/// Whether this socket was opened under the client id.
fn names(event: &Value, client_id: Option<&str>) -> bool {
    let asked = event["url"].as_str().and_then(|url| url.split_once("clientId=")).map(|(_, id)| id);
    asked.is_some() && asked == client_id
}

fn end(kind: &str) -> Option<Expected> {
    match kind {
        "execution_success" => Some(Expected::Finished),
        "execution_error" => Some(Expected::Failed),
        "execution_interrupted" => Some(Expected::Interrupted),
        _ => None,
    }
}

/// Parses a history entry.
fn ended(entry: &Value) -> Option<HistoryEntry> {
    HistoryEntry::read(entry.get("outputs")?.clone(), entry.get("status")?, entry.get("meta").unwrap_or(&Value::Null))
}

fn replaced(value: &Value, id: &str) -> Value {
    let (recorded, ours) = (format!("\"{id}\""), format!("\"{THIS_PROMPT}\""));
    serde_json::from_str(&value.to_string().replace(&recorded, &ours)).unwrap_or_default()
}

/// A binary message with the recorded length. Only the head of its body was recorded.
fn binary(event: &Value, id: &str) -> Option<Step> {
    let number = |key: &str| event[key].as_u64().and_then(|number| usize::try_from(number).ok());
    match event["event_type"].as_u64()? {
        1 => {
            let kind = u32::try_from(event["image_type"].as_u64()?).ok()?;
            let mut frame = [1_u32.to_be_bytes(), kind.to_be_bytes()].concat();
            frame.resize(number("length")?.max(9), 7);
            Some(Step::Binary(frame.into()))
        }
        3 => {
            let (node, text) = (event["node_id"].as_str()?, event["text"].as_str()?);
            let length = u32::try_from(node.len()).ok()?;
            let head = [3_u32.to_be_bytes(), length.to_be_bytes()].concat();
            Some(Step::Binary(Bytes::from([&head, node.as_bytes(), text.as_bytes()].concat())))
        }
        4 => {
            let bytes = Bytes::from(vec![7; number("payload_length")?]);
            Some(Step::Preview { metadata: replaced(&event["metadata"], id), bytes })
        }
        _ => None,
    }
}
