//! Mini apps (workflow APIs).

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::workflows::{WorkflowCard, WorkflowView};
use crate::described::ToSchema;

/// A mini app with everything that its form needs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowApiView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub workflow: WorkflowCard,
    /// Keyed `id.name`; each input with its adapter.
    pub inputs: Value,
    /// Keyed by node id.
    pub outputs: Value,
    /// The form, made by the server. Where a field has words in other languages, they stand in its
    /// `ui:options.translations` by language: `title`, `description` and `enumNames`.
    pub rjsf: FormView,
    pub health: AppHealthView,
    pub updated_at: DateTime<Utc>,
}

/// A mini app in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedApiView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub workflow: WorkflowCard,
    /// The form, made by the server.
    pub rjsf: FormView,
    /// Keyed `id.name`; for its owner and admins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Value>,
    /// Keyed by node id; for its owner and admins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// A form as JSON schema and UI schema.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormView {
    pub schema: Value,
    pub ui_schema: Value,
}

/// Whether the app still fits its workflow and the workers.
#[derive(Debug, Serialize, ToSchema)]
pub struct AppHealthView {
    pub ok: bool,
    pub problems: Vec<Value>,
}

/// A model file that workers have.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComfyModelView {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
}

/// Mini apps for a wish.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestionsView {
    /// The best first; empty where nothing fits.
    pub fitting: Vec<SuggestedView>,
    /// Apps that would draw what is described, and that no worker can run as things are.
    pub waiting: Vec<WorkflowView>,
    /// What people look at most.
    pub others: Vec<WorkflowView>,
    /// Pools whose workers could draw what is described, given an app that asks them to.
    pub drawing_pools: Vec<String>,
}

/// A mini app that fits a wish, and why.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedView {
    pub app: WorkflowView,
    /// The words of the wish that stand in its name, its tags, its choices or what it says of itself.
    pub words: Vec<String>,
    /// Whether it draws what is described.
    pub draws_words: bool,
}
