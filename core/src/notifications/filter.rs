//! Which notifications are wanted.

use super::notification::Kind;
use crate::filter::Span;
use crate::ids::{NotificationId, OutputAssetId, WorkflowId};

/// What is wanted; what is left open is not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Any of these.
    pub ids: Option<Vec<NotificationId>>,
    pub kind: Option<Kind>,
    pub workflow: Option<WorkflowId>,
    pub output_asset: Option<OutputAssetId>,
    pub is_checked: Option<bool>,
    pub created: Span,
}
