//! A comment, its post and its reactions.

use chrono::{DateTime, Utc};

use crate::ids::{CommentId, OutputAssetId, UserId, WorkflowId};

/// What a comment is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Post {
    Workflow(WorkflowId),
    OutputAsset(OutputAssetId),
}

/// What a comment is written below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentParent {
    Post(Post),
    /// For replies.
    Comment(CommentId),
}

impl CommentParent {
    /// The id by which places are counted.
    pub(super) fn id(self) -> uuid::Uuid {
        match self {
            Self::Post(Post::Workflow(id)) => id.0,
            Self::Post(Post::OutputAsset(id)) => id.0,
            Self::Comment(id) => id.0,
        }
    }
}

/// A comment, or a reply to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub id: CommentId,
    /// `None` once it is deleted.
    pub user: Option<UserId>,
    pub post: Post,
    /// The comment that this one replies to.
    pub parent: Option<CommentId>,
    /// Sanitized HTML; empty once it is deleted.
    pub content: String,
    /// Replies that are not deleted.
    pub reply_count: i64,
    pub like_count: i64,
    pub dislike_count: i64,
    /// The caller's reaction.
    pub reaction: Option<Reaction>,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    /// Whether a moderator hid it: everyone but admins sees a placeholder.
    pub is_hidden: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    Like,
    Dislike,
}
