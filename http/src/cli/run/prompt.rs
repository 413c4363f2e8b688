//! A prompt file becomes a request: inputs are set, files that it names are uploaded.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::display::Display;
use super::input::{self, Given, Input};
use crate::cli::client::Client;
use crate::cli::failure::Failure;

/// Reads, changes and uploads; the result is the body of `POST /api/general/job/prompt`.
///
/// # Errors
/// The file is no API-format prompt, an input names nothing in it, or an upload failed.
pub async fn prepare(client: &Client, path: &Path, inputs: &[Input], display: &Display) -> Result<Value, Failure> {
    let text = tokio::fs::read_to_string(path)
        .await
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    let mut nodes = parse(&text).map_err(|reason| Failure::usage(format!("{}: {reason}", path.display())))?;
    let mut files = Map::new();
    for given in inputs {
        set(client, &mut nodes, given, &mut files, display).await?;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for (name, file) in files_beside(&nodes, folder).await {
        if !files.contains_key(&name) {
            let asset = upload(client, &file, display).await?;
            files.insert(name, Value::String(asset));
        }
    }
    Ok(super::prompt_request(Value::Object(nodes), files))
}

/// The nodes of a prompt in API format, also where it is wrapped as `{"prompt": …}`.
fn parse(text: &str) -> Result<Map<String, Value>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let Value::Object(mut map) = value else { return Err("not a prompt: an object of nodes is expected".to_owned()) };
    if map.get("nodes").is_some_and(Value::is_array) {
        return Err("this is the editor's format; export it from ComfyUI with \"Export (API)\"".to_owned());
    }
    if let Some(Value::Object(inner)) = map.get("prompt").filter(|_| !map.contains_key("class_type")).cloned()
        && !inner.contains_key("class_type")
    {
        map = inner;
    }
    if map.is_empty() {
        return Err("the prompt has no nodes".to_owned());
    }
    match map.iter().find(|(_, node)| node.get("class_type").and_then(Value::as_str).is_none()) {
        Some((id, _)) => Err(format!("node {id} has no class_type")),
        None => Ok(map),
    }
}

/// Gives one `--input` to its node.
async fn set(
    client: &Client,
    nodes: &mut Map<String, Value>,
    given: &Input,
    files: &mut Map<String, Value>,
    display: &Display,
) -> Result<(), Failure> {
    let (node, name) = locate(nodes, &given.name)?;
    let inputs = nodes
        .get_mut(&node)
        .and_then(|node| node.as_object_mut())
        .map(|node| node.entry("inputs").or_insert_with(|| Value::Object(Map::new())));
    let Some(Value::Object(inputs)) = inputs else {
        return Err(Failure::usage(format!("--input {}: the inputs of node {node} are not an object", given.name)));
    };
    let value = match &given.given {
        Given::Text(text) => input::like(inputs.get(&name), text),
        Given::File(path) => {
            let unreadable = |error| Failure::usage(format!("--input {}: {}: {error}", given.name, path.display()));
            if input::is_picture(path).await.map_err(unreadable)? {
                let asset = upload(client, path, display).await?;
                let label = file_name(path);
                files.insert(label.clone(), Value::String(asset));
                Value::String(label)
            } else {
                Value::String(tokio::fs::read_to_string(path).await.map_err(unreadable)?)
            }
        }
    };
    inputs.insert(name, value);
    Ok(())
}

/// `3.seed` is input `seed` of node 3 (node ids may hold dots themselves); `seed` alone is fine where one node has it.
fn locate(nodes: &Map<String, Value>, name: &str) -> Result<(String, String), Failure> {
    let mut dotted = name.match_indices('.').filter_map(|(at, _)| {
        let (node, input) = (&name[..at], &name[at + 1..]);
        (nodes.contains_key(node) && !input.is_empty()).then(|| (node.to_owned(), input.to_owned()))
    });
    if let Some(found) = dotted.next_back() {
        return Ok(found);
    }
    let having: Vec<&String> = nodes
        .iter()
        .filter(|(_, node)| node.pointer("/inputs").and_then(|inputs| inputs.get(name)).is_some())
        .map(|(id, _)| id)
        .collect();
    match having.as_slice() {
        [only] => Ok(((*only).clone(), name.to_owned())),
        [] => Err(Failure::usage(format!(
            "--input {name}: the prompt has no such node or input (say NODE.INPUT, as 3.seed)"
        ))),
        many => {
            let ids = many.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(", ");
            Err(Failure::usage(format!("--input {name}: nodes {ids} have it; say which, as {}.{name}", many[0])))
        }
    }
}

