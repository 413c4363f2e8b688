//! The form as clients render it: a JSON schema, and the widget of each field.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::field::Field;
use super::rule::{MAX_TEXT_CHARS, Rule, json_number};

/// The input of a form library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rjsf {
    pub schema: Value,
    pub ui_schema: Value,
}

/// The form of these fields, in their order.
#[must_use]
pub fn rjsf(fields: &[Field]) -> Rjsf {
    let names = |fields: &mut dyn Iterator<Item = &Field>| fields.map(|field| field.name.clone()).collect::<Vec<_>>();
    let properties: Map<String, Value> = fields.iter().map(|field| (field.name.clone(), property(field))).collect();
    let mut ui: Map<String, Value> = Map::new();
    ui.insert("ui:order".into(), json!(names(&mut fields.iter())));
    ui.extend(fields.iter().map(|field| (field.name.clone(), widget(field))));
    Rjsf {
        schema: json!({
            "type": "object",
            "properties": properties,
            "required": names(&mut fields.iter().filter(|field| field.required)),
            "additionalProperties": false,
        }),
        ui_schema: Value::Object(ui),
    }
}

fn property(field: &Field) -> Value {
    let mut property = match &field.rule {
        Rule::Toggle => json!({ "type": "boolean" }),
        Rule::Image | Rule::Video | Rule::Audio | Rule::TextFile => json!({ "type": "string", "format": "uuid" }),
        Rule::Seed { max } => json!({ "type": "integer", "minimum": -1, "maximum": max }),
        Rule::Model { .. } => json!({ "type": "string", "minLength": 1 }),
        // A schema counts steps from 0 and nodes from their minimum, so the step belongs to the widget.
        Rule::Int { min, max, .. } => {
            let (min, max) = (json_number(*min), json_number(*max));
            json!({ "type": "integer", "minimum": min, "maximum": max, "multipleOf": 1 })
        }
        Rule::Float { min, max, .. } => json!({ "type": "number", "minimum": min, "maximum": max }),
        Rule::Select { values, .. } => {
            let mut property = json!({ "enum": values });
            if let Some(kind) = common_type(values) {
                property["type"] = json!(kind);
            }
            property
        }
        Rule::Text { .. } => json!({ "type": "string", "maxLength": MAX_TEXT_CHARS }),
    };
    property["title"] = json!(field.title);
    if let Some(description) = &field.description {
        property["description"] = json!(description);
    }
    if let Some(default) = &field.default {
        property["default"] = default.clone();
    }
    property
}

fn widget(field: &Field) -> Value {
    let mut options = Map::new();
    match &field.rule {
        Rule::Seed { .. } => {
            options.insert("isRandom".into(), json!(field.default == Some(json!(-1))));
        }
        Rule::Model { folder } => {
            options.insert("folder".into(), json!(folder));
        }
        Rule::Int { step, .. } => {
            options.insert("step".into(), json!(json_number(*step)));
        }
        Rule::Float { step, .. } => {
            options.insert("step".into(), json!(step));
        }
        Rule::Select { labels, .. } => {
            options.insert("enumNames".into(), json!(labels));
        }
        Rule::Toggle | Rule::Image | Rule::Video | Rule::Audio | Rule::TextFile | Rule::Text { .. } => {}
    }
    if field.may_be_empty() {
        options.insert("optional".into(), json!(true));
    }
    // Texts of the schema in other languages: `title`, `description` and `enumNames` by language.
    if !field.translations.is_empty() {
        options.insert("translations".into(), json!(field.translations));
    }
    json!({ "ui:widget": field.rule.widget(), "ui:options": options })
}

/// The JSON type of all choices.
fn common_type(values: &[Value]) -> Option<&'static str> {
    let kind = |value: &Value| match value {
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        _ => "null",
    };
    if values.iter().all(Value::is_number) && values.iter().any(Value::is_f64) {
        return Some("number");
    }
    let first = kind(values.first()?);
    values.iter().all(|value| kind(value) == first).then_some(first)
}
