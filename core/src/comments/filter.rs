//! Which comments are wanted.

use super::comment::Post;
use crate::filter::Span;
use crate::ids::{CommentId, UserId};

/// What is wanted; what is left open is not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Any of these.
    pub ids: Option<Vec<CommentId>>,
    pub user: Option<UserId>,
    /// What stands directly below this one. Answers are found by their comment.
    pub post: Option<Post>,
    /// The comment that is answered.
    pub parent: Option<CommentId>,
    /// Answers, or comments that are none.
    pub is_answer: Option<bool>,
    pub created: Span,
}
