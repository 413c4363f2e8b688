//! Filter of users.

use crate::filter::TimeRange;
use crate::ids::UserId;

/// Which users match. `None` is no condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleFilter {
    /// Required of callers who are no admins.
    pub ids: Option<Vec<UserId>>,
    /// When the account was made.
    pub created: TimeRange,
}
