//! One attempt to bring an event.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::events::EventKind;
use crate::ids::{JobId, WebhookAttemptId};

/// One attempt to bring an event, as its owner sees it.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub id: WebhookAttemptId,
    pub job: Option<JobId>,
    /// The delivery: all attempts at one event have the same.
    pub group: Uuid,
    pub kind: EventKind,
    pub is_success: bool,
    /// What the receiver answered, by HTTP or by ftp.
    pub response: Option<i16>,
    pub said: String,
    /// Why there was no answer.
    pub error: Option<String>,
    pub number: i16,
    pub at: DateTime<Utc>,
    pub responded_at: Option<DateTime<Utc>>,
    /// When the event was put on its way.
    pub created_at: DateTime<Utc>,
    /// What was sent.
    pub body: String,
    /// When it is tried again, where it is.
    pub next_at: Option<DateTime<Utc>>,
    /// Attempts that were made of this delivery so far.
    pub attempts: i16,
}
