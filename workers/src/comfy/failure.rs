//! Why a call failed. A reason never repeats what the server sent, except answers to a prompt: an admin can enter the
//! address of any server on the private network, and its content must not leak.

/// Characters of an error answer that a reason keeps.
const MAX_REASON_CHARS: usize = 300;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    /// No connection was made: the server has not seen the request.
    #[error("not reachable: {0}")]
    Unreachable(String),
    /// Nothing listens at the address: the server's process is gone, and its queue and history with it.
    #[error("not reachable: {0}")]
    Refused(String),
    /// The connection broke or timed out. The server may have processed the request.
    #[error("cut off: {0}")]
    Cut(String),
    #[error("answered with status {status}")]
    Status { status: u16 },
    /// 2xx with a body outside the protocol.
    #[error("broke the protocol: {0}")]
    Malformed(String),
    #[error("larger than {limit_bytes} bytes")]
    TooLarge { limit_bytes: u64 },
    #[error("more than {limit} {what}")]
    TooMany { limit: u64, what: &'static str },
}

impl Failure {
    /// Whether the server itself answered, even if with an error.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        !matches!(self, Self::Unreachable(_) | Self::Refused(_) | Self::Cut(_))
    }

    /// Reports an answer that is not the expected JSON, without quoting it.
    pub(crate) fn garbage(what: &str, error: &serde_json::Error) -> Self {
        let kind = if error.is_data() { "has another shape" } else { "is not JSON" };
        Self::Malformed(format!("{what} {kind} at line {} column {}", error.line(), error.column()))
    }

    /// The innermost cause of a failed request.
    pub(super) fn of(error: &reqwest::Error) -> Self {
        let mut reason = error.to_string();
        let mut source = std::error::Error::source(error);
        let mut is_refused = false;
        while let Some(cause) = source {
            reason = cause.to_string();
            is_refused |= cause
                .downcast_ref::<std::io::Error>()
                .is_some_and(|error| error.kind() == std::io::ErrorKind::ConnectionRefused);
            source = cause.source();
        }
        if is_refused {
            Self::Refused(reason)
        } else if error.is_connect() || error.is_builder() {
            Self::Unreachable(reason)
        } else if error.is_timeout() {
            Self::Cut("no answer in time".into())
        } else {
            Self::Cut(reason)
        }
    }
}

pub(super) fn excerpt(body: &[u8]) -> String {
    let start = body.get(..body.len().min(MAX_REASON_CHARS * 4)).unwrap_or_default();
    String::from_utf8_lossy(start).trim().chars().take(MAX_REASON_CHARS).collect()
}
