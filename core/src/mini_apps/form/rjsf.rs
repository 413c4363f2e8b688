//! The form as clients draw it: a JSON schema, and how to show each field.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::field::Field;
use super::rule::{MAX_TEXT_CHARS, Rule};

/// What a form library needs.
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
        Rule::Image | Rule::Video | Rule::Audio => json!({ "type": "string", "format": "uuid" }),
        Rule::Seed { max } => json!({ "type": "integer", "minimum": -1, "maximum": max }),
        Rule::Model { .. } => json!({ "type": "string", "minLength": 1 }),
        Rule::Int { min, max, multiple_of } => {
            json!({ "type": "integer", "minimum": min, "maximum": max, "multipleOf": multiple_of })
        }
        Rule::Float { min, max, multiple_of, .. } => {
            let mut property = json!({ "type": "number", "minimum": min, "maximum": max });
            if let Some(step) = multiple_of {
                property["multipleOf"] = json!(step);
            }
            property
        }
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
        Rule::Int { multiple_of, .. } => {
            options.insert("step".into(), json!(multiple_of));
        }
        Rule::Float { step, .. } => {
            options.insert("step".into(), json!(step));
        }
        Rule::Select { labels, .. } => {
            options.insert("enumNames".into(), json!(labels));
        }
        Rule::Toggle | Rule::Image | Rule::Video | Rule::Audio | Rule::Text { .. } => {}
    }
    // What stands in the schema in other languages: `title`, `description` and `enumNames` by language.
    if !field.translations.is_empty() {
        options.insert("translations".into(), json!(field.translations));
    }
    json!({ "ui:widget": field.rule.widget(), "ui:options": options })
}

/// The JSON type that all choices share.
fn common_type(values: &[Value]) -> Option<&'static str> {
    let kind = |value: &Value| match value {
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        _ => "null",
    };
    let first = kind(values.first()?);
    values.iter().all(|value| kind(value) == first).then_some(first)
}
