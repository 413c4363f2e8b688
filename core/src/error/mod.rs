//! The error type of the domain. `http` converts it to JSON; clients switch on [`Error::code`].

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::database::{is_statement_timeout, is_unavailable};

mod code;
mod fault;

pub use code::Code;
pub use fault::Fault;

/// The retry delay after a storage error.
const STORAGE_RETRY_SECONDS: u64 = 5;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The class of an error; `http` maps it to a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    BadRequest,
    Unauthorized,
    PaymentRequired,
    Forbidden,
    NotFound,
    Conflict,
    TooLarge,
    Unsupported,
    Unprocessable,
    TooManyRequests,
    Unavailable,
    Internal,
}

/// Any error. Messages are for people; codes and details are for programs.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("sign in first")]
    LoginRequired,
    #[error("you may not do this")]
    Forbidden,
    /// `what` is a lowercase noun: "job", "workflow".
    #[error("{what} not found")]
    NotFound { what: &'static str },
    /// A field is invalid; `field` has the client's name for it.
    #[error("{field}: {message}")]
    Invalid { field: String, message: String },
    /// Several fields are invalid: `[{"field", "message"}]`.
    #[error("some fields are not valid")]
    InvalidFields { fields: Vec<FieldError> },
    #[error("{message}")]
    Conflict { code: Code, message: String },
    /// As [`Error::Conflict`], with details for programs.
    #[error("{message}")]
    ConflictWith { code: Code, message: String, details: Value },
    /// The request is valid but not possible in the current state; `details` help to fix that.
    #[error("{message}")]
    Refused { code: Code, message: String, details: Value },

    /// There is no such user to share with; users who blocked the caller are reported like this too.
    #[error("no account has this e-mail address")]
    ShareUserUnknown,
    /// There is no such coupon, or it is not active.
    #[error("no coupon has this code")]
    CouponUnknown,

    #[error("this e-mail address is already in use")]
    AuthAlreadyEmail,
    #[error("this e-mail address signs in with Google")]
    AuthLinkedGoogle,
    #[error("this e-mail address signs in with Discord")]
    AuthLinkedDiscord,
    #[error("the e-mail address or the password is wrong")]
    AuthWrongCredentials,
    #[error("the terms and the privacy policy must be accepted")]
    AuthTermsRequired,
    #[error("the account is disabled")]
    AuthDisabled,
    #[error("the api key is not valid or was revoked")]
    ApiKeyInvalid,
    #[error("the agent token is wrong or was revoked")]
    AgentTokenInvalid,
    /// Credentials can only be changed in a browser session, not with an API key.
    #[error("an API key may not do this; sign in")]
    SessionRequired,
    #[error("the XSRF token is missing or does not match")]
    XsrfMismatch,

    /// `retry_after_seconds` is sent as `Retry-After`.
    #[error("too many requests")]
    RateLimited { retry_after_seconds: u64 },
    /// A queue is full or a part is down; nothing was accepted.
    #[error("{message}")]
    Unavailable { message: String, retry_after_seconds: u64 },
    /// The storage is unreachable or full. The file is not the cause.
    #[error("files can be neither stored nor read at the moment")]
    StorageAway,

    /// A ban forbids taking part, not reading. `until` is `None` for a permanent ban.
    #[error("this account is banned: {reason}")]
    Banned { until: Option<DateTime<Utc>>, reason: String },
    /// Only some plans allow hiding published posts.
    #[error("to hide a published post needs Stealth Mode, which {}", having(plans))]
    StealthModeRequired { plans: Vec<String> },

    #[error("not enough credits: {needed} needed, {available} available")]
    OutOfCredits { needed: i64, available: i64 },

    #[error("the file is larger than {limit_bytes} bytes")]
    FileTooLarge { limit_bytes: u64 },
    /// The plan's storage is used up.
    #[error("uploads may have {limit_bytes} bytes together, and have {used_bytes}")]
    StorageFull { used_bytes: u64, limit_bytes: u64 },
    #[error("the file is not an image that can be read: {reason}")]
    FileNotAnImage { reason: String },
    #[error("the file is empty")]
    FileEmpty,
    #[error("the file is not whole: it stops before its end")]
    FileTruncated,
    #[error("files of the format {format} are not taken: {taken} are")]
    FileFormatUnsupported { format: &'static str, taken: &'static str },
    #[error("the picture has a size that is not taken: {reason}")]
    FileSidesUnsupported { reason: String },
    #[error("the file is neither sound nor film that can be read: {reason}")]
    FileNotMedia { reason: String },
    #[error("the file is not a text that can be read: {reason}")]
    FileNotText { reason: String },
    #[error("the file plays for more than {limit_seconds} s")]
    FileTooLong { limit_seconds: u32 },
    /// Without ffmpeg, metadata cannot be removed from files.
    #[error("this server takes neither sound nor film, because ffmpeg is missing")]
    FileMediaUnavailable,

    /// The graph was refused; `validation` has ComfyUI's format `{error, node_errors}`.
    #[error("the prompt is not valid")]
    InvalidPrompt { validation: Value },
    #[error("the idempotency key was used with another request")]
    IdempotencyMismatch,
    #[error("a request with this idempotency key is still in flight")]
    IdempotencyInFlight,

    #[error("the database failed: {0}")]
    Database(#[source] sqlx::Error),
    #[error("{0}")]
    Internal(String),
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FieldError {
    /// The field as the client sent it, with dots for nesting.
    pub field: String,
    pub message: String,
}

/// `the plans Standard and Pro have`.
fn having(plans: &[String]) -> String {
    match plans {
        [] => "no plan has".to_owned(),
        [one] => format!("the plan {one} has"),
        [before @ .., last] => format!("the plans {} and {last} have", before.join(", ")),
    }
}

/// A database that is unavailable or too slow is not the request's fault; the client may retry.
impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if !is_unavailable(&error) && !is_statement_timeout(&error) {
            return Self::Database(error);
        }
        tracing::warn!(%error, "the database does not answer");
        Self::Unavailable { message: "the database does not answer in time".into(), retry_after_seconds: 2 }
    }
}

