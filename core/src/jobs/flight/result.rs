//! The result of an attempt: outputs, or errors.

use std::collections::HashMap;
use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::rows::{NewOutput, NewPiece};
use crate::fleet::{NodeOutput, OutputItem, OutputKind, UndeliveredCode};
use crate::gallery::NewOutputAsset;
use crate::ids::{JobId, OutputAssetId, UserId};

/// Characters of a worker's reason that the owner of a job sees.
const LONGEST_REASON: usize = 600;

#[derive(Default)]
pub(in crate::jobs) struct RunResult {
    pub outputs: Vec<NodeOutput>,
    /// The exception of a node.
    pub execute: Option<Value>,
    /// Any other error.
    pub validate: Option<Value>,
    /// The errors of omitted outputs.
    pub node_errors: Option<Value>,
    pub ran_ms: i64,
}

/// Fields that all outputs of a job share.
#[derive(Debug, Clone, Copy)]
pub(in crate::jobs) struct OutputMeta {
    pub user: UserId,
    pub job: JobId,
    pub ran_ms: i64,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

impl RunResult {
    /// Returns the run time as a signed number.
    pub fn set_outputs(&mut self, outputs: Vec<NodeOutput>, ran_ms: u64) -> i64 {
        self.outputs = outputs;
        self.ran_ms = i64::try_from(ran_ms).unwrap_or(i64::MAX);
        self.ran_ms
    }

    /// Adds the errors of outputs that the worker omits to those of the submit, because the worker did not get the latter.
    pub fn set_node_errors(&mut self, at_submit: Option<&Value>, node_errors: Value) {
        let mut all = at_submit.and_then(Value::as_object).cloned().unwrap_or_default();
        if let Value::Object(added) = node_errors {
            all.extend(added);
        }
        self.node_errors = Some(Value::Object(all));
    }

    /// Keeps ComfyUI's refusal of a prompt, with a message.
    pub fn set_refusal(&mut self, validation: &Value) {
        let text = |pointer: &str| validation.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (message, details) = (text("/error/message") + &text("/error"), text("/error/details"));
        let message = match (message.is_empty(), details.is_empty()) {
            (true, _) => "the worker refused the prompt".to_owned(),
            (false, true) => message,
            (false, false) => format!("{message}: {details}"),
        };
        self.validate = Some(json!({
            "message": message,
            "error": validation.get("error").cloned().unwrap_or(Value::Null),
            "node_errors": validation.get("node_errors").cloned().unwrap_or_else(|| json!({})),
        }));
    }

    pub fn set_reason(&mut self, message: String) {
        self.validate = Some(json!({ "message": message }));
    }

    /// Keeps an error of the worker without addresses, because job owners must not learn about the workers' network.
    pub fn set_worker_reason(&mut self, reason: &str) {
        let words = reason.split_whitespace().map(|word| if is_address(word) { "(address)" } else { word });
        let message: String = words.collect::<Vec<_>>().join(" ").chars().take(LONGEST_REASON).collect();
        self.set_reason(message);
    }

    /// Whether none of the outputs of the kept nodes can be delivered. Keeps the reason.
    pub fn delivers_nothing(&mut self, kept: &[String]) -> bool {
        let why = self.nothing_delivered(kept);
        why.as_deref().inspect(|why| self.set_worker_reason(why)).is_some()
    }

    /// Why none of the outputs can be delivered; `None` where one can, or where the kept nodes made none.
    fn nothing_delivered(&self, kept: &[String]) -> Option<String> {
        let outputs = self.outputs.iter().filter(|output| kept.contains(&output.node_id));
        let mut notes = Vec::new();
        for item in outputs.flat_map(|output| &output.items) {
            let OutputItem::Undelivered(note) = item else { return None };
            notes.push(note);
        }
        notes.retain(|note| note.code != UndeliveredCode::ValueNotShown);
        let first = notes.first()?;
        let count: usize = notes.iter().map(|note| note.count).sum();
        let more = if count > first.count { format!(" ({count} in all)") } else { String::new() };
        Some(format!("nothing that the job made can be delivered: {}: {}{more}", first.name, first.message))
    }

