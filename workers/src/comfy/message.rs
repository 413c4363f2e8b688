//! Parses WebSocket messages: JSON texts `{type, data}` and framed binary messages.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;

use super::json;

/// One message of the server, reduced to what a client uses.
#[derive(Debug, Clone, PartialEq)]
pub enum ServerMessage {
    /// The number of prompts that wait or run. Sent on every change of the queue.
    Status {
        queue_remaining: Option<u64>,
    },
    /// The prompt left the queue. `timestamp` is the server's clock in milliseconds.
    ExecutionStart {
        prompt_id: String,
        timestamp: Option<i64>,
    },
    /// Nodes whose results the server had cached.
    ExecutionCached {
        prompt_id: String,
        nodes: Vec<String>,
        timestamp: Option<i64>,
    },
    /// A node starts. `node: None` means that the prompt ended, successfully or not. Without a prompt id it repeats the
    /// current node after a reconnect. `display_node` is the prompt's node that a node of an expanded subgraph belongs
    /// to.
    Executing {
        prompt_id: Option<String>,
        node: Option<String>,
        display_node: Option<String>,
    },
    /// An output node finished.
    Executed {
        prompt_id: String,
        node: String,
        display_node: Option<String>,
        output: Value,
    },
    /// Progress within a node.
    Progress {
        prompt_id: Option<String>,
        node: Option<String>,
        value: f64,
        max: f64,
    },
    /// Progress of all nodes so far.
    ProgressState {
        prompt_id: String,
        nodes: Vec<NodeStep>,
        /// The nodes with all of the server's fields.
        all: Value,
    },
    ExecutionSuccess {
        prompt_id: String,
        timestamp: Option<i64>,
    },
    /// A node raised. `exception` holds all of the server's data.
    ExecutionError {
        prompt_id: String,
        exception: Value,
        timestamp: Option<i64>,
    },
    ExecutionInterrupted {
        prompt_id: String,
        timestamp: Option<i64>,
    },
    /// A preview picture. Older servers do not name the prompt.
    Preview {
        prompt_id: Option<String>,
        node: Option<String>,
        content_type: &'static str,
        bytes: Bytes,
    },
    /// A text shown on a node. Sent to every client, without a prompt id.
    Text {
        node: String,
        text: String,
    },
    /// A type for other clients, or newer than this code.
    Unknown,
}

/// Progress of one node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeStep {
    pub node: String,
    pub display_node: Option<String>,
    pub value: f64,
    pub max: f64,
    /// Running or finished. Waiting nodes are left out.
    pub finished: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("malformed message: {0}")]
pub struct Malformed(pub String);

#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    data: Value,
}

/// Parses a text message. An unknown type is not an error; a known type without its required fields is.
pub fn text(text: &str) -> Result<ServerMessage, Malformed> {
    let Envelope { kind, mut data } =
        json::read(&json::shortened(text.as_bytes())).map_err(|error| Malformed(format!("not a message: {error}")))?;
    let timestamp = data.get("timestamp").and_then(Value::as_i64);
    let prompt_id = || owned(&data, "prompt_id").ok_or_else(|| Malformed(format!("{kind} without prompt_id")));
    Ok(match kind.as_str() {
        "status" => ServerMessage::Status {
            queue_remaining: data.pointer("/status/exec_info/queue_remaining").and_then(Value::as_u64),
        },
        "execution_start" => ServerMessage::ExecutionStart { prompt_id: prompt_id()?, timestamp },
        "execution_cached" => ServerMessage::ExecutionCached {
            prompt_id: prompt_id()?,
            nodes: data.get("nodes").and_then(Value::as_array).into_iter().flatten().filter_map(id_text).collect(),
            timestamp,
        },
        "executing" => ServerMessage::Executing {
            prompt_id: owned(&data, "prompt_id"),
            node: data.get("node").and_then(id_text),
            display_node: data.get("display_node").and_then(id_text),
        },
        "executed" => {
            let prompt_id = prompt_id()?;
            let node = data.get("node").and_then(id_text).ok_or_else(|| Malformed("executed without node".into()))?;
            let output = data.get_mut("output").map(Value::take).unwrap_or_default();
            let display_node = data.get("display_node").and_then(id_text);
            ServerMessage::Executed { prompt_id, node, display_node, output }
        }
        "progress" => ServerMessage::Progress {
            prompt_id: owned(&data, "prompt_id"),
            node: data.get("node").and_then(id_text),
            value: number(&data, "value"),
            max: number(&data, "max"),
        },
        "progress_state" => {
            let (prompt_id, nodes) = (prompt_id()?, steps(&data));
            let all = data.get_mut("nodes").map(Value::take).unwrap_or_default();
            ServerMessage::ProgressState { prompt_id, nodes, all }
        }
        "execution_success" => ServerMessage::ExecutionSuccess { prompt_id: prompt_id()?, timestamp },
        "execution_error" => ServerMessage::ExecutionError { prompt_id: prompt_id()?, timestamp, exception: data },
        "execution_interrupted" => ServerMessage::ExecutionInterrupted { prompt_id: prompt_id()?, timestamp },
        _ => ServerMessage::Unknown,
    })
}

