//! Reads the app that a graph carries.

use std::collections::HashSet;

use serde_json::Value;
use uuid::Uuid;

use super::drawing::{Drawing, Target, id_of};
use super::{BroughtApp, OwnData};
use crate::graph::{NodeDefinitions, Prompt};
use crate::mini_apps::field_names::{field_name, unused};
use crate::mini_apps::form::entries::{
    InputEntry, Inputs, MAX_ENTRIES, OutputEntry, Outputs, describe_input, describe_output, label,
};

/// The app that a graph in the editor's format brings, as entries of its prompt; `None` where it brings none.
pub(in crate::mini_apps) fn brought(ui: &Value, prompt: &Prompt, definitions: &NodeDefinitions) -> Option<BroughtApp> {
    let data = ui.pointer("/extra/linearData")?;
    let list = |key: &str| data.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let (inputs, outputs) = (list("inputs"), list("outputs"));
    if inputs.is_empty() && outputs.is_empty() {
        return None;
    }
    let reader = Reader { drawing: Drawing::of(ui), own: OwnData::of(ui), prompt, definitions };
    let mut dropped = Vec::new();
    let inputs = reader.inputs(inputs, &mut dropped);
    let outputs = reader.outputs(outputs, &mut dropped);
    Some(BroughtApp { inputs, outputs, dropped })
}

struct Reader<'a> {
    drawing: Drawing<'a>,
    own: OwnData,
    prompt: &'a Prompt,
    definitions: &'a NodeDefinitions,
}

impl Reader<'_> {
    fn inputs(&self, tuples: &[Value], dropped: &mut Vec<String>) -> Inputs {
        let (mut found, mut names) = (Inputs::new(), HashSet::new());
        for tuple in tuples.iter().take(MAX_ENTRIES) {
            let Some(named) = Named::of(tuple) else { continue };
            let (place, targets) = self.targets(&named);
            let entries: Vec<_> = targets.iter().filter_map(|target| self.input(&place, target)).collect();
            if entries.is_empty() {
                dropped.push(self.shown(&named.path, Some(&named.widget)));
            }
            for mut entry in entries {
                let key = format!("{}.{}", entry.id, entry.name);
                if found.contains_key(&key) || found.len() >= MAX_ENTRIES {
                    continue;
                }
                let own_field = entry.adapter.api_field_name.take_if(|_| self.own.inputs.contains_key(&key));
                let name = unused(&mut names, entry.adapter.name.take().unwrap_or_else(|| label(&named.widget)));
                entry.adapter.api_field_name = own_field.or_else(|| Some(field_name(&name)));
                entry.adapter.name = Some(name);
                entry.order = u32::try_from(found.len() + 1).unwrap_or(u32::MAX);
                found.insert(key, entry);
            }
        }
        self.hidden(&mut found);
        found
    }

    /// Adds inputs that the app sets and does not show. ComfyUI does not know them.
    fn hidden(&self, found: &mut Inputs) {
        for (key, own) in &self.own.inputs {
            let Some((node, input)) = key.split_once('.') else { continue };
            let Ok(entry) = describe_input(self.definitions, self.prompt, node, input) else { continue };
            let order = u32::try_from(found.len() + 1).unwrap_or(u32::MAX);
            let entry = InputEntry { order, adapter: own.clone(), ..entry };
            if is_hidden(&entry) && found.len() < MAX_ENTRIES {
                found.entry(key.clone()).or_insert(entry);
            }
        }
    }

    /// The widget that an entry names, and the inputs of the prompt that get its value.
    fn targets(&self, named: &Named) -> (Named, Vec<Target>) {
        for widget in named.spellings() {
            let found = self.drawing.targets(&named.path, widget);
            if found.iter().any(|target| self.has(target)) {
                return (Named { path: named.path.clone(), widget: widget.to_owned() }, found);
            }
        }
        // Entries of older front ends name a node in a subgraph.
        let is_same =
            |target: &Target| target.input == named.widget && target.node.rsplit(':').next() == Some(&named.path);
        let mut promoted: Vec<(Named, Vec<Target>)> = Vec::new();
        for (path, widget) in self.drawing.promoted() {
            let targets = self.drawing.targets(&path, &widget);
            if targets.iter().any(is_same) && promoted.iter().all(|(_, known)| *known != targets) {
                promoted.push((Named { path, widget }, targets));
            }
        }
        let none = || (named.clone(), Vec::new());
        if promoted.len() == 1 { promoted.pop().unwrap_or_else(none) } else { none() }
    }

    /// Whether the prompt has this input. A muted node is not in the prompt.
    fn has(&self, target: &Target) -> bool {
        describe_input(self.definitions, self.prompt, &target.node, &target.input).is_ok()
    }

    fn input(&self, place: &Named, target: &Target) -> Option<InputEntry> {
        let mut entry = describe_input(self.definitions, self.prompt, &target.node, &target.input).ok()?;
        let is_promoted = target.node != place.path;
        let shown = self.drawing.label(&place.path, &place.widget).map(str::to_owned);
        let shown = shown.or_else(|| is_promoted.then(|| label(&place.widget)));
        if let Some(own) = self.own.inputs.get(&format!("{}.{}", target.node, target.input)) {
            let default = entry.adapter.default.take();
            entry.adapter = own.clone();
            // The value in the graph may be newer.
            entry.adapter.default = default.or_else(|| own.default.clone());
        }
        entry.adapter.name = shown.or(entry.adapter.name);
        Some(entry)
    }

    fn outputs(&self, ids: &[Value], dropped: &mut Vec<String>) -> Outputs {
        let (mut found, mut names) = (Outputs::new(), HashSet::new());
        for id in ids.iter().take(MAX_ENTRIES).filter_map(|id| id_of(Some(id))) {
            let Ok(entry) = describe_output(self.definitions, self.prompt, &id) else {
                dropped.push(self.shown(&id, None));
                continue;
            };
            if found.contains_key(&id) {
                continue;
            }
            let own = self.own.outputs.get(&id);
            let name = own.map_or(entry.name.clone(), |own| own.name.clone());
            let name = unused(&mut names, name);
            let api_field_name = own.map_or_else(|| field_name(&name), |own| own.api_field_name.clone());
            let translations = own.map_or_else(|| entry.translations.clone(), |own| own.translations.clone());
            let order = u32::try_from(found.len() + 1).unwrap_or(u32::MAX);
            found.insert(id, OutputEntry { order, name, api_field_name, translations, ..entry });
        }
        found
    }

    /// An entry for display: its node and its name.
    fn shown(&self, path: &str, widget: Option<&str>) -> String {
        let node = self.drawing.node(path);
        let text =
            |key: &str| node.and_then(|node| node.get(key)).and_then(Value::as_str).filter(|text| !text.is_empty());
        let node = text("title").or_else(|| text("type")).map_or_else(|| format!("#{path}"), str::to_owned);
        let shown = widget.map_or_else(|| node.clone(), |widget| format!("{node}: {widget}"));
        shown.chars().take(MAX_SHOWN).collect()
    }
}

