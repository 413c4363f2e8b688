//! The API documentation as one HTML page, generated from the OpenAPI document without scripts.

use std::fmt::Write as _;

use serde_json::{Map, Value};

const STYLE: &str = "body{font:15px/1.55 system-ui,sans-serif;background:#101214;color:#d7dbe0;margin:0 auto;\
max-width:60rem;padding:2rem 1rem 6rem}h1{font-size:1.6rem}h2{margin:2.5rem 0 .5rem;text-transform:capitalize}\
a{color:#5dffb1}code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:#0a0b0d;border:1px solid #262a30;\
border-radius:8px;padding:.75rem;overflow:auto}details{border:1px solid #262a30;border-radius:10px;margin:.5rem 0;\
background:#16191d}summary{cursor:pointer;padding:.6rem .9rem;display:flex;gap:.75rem;flex-wrap:wrap;align-items:baseline}\
summary:focus-visible{outline:2px solid #5dffb1;border-radius:10px}.in{padding:0 .9rem .9rem}.m{font:700 12px ui-monospace,monospace;\
min-width:3.8rem}.get{color:#5dffb1}.post{color:#7cc4ff}.patch{color:#ffd166}.put{color:#ffd166}.delete{color:#ff7b7b}\
.s{color:#98a1ab}table{border-collapse:collapse;width:100%;margin:.5rem 0}td{padding:.25rem .75rem .25rem 0;\
vertical-align:top;border-top:1px solid #262a30}h3{font-size:.95rem;margin:1rem 0 .25rem}";

/// The page for a document.
#[must_use]
pub fn page(api: &Value) -> String {
    let mut html = String::with_capacity(64 << 10);
    let text = |pointer: &str| api.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let title = escape(text("/info/title"));
    let _ = write!(
        html,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>\
         {}<p><a href=\"/api/openapi.json\">openapi.json</a> · version {}</p>",
        paragraphs(text("/info/description")),
        escape(text("/info/version")),
    );
    let mut tag = String::new();
    for (path, method, operation) in operations(api) {
        let own = operation.get("tags").and_then(|tags| tags.get(0)).and_then(Value::as_str).unwrap_or("other");
        if own != tag {
            let _ = write!(html, "<h2>{}</h2>", escape(own));
            own.clone_into(&mut tag);
        }
        write_operation(&mut html, api, path, method, operation);
    }
    let schemas = api.pointer("/components/schemas").and_then(Value::as_object);
    if let Some(schemas) = schemas.filter(|schemas| !schemas.is_empty()) {
        html.push_str("<h2>Schemas</h2>");
        for (name, schema) in schemas {
            let (id, json) = (escape(name), pretty(schema));
            let _ = write!(
                html,
                "<details id=\"{id}\"><summary><code>{id}</code></summary><div class=in>{json}</div></details>"
            );
        }
    }
    html.push_str("</body></html>");
    html
}

/// All operations, by tag in order of first appearance.
fn operations(api: &Value) -> Vec<(&str, &str, &Map<String, Value>)> {
    let paths = api.get("paths").and_then(Value::as_object);
    let mut all: Vec<(&str, &str, &Map<String, Value>)> = Vec::new();
    for (path, methods) in paths.into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            all.extend(operation.as_object().map(|operation| (path.as_str(), method.as_str(), operation)));
        }
    }
    let tag_of = |operation: &Map<String, Value>| {
        operation.get("tags").and_then(|tags| tags.get(0)).and_then(Value::as_str).unwrap_or("other").to_owned()
    };
    let mut tags: Vec<String> = Vec::new();
    for (_, _, operation) in &all {
        let tag = tag_of(operation);
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    all.sort_by_key(|(_, _, operation)| tags.iter().position(|tag| *tag == tag_of(operation)));
    all
}

fn write_operation(html: &mut String, api: &Value, path: &str, method: &str, operation: &Map<String, Value>) {
    let text = |key: &str| operation.get(key).and_then(Value::as_str).unwrap_or_default();
    let _ = write!(
        html,
        "<details><summary><span class=\"m {method}\">{}</span><code>{}</code><span class=s>{}</span></summary><div class=in>{}",
        method.to_uppercase(),
        escape(path),
        escape(text("summary")),
        paragraphs(text("description")),
    );
    let parameters = operation.get("parameters").and_then(Value::as_array);
    if let Some(parameters) = parameters.filter(|parameters| !parameters.is_empty()) {
        html.push_str("<h3>Parameters</h3><table>");
        for parameter in parameters {
            let part = |key: &str| escape(parameter.get(key).and_then(Value::as_str).unwrap_or_default());
            let (name, place, about) = (part("name"), part("in"), part("description"));
            let _ = write!(html, "<tr><td><code>{name}</code><td class=s>{place}<td>{about}</tr>");
        }
        html.push_str("</table>");
    }
    if let Some(content) = operation.get("requestBody").and_then(|body| body.get("content")).and_then(Value::as_object)
    {
        html.push_str("<h3>Body</h3>");
        for (kind, media) in content {
            let _ = write!(html, "<p class=s>{}</p>{}", escape(kind), schema_of(media));
        }
    }
    html.push_str("<h3>Answers</h3><table>");
    for (status, answer) in operation.get("responses").and_then(Value::as_object).into_iter().flatten() {
        let shared = answer.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        let answer = shared.and_then(|place| api.pointer(place)).unwrap_or(answer);
        let about = escape(answer.get("description").and_then(Value::as_str).unwrap_or_default());
        let media = answer.get("content").and_then(Value::as_object).and_then(|content| content.values().next());
        let _ = write!(
            html,
            "<tr><td><code>{}</code><td>{about}{}</tr>",
            escape(status),
            media.map(schema_of).unwrap_or_default()
        );
    }
    html.push_str("</table></div></details>");
}

/// A reference as a link to the schema below, any other schema in full.
fn schema_of(media: &Value) -> String {
    let Some(schema) = media.get("schema") else { return String::new() };
    match schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next()) {
        Some(name) => format!(" <a href=\"#{0}\"><code>{0}</code></a>", escape(name)),
        None => pretty(schema),
    }
}

fn pretty(value: &Value) -> String {
    format!("<pre>{}</pre>", escape(&serde_json::to_string_pretty(value).unwrap_or_default()))
}

fn paragraphs(text: &str) -> String {
    text.split("\n\n").filter(|part| !part.trim().is_empty()).map(|part| format!("<p>{}</p>", escape(part))).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_operation_is_on_the_page_and_nothing_runs() {
        let api = json!({
            "info": {"title": "A <b>", "version": "1", "description": "one\n\ntwo"},
            "paths": {"/x": {"get": {"tags": ["jobs"], "summary": "s<script>", "responses": {"200": {"description": "ok",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}}}}},
                      "/y": {"post": {"tags": ["jobs"], "responses": {}}}},
            "components": {"schemas": {"Job": {"type": "object"}}},
        });
        let html = page(&api);
        assert!(html.contains("<code>/x</code>") && html.contains("<code>/y</code>"));
        assert!(html.contains("href=\"#Job\"") && html.contains("id=\"Job\""));
        assert!(!html.contains("<script"), "the page must not hold a script");
        assert!(html.contains("<p>one</p><p>two</p>"));
    }
}
