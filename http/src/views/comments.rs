//! Comments and answers.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::comments::{Comment, Post, Reaction};
use verdigraph_core::ids::UserId;

use super::notifications::ActorView;
use crate::openapi::ToSchema;

/// A comment, or an answer to one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `null` if deleted.
    pub user: Option<ActorView>,
    /// Sanitized HTML; empty if deleted, and for callers other than admins if hidden by a moderator.
    pub content: String,
    /// Whether a moderator has hidden it: pages show a placeholder.
    pub is_hidden: bool,
    /// 0 for a comment, 1 for an answer.
    pub depth: u8,
    /// The comment that this answers.
    pub parent: Option<Uuid>,
    pub workflow: Option<Uuid>,
    pub output_asset: Option<Uuid>,
    pub reply_count: i64,
    pub like_count: i64,
    pub dislike_count: i64,
    /// The caller's opinion: `true` liked, `false` disliked, `null` neither.
    pub is_like: Option<bool>,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
}

impl CommentView {
    /// The view, with its author from `users`; a deleted author is missing there.
    #[must_use]
    pub fn new(comment: Comment, users: &HashMap<UserId, ActorView>) -> Self {
        let (workflow, output_asset) = match comment.post {
            Post::Workflow(id) => (Some(id.0), None),
            Post::OutputAsset(id) => (None, Some(id.0)),
        };
        Self {
            id: comment.id.0,
            user: comment.user.and_then(|user| users.get(&user).cloned()),
            content: comment.content,
            is_hidden: comment.is_hidden,
            depth: u8::from(comment.parent.is_some()),
            parent: comment.parent.map(|parent| parent.0),
            workflow,
            output_asset,
            reply_count: comment.reply_count,
            like_count: comment.like_count,
            dislike_count: comment.dislike_count,
            is_like: comment.reaction.map(|reaction| reaction == Reaction::Like),
            created_at: comment.created_at,
            edited_at: comment.edited_at,
        }
    }
}

/// A numbered page of comments.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentsView {
    /// Fewer than `limit` if some were deleted; the next page may have more.
    pub items: Vec<CommentView>,
    /// Pages are counted including deleted comments.
    pub pagination: super::Pagination,
    /// Comments (or answers) that are not deleted.
    pub comment_count: i64,
}
