//! A worker as operators see it, name it, and what they do to it.

use chrono::{DateTime, Utc};
use serde::Serialize;

use reqwest::Url;

use super::agents::agent::AgentStanding;
use super::messages::WorkerState;
use crate::ids::{JobId, NodeId, WorkerId};
use crate::{Code, Error, Result};

/// A worker as operators see it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    #[serde(rename = "_id")]
    pub id: WorkerId,
    pub name: String,
    /// Without credentials, where the row has some.
    pub url: String,
    pub pool: String,
    pub state: WorkerState,
    /// Why it is not idle, where there is a reason to tell.
    pub reason: Option<String>,
    /// Since when it answers no question about the job that it runs.
    pub unanswered_since: Option<DateTime<Utc>>,
    /// The ComfyUI version it told.
    pub version: Option<String>,
    /// How many node classes it has.
    pub node_classes: usize,
    /// Node classes that it describes otherwise than most workers: with other inputs or outputs.
    pub different_classes: Vec<String>,
    /// The node that connects to it.
    pub node: Option<NodeId>,
    /// What that one is called.
    pub node_name: Option<String>,
    /// The job it runs.
    pub job: Option<JobId>,
    pub paused: bool,
    pub draining: bool,
    /// How its agent is connected, where one connects it.
    #[serde(skip)]
    pub agent: Option<AgentStanding>,
}

/// A worker that an operator or the configuration names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWorker {
    pub name: String,
    /// Base address of the ComfyUI server, without a slash at the end.
    pub url: String,
    pub pool: String,
    /// The name of the node that alone can reach it; `None` where every node can.
    pub home: Option<String>,
}

/// What an operator does to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Finish the running job, then nothing more until resumed.
    Drain,
    /// Nothing new until resumed.
    Pause,
    Resume,
    Remove,
}

/// The longest address of a worker, in bytes.
const MAX_ADDRESS: usize = 300;

/// A worker's base address as an admin gives it, without a slash at the end.
///
/// # Errors
/// [`Error::Refused`] with `WORKER_ADDRESS_CREDENTIALS` where a user or a password stands in it: the address is shown in
/// lists, logs and the audit log. [`Error::Invalid`] for any other text that is no base address.
pub(super) fn address(text: &str) -> Result<String> {
    let invalid = |why: &str| Err(Error::invalid("url", why));
    let text = text.trim_end_matches('/');
    if !(text.starts_with("http://") || text.starts_with("https://")) {
        return invalid("must begin with http:// or https://");
    }
    if text.len() > MAX_ADDRESS {
        return invalid("must have at most 300 characters");
    }
    // The parser passes over some of these, and takes others for slashes.
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
    fn base_addresses_are_taken_and_credentials_in_any_spelling_are_not() {
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
