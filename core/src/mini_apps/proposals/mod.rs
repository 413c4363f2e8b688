//! Proposals for authors who do not know the graph: the inputs that people change most (prompts, files, sizes, seeds),
//! and the nodes that save results.

mod links;
mod offered;
mod reason;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

pub(in crate::mini_apps) use self::offered::Offered;

use self::links::Links;
use self::reason::{Reason, reason};
use super::editor_node::EditorNode;
use super::field_names::{field_name, unused};
use super::form::entries::{InputEntry, Inputs, OutputEntry, Outputs, UiType};
use super::form::traits::makes;
use super::{MAX_ENTRIES, MAX_LABEL_CHARS};
use crate::workflows::Makes;

/// Settings that are proposed where nothing better is found.
const FALLBACK: usize = 5;

fn entries<'a>(offered: &Offered<'a>) -> impl Iterator<Item = (&'a EditorNode, &'a InputEntry)> {
    offered.nodes.iter().flat_map(|node| node.inputs().map(move |entry| (node, entry)))
}

/// Prompts, files, sizes and seeds, in this order; some settings where there are none of them.
pub(in crate::mini_apps) fn common_inputs(offered: &Offered<'_>) -> Inputs {
    let links = Links::of(offered.prompt, offered.definitions);
    let mut chosen: Vec<(Reason, &EditorNode, InputEntry)> = entries(offered)
        .filter_map(|(node, entry)| Some((reason(offered, &links, entry)?, node, entry.clone())))
        .collect();
    // Where a node sets the size of what is made, later nodes scale it by themselves.
    if chosen.iter().any(|(reason, ..)| *reason == Reason::Size) {
        chosen.retain(|(reason, ..)| *reason != Reason::Rescaling);
    }
    chosen.sort_by_key(|(reason, ..)| *reason);
    let prompts =
        |id: &str| chosen.iter().filter(|(reason, node, _)| *reason == Reason::Prompt && node.id == id).count();
    let named_by_input: HashSet<String> =
        chosen.iter().filter(|(_, node, _)| prompts(&node.id) > 1).map(|(_, node, _)| node.id.clone()).collect();
    let labelled = chosen.into_iter().take(MAX_ENTRIES).map(|(reason, node, mut entry)| {
        if reason == Reason::Seed && entry.adapter.ui_type == Some(UiType::Range) {
            entry.adapter.ui_type = Some(UiType::Seed);
            entry.adapter.is_random = Some(true);
            (entry.adapter.min, entry.adapter.max, entry.adapter.step) = (None, None, None);
        }
        let name = match (reason, own_title(node)) {
            (_, Some(title)) if is_only_widget(node) => title,
            (Reason::Prompt, _) if named_by_input.contains(&node.id) => label(&entry),
            (Reason::Prompt, _) => "Prompt".to_owned(),
            (Reason::NegativePrompt, _) => "Negative prompt".to_owned(),
            (Reason::Seed, _) => "Seed".to_owned(),
            _ => label(&entry),
        };
        (name, entry)
    });
    let inputs = named(labelled.collect());
    if inputs.is_empty() { named(settings(offered)) } else { inputs }
}

/// Some settings of nodes other than those that save.
fn settings(offered: &Offered<'_>) -> Vec<(String, InputEntry)> {
    let is_setting = |entry: &InputEntry| {
        use UiType::{Range, Select, Text, Textarea, Toggle};
        matches!(entry.adapter.ui_type, Some(Range | Select | Text | Textarea | Toggle))
    };
    let found = entries(offered).filter(|(node, entry)| !node.output_node && is_setting(entry));
    found.map(|(_, entry)| (label(entry), entry.clone())).take(FALLBACK).collect()
}

/// The nodes that save results; where there are none, those that show them.
pub(in crate::mini_apps) fn common_outputs(offered: &Offered<'_>) -> Outputs {
    let has = |words: &'static [&'static str]| {
        let fits = |output: &&OutputEntry| words.iter().any(|word| offered.class(output).contains(word));
        offered.outputs.iter().filter(fits).collect::<Vec<_>>()
    };
    // Pages show nothing of nodes that only compare pictures in the editor.
    let [saving, showing] = [has(&["Save", "Combine"]), has(&["Preview", "Show", "Display"])];
    let found = [saving, showing, offered.outputs.iter().collect()].into_iter().find(|found| !found.is_empty());
    let mut found = found.unwrap_or_default();
    found.truncate(MAX_ENTRIES);
    named_outputs(offered, found)
}

/// Entries in this order, with unique API names made of their labels.
fn named(chosen: Vec<(String, InputEntry)>) -> Inputs {
    let mut names = HashSet::new();
    let entries = (1..).zip(chosen).map(|(order, (name, mut entry))| {
        let name = unused(&mut names, shortened(&name));
        entry.adapter.api_field_name = Some(field_name(&name));
        entry.adapter.name = Some(name);
        (format!("{}.{}", entry.id, entry.name), InputEntry { order, ..entry })
    });
    entries.collect()
}

fn named_outputs(offered: &Offered<'_>, chosen: Vec<&OutputEntry>) -> Outputs {
    let mut names = HashSet::new();
    let entries = (1..).zip(chosen).map(|(order, output)| {
        let node = offered.nodes.iter().find(|node| node.id == output.id);
        let name = node.and_then(own_title).unwrap_or_else(|| word(makes(offered.class(output))).to_owned());
        let name = unused(&mut names, shortened(&name));
        (output.id.clone(), OutputEntry { order, api_field_name: field_name(&name), name, ..output.clone() })
    });
    entries.collect()
}

/// The title that the author gave to a node. Editors send the name of the class for others.
fn own_title(node: &EditorNode) -> Option<String> {
    let title = node.title.trim();
    let is_usual = title.is_empty() || title == node.class || title == node.display_name || title.contains("Encode");
    (!is_usual).then(|| title.to_owned())
}

fn is_only_widget(node: &EditorNode) -> bool {
    let values = node.inputs().filter(|entry| entry.adapter.ui_type != Some(UiType::Toggle));
    values.count() == 1 || node.inputs().any(|entry| entry.adapter.ui_type.is_some_and(|ui| ui.file().is_some()))
}

fn label(entry: &InputEntry) -> String {
    entry.adapter.name.clone().unwrap_or_else(|| entry.name.clone())
}

fn shortened(name: &str) -> String {
    name.chars().take(MAX_LABEL_CHARS).collect()
}

fn word(makes: Makes) -> &'static str {
    match makes {
        Makes::Image => "Image",
        Makes::Video => "Video",
        Makes::Audio => "Sound",
        Makes::Text => "Text",
        Makes::File => "File",
    }
}
