//! Parses `/queue` and `/history/{prompt_id}`: where a prompt is, and how it ended.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The prompt ids in the server's queue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueView {
    pub running: Vec<String>,
    pub pending: Vec<String>,
    /// Prompt id and client id, if the client is known.
    senders: Vec<(String, String)>,
}

impl QueueView {
    /// Parses the answer of `GET /queue`; `None` if it has another shape.
    #[must_use]
    pub fn read(answer: &Value) -> Option<Self> {
        let ids = |key: &str| {
            let items = answer.get(key)?.as_array()?;
            Some(items.iter().filter_map(|item| item.get(1)?.as_str().map(str::to_owned)).collect())
        };
        let items = |key: &str| answer.get(key).and_then(Value::as_array).into_iter().flatten();
        let sender = |item: &Value| {
            let client = item.get(3)?.get("client_id")?.as_str()?;
            Some((item.get(1)?.as_str()?.to_owned(), client.to_owned()))
        };
        let senders = items("queue_running").chain(items("queue_pending")).filter_map(sender).collect();
        Some(Self { running: ids("queue_running")?, pending: ids("queue_pending")?, senders })
    }

    /// The client id under which a queued or running prompt was posted.
    pub fn sender_of(&self, prompt: &str) -> Option<&str> {
        self.senders.iter().find(|(id, _)| id == prompt).map(|(_, client)| client.as_str())
    }

    /// The queued and running prompts whose client id matches.
    pub fn sent_by(&self, is: impl Fn(&str) -> bool) -> Vec<String> {
        self.senders.iter().filter(|(_, client)| is(client)).map(|(prompt, _)| prompt.clone()).collect()
    }
}

/// How a prompt ended at the worker.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptEnd {
    Success,
    /// A node raised; holds the server's `execution_error` data.
    Error(Value),
    Interrupted,
}

/// A prompt's history entry.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryEntry {
    pub end: PromptEnd,
    /// Node outputs by node id, in the server's order.
    pub outputs: Vec<(String, Arc<Value>)>,
    /// Maps nodes of expanded subgraphs to the prompt's node that they belong to.
    pub display_nodes: Vec<(String, String)>,
    /// The server's clock in milliseconds, if known.
    pub started_ms: Option<i64>,
    pub ended_ms: Option<i64>,
}

impl HistoryEntry {
    /// Parses `outputs`, `status` and `meta` of one history entry; `None` if the prompt has not ended.
    ///
    /// An interrupted prompt has the same `status_str` as a failed one: only its messages tell them apart.
    #[must_use]
    pub fn read(outputs: Value, status: &Value, meta: &Value) -> Option<Self> {
        let Value::Object(outputs) = outputs else { return None };
        let messages = status.get("messages").and_then(Value::as_array);
        let message = |wanted: &str| {
            messages
                .into_iter()
                .flatten()
                .find_map(|message| (message.get(0)?.as_str()? == wanted).then(|| message.get(1)).flatten())
        };
        let stamp = |data: Option<&Value>| data.and_then(|data| data.get("timestamp")).and_then(Value::as_i64);
        let (end, last) = if let Some(data) = message("execution_error") {
            (PromptEnd::Error(data.clone()), Some(data))
        } else if let Some(data) = message("execution_interrupted") {
            (PromptEnd::Interrupted, Some(data))
        } else if status.get("status_str").and_then(Value::as_str) == Some("error") {
            (
                PromptEnd::Error(
                    serde_json::json!({"exception_message": "the worker recorded an error without saying which"}),
                ),
                None,
            )
        } else {
            (PromptEnd::Success, message("execution_success"))
        };
        let display_node = |node: &String| {
            let display = meta.get(node)?.get("display_node")?.as_str()?;
            (display != node).then(|| (node.clone(), display.to_owned()))
        };
        Some(Self {
            end,
            display_nodes: outputs.keys().filter_map(display_node).collect(),
            outputs: outputs.into_iter().map(|(node, output)| (node, Arc::new(output))).collect(),
            started_ms: stamp(message("execution_start")),
            ended_ms: stamp(last),
        })
    }
}

/// A map that rejects more than [`MAX_ENTRIES`] entries. One entry is asked for; a server that sends its whole history
/// is cut off.
pub(super) struct BoundedMap<T>(pub HashMap<String, T>);

const MAX_ENTRIES: usize = 64;

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BoundedMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BoundedMapVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedMapVisitor<T> {
            type Value = BoundedMap<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "at most {MAX_ENTRIES} entries")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<BoundedMap<T>, A::Error> {
                let mut few = HashMap::new();
                while let Some((key, entry)) = entries.next_entry()? {
                    if few.len() == MAX_ENTRIES {
                        return Err(A::Error::custom(format_args!("more than {MAX_ENTRIES} entries")));
                    }
                    few.insert(key, entry);
                }
                Ok(BoundedMap(few))
            }
        }
        deserializer.deserialize_map(BoundedMapVisitor(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(status: &Value) -> Option<HistoryEntry> {
        HistoryEntry::read(json!({"9": {"images": []}}), status, &json!({}))
    }

    #[test]
    fn interrupted_prompt_is_distinguished_from_failed_one() {
        let interrupted = json!({"status_str": "error", "completed": false, "messages": [
            ["execution_start", {"prompt_id": "p", "timestamp": 10}],
            ["execution_interrupted", {"prompt_id": "p", "timestamp": 25}]]});
        let ended = read(&interrupted).unwrap();
        assert_eq!((ended.end, ended.started_ms, ended.ended_ms), (PromptEnd::Interrupted, Some(10), Some(25)));

        let failed = json!({"status_str": "error", "completed": false, "messages": [
            ["execution_error", {"node_id": "2", "timestamp": 25}]]});
        assert!(matches!(read(&failed).unwrap().end, PromptEnd::Error(data) if data["node_id"] == "2"));
    }

    #[test]
    fn malformed_history_entry_is_not_a_success() {
        for outputs in [json!(null), json!([]), json!(3)] {
            assert_eq!(HistoryEntry::read(outputs.clone(), &json!({}), &json!({})), None, "{outputs} was read");
        }
        assert_eq!(QueueView::read(&json!({"queue_running": []})), None);
    }

    #[test]
    fn queued_prompts_are_found_by_client_id() {
        let item = |id: &str, extra: Value| json!([7, id, {}, extra, []]);
        let queue = QueueView::read(&json!({
            "queue_running": [item("a", json!({"client_id": "vg-1-old"}))],
            "queue_pending": [item("b", json!({"client_id": "browser"})), item("c", json!({})), item("d", json!({"client_id": "vg-1-new"}))],
        }));
        let queue = queue.expect("a queue");
        assert_eq!(queue.sent_by(|client| client.starts_with("vg-1-")), ["a", "d"]);
        assert_eq!((queue.sender_of("d"), queue.sender_of("c")), (Some("vg-1-new"), None));
        assert_eq!(queue.pending, ["b", "c", "d"]);
    }
}
