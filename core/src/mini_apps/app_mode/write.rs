//! Writes a mini app into its graph, as ComfyUI keeps apps. Everything else keeps its text.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::OwnData;
use super::drawing::{Drawing, Target};
use super::read::{Named, is_hidden};
use crate::graph::{JsonText, value_of};
use crate::mini_apps::form::entries::{InputEntry, Inputs, Outputs, label};

/// The fields of an object, with their texts.
type Fields = IndexMap<String, Box<RawValue>>;

/// A widget in the graph: the node's path and the widget's name.
type Place = (String, String);

/// The graph with this app; `None` if the graph is not one of the editor's format.
pub(in crate::mini_apps) fn with_app(ui: &JsonText, inputs: &Inputs, outputs: &Outputs) -> Option<JsonText> {
    let value = value_of(&ui.raw());
    let drawing = Drawing::of(&value);
    let mut sorted: Vec<&InputEntry> = inputs.values().filter(|entry| !is_hidden(entry)).collect();
    sorted.sort_by_key(|entry| entry.order);
    let mut places: IndexMap<Place, &InputEntry> = IndexMap::new();
    for entry in sorted {
        places.entry(place(&drawing, entry)).or_insert(entry);
    }
    let known = configs(&value);
    let tuples = places.keys().map(|place| tuple(&drawing, place, known.get(place)));
    let mut results: Vec<_> = outputs.values().collect();
    results.sort_by_key(|output| output.order);
    let results = results.iter().map(|output| id(&drawing, &output.id));

    let mut graph: Fields = serde_json::from_str(ui.as_str()).ok()?;
    let mut nodes: Vec<Box<RawValue>> = serde_json::from_str(graph.get("nodes")?.get()).ok()?;
    for (place, entry) in &places {
        let node = drawing.index(&place.0).and_then(|index| nodes.get_mut(index));
        if let (Some(label), Some(node)) = (new_label(&drawing, place, entry), node)
            && let Some(with_label) = labeled(node, &place.1, label, entry)
        {
            *node = with_label;
        }
    }
    put(&mut graph, "nodes", &nodes)?;
    let mut extra = fields_of(&graph, "extra");
    let mut data = fields_of(&extra, "linearData");
    put(&mut data, "inputs", &tuples.collect::<Vec<_>>())?;
    put(&mut data, "outputs", &results.collect::<Vec<_>>())?;
    put(&mut extra, "linearMode", &true)?;
    put(&mut extra, "linearData", &data)?;
    let mut own = fields_of(&extra, "verdigraph");
    put(
        &mut own,
        "app",
        &OwnData {
            inputs: inputs.iter().map(|(key, entry)| (key.clone(), entry.adapter.clone())).collect(),
            outputs: outputs.clone(),
        },
    )?;
    put(&mut extra, "verdigraph", &own)?;
    put(&mut graph, "extra", &extra)?;
    Some(to_raw_value(&graph).ok()?.into())
}

/// Where the graph shows an input of the prompt: on the outermost subgraph node, if that shows it, else on its own node.
fn place(drawing: &Drawing<'_>, entry: &InputEntry) -> Place {
    let target = Target { node: entry.id.clone(), input: entry.name.clone() };
    let outer = entry.id.split(':').next().unwrap_or_default();
    let mut promoted = drawing.promoted().filter(|(node, _)| node == outer);
    let shown = promoted.find(|(node, widget)| drawing.targets(node, widget).contains(&target));
    shown.unwrap_or((target.node, target.input))
}

fn tuple(drawing: &Drawing<'_>, (path, widget): &Place, config: Option<&Value>) -> Value {
    let id = id(drawing, path);
    config.map_or_else(|| json!([id, widget]), |config| json!([id, widget, config]))
}

/// The node's id as the graph writes it; a path for a node in a subgraph.
fn id(drawing: &Drawing<'_>, path: &str) -> Value {
    let own = drawing.node(path).filter(|_| !path.contains(':')).and_then(|node| node.get("id"));
    own.cloned().unwrap_or_else(|| json!(path))
}

/// How the front end shows inputs, such as their heights.
fn configs(ui: &Value) -> HashMap<Place, Value> {
    let tuples = ui.pointer("/extra/linearData/inputs").and_then(Value::as_array).into_iter().flatten();
    let configs = tuples.filter_map(|tuple| {
        let Named { path, widget } = Named::of(tuple)?;
        Some(((path, widget), tuple.get(2)?.clone()))
    });
    configs.collect()
}

/// The label to write; `None` where the front end shows this name without one.
fn new_label<'a>(drawing: &Drawing<'_>, (path, widget): &Place, entry: &'a InputEntry) -> Option<&'a str> {
    let name = entry.adapter.name.as_deref().filter(|name| !name.trim().is_empty())?;
    let is_shown = match drawing.label(path, widget) {
        Some(shown) => shown == name,
        None => name == label(widget),
    };
    (!is_shown && !path.contains(':')).then_some(name)
}

/// The node with this label on the input slot of a widget. The front end leaves out slots without a link or a label.
fn labeled(node: &RawValue, widget: &str, label: &str, entry: &InputEntry) -> Option<Box<RawValue>> {
    let mut node: Fields = serde_json::from_str(node.get()).ok()?;
    let mut slots: Vec<Box<RawValue>> =
        node.get("inputs").and_then(|slots| serde_json::from_str(slots.get()).ok()).unwrap_or_default();
    let is_named = |slot: &RawValue| value_of(slot).pointer("/widget/name").and_then(Value::as_str) == Some(widget);
    match slots.iter_mut().find(|slot| is_named(slot)) {
        Some(slot) => {
            let mut fields: Fields = serde_json::from_str(slot.get()).ok()?;
            put(&mut fields, "label", &label)?;
            *slot = to_raw_value(&fields).ok()?;
        }
        None => {
            let kind = entry.raw.get(0).and_then(Value::as_str).unwrap_or("COMBO");
            let slot = json!({
                "label": label, "name": widget, "type": kind, "widget": { "name": widget }, "link": null,
            });
            slots.push(to_raw_value(&slot).ok()?);
        }
    }
    put(&mut node, "inputs", &slots)?;
    to_raw_value(&node).ok()
}

fn fields_of(fields: &Fields, name: &str) -> Fields {
    fields.get(name).and_then(|text| serde_json::from_str(text.get()).ok()).unwrap_or_default()
}

fn put(fields: &mut Fields, name: &str, value: &impl Serialize) -> Option<()> {
    fields.insert(name.to_owned(), to_raw_value(value).ok()?);
    Some(())
}
