//! Identifiers. Each is a UUIDv7, so it sorts by the time it was made and "newest first" is `-_id`.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, sqlx::Type)]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A fresh id; later ids sort after earlier ones.
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
    /// A person. Their credit account has the same id.
    UserId,
    /// A named, revocable key of a program.
    ApiKeyId,
    /// A stored file as somebody's upload or output; the bytes are named by their content hash.
    AssetId,
    /// A workflow, with its graph.
    WorkflowId,
    /// A tag of workflows.
    WorkflowTagId,
    /// A mini app (workflow API) as people know it.
    WorkflowApiId,
    /// One saved, unchangeable version of a mini app.
    WorkflowApiVersionId,
    /// An output picture, video or audio in the gallery.
    OutputAssetId,
    /// A comment on a post, or an answer to one.
    CommentId,
    /// Something that somebody was told of.
    NotificationId,
    /// What the operators told everybody.
    NoticeId,
    /// A community video.
    VideoId,
    /// A picture that somebody keeps at hand for the next run.
    InputAssetId,
    /// A run, from submit to its terminal status.
    JobId,
    /// Jobs that were sent in one file.
    BatchId,
    /// Something that happened, the same in the feed and in webhooks.
    EventId,
    /// A lot of credits with one expiry.
    GrantId,
    /// A ledger entry.
    EntryId,
    /// A worker: one ComfyUI server.
    WorkerId,
    /// What lets agents in that connect workers.
    AgentTokenId,
    /// A running `verdigraph serve` process.
    NodeId,
    /// A line of the audit log.
    AuditId,
    /// That a mini app is shared with somebody.
    WorkflowApiShareId,
    /// Where events are brought to.
    WebhookConfigId,
    /// One attempt to bring an event.
    WebhookAttemptId,
    /// Reports of one thing, and what became of them.
    CaseId,
    /// One person's report.
    ReportId,
}