/// Names in the prompt that are files in `folder`, each once, in order of the names.
///
/// LoadImage and LoadImageMask name a file by what they are; any other text counts only when the file of that
/// name is a picture, so that a text which happens to read `notes.md` stays a text.
async fn files_beside(nodes: &Map<String, Value>, folder: &Path) -> Vec<(String, PathBuf)> {
    let mut names: BTreeSet<(String, bool)> = BTreeSet::new();
    for node in nodes.values() {
        let class = node.get("class_type").and_then(Value::as_str).unwrap_or_default();
        let loads = matches!(class, "LoadImage" | "LoadImageMask");
        let inputs = node.get("inputs").and_then(Value::as_object).into_iter().flatten();
        names.extend(inputs.filter_map(|(name, value)| Some((value.as_str()?.to_owned(), loads && name == "image"))));
    }
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for (name, loads) in names {
        let Some(path) = beside(folder, &name) else { continue };
        let is_file = tokio::fs::metadata(&path).await.is_ok_and(|metadata| metadata.is_file());
        if is_file
            && (loads || input::is_picture(&path).await.unwrap_or(false))
            && found.iter().all(|(known, _)| *known != name)
        {
            found.push((name, path));
        }
    }
    found
}

/// Where a file of that name would stand; never outside `folder`. ComfyUI's ` [input]` at the end is no part of the name.
fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let bare = name.strip_suffix(" [input]").unwrap_or(name);
    if bare.is_empty() || bare.len() > 1024 || bare.contains('\0') {
        return None;
    }
    let relative = Path::new(bare);
    relative.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(relative))
}

async fn upload(client: &Client, path: &Path, display: &Display) -> Result<String, Failure> {
    let asset = client.upload(path).await?;
    display.uploaded(path, &asset);
    Ok(asset)
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "input".to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn nodes(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn the_editors_format_is_refused_with_what_to_do() {
        assert!(parse(r#"{"nodes": [], "links": []}"#).unwrap_err().contains("Export (API)"));
        assert!(parse("[]").is_err());
        assert!(parse("{}").is_err());
        assert!(parse(r#"{"1": {"inputs": {}}}"#).unwrap_err().contains("node 1"));
        assert_eq!(parse(r#"{"prompt": {"1": {"class_type": "A"}}}"#).unwrap().len(), 1);
    }

    #[test]
    fn an_input_is_found_by_node_or_by_its_name_alone() {
        let nodes = nodes(json!({
            "3": {"class_type": "K", "inputs": {"seed": 1, "steps": 20}},
            "7": {"class_type": "K", "inputs": {"seed": 1}},
            "7.2": {"class_type": "K", "inputs": {}},
        }));
        assert_eq!(locate(&nodes, "3.seed").unwrap(), ("3".into(), "seed".into()));
        assert_eq!(locate(&nodes, "7.2.cfg").unwrap(), ("7.2".into(), "cfg".into()), "the longest node id wins");
        assert_eq!(locate(&nodes, "steps").unwrap(), ("3".into(), "steps".into()));
        assert!(locate(&nodes, "seed").unwrap_err().message.contains("3.seed"));
        assert!(locate(&nodes, "9.seed").is_err());
    }

    #[tokio::test]
    async fn files_beside_the_prompt_are_found_and_nothing_outside() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("flow");
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        let png = b"\x89PNG\r\n\x1a\n....";
        for name in ["a.png", "sub/b.png", "broken.png"] {
            std::fs::write(folder.join(name), png).unwrap();
        }
        std::fs::write(folder.join("notes.md"), "text").unwrap();
        std::fs::write(root.path().join("secret.png"), png).unwrap();
        let nodes = nodes(json!({
            "1": {"class_type": "LoadImage", "inputs": {"image": "a.png [input]"}},
            "2": {"class_type": "LoadImageMask", "inputs": {"image": "sub/b.png", "channel": "red"}},
            "3": {"class_type": "Other", "inputs": {"text": "notes.md", "file": "a.png"}},
            "4": {"class_type": "LoadImage", "inputs": {"image": "../secret.png"}},
            "5": {"class_type": "LoadImage", "inputs": {"image": "missing.png"}},
            "6": {"class_type": "LoadImage", "inputs": {"image": ["1", 0]}},
        }));
        let found = files_beside(&nodes, &folder).await;
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a.png", "a.png [input]", "sub/b.png"]);
    }
}
