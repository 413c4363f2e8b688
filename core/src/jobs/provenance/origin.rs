//! The origin of an output for people: the mini app, its settings by their labels, the seeds.
//!
//! ```text
//!   may the caller see the output?              no ──▶ not found
//!   is it the caller's, or is its origin shown? no ──▶ no source
//!   may the caller see the workflow?            no ──▶ no source, except for the owner of the job
//! ```
//!
//! The owner of a job has run the app, and so sees its name even if it is hidden by now. Uploads of a run are private:
//! only the owner sees input pictures.

use serde_json::{Map, Value};

use super::graph::of_prompt;
use crate::gallery::{self, OutputAsset};
use crate::graph::Prompt;
use crate::ids::{AssetId, OutputAssetId, WorkflowApiId};
use crate::jobs::store;
use crate::language::ByLanguage;
use crate::mini_apps::{self, CompiledApp, Field, Rule, UiType};
use crate::workflows::{self, Workflow};
use crate::{Caller, Core, Error, Result};

/// The most settings of a raw prompt. Its graph has the others.
const MAX_SETTINGS: usize = 24;
/// The most characters of a search label.
const MAX_LABEL: usize = 1000;
/// The most characters of a text in the settings of a raw prompt.
const MAX_TEXT: usize = 2000;

#[derive(Debug, Clone, PartialEq)]
pub struct OutputOrigin {
    pub output: OutputAsset,
    /// `None` where the caller may not see it.
    pub source: Option<OutputSource>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OutputSource {
    /// The workflow of the mini app; `None` for a raw prompt, and for a deleted workflow.
    pub workflow: Option<Workflow>,
    /// The mini app, if the caller may run it.
    pub app: Option<WorkflowApiId>,
    /// The values of the run, in the order of the form.
    pub settings: Vec<OutputSetting>,
}

/// One value of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputSetting {
    /// The form's field; `None` in a raw prompt.
    pub field: Option<String>,
    pub title: String,
    pub widget: UiType,
    /// `None` for uploads of another account.
    pub value: Option<Value>,
    /// The label of a choice.
    pub label: Option<String>,
    /// Title and label in other languages.
    pub translations: ByLanguage<SettingTranslation>,
}

/// Title and label of a setting in another language; `None` means no translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingTranslation {
    pub title: Option<String>,
    pub label: Option<String>,
}

impl OutputSource {
    /// The uploads in the visible settings.
    #[must_use]
    pub fn uploads(&self) -> Vec<AssetId> {
        let files = self.settings.iter().filter(|setting| setting.widget.file().is_some());
        files.filter_map(|setting| setting.value.as_ref()?.as_str()?.parse().ok()).collect()
    }
}

