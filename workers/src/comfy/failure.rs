//! Why a call gave nothing.

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
    #[error("answered {status}: {body}")]
    Status { status: u16, body: String },
    /// 2xx with a body that is not what the protocol says.
    #[error("broke the protocol: {0}")]
    Garbage(String),
    #[error("larger than {limit_bytes} bytes")]
    TooLarge { limit_bytes: u64 },
}

impl Failure {
    /// Whether the server itself answered, be it badly.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        !matches!(self, Self::Unreachable(_) | Self::Refused(_) | Self::Cut(_))
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
