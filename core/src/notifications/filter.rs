//! Filter and sort order of notifications.

use super::notification::NotificationKind;
use crate::filter::TimeRange;
use crate::ids::{NotificationId, OutputAssetId, WorkflowId};
use crate::list::sort_order;

sort_order! {
    /// By place in the box, which is by age.
    pub enum NotificationOrder {
        #[default]
        Newest 'n' => "newest" | "-_id" | "-createdAt",
        Oldest 'o' => "oldest" | "_id" | "createdAt",
    }
    ascending Oldest
}

/// Which notifications match. `None` is no condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NotificationFilter {
    pub ids: Option<Vec<NotificationId>>,
    pub kind: Option<NotificationKind>,
    pub workflow: Option<WorkflowId>,
    pub output_asset: Option<OutputAssetId>,
    pub is_checked: Option<bool>,
    pub created: TimeRange,
}