/// The origin of an output.
///
/// # Errors
/// [`Error::NotFound`] where the caller may not see the output.
pub async fn origin(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<OutputOrigin> {
    let output = gallery::find(core, caller, id).await?;
    let is_owner = caller.owns_or_admin(output.user);
    if !output.shows_origin && !is_owner {
        return Ok(OutputOrigin { output, source: None });
    }
    let source = match store::find_content(&core.db, output.job).await? {
        None => None,
        Some(ran) => match (ran.version, &ran.prompt_hash) {
            (Some(_), _) => of_app(core, caller, &ran, is_owner).await?,
            (None, Some(hash)) => of_raw(core, hash, &ran).await?,
            (None, None) => None,
        },
    };
    Ok(OutputOrigin { output, source })
}

async fn of_app(core: &Core, caller: &Caller, ran: &store::JobContent, is_owner: bool) -> Result<Option<OutputSource>> {
    let Some(version) = ran.version else { return Ok(None) };
    let Some(app) = found(mini_apps::version(core, version).await)? else { return Ok(None) };
    let seen = found(workflows::find(core, caller, app.workflow).await)?;
    if seen.is_none() && !is_owner {
        return Ok(None);
    }
    // Deleted, hidden and replaced apps cannot be run.
    let runs = found(mini_apps::compiled(core, caller, app.id).await)?.is_some();
    let workflow = match seen {
        Some(workflow) => Some(workflow),
        None => found(workflows::find(core, &Caller::system(), app.workflow).await)?,
    };
    let form = ran.form.as_ref().and_then(Value::as_object);
    let seeds = ran.seeds.as_ref().and_then(Value::as_object);
    let settings = settings(&app, form, seeds, is_owner);
    Ok(Some(OutputSource { workflow, app: runs.then_some(app.id), settings }))
}

fn settings(
    app: &CompiledApp,
    form: Option<&Map<String, Value>>,
    seeds: Option<&Map<String, Value>>,
    is_owner: bool,
) -> Vec<OutputSetting> {
    let value_of = |field: &Field| seeds.and_then(|seeds| seeds.get(&field.name)).or_else(|| form?.get(&field.name));
    let setting = |field: &Field| {
        let value = value_of(field)?;
        let (place, label) = match &field.rule {
            Rule::Select { values, labels } => {
                let place = values.iter().position(|known| known == value);
                (place, place.and_then(|at| labels.get(at).cloned()))
            }
            _ => (None, None),
        };
        let translations = field.translations.map(|words| {
            let label = words.labels.as_ref().zip(place).and_then(|(labels, at)| labels.get(at).cloned());
            Some(SettingTranslation { title: words.title.clone(), label })
        });
        Some(OutputSetting {
            field: Some(field.name.clone()),
            title: field.title.clone(),
            widget: field.rule.widget(),
            value: (is_owner || field.rule.widget().file().is_none()).then(|| value.clone()),
            label,
            translations,
        })
    };
    app.fields().iter().filter_map(setting).collect()
}

async fn of_raw(core: &Core, hash: &str, ran: &store::JobContent) -> Result<Option<OutputSource>> {
    let Some(prompt) = found(of_prompt(core, hash, ran).await)? else { return Ok(None) };
    Ok(Some(OutputSource { workflow: None, app: None, settings: of_nodes(&prompt) }))
}

/// The settings of a raw prompt: texts, seeds, models, and sampling.
fn of_nodes(prompt: &Prompt) -> Vec<OutputSetting> {
    let mut settings = Vec::new();
    for node in prompt.0.values() {
        for (input, value) in &node.inputs {
            let widget = match (input.as_str(), value) {
                ("seed" | "noise_seed", Value::Number(_)) => UiType::Seed,
                ("text" | "prompt" | "positive" | "negative", Value::String(_)) => UiType::Textarea,
                ("ckpt_name" | "unet_name" | "lora_name" | "vae_name" | "model_name", Value::String(_)) => {
                    UiType::Model
                }
                ("sampler_name" | "scheduler" | "palette", Value::String(_)) => UiType::Select,
                ("steps" | "cfg" | "denoise" | "width" | "height", Value::Number(_)) => UiType::Range,
                _ => continue,
            };
            let value = match value {
                Value::String(text) => Value::String(text.chars().take(MAX_TEXT).collect()),
                other => other.clone(),
            };
            let title = format!("{} · {input}", node.title());
            settings.push(OutputSetting {
                field: None,
                title,
                widget,
                value: Some(value),
                label: None,
                translations: ByLanguage::default(),
            });
        }
    }
    settings.truncate(MAX_SETTINGS);
    settings
}

/// Writes the search labels of published outputs: the app and the texts, as far as guests may see them. Returns the number
/// of outputs.
pub async fn label_published(core: &Core) -> Result<u64> {
    let mut labels = Vec::new();
    for id in gallery::unlabelled(core).await? {
        let source = match origin(core, &Caller::guest(), id).await {
            Ok(found) => found.source,
            Err(Error::NotFound { .. }) => None,
            // An unreadable output gets an empty label, and does not stop the others.
            Err(error @ Error::Internal(_)) => {
                tracing::warn!(%error, output_asset.id = %id, "the origin of output {id} cannot be read");
                None
            }
            Err(error) => return Err(error),
        };
        labels.push((id, source.map(|source| label(&source)).unwrap_or_default()));
    }
    if !labels.is_empty() {
        gallery::set_labels(core, &labels).await?;
    }
    Ok(labels.len() as u64)
}

fn label(source: &OutputSource) -> String {
    let mut parts: Vec<&str> = source.workflow.iter().flat_map(Workflow::names).collect();
    for setting in &source.settings {
        match setting.widget {
            UiType::Text | UiType::Textarea => parts.extend(setting.value.as_ref().and_then(Value::as_str)),
            UiType::Select => {
                parts.extend(setting.label.as_deref());
                parts.extend(setting.translations.values().filter_map(|words| words.label.as_deref()));
            }
            _ => {}
        }
    }
    parts.join(" ").chars().take(MAX_LABEL).collect()
}

/// `None` for what the caller may not see.
fn found<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
