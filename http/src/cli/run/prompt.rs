//! Turns a prompt file into a request: sets inputs, and uploads the files that it names.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use verdigraph_core::assets::AssetKind;
use verdigraph_core::graph::{InputKind, NodeDefinitions, Prompt, WrittenPrompt, value_of, without_non_numbers};

use super::display::Display;
use super::input::{self, Given, Input};
use crate::cli::client::Client;
use crate::cli::failure::Failure;

/// Reads, changes and uploads; returns the body of `POST /api/general/job/prompt`. Unchanged parts are sent as the file
/// has them.
pub async fn prepare(
    client: &Client,
    path: &Path,
    inputs: &[Input],
    display: &Display,
) -> Result<Box<RawValue>, Failure> {
    let bytes = tokio::fs::read(path).await;
    let bytes = bytes.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    let prompt = parse(&bytes).map_err(|reason| Failure::usage(format!("{}: {reason}", path.display())))?;
    let mut request = Request { client, display, prompt, files: Map::new(), classes: None };
    for given in inputs {
        request.set(given, inputs).await?;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for (name, file) in files_beside(&request.prompt, folder).await {
        if !request.files.contains_key(&name) {
            let asset = upload(client, &file, display).await?;
            request.files.insert(name, Value::String(asset));
        }
    }
    request.body()
}

#[derive(Deserialize)]
struct Wrapper {
    prompt: Box<RawValue>,
}

/// A prompt in API format, possibly wrapped as `{"prompt": …}`.
fn parse(bytes: &[u8]) -> Result<WrittenPrompt, String> {
    let bytes: &[u8] = &input::decoded(bytes);
    let mended = without_non_numbers(bytes).map_err(|wrong| format!("{}: {wrong}", wrong.place))?;
    let raw: Box<RawValue> =
        serde_json::from_slice(mended.as_deref().unwrap_or(bytes)).map_err(|error| format!("not JSON: {error}"))?;
    let Value::Object(map) = value_of(&raw) else {
        return Err("not a prompt: an object of nodes is expected".to_owned());
    };
    if map.get("nodes").is_some_and(Value::is_array) {
        return Err("this is the editor's format; export it from ComfyUI with \"Export (API)\"".to_owned());
    }
    let inner = map.get("prompt").filter(|_| !map.contains_key("class_type")).and_then(Value::as_object);
    let inner = inner.filter(|inner| !inner.contains_key("class_type"));
    let nodes = inner.unwrap_or(&map);
    if nodes.is_empty() {
        return Err("the prompt has no nodes".to_owned());
    }
    if let Some((id, _)) = nodes.iter().find(|(_, node)| node.get("class_type").and_then(Value::as_str).is_none()) {
        return Err(format!("node {id} has no class_type"));
    }
    let wrapper = inner.and_then(|_| serde_json::from_str::<Wrapper>(raw.get()).ok());
    let prompt = WrittenPrompt::read(wrapper.as_ref().map_or(&raw, |wrapper| &wrapper.prompt));
    prompt.map_err(|refusal| format!("{} ({})", refusal.error.message, refusal.error.details))
}

/// A request being made.
struct Request<'a> {
    client: &'a Client,
    display: &'a Display,
    prompt: WrittenPrompt,
    /// Uploaded assets by the names in the prompt.
    files: Map<String, Value>,
    /// The workers' node definitions, once fetched.
    classes: Option<NodeDefinitions>,
}