impl Error {
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), message: message.into() }
    }

    /// In conflict with the current state.
    pub fn conflict(code: Code, message: impl Into<String>) -> Self {
        Self::Conflict { code, message: message.into() }
    }

    /// Not possible in the current state, without details.
    pub fn refused(code: Code, message: impl Into<String>) -> Self {
        Self::Refused { code, message: message.into(), details: Value::Null }
    }

    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::LoginRequired => Code::AuthLoginRequired,
            Self::Forbidden => Code::Forbidden,
            Self::NotFound { .. } => Code::NotFound,
            Self::Invalid { .. } | Self::InvalidFields { .. } => Code::ValidationFailed,
            Self::Conflict { code, .. } | Self::ConflictWith { code, .. } | Self::Refused { code, .. } => *code,
            Self::ShareUserUnknown => Code::ShareUserUnknown,
            Self::CouponUnknown => Code::CouponUnknown,
            Self::AuthAlreadyEmail => Code::AuthAlreadyEmail,
            Self::AuthLinkedGoogle => Code::AuthLinkedGoogle,
            Self::AuthLinkedDiscord => Code::AuthLinkedDiscord,
            Self::AuthWrongCredentials => Code::AuthWrongCredentials,
            Self::AuthTermsRequired => Code::AuthTermsRequired,
            Self::AuthDisabled => Code::AuthDisabled,
            Self::ApiKeyInvalid => Code::ApiKeyInvalid,
            Self::AgentTokenInvalid => Code::AgentTokenInvalid,
            Self::SessionRequired => Code::SessionRequired,
            Self::XsrfMismatch => Code::XsrfMismatch,
            Self::RateLimited { .. } => Code::RateLimited,
            Self::Unavailable { .. } | Self::StorageAway => Code::Unavailable,
            Self::Banned { .. } => Code::AccountBanned,
            Self::StealthModeRequired { .. } => Code::StealthModeRequired,
            Self::OutOfCredits { .. } => Code::OutOfCredits,
            Self::FileTooLarge { .. } => Code::FileTooLarge,
            Self::StorageFull { .. } => Code::StorageFull,
            Self::FileNotAnImage { .. } => Code::FileNotAnImage,
            Self::FileEmpty => Code::FileEmpty,
            Self::FileTruncated => Code::FileTruncated,
            Self::FileFormatUnsupported { .. } => Code::FileFormatUnsupported,
            Self::FileSidesUnsupported { .. } => Code::FileSidesUnsupported,
            Self::FileNotMedia { .. } => Code::FileNotMedia,
            Self::FileNotText { .. } => Code::FileNotText,
            Self::FileTooLong { .. } => Code::FileTooLong,
            Self::FileMediaUnavailable => Code::FileMediaUnavailable,
            Self::InvalidPrompt { .. } => Code::InvalidPrompt,
            Self::IdempotencyMismatch => Code::IdempotencyMismatch,
            Self::IdempotencyInFlight => Code::IdempotencyInFlight,
            Self::Database(_) | Self::Internal(_) => Code::Internal,
        }
    }

    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::LoginRequired | Self::AuthWrongCredentials | Self::ApiKeyInvalid | Self::AgentTokenInvalid => {
                ErrorKind::Unauthorized
            }
            Self::Forbidden
            | Self::AuthDisabled
            | Self::SessionRequired
            | Self::XsrfMismatch
            | Self::Banned { .. }
            | Self::StealthModeRequired { .. } => ErrorKind::Forbidden,
            Self::NotFound { .. } | Self::ShareUserUnknown | Self::CouponUnknown => ErrorKind::NotFound,
            Self::Invalid { .. } | Self::InvalidFields { .. } | Self::AuthTermsRequired => ErrorKind::BadRequest,
            Self::Conflict { .. }
            | Self::ConflictWith { .. }
            | Self::AuthAlreadyEmail
            | Self::AuthLinkedGoogle
            | Self::AuthLinkedDiscord
            | Self::IdempotencyInFlight => ErrorKind::Conflict,
            Self::RateLimited { .. } => ErrorKind::TooManyRequests,
            Self::Unavailable { .. } | Self::StorageAway => ErrorKind::Unavailable,
            Self::OutOfCredits { .. } => ErrorKind::PaymentRequired,
            Self::FileTooLarge { .. } | Self::FileTooLong { .. } | Self::StorageFull { .. } => ErrorKind::TooLarge,
            Self::FileNotAnImage { .. }
            | Self::FileEmpty
            | Self::FileTruncated
            | Self::FileFormatUnsupported { .. }
            | Self::FileSidesUnsupported { .. }
            | Self::FileNotMedia { .. }
            | Self::FileNotText { .. }
            | Self::FileMediaUnavailable => ErrorKind::Unsupported,
            Self::InvalidPrompt { .. } | Self::Refused { .. } | Self::IdempotencyMismatch => ErrorKind::Unprocessable,
            Self::Database(_) | Self::Internal(_) => ErrorKind::Internal,
        }
    }

    /// Details for programs, beside code and message.
    #[must_use]
    pub fn details(&self) -> Option<Value> {
        match self {
            Self::Invalid { field, message } => Some(serde_json::json!([{ "field": field, "message": message }])),
            Self::InvalidFields { fields } => serde_json::to_value(fields).ok(),
            Self::InvalidPrompt { validation } => Some(validation.clone()),
            Self::ConflictWith { details, .. } => Some(details.clone()),
            Self::Refused { details, .. } if !details.is_null() => Some(details.clone()),
            Self::OutOfCredits { needed, available } => {
                Some(serde_json::json!({ "needed": needed, "available": available }))
            }
            Self::Banned { until, reason } => Some(serde_json::json!({ "until": until, "reason": reason })),
            Self::FileFormatUnsupported { format, taken } => {
                Some(serde_json::json!({ "format": format, "taken": taken }))
            }
            Self::FileSidesUnsupported { reason } => Some(serde_json::json!({ "reason": reason })),
            Self::FileTooLong { limit_seconds } => Some(serde_json::json!({ "limitSeconds": limit_seconds })),
            Self::FileTooLarge { limit_bytes } => Some(serde_json::json!({ "limitBytes": limit_bytes })),
            Self::StorageFull { used_bytes, limit_bytes } => {
                Some(serde_json::json!({ "usedBytes": used_bytes, "limitBytes": limit_bytes }))
            }
            _ => self.retry_after_seconds().map(|seconds| serde_json::json!({ "retryAfterSeconds": seconds })),
        }
    }

    /// The delay after which a retry may help.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after_seconds } | Self::Unavailable { retry_after_seconds, .. } => {
                Some(*retry_after_seconds)
            }
            Self::StorageAway => Some(STORAGE_RETRY_SECONDS),
            _ => None,
        }
    }
}
