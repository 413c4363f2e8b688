//! Identifiers. They are UUIDv7, so they sort by creation time, and "newest first" is `-_id`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The smallest id that can be created at this time: ids begin with their millisecond.
pub(crate) fn min_id(at: DateTime<Utc>) -> Uuid {
    Uuid::from_u128(u128::try_from(at.timestamp_millis()).unwrap_or(0) << 80)
}

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, sqlx::Type)]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            #[must_use]
            #[expect(clippy::new_without_default, reason = "a new id is never a default value")]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    )+};
}

id! {
    /// A user; also the id of the user's credit account.
    UserId,
    /// An API key.
    ApiKeyId,
    /// An uploaded file of a user; its bytes are identified by their content hash.
    AssetId,
    WorkflowId,
    WorkflowTagId,
    /// A mini app (workflow API).
    WorkflowApiId,
    /// An immutable version of a mini app.
    WorkflowApiVersionId,
    /// A picture, video or audio output in the gallery.
    OutputAssetId,
    /// A comment on a post, or an answer to one.
    CommentId,
    NotificationId,
    /// A notice of the operators to all users.
    NoticeId,
    VideoId,
    /// An input picture that a user keeps for later runs.
    InputAssetId,
    JobId,
    /// Jobs submitted in one file.
    BatchId,
    /// An event in the feed and in webhooks.
    EventId,
    /// A lot of credits with one expiry.
    GrantId,
    /// A ledger entry.
    EntryId,
    /// A worker: one ComfyUI server.
    WorkerId,
    /// A token for agents that connect workers.
    AgentTokenId,
    /// A running `verdigraph serve` process.
    NodeId,
    /// An entry of the audit log.
    AuditId,
    /// A share of a mini app with a user.
    WorkflowApiShareId,
    /// A webhook.
    WebhookConfigId,
    /// An attempt to deliver a webhook.
    WebhookAttemptId,
    /// A moderation case: all reports of one target.
    CaseId,
    /// A user's report.
    ReportId,
    /// A user's request for a node class or a model.
    RequirementRequestId,
    CouponId,
    /// A use of a coupon by one user.
    CouponUseId,
    /// Something that the shop sells.
    ShopItemId,
    /// A purchase.
    OrderId,
    /// A payment of an order at a provider.
    PaymentId,
    /// A saved card of a user.
    PaymentMethodId,
    /// Money of an order that is given back.
    RefundId,
    SubscriptionId,
    /// A banner, or a bonus for a first purchase.
    PromotionId,
}
