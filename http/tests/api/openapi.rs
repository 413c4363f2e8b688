//! The committed OpenAPI document, from which the web client's types are generated.

use std::collections::BTreeSet;

use serde_json::Value;
use verdigraph_core::Code;

use crate::site::{Site, error};

#[test]
fn committed_openapi_document_is_up_to_date() {
    let committed =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json")).expect("openapi.json");
    assert!(committed == verdigraph_http::openapi::json(), "http/openapi.json is out of date: run make openapi");
}

#[test]
fn closed_operations_have_security_schemes() {
    let api = verdigraph_http::openapi::value();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let closed = path.starts_with("/api/general/") || path.starts_with("/api/admin/");
            assert_eq!(operation["security"].is_array(), closed, "{method} {path}");
        }
    }
}

#[test]
fn operation_ids_are_unique() {
    let api = verdigraph_http::openapi::value();
    let mut seen = BTreeSet::new();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no name"));
            assert!(seen.insert(id.to_owned()), "{method} {path} is called {id}, as another one is");
        }
    }
}

/// All operations: path, method, and description.
fn operations(api: &serde_json::Value) -> Vec<(String, String, serde_json::Value)> {
    let paths = api["paths"].as_object().unwrap();
    let of = |(path, methods): (&String, &serde_json::Value)| {
        let methods = methods.as_object().unwrap().clone();
        methods.into_iter().map(|(method, operation)| (path.clone(), method, operation)).collect::<Vec<_>>()
    };
    paths.iter().flat_map(of).collect()
}

/// Words that look like error codes.
fn words_like_codes(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| word.contains('_') && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')).collect()
}

#[test]
fn documented_error_codes_exist() {
    let api = verdigraph_http::openapi::value();
    let codes: BTreeSet<&str> = Code::ALL.map(Code::name).into();
    assert_eq!(codes.len(), Code::ALL.len(), "two codes are written alike");
    for body in ["ErrorBody", "ErrorLine"] {
        let said = &api["components"]["schemas"][body]["properties"]["code"]["enum"];
        let said: BTreeSet<&str> = said.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(said, codes, "{body}");
    }
    for (path, method, operation) in operations(&api) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let text = answer["description"].as_str().unwrap_or_default();
            let unknown: Vec<&str> = words_like_codes(text).difference(&codes).copied().collect();
            assert!(unknown.is_empty(), "{method} {path} answers {status} with {unknown:?}, which are no codes");
        }
    }
    assert_eq!(words_like_codes("404 `NOT_FOUND`, a POST, max_size"), ["NOT_FOUND"].into());
}

#[test]
fn schema_names_are_unique() {
    let whole = verdigraph_http::openapi::value();
    for area in verdigraph_http::openapi::areas() {
        let area = serde_json::to_value(area).unwrap();
        for (name, schema) in area["components"]["schemas"].as_object().into_iter().flatten() {
            assert_eq!(&whole["components"]["schemas"][name], schema, "two schemas are called {name}");
        }
    }
}

#[test]
fn operations_list_the_shared_error_responses() {
    let api = verdigraph_http::openapi::value();
    for (path, method, operation) in operations(&api) {
        let answers = operation["responses"].as_object().unwrap();
        let mut due = vec!["401", "429", "503"];
        if !operation["requestBody"].is_null() {
            due.extend(["400", "408", "413", "415"]);
        }
        if method != "get" {
            due.push("403");
        }
        if operation["parameters"].is_array() {
            due.push("400");
        }
        if path.contains('{') {
            due.push("404");
        }
        for status in due {
            assert!(answers.contains_key(status), "{method} {path} does not list {status}");
        }
        for (status, answer) in answers {
            let place = answer["$ref"].as_str().map_or("", |reference| reference.trim_start_matches('#'));
            assert!(api.pointer(place).is_some(), "{method} {path} names {place}, which is not there");
            let is_described = !answer["$ref"].is_null() || answer["description"].is_string();
            assert!(status < &"400".to_owned() || is_described, "{method} {path}: {status} has no description");
        }
    }
}

/// Inputs without a bound of their own: a graph and a batch are limited as bodies, and days by the calendar.
const UNBOUNDED: [&str; 4] = ["GraphBody", "POST /api/general/job/batch", "?startDate", "?endDate"];

/// Collects every text, list and number of a schema that has no bound.
fn unbounded(api: &Value, schema: &Value, place: &str, seen: &mut Vec<String>, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        if !seen.iter().any(|known| known == name) {
            seen.push(name.to_owned());
            let target = api.pointer(name.trim_start_matches('#')).expect("a schema");
            unbounded(api, target, name.rsplit('/').next().unwrap_or(name), seen, found);
        }
        return;
    }
    for one in ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten() {
        unbounded(api, one, place, seen, found);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        unbounded(api, field, &format!("{place}.{name}"), seen, found);
    }
    let is =
        |kind: &str| schema["type"] == kind || schema["type"].as_array().is_some_and(|all| all.contains(&kind.into()));
    let bounds: &[&str] = match () {
        () if is("string") => &["maxLength", "enum", "format", "const", "pattern"],
        () if is("integer") => &["maximum", "enum", "format"],
        () if is("array") => &["maxItems"],
        () => return,
    };
    if bounds.iter().all(|bound| schema[*bound].is_null()) {
        found.push(place.to_owned());
    }
    unbounded(api, &schema["items"], place, seen, found);
}

#[test]
fn inputs_have_documented_bounds() {
    let api = verdigraph_http::openapi::value();
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    for (path, method, operation) in operations(&api) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
            if name == "limit" && parameter["in"] == "query" {
                assert!(schema["minimum"].is_number() && schema["maximum"].is_number(), "{method} {path}: {parameter}");
            }
            unbounded(&api, schema, &format!("{} {path} ?{name}", method.to_uppercase()), &mut seen, &mut found);
        }
        for content in operation["requestBody"]["content"].as_object().into_iter().flatten() {
            unbounded(&api, &content.1["schema"], &format!("{} {path}", method.to_uppercase()), &mut seen, &mut found);
        }
    }
    found.retain(|place| !UNBOUNDED.iter().any(|known| place.ends_with(known)));
    assert!(found.is_empty(), "no bound is told of {found:#?}");
    for (schema, field) in [("SignUpBody", "password"), ("SignUpBody", "name"), ("NameBody", "name")] {
        let field = &api["components"]["schemas"][schema]["properties"][field];
        assert!(field["minLength"].is_number() && field["maxLength"].is_number(), "{schema}: {field}");
    }
}

#[actix_web::test]
async fn too_long_query_text_is_refused_by_its_name() {
    let api = verdigraph_http::openapi::value();
    let site = Site::start().await;
    let admin = site.admin().await;
    let mut tried = 0;
    for (path, _, operation) in operations(&api).into_iter().filter(|(_, method, _)| *method == "get") {
        let path = path.replace("{id}", &uuid::Uuid::nil().to_string());
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|one| one["in"] == "query" && !path.contains('{')) {
            let Some(most) = parameter["schema"]["maxLength"].as_u64() else { continue };
            let name = parameter["name"].as_str().unwrap();
            let long = "0".repeat(usize::try_from(most).unwrap() + 1);
            let (status, code, told) = error(site.get(&admin, &format!("{path}?{name}={long}")).await).await;
            // An unknown id in the path is found first.
            let is_refused = status == 404 || (status == 400 && code == "VALIDATION_FAILED");
            assert!(is_refused, "{path} ?{name}: {status} {told}");
            tried += usize::from(status == 400);
        }
    }
    assert!(tried > 40, "only {tried} were tried");
    site.finish().await;
}
