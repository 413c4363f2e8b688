//! Mini apps (workflow APIs).

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::workflows::WorkflowCard;

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
    /// The form, made by the server.
    pub rjsf: FormView,
    pub health: AppHealthView,
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
