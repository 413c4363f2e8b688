//! Shares, as the owner and as the receiver see them.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::ids::{UserId, WorkflowApiId, WorkflowApiShareId};
use crate::users::User;

/// A share of an app.
#[derive(Debug, Clone)]
pub struct Share {
    pub id: WorkflowApiShareId,
    pub user: Arc<User>,
    pub created_at: DateTime<Utc>,
}

/// An app that is shared with the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedApp {
    pub id: WorkflowApiShareId,
    pub app: WorkflowApiId,
    /// The name of its workflow.
    pub name: String,
    pub owner: UserId,
    pub created_at: DateTime<Utc>,
}
