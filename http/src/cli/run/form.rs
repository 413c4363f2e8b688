//! A mini app's form from `--input`s: values are typed by the app's schema.

use serde_json::{Map, Value};
use verdigraph_core::assets::AssetKind;

use super::display::Display;
use super::input::{self, Given, Input};
use crate::cli::client::Client;
use crate::cli::failure::Failure;

/// Asks the app what it takes, and gives each input as that kind; files of its file fields are uploaded.
pub async fn prepare(client: &Client, id: &str, inputs: &[Input], display: &Display) -> Result<Value, Failure> {
    let app = client.get(&format!("/api/general/workflow-api/{id}")).await?;
    let properties = app.pointer("/rjsf/schema/properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut form = Map::new();
    for input in inputs {
        let Some(property) = properties.get(&input.name) else {
            let known = properties.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(Failure::usage(format!("--input {}: the app has no such field; it has {known}", input.name)));
        };
        let widget = app
            .pointer("/rjsf/uiSchema")
            .and_then(|schema| schema.get(&input.name))
            .and_then(|field| field.get("ui:widget"))
            .and_then(Value::as_str);
        let value = match &input.given {
            Given::File(path) if let Some(kind) = widget.and_then(uploads) => {
                let asset = client.upload(path, kind).await?;
                display.uploaded(path, &asset);
                Value::String(asset)
            }
            Given::File(path) => {
                let text = input::text(path).await;
                let text = text.map_err(|reason| {
                    Failure::usage(format!("--input {}: {}: {reason}", input.name, path.display()))
                })?;
                typed(property, &text).map_err(|reason| Failure::usage(format!("--input {}: {reason}", input.name)))?
            }
            Given::Json(json) => serde_json::from_str(json)
                .map_err(|error| Failure::usage(format!("--input {}: {error}", input.name)))?,
            Given::Text(text) => {
                typed(property, text).map_err(|reason| Failure::usage(format!("--input {}: {reason}", input.name)))?
            }
        };
        form.insert(input.name.clone(), value);
    }
    Ok(Value::Object(form))
}

/// The kind of file that a widget uploads.
fn uploads(widget: &str) -> Option<AssetKind> {
    match widget {
        "image" => Some(AssetKind::Image),
        "video" => Some(AssetKind::Video),
        "audio" => Some(AssetKind::Audio),
        "textfile" => Some(AssetKind::Text),
        _ => None,
    }
}

/// `text` as the schema's type.
fn typed(property: &Value, text: &str) -> Result<Value, String> {
    if let Some(choices) = property.get("enum").and_then(Value::as_array) {
        let spelled = |choice: &&Value| match choice {
            Value::String(word) => word == text,
            other => serde_json::to_string(other).is_ok_and(|word| word == text),
        };
        return choices.iter().find(spelled).cloned().ok_or_else(|| format!("{text:?} is none of the choices"));
    }
    let kind = property.get("type").and_then(Value::as_str).unwrap_or("string");
    let parsed = match kind {
        "integer" => {
            text.trim().parse::<i64>().map(Value::from).or_else(|_| text.trim().parse::<u64>().map(Value::from)).ok()
        }
        "number" => text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from),
        "boolean" => text.trim().parse::<bool>().ok().map(Value::from),
        _ => return Ok(Value::String(text.to_owned())),
    };
    parsed.ok_or_else(|| format!("{text:?} is not of type {kind}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_typed_by_the_schema() {
        assert_eq!(typed(&json!({"type": "integer"}), "-1"), Ok(json!(-1)));
        assert_eq!(typed(&json!({"type": "number"}), "0.5"), Ok(json!(0.5)));
        assert_eq!(typed(&json!({"type": "boolean"}), "true"), Ok(json!(true)));
        assert_eq!(typed(&json!({"type": "string"}), "5"), Ok(json!("5")));
        assert_eq!(typed(&json!({"type": "integer"}), "18446744073709551615"), Ok(json!(u64::MAX)));
        let mixed = json!({"enum": ["auto", 1, true, 0.5]});
        for (text, value) in [("auto", json!("auto")), ("1", json!(1)), ("true", json!(true)), ("0.5", json!(0.5))] {
            assert_eq!(typed(&mixed, text), Ok(value));
        }
        assert!(typed(&mixed, "2").is_err());
        assert!(typed(&json!({"type": "integer"}), "many").is_err());
        assert!(typed(&json!({"type": "number"}), "NaN").is_err());
    }

    #[test]
    fn every_file_widget_uploads_its_kind() {
        use verdigraph_core::mini_apps::UiType;
        let kinds = [UiType::Image, UiType::Video, UiType::Audio, UiType::TextFile];
        for widget in kinds {
            let word = json!(widget);
            assert_eq!(word.as_str().and_then(uploads), widget.file(), "{word}");
        }
        assert_eq!(uploads("textarea"), None);
    }
}