    /// The outputs of the kept nodes, in the order of these nodes.
    pub fn take_outputs(&mut self, kept: &[String], meta: OutputMeta) -> Vec<NewOutput> {
        let mut by_node: HashMap<String, Vec<(OutputKind, OutputItem)>> = HashMap::new();
        for output in std::mem::take(&mut self.outputs) {
            let items = output.items.into_iter().map(|item| (output.kind, item));
            by_node.entry(output.node_id).or_default().extend(items);
        }
        let in_order = kept.iter().filter_map(|node| by_node.remove(node).map(|items| (node, items)));
        let flat = in_order.flat_map(|(node, items)| items.into_iter().map(move |(kind, item)| (node, kind, item)));
        flat.zip(0..)
            .map(|((node_id, kind, item), position)| NewOutput {
                position,
                node_id: node_id.clone(),
                kind: kind.word().to_owned(),
                piece: piece(node_id, position, item, meta),
            })
            .collect()
    }
}

/// Whether a word is a URL, an IP address, or a host with a port.
fn is_address(word: &str) -> bool {
    let bare = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '[' | ']'));
    let of_host = |(host, port): (&str, &str)| {
        let named = host.contains('.') || host == "localhost" || host.starts_with('[');
        named && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
    };
    bare.contains("://") || bare.parse::<IpAddr>().is_ok() || bare.rsplit_once(':').is_some_and(of_host)
}

fn piece(node_id: &str, position: i32, item: OutputItem, meta: OutputMeta) -> NewPiece {
    let OutputMeta { user, job, ran_ms, created_at, expires_at } = meta;
    match item {
        OutputItem::Text { text } => NewPiece::Text(text),
        OutputItem::Undelivered(note) => NewPiece::Undelivered(note),
        OutputItem::File {
            content, media, size_bytes, width, height, blur_hash, duration_ms, embedded, name, ..
        } => NewPiece::File(Box::new(NewOutputAsset {
            id: OutputAssetId::new(),
            user,
            job,
            node_id: node_id.to_owned(),
            position,
            content,
            media,
            size_bytes,
            width,
            height,
            ran_ms,
            blur_hash,
            duration_ms,
            embedded,
            name,
            created_at,
            expires_at,
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_kept_nodes_come_in_the_order_of_these_nodes() {
        let text = |text: &str| OutputItem::Text { text: text.to_owned() };
        let node = |id: &str, items| NodeOutput { node_id: id.to_owned(), kind: OutputKind::Text, items };
        let mut result = RunResult::default();
        let outputs =
            vec![node("1", vec![text("a")]), node("2", vec![text("b"), text("c")]), node("3", vec![text("d")])];
        assert_eq!(result.set_outputs(outputs, u64::MAX), i64::MAX);
        let now = DateTime::<Utc>::MIN_UTC;
        let meta = OutputMeta { user: UserId::new(), job: JobId::new(), ran_ms: 1, created_at: now, expires_at: now };
        let rows = result.take_outputs(&["2".to_owned(), "9".to_owned(), "1".to_owned()], meta);
        let found: Vec<_> = rows.iter().map(|row| (row.position, row.node_id.as_str())).collect();
        assert_eq!(found, [(0, "2"), (1, "2"), (2, "1")]);
        assert!(result.outputs.is_empty());
    }

    #[test]
    fn worker_reason_contains_no_address() {
        for (reason, told) in [
            ("the prompt was answered 500: out of memory", "the prompt was answered 500: out of memory"),
            ("connect to 10.0.0.5:8188: refused", "connect to (address) refused"),
            ("at (http://gpu-3.internal:8188/prompt), [::1]:9 and 10.1.2.3.", "at (address) (address) and (address)"),
            ("node 3: took 4.5 s at 12:30", "node 3: took 4.5 s at 12:30"),
        ] {
            let mut result = RunResult::default();
            result.set_worker_reason(reason);
            assert_eq!(result.validate.expect("a reason")["message"], told);
        }
        let mut result = RunResult::default();
        result.set_worker_reason(&"x".repeat(5000));
        assert_eq!(result.validate.expect("a reason")["message"].as_str().map(str::len), Some(LONGEST_REASON));
    }

    #[test]
    fn refusal_has_the_message_of_the_worker() {
        for (said, message) in [
            (json!({}), "the worker refused the prompt"),
            (json!({ "error": { "message": "no" } }), "no"),
            // Nodes that replace the server's check may say no more.
            (json!({ "error": "no", "node_errors": [] }), "no"),
            (json!({ "error": { "message": "no", "details": "because" } }), "no: because"),
        ] {
            let mut result = RunResult::default();
            result.set_refusal(&said);
            assert_eq!(result.validate.expect("a reason")["message"], message);
        }
    }
}
