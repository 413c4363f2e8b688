//! Filter of comments.

use super::comment::Post;
use crate::filter::TimeRange;
use crate::ids::{CommentId, UserId};

/// Which comments match. `None` is no condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommentFilter {
    pub ids: Option<Vec<CommentId>>,
    pub user: Option<UserId>,
    /// Comments on this post, without replies to them.
    pub post: Option<Post>,
    /// The comment that is replied to.
    pub parent: Option<CommentId>,
    /// Whether the comment replies to another one.
    pub is_answer: Option<bool>,
    pub created: TimeRange,
}
