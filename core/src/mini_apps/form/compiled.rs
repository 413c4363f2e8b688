//! A version of a mini app, compiled for the submit path.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::entries::OutputEntry;
use super::field::Field;
use super::rjsf::{Rjsf, rjsf};
use super::rule::{Rule, choice, json_number, seed, whole};
use crate::assets::AssetKind;
use crate::error::FieldError;
use crate::graph::{DependentPart, Prompt, Slot, Template, UnknownSlot, WrittenPrompt, fresh_seed};
use crate::ids::{AssetId, UserId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use crate::{Caller, Error, Result, names};

/// One version of a mini app. Never changes.
#[derive(Debug, Clone)]
pub struct CompiledApp {
    pub id: WorkflowApiId,
    pub version: WorkflowApiVersionId,
    pub workflow: WorkflowId,
    pub owner: UserId,
    template: Template,
    fields: Vec<Field>,
    /// Field name → index of the field and of its slot.
    by_name: HashMap<String, usize>,
    /// In the order of the form.
    outputs: Vec<OutputEntry>,
}

/// A checked and completed form. Stored with the job, so that the prompt can be rendered again.
#[derive(Debug, Clone, PartialEq)]
pub struct FilledForm {
    /// Every field: sent values, defaults and drawn seeds; `null` where the node gets no value.
    pub form: Map<String, Value>,
    /// The seed of each seed field.
    pub seeds: IndexMap<String, u64>,
    /// The asset of each file field, and the kind that it must have.
    pub files: IndexMap<String, (AssetId, AssetKind)>,
}

impl CompiledApp {
    /// # Errors
    /// [`UnknownSlot`] where a field names a node that the prompt does not have.
    pub(in crate::mini_apps) fn new(
        id: WorkflowApiId,
        version: WorkflowApiVersionId,
        workflow: WorkflowId,
        owner: UserId,
        stored: Stored,
    ) -> Result<Self, UnknownSlot> {
        let Stored { prompt, fields, mut outputs } = stored;
        let slots = fields.iter().map(|field| Slot { node: field.node.clone(), input: field.input.clone() }).collect();
        let by_name = fields.iter().enumerate().map(|(index, field)| (field.name.clone(), index)).collect();
        outputs.sort_by_key(|output| output.order);
        Ok(Self { id, version, workflow, owner, template: Template::new(prompt, slots)?, fields, by_name, outputs })
    }

    /// Checks a sent form, completes defaults, and draws seeds.
    ///
    /// A missing field has its default. `null` is an empty field: an empty text, or no value where the node needs none.
    ///
    /// # Errors
    /// [`Error::InvalidFields`] with all invalid fields.
    pub fn fill(&self, sent: &Map<String, Value>) -> Result<FilledForm> {
        let composed: Map<String, Value>;
        // Names of fields are stored composed, but some clients send them decomposed.
        let sent = match sent.keys().all(|name| self.by_name.contains_key(name)) {
            true => sent,
            false => {
                composed = sent.iter().map(|(name, value)| (names::composed(name), value.clone())).collect();
                &composed
            }
        };
        let mut wrong: Vec<FieldError> = sent
            .keys()
            .filter(|name| !self.by_name.contains_key(*name))
            .map(|name| FieldError { field: name.clone(), message: "there is no such field".into() })
            .collect();
        let mut filled = FilledForm { form: Map::new(), seeds: IndexMap::new(), files: IndexMap::new() };
        for field in &self.fields {
            let empty = json!("");
            let value = match (sent.get(&field.name), &field.rule) {
                (Some(Value::Null), Rule::Text { .. }) => Some(&empty),
                (sent, _) => sent.or(field.default.as_ref()).filter(|value| !value.is_null()),
            };
            let outcome = match value {
                Some(value) => field.check(value).map(|()| filled.take(field, value)),
                None if field.may_be_empty() => {
                    filled.leave_out(field);
                    Ok(())
                }
                None if sent.contains_key(&field.name) => Err("must not be empty".into()),
                None => Err("is required".into()),
            };
            if let Err(message) = outcome {
                wrong.push(FieldError { field: field.name.clone(), message });
            }
        }
        if wrong.is_empty() { Ok(filled) } else { Err(Error::InvalidFields { fields: wrong }) }
    }

    /// The prompt for a form that [`CompiledApp::fill`] completed; the same form always makes the same prompt.
    /// `file_name` returns the worker's name of an asset.
    ///
    /// # Errors
    /// [`Error::Internal`] where a file has no name.
    pub fn render(
        &self,
        form: &Map<String, Value>,
        file_name: impl Fn(AssetId) -> Option<String>,
    ) -> Result<WrittenPrompt> {
        let mut values = Vec::with_capacity(form.len());
        let mut left_out: Vec<&DependentPart> = Vec::new();
        for (index, field) in self.fields.iter().enumerate() {
            let Some(value) = form.get(&field.name) else { continue };
            if value.is_null() {
                left_out.extend(&field.without);
            }
            let value = match &field.rule {
                _ if value.is_null() => None,
                Rule::Image | Rule::Video | Rule::Audio | Rule::TextFile => {
                    let asset = value.as_str().and_then(|id| id.parse().ok());
                    let name = asset.and_then(&file_name);
                    let name = name.ok_or_else(|| Error::Internal(format!("no file for field {}", field.name)))?;
                    Some(Value::String(name))
                }
                _ => Some(value.clone()),
            };
            values.push((index, value));
        }
        Ok(self.template.render(values, &left_out))
    }

    /// The prompt as it was when the version was saved.
    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        self.template.prompt()
    }

    /// The fields, in their order.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The declared outputs, in their order.
    #[must_use]
    pub fn outputs(&self) -> &[OutputEntry] {
        &self.outputs
    }

    #[must_use]
    pub fn rjsf(&self) -> Rjsf {
        rjsf(&self.fields)
    }
}

