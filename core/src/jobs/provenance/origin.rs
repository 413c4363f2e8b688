//! What an output was made with, in words that people know: the mini app, its settings by their labels, the seeds.
//!
//! ```text
//!   may the asker see the output?           no ──▶ there is nothing here
//!   is it theirs, or does its owner tell?   no ──▶ Kept
//!   may they see the workflow behind it?    no ──▶ Kept, but for whose job it was
//! ```
//!
//! Whose job it was ran the app, and so knows its name also where it is hidden by now. What somebody uploaded for a run
//! is nobody else's business: a picture that went in is told to its owner alone.

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

/// Settings of a raw prompt that are told; the rest is seen in its graph.
const MOST_OF_A_PROMPT: usize = 24;
/// Characters of what an output is found by.
const LABEL: usize = 1000;
/// Characters of a text in the settings of a raw prompt.
const PROMPT_TEXT: usize = 2000;

/// What an output was made with.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    pub output: OutputAsset,
    /// `None` where the asker is not told.
    pub source: Option<Source>,
}

/// What ran.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The workflow of the mini app; `None` for a raw prompt, and for a workflow that is gone.
    pub workflow: Option<Workflow>,
    /// The mini app, as long as the asker may run it.
    pub app: Option<WorkflowApiId>,
    /// The values that it ran with, in the form's order.
    pub settings: Vec<Setting>,
}

/// One value that a run had.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The form's field; `None` in a raw prompt.
    pub field: Option<String>,
    pub title: String,
    /// How a form shows it.
    pub widget: UiType,
    /// `None` for what is its owner's business alone.
    pub value: Option<Value>,
    /// What a choice is called.
    pub label: Option<String>,
    /// Title and label in other languages.
    pub translations: ByLanguage<SettingWords>,
}

/// A setting's words in another language; what is missing is read as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingWords {
    pub title: Option<String>,
    pub label: Option<String>,
}

impl Source {
    /// The uploads that stand in the settings which the asker is told.
    #[must_use]
    pub fn uploads(&self) -> Vec<AssetId> {
        let files = self.settings.iter().filter(|setting| setting.widget.file().is_some());
        files.filter_map(|setting| setting.value.as_ref()?.as_str()?.parse().ok()).collect()
    }
}

/// What an output that the caller may see was made with.
///
/// # Errors
/// [`Error::NotFound`] where the output is not to be seen.
pub async fn origin(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<Origin> {
    let output = gallery::find(core, caller, id).await?;
    let theirs = caller.owns_or_admin(output.user);
    if !output.shows_origin && !theirs {
        return Ok(Origin { output, source: None });
    }
    let source = match store::find_ran(&core.db, output.job).await? {
        None => None,
        Some(ran) => match (ran.version, &ran.prompt_hash) {
            (Some(_), _) => of_app(core, caller, &ran, theirs).await?,
            (None, Some(hash)) => of_raw(core, hash, &ran).await?,
            (None, None) => None,
        },
    };
    Ok(Origin { output, source })
}

async fn of_app(core: &Core, caller: &Caller, ran: &store::Ran, theirs: bool) -> Result<Option<Source>> {
    let Some(version) = ran.version else { return Ok(None) };
    let Some(app) = found(mini_apps::version(core, version).await)? else { return Ok(None) };
    let seen = found(workflows::find(core, caller, app.workflow).await)?;
    if seen.is_none() && !theirs {
        return Ok(None);
    }
    // An app that was deleted or hidden, and one whose workflow has another by now, cannot be run again.
    let runs = found(mini_apps::compiled(core, caller, app.id).await)?.is_some();
    let workflow = match seen {
        Some(workflow) => Some(workflow),
        None => found(workflows::find(core, &Caller::system(), app.workflow).await)?,
    };
    let form = ran.form.as_ref().and_then(Value::as_object);
    let seeds = ran.seeds.as_ref().and_then(Value::as_object);
    let settings = settings(&app, form, seeds, theirs);
    Ok(Some(Source { workflow, app: runs.then_some(app.id), settings }))
}

fn settings(
    app: &CompiledApp,
    form: Option<&Map<String, Value>>,
    seeds: Option<&Map<String, Value>>,
    theirs: bool,
) -> Vec<Setting> {
    let value_of = |field: &Field| seeds.and_then(|seeds| seeds.get(&field.name)).or_else(|| form?.get(&field.name));
    let told = |field: &Field| {
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
            Some(SettingWords { title: words.title.clone(), label })
        });
        Some(Setting {
            field: Some(field.name.clone()),
            title: field.title.clone(),
            widget: field.rule.widget(),
            value: (theirs || field.rule.widget().file().is_none()).then(|| value.clone()),
            label,
            translations,
        })
    };
    app.fields().iter().filter_map(told).collect()
}

async fn of_raw(core: &Core, hash: &str, ran: &store::Ran) -> Result<Option<Source>> {
    let Some(prompt) = found(of_prompt(core, hash, ran).await)? else { return Ok(None) };
    Ok(Some(Source { workflow: None, app: None, settings: of_nodes(&prompt) }))
}

/// What people look for in a graph: texts, seeds, models, and how it was sampled.
fn of_nodes(prompt: &Prompt) -> Vec<Setting> {
    let mut told = Vec::new();
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
                Value::String(text) => Value::String(text.chars().take(PROMPT_TEXT).collect()),
                other => other.clone(),
            };
            let title = format!("{} · {input}", node.title());
            told.push(Setting {
                field: None,
                title,
                widget,
                value: Some(value),
                label: None,
                translations: ByLanguage::default(),
            });
        }
    }
    told.truncate(MOST_OF_A_PROMPT);
    told
}

/// Finds out what published outputs are found by: the app that made them and the texts that went in, as far as
/// strangers are told; tells of how many.
///
/// # Errors
/// Database errors.
pub async fn label_published(core: &Core) -> Result<u64> {
    let mut labels = Vec::new();
    for id in gallery::unlabelled(core).await? {
        let source = match origin(core, &Caller::guest(), id).await {
            Ok(found) => found.source,
            Err(Error::NotFound { .. }) => None,
            // What cannot be read is found by nothing, and keeps none of the others from it.
            Err(error @ Error::Internal(_)) => {
                tracing::warn!(%error, output_asset.id = %id, "what made an output cannot be read");
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

fn label(source: &Source) -> String {
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
    parts.join(" ").chars().take(LABEL).collect()
}

/// What is not to be seen is not there.
fn found<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
