use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::graph::JsonText;

/// An unsaved graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub name: String,
    /// In the editor's format.
    pub ui: JsonText,
    /// The version of the workflow that it changes; `None` for a project that was never saved.
    pub base_version: Option<i32>,
    pub revision: Uuid,
    pub updated_at: DateTime<Utc>,
}

/// A draft to store.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDraft {
    pub name: String,
    pub ui: JsonText,
    pub base_version: Option<i32>,
    /// The page that writes: each load of the editor has its own.
    pub page: String,
    /// The revision that the page read or wrote last.
    pub known: Option<Uuid>,
}
