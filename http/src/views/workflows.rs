//! Workflows.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::graph::{JsonText, WrittenPrompt};

use super::assets::AssetView;
use super::translations::{ByLanguageView, TranslationView};
use super::users::UserCard;
use super::workflow_tags::WorkflowTagCard;
use crate::described::ToSchema;

/// A workflow without its graph.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// HTML, cleaned by the server. Lists give only its beginning.
    pub description: String,
    /// Name and description in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translations: Option<ByLanguageView<TranslationView>>,
    pub user: Option<UserCard>,
    pub cover: Option<AssetView>,
    /// The gallery. Lists give only the cover.
    pub thumbnails: Vec<AssetView>,
    /// The asker's own id, where they like it: of the others only the count is told.
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
    /// Whether admins put it among the basic workflows.
    pub is_basic: bool,
    /// The mini app on it; its presence makes the workflow an "easy app".
    pub workflow_api: Option<Uuid>,
    /// Whether some worker can run the mini app as things are; `null` while that is not known.
    pub workflow_api_works: Option<bool>,
    /// What the mini app takes beside its dials: `image`, `video`, `audio`, and `text` for words that are drawn.
    pub takes: Vec<&'static str>,
    /// What the mini app makes: `image`, `video`, `audio`, `text` or `file`.
    pub makes: Vec<&'static str>,
}

/// The JSON text of a graph: `{"workflow": UI format or null, "output": API format or null}`, with both as they were written.
#[must_use]
pub fn graph_text(ui: Option<&JsonText>, prompt: Option<&WrittenPrompt>) -> String {
    let ui = ui.map_or("null", JsonText::as_str);
    let output = prompt.map_or("null", |prompt| prompt.text.as_str());
    format!(r#"{{"workflow":{ui},"output":{output}}}"#)
}

/// A workflow's graph, as `select=prompt name` asks for it.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkflowGraphView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// A JSON text: `{"workflow": UI format or null, "output": API format or null}`.
    pub prompt: String,
}

/// One workflow: all of it, or its graph where `select=prompt name` asks for that.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum FoundWorkflowView {
    Whole(Box<WorkflowView>),
    Graph(WorkflowGraphView),
}

/// What a mini app or a job tells of its workflow.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WorkflowCard {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What is told of it here, in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translations: Option<ByLanguageView<TranslationView>>,
    pub cover: Option<AssetView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserCard>,
}

impl WorkflowCard {
    /// Name and cover, for what ran it.
    #[must_use]
    pub fn brief(self) -> Self {
        let translations = self.translations.and_then(ByLanguageView::names);
        Self { description: None, user: None, translations, ..self }
    }
}

/// How a workflow stands after a like, or after one was taken back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeView {
    pub is_liked: bool,
    pub like_count: i64,
}
