//! Checks of sent fields against the limits.

use serde_json::Value;

use super::limits::{MAX_DESCRIPTION_BYTES, MAX_NAME_CHARS, MAX_TAGS, MAX_THUMBNAILS};
use super::translations::{Translation, Translations};
use super::workflow::{Graph, NewGraph};
use crate::error::FieldError;
use crate::graph::{JsonText, MAX_PROMPT_BYTES, WrittenPrompt, content_hash, read_lenient, value_of};
use crate::html::clean;
use crate::ids::{AssetId, WorkflowTagId};
use crate::{Error, Result, names};

/// A trimmed name in one Unicode spelling; `field` is the place of errors.
pub(super) fn name(field: &str, name: &str) -> Result<String> {
    let wrong = || Error::invalid(field, format!("must have 1 to {MAX_NAME_CHARS} characters"));
    let name = names::trimmed(name, 1..=MAX_NAME_CHARS).ok_or_else(wrong)?;
    if name.chars().any(names::is_hidden) || names::is_blank(&name) {
        return Err(Error::invalid(field, "must not have hidden characters"));
    }
    Ok(name)
}

/// A description as stored; `field` is the place of errors.
pub(super) fn description(field: &str, html: &str) -> Result<String> {
    if html.len() > MAX_DESCRIPTION_BYTES {
        return Err(Error::invalid(field, format!("must not be larger than {MAX_DESCRIPTION_BYTES} bytes")));
    }
    Ok(clean(&html.replace('\0', "")))
}

/// Names and descriptions in other languages, within the limits of the original. An empty description is dropped, so
/// that readers get the original.
pub(super) fn translations(new: &Translations) -> Result<Translations> {
    new.try_map(|language, words| {
        let at = |part: &str| format!("translations.{}.{part}", language.tag());
        let name = words.name.as_deref().map(|text| name(&at("name"), text)).transpose()?;
        let description = words.description.as_deref().map(|html| description(&at("description"), html)).transpose()?;
        let description = description.filter(|html| !html.trim().is_empty());
        Ok((name.is_some() || description.is_some()).then_some(Translation { name, description }))
    })
}

/// A graph in at least one format.
pub(super) fn graph(new: NewGraph) -> Result<Graph> {
    let is_there = |text: &JsonText| text.as_str() != "null";
    let ui = new.ui.filter(is_there).map(|ui| drawing("prompt.workflow", ui)).transpose()?;
    let prompt = new.prompt.filter(is_there).map(|text| WrittenPrompt::read(&text.raw())).transpose()?;
    if ui.is_none() && prompt.is_none() {
        return Err(Error::invalid("prompt", "must have a workflow, an output, or both"));
    }
    Ok(Graph { ui, prompt })
}

/// A graph in the editor's format; `field` is the place of errors.
pub(super) fn drawing(field: &str, ui: JsonText) -> Result<JsonText> {
    let text = ui.as_str();
    if !text.starts_with('{') {
        return Err(Error::invalid(field, "must be an object"));
    }
    if text.len() > MAX_PROMPT_BYTES {
        return Err(Error::invalid(field, format!("must not be larger than {MAX_PROMPT_BYTES} bytes")));
    }
    // JSON writes NUL as an escape; an escaped backslash before `u0000` is only text.
    if text.replace("\\\\", "").contains("\\u0000") {
        return Err(Error::invalid(field, "must not contain the NUL character"));
    }
    // The text is stored, so a text that no reader could parse is refused.
    let graph: Value = read_lenient(text.as_bytes()).map_err(|error| Error::invalid(field, error.to_string()))?;
    if graph.get("nodes").is_some_and(Value::is_array) {
        return Ok(ui);
    }
    let is_prompt = graph.as_object().is_some_and(|nodes| nodes.values().any(|node| node.get("class_type").is_some()));
    let message = if is_prompt {
        "is a prompt in API format and not a graph of the editor; a prompt is sent as output"
    } else {
        "must have a list of nodes"
    };
    Err(Error::invalid(field, message))
}

/// The same for graphs with the same meaning, however they are written.
pub(super) fn graph_hash(graph: &Graph) -> String {
    let ui = graph.ui.as_ref().map(|ui| value_of(&ui.raw()));
    content_hash(&serde_json::json!({ "workflow": ui, "output": graph.prompt.as_deref() }))
}

/// Each tag once, in the order of the ids.
pub(super) fn tags(tags: Vec<WorkflowTagId>) -> Result<Vec<WorkflowTagId>> {
    if tags.len() > MAX_TAGS {
        return Err(Error::invalid("workflowTags", format!("maximum {MAX_TAGS} tags allowed")));
    }
    Ok(once(tags))
}

/// Each picture once, in the order of the ids.
pub(super) fn thumbnails(thumbnails: Vec<AssetId>) -> Result<Vec<AssetId>> {
    if thumbnails.len() > MAX_THUMBNAILS {
        return Err(Error::invalid("thumbnails", format!("maximum {MAX_THUMBNAILS} images allowed")));
    }
    Ok(once(thumbnails))
}

/// A published workflow needs a tag and a picture.
pub(super) fn ready(tags: usize, thumbnails: usize) -> Result<()> {
    let missing = [
        (tags == 0, "workflowTags", "please select at least one tag"),
        (thumbnails == 0, "thumbnails", "please add at least one image"),
    ];
    let fields: Vec<FieldError> = missing
        .into_iter()
        .filter(|(is_missing, ..)| *is_missing)
        .map(|(_, field, message)| FieldError { field: field.into(), message: message.into() })
        .collect();
    if fields.is_empty() { Ok(()) } else { Err(Error::InvalidFields { fields }) }
}

fn once<T: Copy + PartialEq>(items: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(items.len());
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use unicode_normalization::UnicodeNormalization as _;

    use super::*;

    #[test]
    fn only_a_graph_of_the_editor_is_a_drawing() {
        let refusal = |ui: Value| match drawing("prompt.workflow", JsonText::of(&ui)) {
            Ok(_) => None,
            Err(Error::Invalid { field, message }) => Some((field, message)),
            Err(other) => panic!("{other:?}"),
        };
        for drawn in [json!({ "nodes": [] }), json!({ "nodes": [{ "id": 9 }], "links": [], "version": 0.4 })] {
            assert_eq!(refusal(drawn.clone()), None, "{drawn}");
        }
        let prompt = json!({ "1": { "class_type": "EmptyImage", "inputs": {} }, "extra": {} });
        for (other, words) in [
            (json!({}), "a list of nodes"),
            (json!({ "nodes": {} }), "a list of nodes"),
            (json!({ "links": [] }), "a list of nodes"),
            (prompt, "in API format"),
            (json!([]), "an object"),
        ] {
            let (field, message) = refusal(other.clone()).unwrap_or_else(|| panic!("{other} was taken"));
            assert!(field == "prompt.workflow" && message.contains(words), "{other}: {message}");
        }
    }

    #[test]
    fn name_is_normalized_before_it_is_counted() {
        let hangul = "한".repeat(MAX_NAME_CHARS);
        let apart: String = hangul.nfd().collect();
        assert_eq!(name("name", &apart).ok(), Some(hangul), "three parts of a letter count as one");
        assert_eq!(name("name", " Zoe\u{301} ").ok().as_deref(), Some("Zo\u{e9}"));
        assert!(name("name", &"한".repeat(MAX_NAME_CHARS + 1)).is_err());
    }
}
