//! Mini apps (workflow APIs).

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;
use verdigraph_core::mini_apps::Share;

use super::workflows::{WorkflowCard, WorkflowView};
use crate::described::ToSchema;

/// A mini app with everything that its form needs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowApiView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The same once more, as the specification has it.
    #[serde(rename = "id")]
    pub id_again: Uuid,
    pub workflow: WorkflowCard,
    /// Keyed `id.name`; each input with its adapter. Left out for those who see the app because it is shared with them:
    /// they are not told of its graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Value>,
    /// Keyed by node id.
    pub outputs: Value,
    /// The form, made by the server. Where a field has words in other languages, they stand in its
    /// `ui:options.translations` by language: `title`, `description` and `enumNames`.
    pub rjsf: FormView,
    /// Without `problems` for those whom the app is shared with.
    pub health: AppHealthView,
    pub works: WorksView,
    pub updated_at: DateTime<Utc>,
}

/// What the editor of a mini app starts from.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditorView {
    pub workflow: EditedView,
    /// By their ids.
    pub nodes: Vec<EditorNodeView>,
    /// What output nodes give: `id`, `order`, `name`, `apiFieldName`.
    pub outputs: Vec<Value>,
    pub proposal: ProposalView,
    pub saved: Option<WorkflowApiView>,
    /// Whether the workflow has a prompt in API format; without one there are no nodes.
    pub has_prompt: bool,
}

/// The workflow that is edited.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditedView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
}

/// A node of the workflow, named as ComfyUI does.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditorNodeView {
    pub id: String,
    /// The class.
    pub name: String,
    pub display_name: String,
    pub python_module: String,
    pub output_node: bool,
    /// What the workflow calls it.
    pub title: String,
    /// No connected worker knows the class.
    pub missing: bool,
    pub inputs: NodeInputsView,
}

/// The inputs that a form can fill, by name, each as a mini app has it.
#[derive(Debug, Serialize, ToSchema)]
pub struct NodeInputsView {
    #[schema(value_type = Object)]
    pub required: Value,
    #[schema(value_type = Object)]
    pub optional: Value,
}

/// Inputs and outputs as a save takes them.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProposalView {
    /// Keyed `id.name`.
    #[schema(value_type = Object)]
    pub inputs: Value,
    /// Keyed by node id.
    #[schema(value_type = Object)]
    pub outputs: Value,
}

/// What a save would give.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewView {
    pub rjsf: FormView,
    pub health: AppHealthView,
}

/// A mini app in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedApiView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The same once more, as the specification has it.
    #[serde(rename = "id")]
    pub id_again: Uuid,
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

/// Whether some worker can run the app as things are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorksView {
    /// `null` while that is not known: nobody is connected, or those who have what it needs are away.
    pub ok: Option<bool>,
    /// When that was found out; `null` before the first time.
    pub checked_at: Option<DateTime<Utc>>,
    /// What no worker has, up to twenty of each kind. Empty for those whom the app is shared with.
    pub missing: MissingView,
}

/// What an app needs and the nearest worker lacks.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct MissingView {
    /// Node classes.
    pub classes: Vec<String>,
    /// Model files, as `folder/name`.
    pub models: Vec<String>,
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

/// Somebody whom a mini app is shared with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub created_at: DateTime<Utc>,
    pub shared_user: SharedUserView,
}

/// A person as whoever shares with them knows them.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedUserView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub email: String,
    pub name: String,
}

impl From<Share> for ShareView {
    fn from(share: Share) -> Self {
        let shared_user =
            SharedUserView { id: share.user.id.0, email: share.user.email.clone(), name: share.user.name.clone() };
        Self { id: share.id.0, created_at: share.created_at, shared_user }
    }
}

/// A mini app that is shared with the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedApiView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub created_at: DateTime<Utc>,
    pub workflow_api: SharedAppView,
    pub owner: SharerView,
}

/// The app, with the name of its workflow.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedAppView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
}

/// Whose app it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharerView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
}
