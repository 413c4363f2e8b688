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
        let named = named_assets(core, caller, &places(&graph)?).await?;
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

/// The ids of the assets that a graph references, as they are written, with the place of the first reference to each.
fn places(graph: &Value) -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let mut malformed = None;
    each(graph, "workflow", &mut |place, id| match id {
        Some(id) => {
            found.entry(id.to_owned()).or_insert_with(|| place.to_owned());
        }
        None => malformed = Some(place.to_owned()),
    });
    if let Some(place) = malformed {
        let details = json!({ "missing_ids": [], "fields": [fault(&place, "has no info.id")] });
        let error = ComfyError::unprocessable("missing_asset", "a core/ASSET reference has no info.id");
        return Err(error.with_details(details));
    }
    if found.len() > MAX_REFERENCES {
        let message = format!("the graph references more than {MAX_REFERENCES} assets");
        return Err(ComfyError::unprocessable("invalid_workflow", message));
    }
    Ok(found)
}

/// Calls `seen` with the place and the id of each reference, or `None` for one without an id.
fn each(value: &Value, place: &str, seen: &mut impl FnMut(&str, Option<&str>)) {
    match value {
        Value::Object(fields) if is_reference(value) => {
            seen(place, fields.get("info").and_then(|info| info.get("id")).and_then(Value::as_str));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, field)| each(field, &format!("{place}.{name}"), seen)),
        Value::Array(items) => items.iter().for_each(|item| each(item, place, seen)),
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
async fn named_assets(
    core: &Core,
    caller: &Caller,
    places: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, (String, AssetId)>> {
    let mut named = BTreeMap::new();
    let (mut unknown, mut faults) = (Vec::new(), Vec::new());
    for (id, place) in places {
        match own(core, caller, id).await? {
            Some(asset) => drop(named.insert(id.clone(), asset)),
            None => {
                unknown.push(id.as_str());
                faults.push(fault(place, "names an asset that you do not have"));
            }
        }
    }
    if unknown.is_empty() {
        return Ok(named);
    }
    let error = ComfyError::unprocessable("missing_asset", "the graph references assets that are not yours");
    Err(error.with_details(json!({ "missing_ids": unknown, "fields": faults })))
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

/// A line of `details.fields`.
fn fault(place: &str, message: &str) -> Value {
    json!({ "field": place, "message": message })
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
        let found = places(&graph).expect("places");
        let place = |name: &str| format!("workflow.1.inputs.{name}");
        assert_eq!(found, BTreeMap::from([("a".to_owned(), place("image")), ("b".to_owned(), place("list"))]));
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
            let error = places(&json!({ "1": { "inputs": { "image": reference } } })).expect_err("no id");
            assert!(error.to_string().starts_with("missing_asset: "), "{error}");
            let field = error.details().and_then(|details| details.pointer("/fields/0/field"));
            assert_eq!(field, Some(&json!("workflow.1.inputs.image")));
        }
    }
}
