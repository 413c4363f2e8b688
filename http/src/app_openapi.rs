//! The OpenAPI 3.1 document of one mini app: its own request body, and the calls that its users need.
//!
//! The calls are copied from the document of the whole API. The request body is the form's schema, which the server
//! validates against, and the outputs have the names of this app.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use uuid::Uuid;
use verdigraph_core::html;
use verdigraph_core::ids::WorkflowApiVersionId;
use verdigraph_core::mini_apps::{CompiledApp, Rjsf};
use verdigraph_core::workflows::Workflow;

use crate::openapi;

/// The document of the whole API.
static WHOLE: LazyLock<Value> = LazyLock::new(openapi::value);

const RUN: &str = "/api/general/job/workflow-api/{id}";
const RUN_VERSION: &str = "/api/general/job/workflow-api/{id}/version/{version}";
const OUTPUTS: &str = "/api/general/job/{id}/api-outputs";

/// Calls beside the app itself: path, method and operation id.
const CALLS: [(&str, &str, &str); 4] = [
    ("/api/general/job/{id}", "get", "job"),
    ("/api/general/job/{id}/status", "get", "status"),
    (OUTPUTS, "get", "outputs"),
    ("/api/general/job/{id}/cancel", "post", "cancel"),
];

/// Schema of a file among the outputs.
const FILE: &str = "#/components/schemas/FileOutputView";
/// Schema of the outputs of a node, in the document of the whole API and in that of an app.
const NODE_OUTPUTS: &str = "/components/schemas/NodeOutputsView";
const APP_OUTPUT: &str = "AppOutputView";

/// Upload calls, by the widget of the form field that takes the file.
const UPLOADS: [(&str, &str, &str); 4] = [
    ("image", "/api/general/asset/file/image", "uploadImage"),
    ("video", "/api/general/asset/file/video", "uploadVideo"),
    ("audio", "/api/general/asset/file/audio", "uploadAudio"),
    ("textfile", "/api/general/asset/file/text", "uploadText"),
];

/// The document of a version of a mini app, served below `base_url`. A run is one of the `pinned` version, or of the
/// current one.
#[must_use]
pub fn document(app: &CompiledApp, workflow: &Workflow, pinned: Option<WorkflowApiVersionId>, base_url: &str) -> Value {
    let form = app.rjsf();
    let mut paths = Map::new();
    let (path, address) = match pinned {
        Some(version) => (RUN_VERSION, RUN_VERSION.replace("{version}", &version.to_string())),
        None => (RUN, RUN.to_owned()),
    };
    let run = Value::Object(Map::from_iter([("post".to_owned(), run(path, &form, &workflow.name))]));
    paths.insert(address.replace("{id}", &app.id.to_string()), run);
    let widgets: BTreeSet<&str> = widgets(&form).map(|(_, widget)| widget).collect();
    let uploads = UPLOADS.into_iter().filter(|(widget, ..)| widgets.contains(widget));
    let uploads = uploads.map(|(_, path, name)| (path, "post", name));
    for (path, method, name) in CALLS.into_iter().chain(uploads) {
        let mut call = operation(path, method, name);
        if path == OUTPUTS {
            let items = json!({ "$ref": format!("#/components/schemas/{APP_OUTPUT}") });
            call["responses"]["200"]["content"]["application/json"]["schema"]["items"] = items;
        }
        if let Value::Object(methods) = paths.entry(path).or_insert_with(|| json!({})) {
            methods.insert(method.to_owned(), call);
        }
    }
    let (paths, output) = (Value::Object(paths), app_output(app));
    let mut components = components(&[&paths, &output]);
    if let Some(schemas) = components.get_mut("schemas").and_then(Value::as_object_mut) {
        schemas.insert(APP_OUTPUT.to_owned(), output);
    }
    components.insert("securitySchemes".to_owned(), WHOLE["components"]["securitySchemes"].clone());
    json!({
        "openapi": "3.1.0",
        "info": { "title": workflow.name, "description": about(app, workflow), "version": app.version },
        "servers": [{ "url": base_url }],
        "paths": paths,
        "components": components,
    })
}

/// The fields of a form with their widgets.
fn widgets(form: &Rjsf) -> impl Iterator<Item = (&str, &str)> {
    let fields = form.ui_schema.as_object().into_iter().flatten();
    fields.filter_map(|(name, field)| Some((name.as_str(), field["ui:widget"].as_str()?)))
}

