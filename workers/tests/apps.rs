//! The mini apps in `config/apps` must run on this worker unchanged.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value as Json;
use verdigraph_workers::cpu::{self, ComfyVersion, node::Folders};

fn apps() -> Vec<(String, Json)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/apps");
    let mut apps: Vec<(String, Json)> = std::fs::read_dir(folder)
        .expect("config/apps")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let name = path.file_stem().expect("name").to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).expect("readable");
            (name.clone(), serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}")))
        })
        .collect();
    apps.sort_by_key(|(_, app)| app["order"].as_u64());
    apps
}

fn definitions(like: ComfyVersion) -> HashMap<&'static str, Json> {
    let folders = Folders { input: "input".into(), output: "output".into(), temp: "temp".into() };
    cpu::nodes(like).iter().map(|node| (node.class(), node.definition(&folders))).collect()
}

/// Why an input does not accept a value.
fn refuse(spec: &Json, value: &Json) -> Option<String> {
    let options = spec[0].as_array().or_else(|| spec[1]["options"].as_array());
    if let Some(options) = options {
        return (!options.contains(value)).then(|| format!("{value} is no choice"));
    }
    match spec[0].as_str() {
        Some("INT" | "FLOAT") => {
            let Some(number) = value.as_f64() else { return Some(format!("{value} is no number")) };
            let beyond = spec[1]["min"].as_f64().is_some_and(|min| number < min)
                || spec[1]["max"].as_f64().is_some_and(|max| number > max);
            let broken = spec[0] == "INT" && !value.is_i64();
            (beyond || broken).then(|| format!("{value} is out of range"))
        }
        Some("STRING") => (!value.is_string()).then(|| format!("{value} is no text")),
        Some("BOOLEAN") => (!value.is_boolean()).then(|| format!("{value} is no flag")),
        _ => Some(format!("{value} stands where a link belongs")),
    }
}

fn spec<'a>(definition: &'a Json, input: &str) -> Option<&'a Json> {
    ["required", "optional"].iter().find_map(|part| definition["input"][part].get(input))
}

#[test]
fn every_graph_is_one_that_the_worker_accepts() {
    for like in ComfyVersion::ALL {
        every_graph_is_accepted(like);
    }
}

fn every_graph_is_accepted(like: ComfyVersion) {
    let definitions = definitions(like);
    for (name, app) in apps() {
        let graph = app["graph"].as_object().expect("graph");
        for (id, node) in graph {
            let class = node["class_type"].as_str().expect("class");
            let Some(definition) = definitions.get(class) else { panic!("{name}: no node {class} here") };
            for required in definition["input"]["required"].as_object().expect("inputs").keys() {
                assert!(node["inputs"].get(required).is_some(), "{name}: {id} ({class}) lacks {required}");
            }
            for (input, value) in node["inputs"].as_object().expect("inputs") {
                let Some(spec) = spec(definition, input) else {
                    assert!(like < ComfyVersion::default(), "{name}: {class} has no {input}");
                    continue;
                };
                if let Some(link) = value.as_array() {
                    let source = &graph[link[0].as_str().expect("node id")]["class_type"];
                    let outputs = &definitions[source.as_str().expect("class")]["output"];
                    let slot = usize::try_from(link[1].as_u64().expect("slot")).expect("small");
                    assert_eq!(outputs[slot], spec[0], "{name}: {id}.{input} is linked to another type");
                } else if class != "LoadImage" {
                    assert_eq!(refuse(spec, value), None, "{name}: {id}.{input}");
                }
            }
        }
    }
}

#[test]
fn every_form_field_accepts_its_samples() {
    let definitions = definitions(ComfyVersion::default());
    let mut earlier = HashSet::new();
    for (name, app) in apps() {
        let mut fields: HashMap<&str, &Json> = HashMap::new();
        for entry in app["inputs"].as_array().expect("inputs") {
            let node = &app["graph"][entry["node"].as_str().expect("node")];
            let input = entry["input"].as_str().expect("input");
            assert!(node["inputs"].get(input).is_some(), "{name}: the graph has no {input}");
            let definition = &definitions[node["class_type"].as_str().expect("class")];
            let spec = spec(definition, input).unwrap_or_else(|| panic!("{name}: {input}"));
            let field = entry["field"].as_str().expect("field");
            assert!(fields.insert(field, spec).is_none(), "{name}: two fields are called {field}");
            assert!(
                ["en", "ko"].iter().all(|language| entry["label"][language].is_string()),
                "{name}: {field} has no label"
            );
            if entry["ui"] == "image" {
                continue;
            }
            assert_eq!(refuse(spec, &entry["default"]), None, "{name}: default of {field}");
            assert_eq!(
                entry["default"], node["inputs"][input],
                "{name}: {field} starts as another value than the graph's"
            );
        }
        let samples = app["samples"].as_array().expect("samples");
        assert_eq!(samples.len(), 3, "{name}");
        assert_eq!(samples.iter().filter(|sample| sample["cover"] == true).count(), 1, "{name} has no single cover");
        for value in samples.iter().flat_map(|sample| sample["values"].as_object().expect("values")) {
            let (field, value) = value;
            let spec = fields
                .get(field.as_str())
                .unwrap_or_else(|| panic!("{name}: a sample fills {field}, which is no field"));
            if let Some(source) = value["app"].as_str() {
                assert!(earlier.contains(source), "{name}: takes a picture of {source}, which does not come before it");
                assert!(value["sample"].as_u64().is_some_and(|number| number < 3), "{name}: {value}");
            } else if let Some(photo) = value["photo"].as_str() {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../config/apps/photos/{photo}.jpg"));
                assert!(path.is_file(), "{name}: there is no photo {photo}");
            } else {
                assert_eq!(refuse(spec, value), None, "{name}: sample of {field}");
            }
        }
        earlier.insert(name);
    }
}

#[test]
fn every_app_can_be_published() {
    let apps = apps();
    assert!(apps.len() >= 12, "only {} apps", apps.len());
    for (name, app) in &apps {
        assert_eq!(app["id"], name.as_str());
        for language in ["en", "ko"] {
            assert!(
                app["name"][language].as_str().is_some_and(|text| !text.is_empty()),
                "{name} has no name in {language}"
            );
            let description = app["description"][language].as_str().expect("description");
            assert!(description.starts_with("<p>") && description.len() > 80, "{name} is not described in {language}");
        }
        assert!((1..=5).contains(&app["tags"].as_array().expect("tags").len()), "{name} has too few or too many tags");
        let outputs = app["outputs"].as_array().expect("outputs");
        assert!(!outputs.is_empty(), "{name} gives nothing");
        for output in outputs {
            let node = &app["graph"][output["node"].as_str().expect("node")];
            assert_eq!(node["class_type"], "SaveImage", "{name}");
        }
    }
}
