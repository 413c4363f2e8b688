//! Outputs of nodes, with the files as `view` serves them.

use serde_json::{Map, Value};
use uuid::Uuid;

fn values(output: &Value) -> impl Iterator<Item = &Value> {
    output.as_object().into_iter().flat_map(Map::values).filter_map(Value::as_array).flatten()
}

fn is_file(value: &Value) -> bool {
    value.get("filename").is_some_and(Value::is_string) && value.get("type").is_none_or(|folder| folder != "input")
}

/// Whether an output names files of the worker. Files of its `input` folder are the client's already.
#[must_use]
pub fn names_files(output: &Value) -> bool {
    values(output).any(is_file)
}

/// The files of an output.
#[must_use]
pub fn files(output: &Value) -> Vec<Value> {
    values(output).filter(|value| is_file(value)).cloned().collect()
}

/// Whether all of an output came as pictures over the socket, which have no names. ComfyUI sends no other message for them.
#[must_use]
pub fn came_as_preview(output: &Value) -> bool {
    let stem = |value: &Value| value.get("filename")?.as_str()?.split('.').next().map(str::to_owned);
    values(output).all(|value| stem(value).is_some_and(|stem| stem.parse::<Uuid>().is_ok()))
}

/// The worker's output with each file replaced by its stored one, which is taken from `stored`. Files that are not stored
/// are left out.
#[must_use]
pub fn with_stored_files(output: &Value, stored: &mut Vec<Value>) -> Value {
    let mut output = output.clone();
    for values in output.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        let Some(values) = values.as_array_mut() else { continue };
        values.retain_mut(|value| {
            if !is_file(value) {
                return true;
            }
            let name = value.get("filename").and_then(Value::as_str).and_then(|name| name.rsplit(['/', '\\']).next());
            let by_name = stored.iter().position(|file| name == file.get("filename").and_then(Value::as_str));
            // Stored files have safe versions of the worker's names, in the worker's order.
            let Some(place) = by_name.or((!stored.is_empty()).then_some(0)) else { return false };
            *value = stored.remove(place);
            true
        });
    }
    output
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file(name: &str) -> Value {
        json!({ "filename": name, "subfolder": "job", "type": "output" })
    }

    #[test]
    fn files_of_an_output_become_the_stored_ones() {
        let output = json!({
            "images": [
                { "filename": "a_00002_.png", "subfolder": "x", "type": "output" },
                { "filename": "a_00001_.png", "subfolder": "x", "type": "temp" },
                { "filename": "photo.png", "subfolder": "", "type": "input" },
                { "filename": "lost.png", "subfolder": "", "type": "output" },
            ],
            "animated": [false],
            "text": ["hi"],
        });
        assert!(names_files(&output));
        assert_eq!(files(&output).len(), 3);
        let mut stored = vec![file("a_00001_.png"), file("a_00002_.png")];
        let input = json!({ "filename": "photo.png", "subfolder": "", "type": "input" });
        let images = json!([file("a_00002_.png"), file("a_00001_.png"), input]);
        let expected = json!({ "images": images, "animated": [false], "text": ["hi"] });
        assert_eq!(with_stored_files(&output, &mut stored), expected);
        assert!(stored.is_empty());
        let mut renamed = vec![file("one.png"), file("two.png")];
        assert_eq!(with_stored_files(&output, &mut renamed)["images"][0], file("one.png"), "by their order");
    }

    #[test]
    fn pictures_without_names_came_over_the_socket() {
        let unnamed = format!("{}.png", Uuid::nil());
        assert!(came_as_preview(&json!({ "images": [file(&unnamed), file(&unnamed)] })));
        assert!(!came_as_preview(&json!({ "images": [file(&unnamed), file("a.png")] })));
        assert!(!came_as_preview(&json!({ "text": ["hi"] })));
    }

    #[test]
    fn outputs_without_files_need_no_storage() {
        for output in [
            json!({ "text": ["hi"] }),
            json!({ "images": [{ "filename": "a.png", "type": "input" }] }),
            json!({ "images": [] }),
            json!(null),
            json!([{ "filename": "a.png" }]),
        ] {
            assert!(!names_files(&output), "{output}");
        }
    }
}
