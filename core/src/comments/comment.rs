//! A comment, what it stands below, and what people think of it.

use chrono::{DateTime, Utc};

use crate::ids::{CommentId, OutputAssetId, UserId, WorkflowId};

/// What is commented on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Post {
    Workflow(WorkflowId),
    OutputAsset(OutputAssetId),
}

/// What a page of comments stands below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    Post(Post),
    /// The answers to a comment.
    Comment(CommentId),
}

impl Below {
    /// The id that places are counted by.
    pub(super) fn id(self) -> uuid::Uuid {
        match self {
            Self::Post(Post::Workflow(id)) => id.0,
            Self::Post(Post::OutputAsset(id)) => id.0,
            Self::Comment(id) => id.0,
        }
    }
}

/// A comment, or an answer to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub id: CommentId,
    /// `None` once it is deleted.
    pub user: Option<UserId>,
    pub post: Post,
    /// The comment that this answers.
    pub parent: Option<CommentId>,
    /// Sanitised HTML; empty once it is deleted.
    pub content: String,
    /// Answers that are not deleted.
    pub reply_count: i64,
    pub like_count: i64,
    pub dislike_count: i64,
    /// What the asker thinks of it.
    pub reaction: Option<Reaction>,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    /// Whether a moderator took it out of sight: all but admins find a placeholder there.
    pub is_hidden: bool,
}

/// What somebody thinks of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    Like,
    Dislike,
}
