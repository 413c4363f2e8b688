//! A webhook: an address, and the events that are sent to it.

use chrono::{DateTime, Utc};

use crate::events::EventKind;
use crate::ids::{UserId, WebhookConfigId, WorkflowApiId};
use crate::word_list::word_list;

pub const MAX_NAME_CHARS: usize = 100;
pub const MAX_URL_CHARS: usize = 2000;
/// Maximum number of configs per workflow API, and of account-wide configs per user.
pub const MAX_OF_ONE: i64 = 20;

word_list! {
    /// Why a config is disabled.
    #[repr(i16)]
    pub enum DisabledReason for "disabledReason" {
        /// The receiver answered 410 Gone.
        Gone = 0 => "gone",
        /// No delivery succeeded for days.
        Failing = 1 => "failing",
    } else Failing
}

/// The events that a config can choose. Test events are sent to every config.
pub const KINDS: [EventKind; 9] = [
    EventKind::JobCreated,
    EventKind::JobStarted,
    EventKind::JobProgress,
    EventKind::JobDone,
    EventKind::JobFailed,
    EventKind::JobCanceled,
    EventKind::BatchFinished,
    EventKind::WorkflowApiSaved,
    EventKind::WorkflowApiDeleted,
];

/// One sentence about an event, for the API.
#[must_use]
pub const fn description(kind: EventKind) -> &'static str {
    match kind {
        EventKind::JobCreated => "A job was accepted and waits for a worker.",
        EventKind::JobStarted => "A worker began with a job; another try begins once more.",
        EventKind::JobDone => "A job ended well, and its outputs are stored.",
        EventKind::JobFailed => "A job ended without a result.",
        EventKind::JobCanceled => "A job was ended by its owner.",
        EventKind::JobProgress => "A job is a quarter, a half or three quarters done.",
        EventKind::BatchFinished => {
            "All jobs of a batch have ended; a webhook of a workflow API gets the batches whose jobs all ran it."
        }
        EventKind::WorkflowApiSaved => "A workflow API was saved.",
        EventKind::WorkflowApiDeleted => "A workflow API was deleted.",
        EventKind::Test => "The owner of the webhook tests it.",
    }
}

/// A config as its owner sees it.
#[derive(Debug, Clone)]
pub struct Config {
    pub id: WebhookConfigId,
    pub user: UserId,
    /// `None` means all of the account.
    pub workflow_api: Option<WorkflowApiId>,
    pub name: String,
    pub url: String,
    pub kinds: Vec<EventKind>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub disabled: Option<(DateTime<Utc>, DisabledReason)>,
    pub failing_since: Option<DateTime<Utc>>,
    /// Events still to be delivered.
    pub waiting: i64,
    pub last: Option<LastAttempt>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastAttempt {
    pub at: DateTime<Utc>,
    pub is_success: bool,
    pub response: Option<i16>,
}

#[derive(Debug, Clone)]
pub struct NewConfig {
    pub name: String,
    pub url: String,
    /// Names of [`EventKind`].
    pub kinds: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct ConfigChange {
    pub name: Option<String>,
    pub url: Option<String>,
    pub kinds: Option<Vec<String>>,
}
