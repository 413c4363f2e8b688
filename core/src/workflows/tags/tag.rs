//! A tag, and how much it is used.

use chrono::{DateTime, Utc};

use crate::ids::WorkflowTagId;

/// A tag, in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    pub id: WorkflowTagId,
    pub name: String,
    pub name_ko: String,
    /// 0 for the roots.
    pub depth: i16,
    pub parent: Option<WorkflowTagId>,
    pub created_at: DateTime<Utc>,
}

/// How much a tag is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TagUse {
    /// Workflows that carry it, also drafts.
    pub workflows: i64,
    /// Those of them that are published, which are found by it.
    pub published: i64,
}

/// A tag that shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTag {
    pub name: String,
    pub name_ko: String,
    /// `None` for a root.
    pub parent: Option<WorkflowTagId>,
}

/// What of a tag shall change; `None` leaves a thing as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagChanges {
    pub name: Option<String>,
    pub name_ko: Option<String>,
    /// `Some(None)` makes a root of it.
    pub parent: Option<Option<WorkflowTagId>>,
}