/// Characters of an entry for display.
const MAX_SHOWN: usize = 200;

/// An input with an empty name is set by the app and not shown.
pub(super) fn is_hidden(entry: &InputEntry) -> bool {
    entry.adapter.api_field_name.as_deref().is_some_and(|name| name.trim().is_empty())
}

/// A widget as an app names it.
#[derive(Clone)]
pub(super) struct Named {
    /// The node: `3`, or `10:6` in a subgraph.
    pub path: String,
    pub widget: String,
}

impl Named {
    pub(super) fn of(tuple: &Value) -> Option<Self> {
        let id = id_of(tuple.get(0))?;
        let name = tuple.get(1).and_then(Value::as_str);
        let parts: Vec<&str> = id.split(':').collect();
        if let [graph, node, widget] = parts.as_slice()
            && Uuid::parse_str(graph).is_ok()
        {
            return Some(Self { path: decoded(node), widget: decoded(widget) });
        }
        Some(Self { path: id, widget: name?.to_owned() })
    }

    /// The widget's name, and the same without the number of a second widget of one name.
    fn spellings(&self) -> impl Iterator<Item = &str> {
        let plain =
            self.widget.rsplit_once('#').filter(|(_, number)| number.parse::<u32>().is_ok()).map(|(name, _)| name);
        std::iter::once(self.widget.as_str()).chain(plain)
    }
}

/// A percent-encoded text; a text that is not one stays as it is.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else { return part.to_owned() };
        bytes.push(byte);
        rest = after.get(2..).unwrap_or_default();
    }
    String::from_utf8(bytes).unwrap_or_else(|_| part.to_owned())
}
