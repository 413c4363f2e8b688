//! Results of tools against the schemas that clients check them by.

use serde_json::{Value, json};

use crate::mcp::Client;
use crate::site::Site;

/// Where a value differs from a schema. A field that the schema does not describe is a difference too.
pub fn differences(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is_of(kind, value)) {
        found.push(format!("{place}: {value} is not of {kinds:?}"));
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        found.push(format!("{place}: {value} is no word of {}", schema["enum"]));
    }
    if let (Some(properties), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
        for (name, field) in fields {
            let place = format!("{place}.{name}");
            match properties.get(name) {
                Some(schema) => found.extend(differences(schema, field, &place)),
                None => found.push(format!("{place} is not described")),
            }
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(differences(&schema["items"], item, &format!("{place}[{index}]")));
    }
    let has_all = |schema: &Value| {
        let mut names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        names.all(|name| value.get(name).is_some())
    };
    let fits_any = schema["anyOf"].as_array().is_none_or(|schemas| schemas.iter().any(has_all));
    if value.is_object() && !(has_all(schema) && fits_any) {
        found.push(format!("{place} lacks a field: {value}"));
    }
    found
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

#[test]
fn value_that_differs_from_its_schema_is_found() {
    let schema = json!({
        "type": "object",
        "properties": { "n": { "type": ["integer", "null"] }, "words": { "items": { "enum": ["a"] } } },
        "anyOf": [{ "required": ["n"] }, { "required": ["words"] }],
    });
    for (value, count) in [
        (json!({ "n": null, "words": ["a"] }), 0),
        (json!({ "words": [] }), 0),
        (json!({}), 1),
        (json!({ "n": 1.5 }), 1),
        (json!({ "n": 1, "words": ["a", "b"], "more": 1 }), 2),
        (json!([]), 1),
    ] {
        let found = differences(&schema, &value, "it");
        assert_eq!(found.len(), count, "{value}: {found:?}");
    }
}

#[actix_web::test]
async fn every_tool_has_a_schema_of_its_result() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let tools = ann.tools().await;
    assert!(!tools.is_empty());
    for tool in tools {
        let schema = &tool["outputSchema"];
        assert_eq!(schema["type"], "object", "{}", tool["name"]);
        assert!(schema["properties"]["error"].is_object(), "clients check failures too: {}", tool["name"]);
    }
    site.finish().await;
}
