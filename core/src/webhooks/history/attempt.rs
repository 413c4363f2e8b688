//! One attempt to deliver an event.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::events::EventKind;
use crate::ids::{JobId, WebhookAttemptId};

/// One attempt to deliver an event, as its owner sees it.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub id: WebhookAttemptId,
    pub job: Option<JobId>,
    /// The delivery; all attempts at one event share it.
    pub group: Uuid,
    pub kind: EventKind,
    pub is_success: bool,
    /// The HTTP or FTP status of the response.
    pub response: Option<i16>,
    pub response_body: String,
    /// Why there was no response.
    pub error: Option<String>,
    pub number: i16,
    pub at: DateTime<Utc>,
    pub responded_at: Option<DateTime<Utc>>,
    /// When the delivery was queued.
    pub created_at: DateTime<Utc>,
    /// The body that was sent.
    pub body: String,
    /// When the next attempt is due, if any.
    pub next_at: Option<DateTime<Utc>>,
    /// Attempts at this delivery so far.
    pub attempts: i16,
}
