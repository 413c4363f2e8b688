//! Why a call gave nothing. A reason never repeats what the server sent, except its answers to a prompt: an address that an
//! admin names may be any server of the private network, and nothing of what that one says is shown.

/// How much of an error answer is kept for the reason.
const MAX_REASON_CHARS: usize = 300;

/// Why a call gave nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    /// No connection came about: the server surely has not seen the request.
    #[error("not reachable: {0}")]
    Unreachable(String),
    /// Nothing listens at the address: the server's process is gone, and all that it knew of prompts.
    #[error("not reachable: {0}")]
    Refused(String),
    /// The connection ended, or time ran out, with the request perhaps taken.
    #[error("cut off: {0}")]
    Cut(String),
    #[error("answered with status {status}")]
    Status { status: u16 },
    /// 2xx with a body that is not what the protocol says.
    #[error("broke the protocol: {0}")]
    Garbage(String),
    #[error("larger than {limit_bytes} bytes")]
    TooLarge { limit_bytes: u64 },
    #[error("more than {limit} {what}")]
    TooMany { limit: u64, what: &'static str },
}

impl Failure {
    /// Whether the server itself answered, be it badly.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        !matches!(self, Self::Unreachable(_) | Self::Refused(_) | Self::Cut(_))
    }

    /// An answer that is not the JSON that the protocol says, without a word of it.
    pub(crate) fn garbage(what: &str, error: &serde_json::Error) -> Self {
        let kind = if error.is_data() { "has another shape" } else { "is not JSON" };
        Self::Garbage(format!("{what} {kind} at line {} column {}", error.line(), error.column()))
    }

    /// What a request failed of, by its last cause.
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
