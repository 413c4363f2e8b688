//! Workers as operators see, name and change them.

use chrono::{DateTime, Utc};
use serde::Serialize;

use reqwest::Url;

use super::agents::agent::AgentStatus;
use super::messages::WorkerState;
use crate::ids::{JobId, NodeId, WorkerId};
use crate::{Code, Error, Result};

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    #[serde(rename = "_id")]
    pub id: WorkerId,
    pub name: String,
    /// Without credentials, even if the row has some.
    pub url: String,
    pub pool: String,
    pub state: WorkerState,
    /// Why it is not idle, if known.
    pub reason: Option<String>,
    /// Since when it has not answered questions about its running job.
    pub unanswered_since: Option<DateTime<Utc>>,
    /// The reported ComfyUI version.
    pub version: Option<String>,
    pub node_classes: usize,
    /// Node classes whose inputs or outputs differ from those of most workers.
    pub different_classes: Vec<String>,
    /// The node that owns it.
    pub node: Option<NodeId>,
    pub node_name: Option<String>,
    pub job: Option<JobId>,
    pub paused: bool,
    pub draining: bool,
    /// Set if the worker is connected through an agent.
    #[serde(skip)]
    pub agent: Option<AgentStatus>,
}

/// A worker from an operator or the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWorker {
    pub name: String,
    /// Base address of the ComfyUI server, without a trailing slash.
    pub url: String,
    pub pool: String,
    /// The only node that can reach it, by name; `None` if every node can.
    pub home: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerAction {
    /// Finish the running job, then take no more until resumed.
    Drain,
    /// Take no new jobs until resumed.
    Pause,
    Resume,
    Remove,
}

/// In bytes.
const MAX_ADDRESS: usize = 300;

/// Checks a worker's base address and removes trailing slashes.
///
/// # Errors
/// [`Error::Refused`] with `WORKER_ADDRESS_CREDENTIALS` for an address with a user or password, because lists, logs and
/// the audit log show it. [`Error::Invalid`] for any other invalid base address.
pub(super) fn address(text: &str) -> Result<String> {
    let invalid = |why: &str| Err(Error::invalid("url", why));
    let text = text.trim_end_matches('/');
    if !(text.starts_with("http://") || text.starts_with("https://")) {
        return invalid("must begin with http:// or https://");
    }
    if text.len() > MAX_ADDRESS {
        return invalid("must have at most 300 characters");
    }
    // The parser drops some of these characters and reads others as slashes.
    if text.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\') {
        return invalid("must have no blanks, control characters or backslashes");
    }
    let Ok(url) = Url::parse(text) else { return invalid("is not an address") };
    let authority = text.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(""));
    if authority.contains('@') || !url.username().is_empty() || url.password().is_some() {
        let message = "the address of a worker must have no user and no password in it";
        return Err(Error::refused(Code::WorkerAddressCredentials, message));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return invalid("must have no query and no fragment");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_addresses_are_accepted_and_credentials_refused() {
        for text in ["http://10.0.0.5:8188", "https://gpu.lan/comfy", "http://[::1]:8188", "http://h/a@b"] {
            assert_eq!(address(&format!("{text}/")).expect(text), text);
        }
        for text in ["http://u:p@h:8188", "http://u@h", "http://:p@h", "http://@h", "https://u%3Ap@h/x", "http://a@b@h"]
        {
            let refused = address(text);
            assert!(
                matches!(&refused, Err(Error::Refused { code: Code::WorkerAddressCredentials, .. })),
                "{refused:?}"
            );
        }
        for text in [
            "http:///u:p@h",
            "http://u:p\\@h",
            "ftp://h",
            "http://h?a=u:p@h",
            "http://h#u:p@x",
            "http://a b",
            "http://",
        ] {
            assert!(matches!(address(text), Err(Error::Invalid { .. } | Error::Refused { .. })), "{text} was taken");
        }
    }
}