impl Request<'_> {
    /// Sets one of `all` inputs on its node.
    async fn set(&mut self, given: &Input, all: &[Input]) -> Result<(), Failure> {
        let (node, name) = locate(&self.prompt, &given.name)?;
        let value = match &given.given {
            Given::Json(json) => json.clone(),
            Given::Text(text) => self.typed(&node, &name, text).await?,
            Given::File(path) => {
                let wrong =
                    |reason: String| Failure::usage(format!("--input {}: {}: {reason}", given.name, path.display()));
                if input::media(path).await.map_err(|error| wrong(error.to_string()))?.is_some() {
                    let asset = upload(self.client, path, self.display).await?;
                    let label = self.free_label(&file_name(path), all);
                    self.files.insert(label.clone(), Value::String(asset));
                    Value::String(label).to_string()
                } else {
                    Value::String(input::text(path).await.map_err(wrong)?).to_string()
                }
            }
        };
        let wrong = |reason: &str| Failure::usage(format!("--input {}: {reason}", given.name));
        let value = RawValue::from_string(value).map_err(|error| wrong(&error.to_string()))?;
        self.prompt = self.prompt.with_input(&node, &name, &value).ok_or_else(|| wrong("the value is not taken"))?;
        Ok(())
    }

    /// A typed value with the type of the present one, or the matching choice of the node's list.
    async fn typed(&mut self, node: &str, name: &str, text: &str) -> Result<String, Failure> {
        let Some(node) = self.prompt.0.get(node) else { return Ok(input::like(None, text)) };
        let present = node.inputs.get(name);
        let other = serde_json::from_str::<Value>(text).ok().filter(|value| value.is_number() || value.is_boolean());
        let (Some(Value::String(_)), Some(other)) = (present, other) else { return Ok(input::like(present, text)) };
        let classes = match self.classes.take() {
            Some(classes) => classes,
            None => NodeDefinitions::from_object_info(&self.client.get("/api/general/object-info").await?),
        };
        let classes = self.classes.insert(classes);
        let kind = classes.get(&node.class_type).and_then(|class| Some(&class.input(name)?.kind));
        let Some(InputKind::Combo { options }) = kind else { return Ok(input::like(present, text)) };
        let is_spelled_so = options.iter().any(|option| option.as_str() == Some(text));
        let is_choice = !is_spelled_so && options.contains(&other);
        Ok(if is_choice { text.trim().to_owned() } else { input::like(present, text) })
    }

    /// A file name that occurs nowhere else in the prompt: another node with the same name means another file.
    fn free_label(&self, name: &str, all: &[Input]) -> String {
        let of_prompt = self.prompt.0.values().flat_map(|node| node.inputs.values().filter_map(Value::as_str));
        let typed = all.iter().filter_map(|input| match &input.given {
            Given::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let taken: BTreeSet<&str> = of_prompt.chain(typed).chain(self.files.keys().map(String::as_str)).collect();
        let numbered = (2..).map(|number| format!("{number}_{name}"));
        let mut labels = std::iter::once(name.to_owned()).chain(numbered);
        labels.find(|label| !taken.contains(label.as_str())).unwrap_or_else(|| name.to_owned())
    }

    fn body(self) -> Result<Box<RawValue>, Failure> {
        let prompt = self.prompt.text.as_str();
        let body = match self.files.is_empty() {
            true => format!(r#"{{"prompt":{prompt}}}"#),
            false => format!(r#"{{"prompt":{prompt},"files":{}}}"#, Value::Object(self.files)),
        };
        RawValue::from_string(body).map_err(|error| Failure::usage(format!("the prompt cannot be sent: {error}")))
    }
}

/// `3.seed` is input `seed` of node 3 (node ids may contain dots); `seed` alone works if only one node has it.
fn locate(prompt: &Prompt, name: &str) -> Result<(String, String), Failure> {
    let mut dotted = name.match_indices('.').filter_map(|(at, _)| {
        let (node, input) = (&name[..at], &name[at + 1..]);
        (prompt.0.contains_key(node) && !input.is_empty()).then(|| (node.to_owned(), input.to_owned()))
    });
    if let Some(found) = dotted.next_back() {
        return Ok(found);
    }
    let having: Vec<&String> =
        prompt.0.iter().filter(|(_, node)| node.inputs.contains_key(name)).map(|(id, _)| id).collect();
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
/// LoadImage and LoadImageMask name a file by what they are; any other text counts only when the file of that name is a
/// picture, a video or a sound, so that a text which happens to read `notes.md` stays a text.
async fn files_beside(prompt: &Prompt, folder: &Path) -> Vec<(String, PathBuf)> {
    let mut names: BTreeSet<(String, bool)> = BTreeSet::new();
    for node in prompt.0.values() {
        let loads = matches!(node.class_type.as_str(), "LoadImage" | "LoadImageMask");
        names.extend(
            node.inputs.iter().filter_map(|(name, value)| Some((value.as_str()?.to_owned(), loads && name == "image"))),
        );
    }
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for (name, loads) in names {
        let Some(path) = beside(folder, &name) else { continue };
        let is_file = tokio::fs::metadata(&path).await.is_ok_and(|metadata| metadata.is_file());
        if is_file
            && (loads || input::media(&path).await.is_ok_and(|kind| kind.is_some()))
            && found.iter().all(|(known, _)| *known != name)
        {
            found.push((name, path));
        }
    }
    found
}

/// The path of a file of that name, never outside `folder`. ComfyUI's suffix ` [input]` is not part of the name.
fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let bare = name.strip_suffix(" [input]").unwrap_or(name);
    if bare.is_empty() || bare.len() > 1024 || bare.contains('\0') {
        return None;
    }
    let relative = Path::new(bare);
    relative.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(relative))
}

async fn upload(client: &Client, path: &Path, display: &Display) -> Result<String, Failure> {
    // A picture where nothing tells: LoadImage names one.
    let kind = input::media(path).await.ok().flatten().unwrap_or(AssetKind::Image);
    let asset = client.upload(path, kind).await?;
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

    fn prompt(value: Value) -> Prompt {
        Prompt::from_value(value).expect("a prompt")
    }

    fn read(text: &str) -> Result<WrittenPrompt, String> {
        parse(text.as_bytes())
    }

    #[test]
    fn the_editors_format_is_refused_with_what_to_do() {
        assert!(read(r#"{"nodes": [], "links": []}"#).unwrap_err().contains("Export (API)"));
        assert!(read("[]").is_err());
        assert!(read("{}").is_err());
        assert!(read(r#"{"1": {"inputs": {}}}"#).unwrap_err().contains("node 1"));
        assert_eq!(read(r#"{"prompt": {"1": {"class_type": "A"}}}"#).unwrap().0.len(), 1);
    }

    #[test]
    fn a_file_is_sent_as_it_is_written_also_behind_a_byte_order_mark() {
        let nodes = r#"{"1":{"is_changed":[0.10],"class_type":"A","inputs":{"s":1.1500000000000001,"a":18446744073709551616}}}"#;
        let read = |text: String| read(&text).unwrap().text.as_str().to_owned();
        assert_eq!(read(format!("\u{feff}{nodes}")), nodes);
        assert_eq!(read(format!(r#"{{"prompt": {nodes}}}"#)), nodes);
        assert_eq!(read(nodes.replace("0.10", "NaN")), nodes.replace("0.10", "null"));
        let refused = parse(nodes.replace("1.1500000000000001", "NaN").as_bytes()).unwrap_err();
        assert!(refused.starts_with("1.inputs.s: NaN"), "{refused}");
    }

    #[test]
    fn an_input_is_found_by_node_or_by_its_name_alone() {
        let nodes = prompt(json!({
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
        std::fs::write(folder.join("song.ogg"), b"OggS\0\x02").unwrap();
        std::fs::write(folder.join("notes.md"), "text").unwrap();
        std::fs::write(root.path().join("secret.png"), png).unwrap();
        let nodes = prompt(json!({
            "1": {"class_type": "LoadImage", "inputs": {"image": "a.png [input]"}},
            "2": {"class_type": "LoadImageMask", "inputs": {"image": "sub/b.png", "channel": "red"}},
            "3": {"class_type": "Other", "inputs": {"text": "notes.md", "file": "a.png"}},
            "4": {"class_type": "LoadImage", "inputs": {"image": "../secret.png"}},
            "5": {"class_type": "LoadImage", "inputs": {"image": "missing.png"}},
            "6": {"class_type": "LoadImage", "inputs": {"image": ["1", 0]}},
            "7": {"class_type": "LoadAudio", "inputs": {"audio": "song.ogg"}},
        }));
        let found = files_beside(&nodes, &folder).await;
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a.png", "a.png [input]", "song.ogg", "sub/b.png"]);
    }
}
