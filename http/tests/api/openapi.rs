//! The committed description, from which the web client's types are made.

#[test]
fn the_committed_description_is_the_codes() {
    let committed =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json")).expect("openapi.json");
    assert!(committed == verdigraph_http::openapi::json(), "http/openapi.json is out of date: run make openapi");
}

#[test]
fn every_closed_operation_says_how_to_sign_in() {
    let api = verdigraph_http::openapi::value();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let closed = path.starts_with("/api/general/") || path.starts_with("/api/admin/");
            assert_eq!(operation["security"].is_array(), closed, "{method} {path}");
        }
    }
}

#[test]
fn every_operation_has_a_name_of_its_own() {
    let api = verdigraph_http::openapi::value();
    let mut seen = std::collections::BTreeSet::new();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no name"));
            assert!(seen.insert(id.to_owned()), "{method} {path} is called {id}, as another one is");
        }
    }
}

/// All operations: path, method, and what is said of them.
fn operations(api: &serde_json::Value) -> Vec<(String, String, serde_json::Value)> {
    let paths = api["paths"].as_object().unwrap();
    let of = |(path, methods): (&String, &serde_json::Value)| {
        let methods = methods.as_object().unwrap().clone();
        methods.into_iter().map(|(method, operation)| (path.clone(), method, operation)).collect::<Vec<_>>()
    };
    paths.iter().flat_map(of).collect()
}

#[test]
fn no_two_things_are_described_under_one_name() {
    let whole = verdigraph_http::openapi::value();
    for area in verdigraph_http::openapi::areas() {
        let area = serde_json::to_value(area).unwrap();
        for (name, schema) in area["components"]["schemas"].as_object().into_iter().flatten() {
            assert_eq!(&whole["components"]["schemas"][name], schema, "two schemas are called {name}");
        }
    }
}

#[test]
fn every_operation_tells_the_refusals_that_the_edge_makes() {
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
        for status in due {
            assert!(answers.contains_key(status), "{method} {path} does not tell {status}");
        }
        for answer in answers.values() {
            let place = answer["$ref"].as_str().map_or("", |reference| reference.trim_start_matches('#'));
            assert!(api.pointer(place).is_some(), "{method} {path} names {place}, which is not there");
        }
    }
}

#[test]
fn what_has_a_limit_says_so_where_programs_read_it() {
    let api = verdigraph_http::openapi::value();
    for (path, method, operation) in operations(&api) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
            if name == "limit" && parameter["in"] == "query" {
                assert!(schema["minimum"].is_number() && schema["maximum"].is_number(), "{method} {path}: {parameter}");
            }
        }
    }
    for (schema, field) in [("SignUpBody", "password"), ("SignUpBody", "name"), ("NameBody", "name")] {
        let field = &api["components"]["schemas"][schema]["properties"][field];
        assert!(field["minLength"].is_number() && field["maxLength"].is_number(), "{schema}: {field}");
    }
}
