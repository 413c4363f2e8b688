//! Webhooks, and what was tried.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::events::EventKind;
use verdigraph_core::webhooks::{self, Attempt, Config};

use crate::described::ToSchema;

/// An event that can be chosen.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEventView {
    /// What is sent to choose it.
    #[serde(rename = "_id")]
    pub id: &'static str,
    pub name: &'static str,
    /// One sentence.
    pub description: &'static str,
}

impl From<EventKind> for WebhookEventView {
    fn from(kind: EventKind) -> Self {
        Self { id: kind.name(), name: kind.name(), description: webhooks::description(kind) }
    }
}

/// Where events are brought to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookConfigView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    pub webhook_url: String,
    pub webhook_events: Vec<WebhookEventView>,
    /// `null`: all jobs of the account.
    pub workflow_api: Option<Uuid>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub is_active: bool,
    pub disabled_at: Option<DateTime<Utc>>,
    /// `gone`, where the receiver answered 410, or `failing`, where nothing reached it for three days.
    pub disabled_reason: Option<&'static str>,
    pub failing_since: Option<DateTime<Utc>>,
    /// Events that are still to be brought; 1000 stands for more.
    pub waiting: i64,
    pub last_attempt: Option<LastAttemptView>,
    /// What signs the messages. It is told here once, when the webhook is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// How the last attempt went.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastAttemptView {
    /// `Success` or `Failed`.
    pub status: &'static str,
    pub response_status: Option<i16>,
    pub attempt_at: DateTime<Utc>,
}

const fn status(is_success: bool) -> &'static str {
    if is_success { "Success" } else { "Failed" }
}

impl From<Config> for WebhookConfigView {
    fn from(config: Config) -> Self {
        Self {
            id: config.id.0,
            name: config.name,
            webhook_url: config.url,
            webhook_events: config.kinds.into_iter().map(WebhookEventView::from).collect(),
            workflow_api: config.workflow_api.map(|id| id.0),
            created_at: config.created_at,
            updated_at: config.updated_at,
            is_active: config.disabled.is_none(),
            disabled_at: config.disabled.map(|(at, _)| at),
            disabled_reason: config.disabled.map(|(_, why)| why.name()),
            failing_since: config.failing_since,
            waiting: config.waiting,
            last_attempt: config.last.map(|last| LastAttemptView {
                status: status(last.is_success),
                response_status: last.response,
                attempt_at: last.at,
            }),
            secret: None,
        }
    }
}

/// A secret that signs from now on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSecretView {
    pub secret: String,
    /// Until when the one before signs too.
    pub old_until: DateTime<Utc>,
}

/// The delivery that is tried.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookGroupView {
    /// `groupId` of its attempts in the history.
    pub group_id: Uuid,
}

/// How many are tried again.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookResentView {
    pub count: u64,
}

/// The event of an attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEventEmbedView {
    pub name: &'static str,
}

/// One attempt to bring an event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookHistoryView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub job: Option<Uuid>,
    /// All attempts at one event have the same.
    pub group_id: Uuid,
    /// `Success` or `Failed`.
    pub status: &'static str,
    /// What the receiver answered, by HTTP or by ftp.
    pub response_status: Option<i16>,
    /// Counts from 1.
    pub attempt_number: i16,
    pub attempt_at: DateTime<Utc>,
    /// When the event was put on its way.
    pub created_at: DateTime<Utc>,
    pub responded_at: Option<DateTime<Utc>>,
    /// The first 4 KiB of what was answered, as text.
    pub response: String,
    /// What was sent: JSON as text.
    pub payload: String,
    /// Why there was no answer.
    pub error: Option<String>,
    /// When it is tried again by itself.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// How often it was tried so far; ten times is the most.
    pub attempts: i16,
    pub webhook_event_embed: WebhookEventEmbedView,
}

impl From<Attempt> for WebhookHistoryView {
    fn from(attempt: Attempt) -> Self {
        Self {
            id: attempt.id.0,
            job: attempt.job.map(|id| id.0),
            group_id: attempt.group,
            status: status(attempt.is_success),
            response_status: attempt.response,
            attempt_number: attempt.number,
            attempt_at: attempt.at,
            created_at: attempt.created_at,
            responded_at: attempt.responded_at,
            response: attempt.said,
            payload: attempt.body,
            error: attempt.error,
            next_attempt_at: attempt.next_at,
            attempts: attempt.attempts,
            webhook_event_embed: WebhookEventEmbedView { name: attempt.kind.name() },
        }
    }
}

/// A page of the history.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookHistoryPage {
    pub data: Vec<WebhookHistoryView>,
    pub pagination: MorePages,
}

/// Whether there is more; nothing is counted for it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MorePages {
    /// Counts from 1.
    pub page: i32,
    pub has_more: bool,
}
