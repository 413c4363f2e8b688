//! Webhooks and their attempts.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::events::EventKind;
use verdigraph_core::webhooks::{self, Attempt, Config};

use crate::openapi::ToSchema;

/// An event type.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEventView {
    /// The id that selects it.
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

/// A webhook.
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
    /// `gone` if the receiver answered 410, or `failing` after three days without success.
    pub disabled_reason: Option<&'static str>,
    pub failing_since: Option<DateTime<Utc>>,
    /// Undelivered events; 1000 means 1000 or more.
    pub waiting: i64,
    pub last_attempt: Option<LastAttemptView>,
    /// The signing secret, returned only when the webhook is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// Outcome of the last attempt.
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

/// A new signing secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSecretView {
    pub secret: String,
    /// Until when the previous one signs too.
    pub old_until: DateTime<Utc>,
}

/// The delivery that is retried.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookGroupView {
    /// `groupId` of its attempts in the history.
    pub group_id: Uuid,
}

/// How many are retried.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookResentView {
    pub count: u64,
}

/// The event of an attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEventEmbedView {
    pub name: &'static str,
}

/// One attempt to deliver an event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookHistoryView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub job: Option<Uuid>,
    /// Shared by all attempts of an event.
    pub group_id: Uuid,
    /// `Success` or `Failed`.
    pub status: &'static str,
    /// The receiver's status, by HTTP or by ftp.
    pub response_status: Option<i16>,
    /// Counts from 1.
    pub attempt_number: i16,
    pub attempt_at: DateTime<Utc>,
    /// When the event was first sent.
    pub created_at: DateTime<Utc>,
    pub responded_at: Option<DateTime<Utc>>,
    /// The first 4 KiB of the response, as text.
    pub response: String,
    /// The request's body: JSON as text.
    pub payload: String,
    /// Why there was no response.
    pub error: Option<String>,
    /// When the next automatic attempt is due.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Number of attempts so far, at most ten.
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
            response: attempt.response_body,
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

/// Whether there are more pages; they are not counted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MorePages {
    /// Counts from 1.
    pub page: i32,
    pub has_more: bool,
}
