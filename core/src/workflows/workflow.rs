//! A workflow and its graph.

use chrono::{DateTime, Utc};

use super::app_traits::AppTraits;
use super::app_traits::kind::WorkflowKind;
use super::translations::Translations;
use crate::Caller;
use crate::graph::{JsonText, WrittenPrompt};
use crate::ids::{AssetId, UserId, WorkflowApiId, WorkflowId};
use crate::language::Language;

/// A workflow without its graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workflow {
    pub id: WorkflowId,
    pub user: UserId,
    pub name: String,
    /// Sanitized HTML.
    pub description: String,
    /// Name and description in other languages.
    pub translations: Translations,
    pub is_private: bool,
    pub is_nsfw: bool,
    pub cover: Option<AssetId>,
    /// The mini app made from it.
    pub workflow_api: Option<WorkflowApiId>,
    /// Number of the graph's version, from 1.
    pub version: i32,
    pub like_count: i64,
    pub view_count: i64,
    pub launch_count: i64,
    pub created_at: DateTime<Utc>,
    pub edited_at: DateTime<Utc>,
    pub published_at: Option<DateTime<Utc>>,
    /// When an admin made it a basic workflow.
    pub basic_at: Option<DateTime<Utc>>,
    /// What an admin marked it as; see [`Workflow::kind`].
    pub marked_kind: Option<WorkflowKind>,
    /// Traits of its mini app.
    pub app: AppTraits,
}

impl Workflow {
    #[must_use]
    pub fn is_visible_to(&self, caller: &Caller) -> bool {
        !self.is_private || caller.owns_or_admin(self.user)
    }

    #[must_use]
    pub fn kind(&self) -> WorkflowKind {
        match (self.marked_kind, self.workflow_api) {
            (Some(kind), _) => kind,
            (None, None) => WorkflowKind::Comfy,
            (None, Some(_)) if self.is_private => WorkflowKind::WorkflowApi,
            (None, Some(_)) => WorkflowKind::EasyApp,
        }
    }

    /// The name in a language.
    #[must_use]
    pub fn name_in(&self, language: Language) -> &str {
        self.translations.get(language).and_then(|words| words.name.as_deref()).unwrap_or(&self.name)
    }

    /// The description in a language; HTML.
    #[must_use]
    pub fn description_in(&self, language: Language) -> &str {
        self.translations.get(language).and_then(|words| words.description.as_deref()).unwrap_or(&self.description)
    }

    /// Names in all languages.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.translations.values().filter_map(|words| words.name.as_deref()))
    }

    /// Descriptions in all languages; HTML.
    pub fn descriptions(&self) -> impl Iterator<Item = &str> {
        let others = self.translations.values().filter_map(|words| words.description.as_deref());
        std::iter::once(self.description.as_str()).chain(others)
    }
}

/// A workflow's graph, as it was written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// In the editor's format.
    pub ui: Option<JsonText>,
    /// In the workers' API format.
    pub prompt: Option<WrittenPrompt>,
}

/// An unchecked graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewGraph {
    pub ui: Option<JsonText>,
    pub prompt: Option<JsonText>,
}
