//! Which people are wanted.

use crate::filter::Span;
use crate::ids::UserId;

/// Who is wanted; what is left open is not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleFilter {
    /// Any of these. All but admins must name them.
    pub ids: Option<Vec<UserId>>,
    /// When they signed up.
    pub created: Span,
}