/// Parses a binary message: a big-endian event number, then its payload. An unknown event is not an error.
pub fn binary(message: &Bytes) -> Result<ServerMessage, Malformed> {
    match word(message, 0)? {
        1 => Ok(ServerMessage::Preview {
            prompt_id: None,
            node: None,
            content_type: if word(message, 4)? == 2 { "image/png" } else { "image/jpeg" },
            bytes: message.slice(8..),
        }),
        3 => {
            let (node, text) = prefixed(message)?;
            Ok(ServerMessage::Text {
                node: String::from_utf8_lossy(&node).into_owned(),
                text: String::from_utf8_lossy(&text).into_owned(),
            })
        }
        4 => {
            let (metadata, bytes) = prefixed(message)?;
            let metadata: Value =
                json::read(&metadata).map_err(|error| Malformed(format!("preview metadata: {error}")))?;
            let content_type = match metadata.get("image_type").and_then(Value::as_str) {
                Some("image/png") => "image/png",
                _ => "image/jpeg",
            };
            Ok(ServerMessage::Preview {
                prompt_id: owned(&metadata, "prompt_id"),
                node: metadata.get("node_id").and_then(id_text),
                content_type,
                bytes,
            })
        }
        _ => Ok(ServerMessage::Unknown),
    }
}

fn word(message: &Bytes, at: usize) -> Result<u32, Malformed> {
    let bytes = message.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    bytes.map(u32::from_be_bytes).ok_or_else(|| Malformed(format!("binary message of {} bytes", message.len())))
}

/// Splits `event, length, head, tail` into head and tail.
fn prefixed(message: &Bytes) -> Result<(Bytes, Bytes), Malformed> {
    let length = usize::try_from(word(message, 4)?).unwrap_or(usize::MAX);
    let rest = message.slice(8..);
    if length > rest.len() {
        return Err(Malformed(format!("a head of {length} bytes in a message of {}", message.len())));
    }
    Ok((rest.slice(..length), rest.slice(length..)))
}

fn owned(data: &Value, key: &str) -> Option<String> {
    data.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// Converts a node id to text. Some custom nodes send numbers.
fn id_text(value: &Value) -> Option<String> {
    match value {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

fn number(data: &Value, key: &str) -> f64 {
    data.get(key).and_then(Value::as_f64).unwrap_or(0.0)
}

fn steps(data: &Value) -> Vec<NodeStep> {
    let nodes = data.get("nodes").and_then(Value::as_object).into_iter().flatten();
    nodes
        .filter_map(|(id, step)| {
            let finished = match step.get("state").and_then(Value::as_str)? {
                "running" => false,
                "finished" => true,
                _ => return None,
            };
            let display_node = step.get("display_node_id").and_then(id_text);
            Some(NodeStep {
                node: id.clone(),
                display_node,
                value: number(step, "value"),
                max: number(step, "max"),
                finished,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executing_message_after_reconnect_has_no_prompt_id() {
        let message = text(r#"{"type": "executing", "data": {"node": "3"}}"#).unwrap();
        assert_eq!(message, ServerMessage::Executing { prompt_id: None, node: Some("3".into()), display_node: None });
    }

    #[test]
    fn preview_with_metadata_names_prompt_and_node() {
        let metadata = br#"{"node_id": "2", "prompt_id": "p", "image_type": "image/png"}"#;
        let mut frame = vec![0, 0, 0, 4, 0, 0, 0, u8::try_from(metadata.len()).unwrap()];
        frame.extend_from_slice(metadata);
        frame.extend_from_slice(b"PNG");
        let Ok(ServerMessage::Preview { prompt_id, node, content_type, bytes }) = binary(&frame.into()) else {
            panic!("the preview was not read");
        };
        assert_eq!((prompt_id.as_deref(), node.as_deref()), (Some("p"), Some("2")));
        assert_eq!((content_type, &bytes[..]), ("image/png", &b"PNG"[..]));
    }

    #[test]
    fn truncated_binary_message_does_not_panic() {
        for event in 0..6 {
            let mut frame = vec![0, 0, 0, event, 0, 0, 0, 9];
            frame.extend_from_slice(br#"{"a": 1}xtail"#);
            for length in 0..frame.len() {
                let _ = binary(&Bytes::copy_from_slice(&frame[..length]));
            }
            frame[4..8].copy_from_slice(&u32::MAX.to_be_bytes());
            let result = binary(&frame.into());
            assert_eq!(result.is_err(), matches!(event, 3 | 4), "event {event} gave {result:?}");
        }
    }

    #[test]
    fn missing_fields_are_malformed_and_unknown_types_are_not() {
        for broken in [
            "",
            "[]",
            "{",
            "{\"data\": {}}",
            r#"{"type": "executed", "data": {"prompt_id": "p"}}"#,
            r#"{"type": "execution_success"}"#,
            r#"{"type": "progress_state", "data": 7}"#,
        ] {
            assert!(text(broken).is_err(), "{broken} was read");
        }
        assert_eq!(text(r#"{"type": "crystools.monitor", "data": {"cpu": 3}}"#), Ok(ServerMessage::Unknown));
    }
}
