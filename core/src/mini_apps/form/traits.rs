//! What a mini app takes and makes, derived from its form and its graph.

use std::collections::HashSet;

use super::field::Field;
use super::rule::Rule;
use crate::graph::Prompt;
use crate::workflows::{AppTraits, Makes, Takes};

/// What an app with these fields takes, and what the named output nodes make. Each once.
pub(in crate::mini_apps) fn traits(prompt: &Prompt, fields: &[Field], outputs: &[&str]) -> AppTraits {
    let mut found = AppTraits::default();
    for field in fields {
        let takes = match &field.rule {
            Rule::Image => Takes::Image,
            Rule::Video => Takes::Video,
            Rule::Audio => Takes::Audio,
            Rule::TextFile => Takes::TextFile,
            Rule::Text { .. } if is_drawn(prompt, &field.node, &field.input) => Takes::Text,
            _ => continue,
        };
        if !found.takes.contains(&takes) {
            found.takes.push(takes);
        }
    }
    for makes in outputs.iter().filter_map(|id| prompt.0.get(*id)).map(|node| makes(&node.class_type)) {
        if !found.makes.contains(&makes) {
            found.makes.push(makes);
        }
    }
    found
}

/// Whether text at this input is a prompt: a model reads it, on this node or further down the links.
pub(in crate::mini_apps) fn is_drawn(prompt: &Prompt, node: &str, input: &str) -> bool {
    if input.contains("prompt") && input != "filename_prefix" {
        return true;
    }
    let (mut seen, mut next) = (HashSet::new(), vec![node]);
    while let Some(id) = next.pop() {
        if !seen.insert(id) {
            continue;
        }
        if prompt.0.get(id).is_some_and(|node| node.class_type.contains("TextEncode")) {
            return true;
        }
        let takes_it = |value: &serde_json::Value| value.get(0).and_then(serde_json::Value::as_str) == Some(id);
        let takers = prompt.0.iter().filter(|(_, node)| node.inputs.values().any(takes_it));
        next.extend(takers.map(|(taker, _)| taker.as_str()));
    }
    false
}

/// The kind of a node's results by its class name, because packs name what they save.
pub(in crate::mini_apps) fn makes(class: &str) -> Makes {
    let has = |words: &[&str]| words.iter().any(|word| class.contains(word));
    if has(&["Video", "WEBM", "AnimatedWEBP", "AnimatedPNG"]) {
        Makes::Video
    } else if has(&["Audio"]) {
        Makes::Audio
    } else if has(&["Image", "Mask"]) {
        Makes::Image
    } else if has(&["Text", "String", "PreviewAny"]) {
        Makes::Text
    } else {
        Makes::File
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(node: &str, input: &str, rule: Rule) -> Field {
        Field {
            name: format!("{node}_{input}"),
            node: node.into(),
            input: input.into(),
            title: input.into(),
            description: None,
            translations: crate::language::ByLanguage::default(),
            rule,
            default: None,
            required: false,
            optional: false,
            without: None,
        }
    }

    #[test]
    fn only_text_that_a_model_reads_is_a_prompt() {
        let prompt = Prompt::from_value(json!({
            "1": {"class_type": "PrimitiveString", "inputs": {"value": "a cat"}},
            "2": {"class_type": "CLIPTextEncode", "inputs": {"text": ["1", 0], "clip": ["9", 1]}},
            "3": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "out"}},
            "4": {"class_type": "SaveVideo", "inputs": {"video": ["1", 0]}},
        }))
        .expect("a prompt");
        let text = || Rule::Text { multiline: true };
        let read = traits(&prompt, &[field("1", "value", text())], &["3", "4"]);
        assert_eq!(read, AppTraits { takes: vec![Takes::Text], makes: vec![Makes::Image, Makes::Video], works: None });
        let named = traits(&prompt, &[field("3", "filename_prefix", text()), field("5", "image", Rule::Image)], &[]);
        assert_eq!(
            named,
            AppTraits { takes: vec![Takes::Image], makes: vec![], works: None },
            "a file's name is not drawn"
        );
        let files = [field("5", "a", Rule::Audio), field("6", "v", Rule::Video), field("7", "t", Rule::TextFile)];
        assert_eq!(traits(&prompt, &files, &[]).takes, [Takes::Audio, Takes::Video, Takes::TextFile]);
    }
}
