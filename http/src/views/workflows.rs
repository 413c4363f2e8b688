//! Workflows.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::graph::{JsonText, WrittenPrompt};

use super::assets::AssetView;
use super::translations::{ByLanguageView, TranslationView};
use super::users::UserCard;
use super::workflow_tags::WorkflowTagCard;
use crate::openapi::ToSchema;

/// A workflow without its graph.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// Sanitized HTML. Lists have only its beginning.
    pub description: String,
    /// Name and description in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translations: Option<ByLanguageView<TranslationView>>,
    pub user: Option<UserCard>,
    pub cover: Option<AssetView>,
    /// The gallery. Lists have only the cover.
    pub thumbnails: Vec<AssetView>,
    /// The caller's own id if they like it. Other users' likes are only counted.
    pub likes: Vec<Uuid>,
    pub is_liked: bool,
    pub is_private: bool,
    pub is_nsfw: bool,
    pub like_count: i64,
    pub view_count: i64,
    pub launch_count: i64,
    pub created_at: DateTime<Utc>,
    pub edited_at: DateTime<Utc>,
    pub published_at: Option<DateTime<Utc>>,
    pub workflow_tags: Vec<WorkflowTagCard>,
    /// Whether it is a basic workflow.
    pub is_basic: bool,
    /// The mini app on it; its presence makes the workflow an "easy app".
    pub workflow_api: Option<Uuid>,
    /// Whether some worker can run the mini app now; `null` while unknown.
    pub workflow_api_works: Option<bool>,
    /// Inputs of the mini app beside its settings: `image`, `video`, `audio`, and `text` for a prompt.
    pub takes: Vec<&'static str>,
    /// Outputs of the mini app: `image`, `video`, `audio`, `text` or `file`.
    pub makes: Vec<&'static str>,
}

/// The JSON text of a graph: `{"workflow": UI format or null, "output": API format or null}`, both as written.
#[must_use]
pub fn graph_text(ui: Option<&JsonText>, prompt: Option<&WrittenPrompt>) -> String {
    let ui = ui.map_or("null", JsonText::as_str);
    let output = prompt.map_or("null", |prompt| prompt.text.as_str());
    format!(r#"{{"workflow":{ui},"output":{output}}}"#)
}

/// A workflow's graph, for `select=prompt name`.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkflowGraphView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// A JSON text: `{"workflow": UI format or null, "output": API format or null}`.
    pub prompt: String,
}

/// One workflow, or its graph with `select=prompt name`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum FoundWorkflowView {
    Whole(Box<WorkflowView>),
    Graph(WorkflowGraphView),
}

/// A workflow, as a mini app or a job shows it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WorkflowCard {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The texts in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translations: Option<ByLanguageView<TranslationView>>,
    pub cover: Option<AssetView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserCard>,
}

impl WorkflowCard {
    /// Name and cover.
    #[must_use]
    pub fn brief(self) -> Self {
        let translations = self.translations.and_then(ByLanguageView::names);
        Self { description: None, user: None, translations, ..self }
    }
}

/// A workflow's likes after a change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeView {
    pub is_liked: bool,
    pub like_count: i64,
}