impl FilledForm {
    fn take(&mut self, field: &Field, value: &Value) {
        let value = match &field.rule {
            Rule::Seed { max } => {
                // Numbers from 0 are seeds that were checked; anything else is -1.
                let seed = seed(value).unwrap_or_else(|| draw(*max));
                self.seeds.insert(field.name.clone(), seed);
                json!(seed)
            }
            Rule::Image | Rule::Video | Rule::Audio | Rule::TextFile => {
                let kind = field.rule.widget().file();
                if let Some((asset, kind)) = value.as_str().and_then(|id| id.parse().ok()).zip(kind) {
                    self.files.insert(field.name.clone(), (asset, kind));
                }
                value.clone()
            }
            // `5.0` is a whole number in a form, and must be written as one for the worker.
            Rule::Int { .. } => whole(value).map_or_else(|| value.clone(), |number| json!(json_number(number))),
            Rule::Select { values, .. } => choice(values, value).unwrap_or(value).clone(),
            _ => value.clone(),
        };
        self.form.insert(field.name.clone(), value);
    }

    fn leave_out(&mut self, field: &Field) {
        self.form.insert(field.name.clone(), Value::Null);
    }
}

/// A seed that the node accepts. The modulo is nearly uniform, because 2^53 is much larger than any smaller limit.
fn draw(max: u64) -> u64 {
    match max.checked_add(1) {
        Some(count) => fresh_seed() % count,
        None => fresh_seed(),
    }
}

/// A version as the database stores it.
pub(in crate::mini_apps) struct Stored {
    pub prompt: WrittenPrompt,
    pub fields: Vec<Field>,
    pub outputs: Vec<OutputEntry>,
}

/// The fields that decide who may run a mini app, and in which version.
#[derive(Debug, Clone)]
pub(in crate::mini_apps) struct AppAccess {
    pub version: WorkflowApiVersionId,
    pub owner: UserId,
    pub is_private: bool,
    /// The users among the readers with whom a private app is shared.
    pub shared_with: Vec<UserId>,
}

impl AppAccess {
    pub fn is_runnable_by(&self, caller: &Caller) -> bool {
        let is_shared = || caller.user.is_some_and(|user| self.shared_with.contains(&user));
        !self.is_private || caller.owns_or_admin(self.owner) || is_shared()
    }
}
