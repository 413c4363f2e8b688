//! Examples of the documentation against the description of the API.

use std::path::Path;

use serde_json::{Map, Value};

const PAGES: [&str; 4] = ["README.md", "docs/api.md", "docs/errors.md", "docs/mcp.md"];

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The addresses of calls in a text, with their queries.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "/-_.{}$?&=%:,".contains(letter);
    ["/api/general/", "/api/public/", "/api/admin/"].into_iter().flat_map(move |begin| {
        text.match_indices(begin).map(move |(at, _)| {
            let rest = text.get(at..).unwrap_or_default();
            let end = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
            rest.get(..end).unwrap_or_default().trim_end_matches(['.', ',', ':'])
        })
    })
}

/// Whether a path of an example is one of the described path. Names between braces stand for any segment.
fn is_at(described: &str, path: &str) -> bool {
    let (mut parts, mut given) = (described.split('/'), path.trim_end_matches('/').split('/'));
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(given)) if part.starts_with('{') || part == given => {}
            _ => return false,
        }
    }
}

/// The names of all parameters of a path.
fn parameters(methods: &Value) -> Vec<&str> {
    let methods = methods.as_object().into_iter().flat_map(Map::values);
    let parameters = methods.filter_map(|operation| operation["parameters"].as_array()).flatten();
    parameters.filter_map(|parameter| parameter["name"].as_str()).collect()
}

#[test]
fn documented_addresses_and_their_parameters_exist() {
    let api = verdigraph_http::openapi::value();
    let paths = api["paths"].as_object().expect("paths");
    let mut seen = 0;
    for name in PAGES {
        let text = page(name);
        for address in addresses(&text) {
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            let found: Vec<&Value> =
                paths.iter().filter(|(described, _)| is_at(described, path)).map(|(_, methods)| methods).collect();
            assert!(!found.is_empty(), "{name} has {path}, which is no call");
            let known: Vec<&str> = found.into_iter().flat_map(parameters).collect();
            for pair in query.split('&').filter(|pair| !pair.is_empty()) {
                let parameter = pair.split('=').next().unwrap_or_default();
                assert!(known.contains(&parameter), "{name} has {address}, and {parameter} is none of {known:?}");
            }
            seen += 1;
        }
    }
    assert!(seen > 80, "only {seen} addresses were found");
}

#[test]
fn documented_deadlines_do_not_pass() {
    for name in PAGES {
        let text = page(name);
        let fixed = text.lines().find(|line| line.contains("deadline=2"));
        assert_eq!(fixed, None, "{name} has a deadline that passes");
    }
}
