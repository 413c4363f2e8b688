//! Workflows.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::graph::{JsonText, WrittenPrompt};
use verdigraph_core::workflows::{Draft, Graph, WorkflowVersion};

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
    /// Number of the graph's version.
    pub version: i32,
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
    /// `comfy`; `workflow-api` with a mini app; `easyapp` where that is published; `figma` and `generator` as admins
    /// marked it.
    pub kind: &'static str,
    /// The mini app on it; its presence makes the workflow an "easy app".
    pub workflow_api: Option<Uuid>,
    /// Whether some worker can run the mini app now; `null` while unknown.
    pub workflow_api_works: Option<bool>,
    /// Inputs of the mini app beside its settings: `image`, `video`, `audio`, `textfile`, and `text` for a prompt.
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
    /// Number of the graph's version.
    pub version: i32,
    /// A JSON text: `{"workflow": UI format or null, "output": API format or null}`.
    pub prompt: String,
}

/// A saved version in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionView {
    /// From 1; the highest is the latest.
    pub version: i32,
    /// Bytes of the graph.
    pub size_bytes: i64,
    pub created_at: DateTime<Utc>,
}

impl From<WorkflowVersion> for VersionView {
    fn from(version: WorkflowVersion) -> Self {
        let WorkflowVersion { version, size_bytes, created_at } = version;
        Self { version, size_bytes, created_at }
    }
}

/// A saved version with its graph.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionGraphView {
    pub version: i32,
    pub created_at: DateTime<Utc>,
    /// A JSON text: `{"workflow": UI format or null, "output": API format or null}`.
    pub prompt: String,
}

impl VersionGraphView {
    #[must_use]
    pub fn new(version: i32, created_at: DateTime<Utc>, graph: &Graph) -> Self {
        Self { version, created_at, prompt: graph_text(graph.ui.as_ref(), graph.prompt.as_ref()) }
    }
}

/// An unsaved graph.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftView {
    pub name: String,
    /// The JSON text of the editor's graph.
    pub workflow: String,
    /// The version of the workflow that it changes; `null` for a project that was never saved.
    pub base_version: Option<i32>,
    /// Changes with each write.
    pub revision: Uuid,
    pub updated_at: DateTime<Utc>,
}

impl From<Draft> for DraftView {
    fn from(draft: Draft) -> Self {
        let Draft { name, ui, base_version, revision, updated_at } = draft;
        Self { name, workflow: ui.as_str().to_owned(), base_version, revision, updated_at }
    }
}

/// The caller's draft, or `null`.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundDraftView {
    pub draft: Option<DraftView>,
}

/// A stored draft.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedDraftView {
    /// To be sent with the next write.
    pub revision: Uuid,
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
