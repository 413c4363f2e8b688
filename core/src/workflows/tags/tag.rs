//! A tag, and how much it is used.

use chrono::{DateTime, Utc};

use crate::ids::WorkflowTagId;

/// The root tags of a new installation: `Image` is 1, `Video` 2.
#[must_use]
pub fn root_tag(number: u128) -> WorkflowTagId {
    WorkflowTagId(uuid::Uuid::from_u128(0x0197_0000_0000_7000_8000_0000_0000_0000 + number * 0x100))
}

/// A tag below a root, by its number there from 1.
#[must_use]
pub fn tag_below(root: u128, number: u128) -> WorkflowTagId {
    WorkflowTagId(uuid::Uuid::from_u128(root_tag(root).0.as_u128() + number))
}

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

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TagUse {
    /// Workflows with the tag, including drafts.
    pub workflows: i64,
    /// Published workflows with the tag.
    pub published: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTag {
    pub name: String,
    pub name_ko: String,
    /// `None` for a root.
    pub parent: Option<WorkflowTagId>,
}

/// Changes to a tag; `None` keeps a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagChanges {
    pub name: Option<String>,
    pub name_ko: Option<String>,
    /// `Some(None)` makes it a root.
    pub parent: Option<Option<WorkflowTagId>>,
}
