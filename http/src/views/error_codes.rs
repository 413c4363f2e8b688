//! The table of error codes.

use serde::Serialize;
use verdigraph_core::Code;

use crate::error_codes::{CodeFacts, facts};
use crate::openapi::ToSchema;

/// What an error code means for a client.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorCodeView {
    pub code: &'static str,
    /// The HTTP statuses that come with it.
    pub statuses: Vec<u16>,
    /// Where the cause is: `request`, `graph`, `account` or `server`.
    pub fault: &'static str,
    /// Whether the same call may succeed later without a change.
    pub may_retry: bool,
    /// What `details` has; empty for nothing.
    pub details: &'static str,
    /// What to do next.
    pub next: &'static str,
}

impl From<Code> for ErrorCodeView {
    fn from(code: Code) -> Self {
        let CodeFacts { statuses, fault, may_retry, details, next } = facts(code);
        let (code, statuses) = (code.name(), statuses.to_vec());
        Self { code, statuses, fault: fault.name(), may_retry, details, next }
    }
}