/// The outputs of one node of the app: one of its declared ones, with the lists that nodes can make.
fn app_output(app: &CompiledApp) -> Value {
    let outputs = app.outputs();
    let ids: Vec<&str> = outputs.iter().map(|output| output.id.as_str()).collect();
    let names: BTreeSet<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
    let files = json!({ "type": "array", "items": { "$ref": FILE } });
    let mut schema = WHOLE.pointer(NODE_OUTPUTS).cloned().unwrap_or_default();
    schema["properties"]["nodeId"] = json!({ "type": "string", "enum": ids });
    schema["properties"]["name"] = json!({ "type": "string", "enum": names });
    schema["properties"]["outputs"] = json!({
        "type": "object",
        "description": "What the node made, by type and in order; a type that it did not make is left out.",
        "properties": {
            "images": files,
            "gifs": files,
            "audio": files,
            "files": files,
            "text": { "type": "array", "items": { "type": "string" } },
        },
    });
    schema
}

fn about(app: &CompiledApp, workflow: &Workflow) -> String {
    let outputs = app.outputs().iter().map(|output| format!("- {} (node {})", output.name, output.id));
    let outputs = outputs.collect::<Vec<_>>().join("\n");
    let parts = [
        html::text(&workflow.description),
        "Sign in with an API key, in the header api-key or as a Bearer token. A run is accepted at once and goes on by \
         itself: ask for its status until it has ended, then for its outputs."
            .to_owned(),
        "A refusal has a code: GET /api/public/error-code tells for each one where its cause is, whether the same call \
         may succeed later, and what to do next."
            .to_owned(),
        format!("Outputs:\n{outputs}"),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The call that runs the app: without ids among the parameters, with the form as its body.
fn run(path: &str, form: &Rjsf, name: &str) -> Value {
    let mut call = operation(path, "post", "run");
    if let Some(parameters) = call["parameters"].as_array_mut() {
        parameters.retain(|parameter| parameter["in"] != "path");
    }
    call["summary"] = json!(format!("Runs {name}"));
    let body = &mut call["requestBody"]["content"]["application/json"];
    body["schema"] = with_constants(form.schema.clone());
    let properties = form.schema["properties"].as_object().into_iter().flatten();
    let defaults = properties.filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())));
    body["example"] = Value::Object(defaults.collect());
    let seeds = widgets(form).filter(|(_, widget)| *widget == "seed");
    let seeds: Map<String, Value> = seeds.map(|(name, _)| (name.to_owned(), json!(7))).collect();
    call["responses"]["201"]["content"]["application/json"]["example"] = json!({
        "_id": Uuid::nil(),
        "status": "Pending",
        "seeds": seeds,
        "nodeErrors": {},
        "workers": 1,
    });
    call
}

/// The schema of a form as generators of clients take it: they know choices among texts, whole numbers or truth values,
/// so other choices become constants.
fn with_constants(mut schema: Value) -> Value {
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
    for field in fields.filter_map(|(_, field)| field.as_object_mut()) {
        let Some(choices) = field.get("enum").and_then(Value::as_array) else { continue };
        let are_whole = choices.iter().all(|choice| choice.is_i64() || choice.is_u64());
        if !are_whole && !choices.iter().all(Value::is_string) && !choices.iter().all(Value::is_boolean) {
            let constants = choices.iter().map(|choice| json!({ "const": choice })).collect();
            field.shift_remove("enum");
            field.shift_remove("type");
            field.insert("oneOf".to_owned(), Value::Array(constants));
        }
    }
    schema
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

/// The components that these parts refer to, directly or through others, by kind.
fn components(parts: &[&Value]) -> Map<String, Value> {
    let (mut open, mut seen) = (Vec::new(), BTreeSet::new());
    parts.iter().for_each(|part| references(part, &mut open));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_that_generators_refuse_become_constants() {
        let kept = json!({ "type": "string", "enum": ["a", "b"], "default": "a" });
        let sizes = json!({ "type": "integer", "enum": [512, 1024] });
        let schema = json!({ "properties": {
            "word": kept,
            "size": sizes,
            "ratio": { "type": "number", "enum": [0.5, 1], "title": "Ratio", "default": 0.5 },
            "mixed": { "enum": ["a", 1, true] },
        } });
        let found = with_constants(schema);
        let fields = &found["properties"];
        assert_eq!((&fields["word"], &fields["size"]), (&kept, &sizes));
        let ratio = json!({ "title": "Ratio", "default": 0.5, "oneOf": [{ "const": 0.5 }, { "const": 1 }] });
        assert_eq!(fields["ratio"], ratio);
        assert_eq!(fields["mixed"]["oneOf"][2], json!({ "const": true }));
        assert_eq!(with_constants(json!({})), json!({}), "a form without fields");
    }
}
