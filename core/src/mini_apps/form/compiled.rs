//! A version of a mini app, ready to be run: the submit path asks it and nothing else.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::entries::OutputEntry;
use super::field::Field;
use super::rjsf::{Rjsf, rjsf};
use super::rule::{Rule, choice, json_number, seed, whole};
use crate::assets::AssetKind;
use crate::error::FieldError;
use crate::graph::{Prompt, Slot, SlotGone, Template, WrittenPrompt, fresh_seed};
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
    /// Field name → its index, which is also its slot's.
    by_name: HashMap<String, usize>,
    /// In their order.
    outputs: Vec<OutputEntry>,
}

/// A form that was checked and completed. Kept with the job, so that the prompt can be made again.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    /// Every field: what was sent, defaults, and seeds as they were drawn; `null` where the node gets no value.
    pub form: Map<String, Value>,
    /// The seed of each seed field.
    pub seeds: IndexMap<String, u64>,
    /// The asset of each field for a file that has one, and the kind that it must be of.
    pub files: IndexMap<String, (AssetId, AssetKind)>,
}

impl CompiledApp {
    /// Puts a version together from what is stored.
    ///
    /// # Errors
    /// [`SlotGone`] where a field names a node that the prompt does not have.
    pub(in crate::mini_apps) fn new(
        id: WorkflowApiId,
        version: WorkflowApiVersionId,
        workflow: WorkflowId,
        owner: UserId,
        stored: Stored,
    ) -> Result<Self, SlotGone> {
        let Stored { prompt, fields, mut outputs } = stored;
        let slots = fields.iter().map(|field| Slot { node: field.node.clone(), input: field.input.clone() }).collect();
        let by_name = fields.iter().enumerate().map(|(index, field)| (field.name.clone(), index)).collect();
        outputs.sort_by_key(|output| output.order);
        Ok(Self { id, version, workflow, owner, template: Template::new(prompt, slots)?, fields, by_name, outputs })
    }

    /// Checks what somebody sent, puts defaults in, and draws seeds.
    ///
    /// A field that is left out has its default. `null` is an empty field: an empty text, or no value where the node does
    /// without one.
    ///
    /// # Errors
    /// [`Error::InvalidFields`] with everything that is wrong.
    pub fn fill(&self, sent: &Map<String, Value>) -> Result<Filled> {
        let composed: Map<String, Value>;
        // The names of fields have one spelling, in which not every client types them.
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
        let mut filled = Filled { form: Map::new(), seeds: IndexMap::new(), files: IndexMap::new() };
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

    /// The prompt for a form that [`CompiledApp::fill`] completed; the same form always gives the same prompt.
    /// `file_name` gives the name under which the worker gets an asset.
    ///
    /// # Errors
    /// [`Error::Internal`] where an image has no name.
    pub fn render(
        &self,
        form: &Map<String, Value>,
        file_name: impl Fn(AssetId) -> Option<String>,
    ) -> Result<WrittenPrompt> {
        let mut values = Vec::with_capacity(form.len());
        for (index, field) in self.fields.iter().enumerate() {
            let Some(value) = form.get(&field.name) else { continue };
            let value = match &field.rule {
                _ if value.is_null() => None,
                Rule::Image | Rule::Video | Rule::Audio => {
                    let asset = value.as_str().and_then(|id| id.parse().ok());
                    let name = asset.and_then(&file_name);
                    let name = name.ok_or_else(|| Error::Internal(format!("no file for field {}", field.name)))?;
                    Some(Value::String(name))
                }
                _ => Some(value.clone()),
            };
            values.push((index, value));
        }
        Ok(self.template.render(values))
    }

    /// The prompt as the workflow had it when the version was saved.
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

    /// The form as clients draw it.
    #[must_use]
    pub fn rjsf(&self) -> Rjsf {
        rjsf(&self.fields)
    }
}

impl Filled {
    fn take(&mut self, field: &Field, value: &Value) {
        let value = match &field.rule {
            Rule::Seed { max } => {
                // A number from 0 up has been checked; anything else is -1.
                let seed = seed(value).unwrap_or_else(|| draw(*max));
                self.seeds.insert(field.name.clone(), seed);
                json!(seed)
            }
            Rule::Image | Rule::Video | Rule::Audio => {
                let kind = field.rule.widget().file();
                if let Some((asset, kind)) = value.as_str().and_then(|id| id.parse().ok()).zip(kind) {
                    self.files.insert(field.name.clone(), (asset, kind));
                }
                value.clone()
            }
            // `5.0` is a whole number for a form, and must be one for the worker.
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

/// A seed that the node takes: evenly spread, since 2^53 numbers are many more than any smaller limit.
fn draw(max: u64) -> u64 {
    match max.checked_add(1) {
        Some(count) => fresh_seed() % count,
        None => fresh_seed(),
    }
}

/// A version as the database has it.
pub(in crate::mini_apps) struct Stored {
    pub prompt: WrittenPrompt,
    pub fields: Vec<Field>,
    pub outputs: Vec<OutputEntry>,
}

/// What decides whether somebody may run a mini app, and which version.
#[derive(Debug, Clone)]
pub(in crate::mini_apps) struct Head {
    pub version: WorkflowApiVersionId,
    pub owner: UserId,
    pub is_private: bool,
    /// Those of the askers whom a private one is shared with.
    pub shared_with: Vec<UserId>,
}

impl Head {
    pub fn opens_to(&self, caller: &Caller) -> bool {
        let is_shared = || caller.user.is_some_and(|user| self.shared_with.contains(&user));
        !self.is_private || caller.owns_or_admin(self.owner) || is_shared()
    }
}
