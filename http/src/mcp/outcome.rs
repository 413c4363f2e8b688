//! What a tool works with, and what it returns.

use serde_json::{Map, Value, json};
use verdigraph_core::Core;
use verdigraph_core::ids::JobId;

use super::failure::Failure;
use crate::caller::Caller;

/// The request that a tool serves.
#[derive(Clone)]
pub struct Context {
    pub core: Core,
    pub caller: Caller,
    /// The address of the site.
    pub site: String,
    /// Whether results may have links to files.
    pub has_links: bool,
}

/// What a tool has come to.
pub enum Outcome {
    Done(ToolResult),
    Wait(Waiting),
}

/// A wait for a job of the caller. The result tells of the job.
pub struct Waiting {
    pub job: JobId,
    /// The longest wait; 0 to tell of the job as it is.
    pub seconds: u64,
    /// Fields of the result beside the job's own.
    pub notes: Map<String, Value>,
}

/// The result of a call.
#[derive(Debug)]
pub struct ToolResult {
    /// An object, which is also sent as a text for clients that read no objects.
    structured: Value,
    /// Pictures and links after the text.
    content: Vec<Value>,
    is_error: bool,
}

impl ToolResult {
    #[must_use]
    pub fn of(structured: Value) -> Self {
        Self { structured, content: Vec::new(), is_error: false }
    }

    #[must_use]
    pub fn with(self, content: Vec<Value>) -> Self {
        Self { content, ..self }
    }

    #[must_use]
    pub fn failed(self) -> Self {
        Self { is_error: true, ..self }
    }

    /// The result as the protocol has it.
    #[must_use]
    pub fn into_value(self) -> Value {
        let Self { structured, content, is_error } = self;
        let text = json!({ "type": "text", "text": structured.to_string() });
        let content: Vec<Value> = [text].into_iter().chain(content).collect();
        json!({ "content": content, "structuredContent": structured, "isError": is_error })
    }
}

impl From<Failure> for ToolResult {
    fn from(failure: Failure) -> Self {
        Self::of(json!({ "error": failure })).failed()
    }
}
