//! Generators and simple apps as the API shows them.

use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::generators::{GeneratorState, Licence, SimpleApp, SimpleAppBinding, WorkerModel};

use super::workflows::WorkflowView;
use crate::openapi::ToSchema;

/// A mini app at a fixed address, `/easy-app/{address}`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SimpleAppView {
    /// `background-remover`, `face-swap` or `image-to-prompt`.
    pub address: &'static str,
    /// `Ready`; `Waiting` where no connected worker of the caller's pools can run the app; `Unbound` where there is none.
    pub state: &'static str,
    /// The app's workflow.
    pub workflow: Option<Uuid>,
    /// The app.
    pub workflow_api: Option<Uuid>,
    pub name: Option<String>,
    pub name_ko: Option<String>,
    /// Sanitized HTML: what it does and what it cannot do.
    pub description: Option<String>,
    pub description_ko: Option<String>,
    /// Node classes and model files that the nearest worker lacks.
    pub missing: Vec<String>,
}

impl From<SimpleApp> for SimpleAppView {
    fn from(app: SimpleApp) -> Self {
        let workflow = app.workflow.as_ref();
        let korean = workflow.and_then(|workflow| workflow.translations.ko.as_ref());
        Self {
            address: app.address.name(),
            state: app.state.name(),
            workflow: workflow.map(|workflow| workflow.id.0),
            workflow_api: workflow.and_then(|workflow| workflow.workflow_api).map(|api| api.0),
            name: workflow.map(|workflow| workflow.name.clone()),
            name_ko: korean.and_then(|words| words.name.clone()),
            description: workflow.map(|workflow| workflow.description.clone()),
            description_ko: korean.and_then(|words| words.description.clone()),
            missing: app.missing,
        }
    }
}

/// The app that operators bind to a fixed address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SimpleAppBindingView {
    /// `background-remover`, `face-swap` or `image-to-prompt`.
    pub address: &'static str,
    /// The app that an admin bound.
    pub workflow_api: Option<Uuid>,
    /// The app of the configuration, which counts where no admin bound one.
    pub configured: Option<Uuid>,
}

impl From<SimpleAppBinding> for SimpleAppBindingView {
    fn from(binding: SimpleAppBinding) -> Self {
        let SimpleAppBinding { address, bound, configured } = binding;
        Self { address: address.name(), workflow_api: bound.map(|app| app.0), configured: configured.map(|app| app.0) }
    }
}

/// A generator that a connected worker can run.
#[derive(Debug, Serialize, ToSchema)]
pub struct GeneratorView {
    /// `TextToImage`, `ImageToImage`, `Inpaint`, `Upscale`, `TextToVideo`, `ImageToVideo`, `FramesToVideo`,
    /// `VideoToVideo`, `TextToAudio`, `SoundToSound`, `TextTo3D`, `ImageTo3D`, `RemoveBackground`, `SwapFace` or
    /// `DescribeImage`.
    pub task: &'static str,
    pub app: WorkflowView,
}

/// A generator on the page of admins.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GeneratorStateView {
    pub recipe: &'static str,
    pub task: &'static str,
    pub family: Option<&'static str>,
    /// The main model as the workers name it; empty for a recipe without models.
    pub model: String,
    pub workflow: Option<Uuid>,
    /// Whether a connected worker has its nodes and models.
    pub is_live: bool,
    /// Why it could not be made or renewed.
    pub failure: Option<String>,
    pub licence: Option<LicenceView>,
    /// Memory of the graphics card that it needs, in GiB.
    pub memory_gib: Option<f64>,
}

/// A model's licence.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LicenceView {
    pub name: &'static str,
    /// Whether commercial use is allowed: `Yes`, `No` or `Conditions`.
    pub commercial: &'static str,
    pub note: &'static str,
    pub note_ko: &'static str,
}

impl From<&'static Licence> for LicenceView {
    fn from(licence: &'static Licence) -> Self {
        let Licence { name, commercial, note } = licence;
        Self { name, commercial: commercial.name(), note: &note.en, note_ko: &note.ko }
    }
}

impl From<GeneratorState> for GeneratorStateView {
    fn from(state: GeneratorState) -> Self {
        Self {
            recipe: &state.recipe.id,
            task: state.recipe.task.name(),
            family: state.recipe.family.as_deref(),
            model: state.model,
            workflow: state.workflow.map(|id| id.0),
            is_live: state.is_live,
            failure: state.failure,
            licence: state.recipe.licence.as_ref().map(Into::into),
            memory_gib: state.recipe.memory_gib,
        }
    }
}

/// A model file of the connected workers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerModelView {
    pub folder: String,
    pub file: String,
    /// The family that it is taken for; `null` where no generator uses it.
    pub family: Option<String>,
    /// Whether an admin said what it is.
    pub is_set: bool,
    /// What the admin said: the name of a model that it is like, or `null` for none.
    pub like: Option<String>,
}

impl From<WorkerModel> for WorkerModelView {
    fn from(model: WorkerModel) -> Self {
        let WorkerModel { folder, file, family, by_admin } = model;
        Self { folder, file, family, is_set: by_admin.is_some(), like: by_admin.flatten() }
    }
}

/// The name of a model that files can be like.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelNameView {
    pub folder: &'static str,
    pub name: &'static str,
    pub family: &'static str,
}

/// All generators, and the models of the workers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GeneratorPageView {
    pub generators: Vec<GeneratorStateView>,
    pub models: Vec<WorkerModelView>,
    /// What an admin can say a file is like.
    pub names: Vec<ModelNameView>,
}
