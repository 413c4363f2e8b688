//! Files of a graph. Where a file name would be, clients of Comfy API v2 put an object with the id of an asset:
//! `{"__type": "core/ASSET", "info": {"id": "…"}}`. It becomes a name with the asset's id, and the submit says which file
//! has this name. Names of the caller's input folder work too, as in the node editor.

use std::collections::{BTreeMap, HashMap};

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::ids::AssetId;
use verdigraph_core::{Core, Error, assets};

use super::errors::{ComfyError, Result};
use crate::caller::Caller;
use crate::editor::files::{self, FoundFile};
use crate::editor::prompt::file_names;
use crate::extract;

const TYPE: &str = "__type";
const ASSET: &str = "core/ASSET";
/// Assets of one graph: each is looked for alone.
const MAX_REFERENCES: usize = 200;

/// A graph whose files have names.
#[derive(Debug)]
pub struct NamedGraph {
    pub prompt: Box<RawValue>,
    pub files: HashMap<String, AssetId>,
}

/// Gives the referenced assets names, after a check that they are the caller's.
pub async fn resolve(core: &Core, caller: &Caller, workflow: Box<RawValue>) -> Result<NamedGraph> {
    let (prompt, named) = if workflow.get().contains(TYPE) {
        let mut graph: Value = extract::parse_graph(workflow.get().as_bytes())?;
        let named = named_assets(core, caller, &ids(&graph)?).await?;
        replace(&mut graph, &named);
        let prompt = to_raw_value(&graph).map_err(|error| Error::Internal(format!("a graph: {error}")))?;
        (prompt, named)
    } else {
        (workflow, BTreeMap::new())
    };
    let named: HashMap<String, AssetId> = named.into_values().collect();
    let mut names = file_names(&prompt);
    names.retain(|name| !named.contains_key(name));
    let mut files = files::prompt_files(core, caller, &names).await?;
    files.extend(named);
    Ok(NamedGraph { prompt, files })
}

/// The ids of the assets that a graph references, as they are written.
fn ids(graph: &Value) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut malformed = false;
    each(graph, &mut |id| match id {
        Some(id) => found.push(id.to_owned()),
        None => malformed = true,
    });
    if malformed {
        return Err(missing("a core/ASSET reference has no info.id", &[]));
    }
    found.sort_unstable();
    found.dedup();
    if found.len() > MAX_REFERENCES {
        let message = format!("the graph references more than {MAX_REFERENCES} assets");
        return Err(ComfyError::unprocessable("invalid_workflow", message));
    }
    Ok(found)
}

/// Calls `seen` with the id of each reference, or `None` for one without an id.
fn each(value: &Value, seen: &mut impl FnMut(Option<&str>)) {
    match value {
        Value::Object(fields) if is_reference(value) => {
            seen(fields.get("info").and_then(|info| info.get("id")).and_then(Value::as_str));
        }
        Value::Object(fields) => fields.values().for_each(|field| each(field, seen)),
        Value::Array(items) => items.iter().for_each(|item| each(item, seen)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_reference(value: &Value) -> bool {
    value.get(TYPE).and_then(Value::as_str) == Some(ASSET)
}

/// Replaces each reference by the name of its asset.
fn replace(value: &mut Value, named: &BTreeMap<String, (String, AssetId)>) {
    if is_reference(value) {
        let id = value.pointer("/info/id").and_then(Value::as_str).unwrap_or_default();
        let name = named.get(id).map(|(name, _)| name.clone()).unwrap_or_default();
        *value = Value::String(name);
        return;
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, named)),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, named)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The caller's assets by their ids as they are written: a name, and the upload that has it.
async fn named_assets(core: &Core, caller: &Caller, ids: &[String]) -> Result<BTreeMap<String, (String, AssetId)>> {
    let mut named = BTreeMap::new();
    let mut unknown = Vec::new();
    for text in ids {
        match own(core, caller, text).await? {
            Some(asset) => drop(named.insert(text.clone(), asset)),
            None => unknown.push(text.as_str()),
        }
    }
    if unknown.is_empty() {
        Ok(named)
    } else {
        Err(missing("the graph references assets that are not yours", &unknown))
    }
}

async fn own(core: &Core, caller: &Caller, id: &str) -> Result<Option<(String, AssetId)>> {
    let Ok(id) = Uuid::parse_str(id) else { return Ok(None) };
    let found = match files::find_by_id(core, caller, id).await {
        Ok(found) => found,
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let upload = match &found {
        FoundFile::Upload(asset) => Some(asset.id),
        FoundFile::Output(_) => files::find_upload_by_id(core, caller, id).await?,
    };
    Ok(upload.map(|upload| (format!("{id}.{}", ending(&found)), upload)))
}

/// The extension of the name that a node gets: some nodes choose the format by it.
fn ending(file: &FoundFile) -> String {
    let name = file.name();
    let ending = assets::ending_of(&name).map(str::to_ascii_lowercase);
    ending.unwrap_or_else(|| file.key().media.extension().to_owned())
}

fn missing(message: &str, ids: &[&str]) -> ComfyError {
    ComfyError::unprocessable("missing_asset", message).with_details(json!({ "missing_ids": ids }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(id: &str) -> Value {
        json!({ "__type": "core/ASSET", "info": { "id": id, "hash": null, "file_path": "a.png" } })
    }

    #[test]
    fn references_are_found_at_any_depth_and_become_names() {
        let mut graph = json!({ "1": { "inputs": { "image": reference("a"), "list": [reference("b"), reference("a")],
            "other": { "__type": "x" } } } });
        assert_eq!(ids(&graph).expect("ids"), ["a", "b"]);
        let asset = |number| AssetId(Uuid::from_u128(number));
        let named = BTreeMap::from([
            ("a".to_owned(), ("a.png".to_owned(), asset(1))),
            ("b".to_owned(), ("b.wav".to_owned(), asset(2))),
        ]);
        replace(&mut graph, &named);
        let expected = json!({ "image": "a.png", "list": ["b.wav", "a.png"], "other": { "__type": "x" } });
        assert_eq!(graph["1"]["inputs"], expected);
    }

    #[test]
    fn malformed_reference_is_a_missing_asset() {
        for reference in [json!({ "__type": "core/ASSET" }), json!({ "__type": "core/ASSET", "info": { "id": 7 } })] {
            let error = ids(&json!({ "1": { "inputs": { "image": reference } } })).expect_err("no id");
            assert!(error.to_string().starts_with("missing_asset: "), "{error}");
        }
    }
}
