//! The OpenAPI 3.1 document of one mini app: its own request body, and the calls that its users need.
//!
//! The calls are copied from the document of the whole API. The request body is the form's schema, which the server
//! validates against.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use verdigraph_core::html;
use verdigraph_core::mini_apps::MiniApp;

use crate::openapi;

/// The document of the whole API.
static WHOLE: LazyLock<Value> = LazyLock::new(openapi::value);

const RUN: &str = "/api/general/job/workflow-api/{id}";

/// Calls beside the app itself: path, method and operation id.
const CALLS: [(&str, &str, &str); 4] = [
    ("/api/general/job/{id}", "get", "job"),
    ("/api/general/job/{id}/status", "get", "status"),
    ("/api/general/job/{id}/api-outputs", "get", "outputs"),
    ("/api/general/job/{id}/cancel", "post", "cancel"),
];

/// Schema of a file among the outputs. The schema of the outputs does not refer to it.
const FILE: &str = "#/components/schemas/FileOutputView";

/// Upload calls, by the widget of the form field that takes the file.
const UPLOADS: [(&str, &str, &str); 4] = [
    ("image", "/api/general/asset/file/image", "uploadImage"),
    ("video", "/api/general/asset/file/video", "uploadVideo"),
    ("audio", "/api/general/asset/file/audio", "uploadAudio"),
    ("textfile", "/api/general/asset/file/text", "uploadText"),
];

/// The document of a mini app served below `base_url`.
#[must_use]
pub fn document(app: &MiniApp, base_url: &str) -> Value {
    let mut paths = Map::new();
    let run = Value::Object(Map::from_iter([("post".to_owned(), run(app))]));
    paths.insert(RUN.replace("{id}", &app.id.to_string()), run);
    let widgets: BTreeSet<&str> = app.rjsf.ui_schema.as_object().into_iter().flatten().filter_map(widget).collect();
    let uploads = UPLOADS.into_iter().filter(|(widget, ..)| widgets.contains(widget));
    let uploads = uploads.map(|(_, path, name)| (path, "post", name));
    for (path, method, name) in CALLS.into_iter().chain(uploads) {
        let call = operation(path, method, name);
        if let Value::Object(methods) = paths.entry(path).or_insert_with(|| json!({})) {
            methods.insert(method.to_owned(), call);
        }
    }
    let paths = Value::Object(paths);
    let mut components = components(&paths);
    components.insert("securitySchemes".to_owned(), WHOLE["components"]["securitySchemes"].clone());
    json!({
        "openapi": "3.1.0",
        "info": { "title": app.workflow.name, "description": about(app), "version": app.version },
        "servers": [{ "url": base_url }],
        "paths": paths,
        "components": components,
    })
}

fn widget<'a>((_, field): (&String, &'a Value)) -> Option<&'a str> {
    field["ui:widget"].as_str()
}

fn about(app: &MiniApp) -> String {
    let outputs = app.outputs.values().map(|output| format!("- {} (node {})", output.name, output.id));
    let outputs = outputs.collect::<Vec<_>>().join("\n");
    let parts = [
        html::text(&app.workflow.description),
        "Sign in with an API key, in the header api-key or as a Bearer token. A run is accepted at once and goes on by \
         itself: ask for its status until it has ended, then for its outputs."
            .to_owned(),
        format!("Outputs:\n{outputs}"),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The call that runs the app: without its id among the parameters, with the form as its body.
fn run(app: &MiniApp) -> Value {
    let mut call = operation(RUN, "post", "run");
    if let Some(parameters) = call["parameters"].as_array_mut() {
        parameters.retain(|parameter| parameter["in"] != "path");
    }
    call["summary"] = json!(format!("Runs {}", app.workflow.name));
    let body = &mut call["requestBody"]["content"]["application/json"];
    body["schema"] = app.rjsf.schema.clone();
    let properties = app.rjsf.schema["properties"].as_object().into_iter().flatten();
    let defaults = properties.filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())));
    body["example"] = Value::Object(defaults.collect());
    call
}

/// A call from the whole document under its own operation id, with a description for every response.
fn operation(path: &str, method: &str, name: &str) -> Value {
    let mut call = WHOLE["paths"][path][method].clone();
    call["operationId"] = json!(name);
    for (status, answer) in call["responses"].as_object_mut().into_iter().flatten() {
        if answer["$ref"].is_null() && answer["description"].is_null() {
            answer["description"] = json!(if status.starts_with('2') { "What was asked for" } else { "Refused" });
        }
    }
    call
}

/// The components that these calls refer to, directly or through others, by kind.
fn components(paths: &Value) -> Map<String, Value> {
    let (mut open, mut seen) = (vec![FILE.to_owned()], BTreeSet::new());
    references(paths, &mut open);
    let mut found = Map::new();
    while let Some(place) = open.pop() {
        if !seen.insert(place.clone()) {
            continue;
        }
        let Some(part) = WHOLE.pointer(place.trim_start_matches('#')) else { continue };
        references(part, &mut open);
        let mut names = place.rsplit('/');
        let (Some(name), Some(kind)) = (names.next(), names.next()) else { continue };
        if let Value::Object(kinds) = found.entry(kind).or_insert_with(|| json!({})) {
            kinds.insert(name.to_owned(), part.clone());
        }
    }
    found
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}
