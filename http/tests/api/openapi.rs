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
