//! Files of the caller as a ComfyUI server serves them: `view`, uploads, and the names in the input folder. Only the
//! caller's own uploads and outputs are read or changed.
//!
//! The input folder is `gallery`'s. An output has its id as its subfolder, because workers give files of different jobs
//! the same names.

mod cloud_assets;
mod place;
mod uploads;
mod view;

use std::collections::{BTreeMap, HashMap};

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde_json::{Value, json};
use verdigraph_core::assets::AssetKind;
use verdigraph_core::gallery::{self, OutputAsset};
use verdigraph_core::graph::Medium;
use verdigraph_core::ids::AssetId;
use verdigraph_core::list::{ListQuery, MAX_PAGE};
use verdigraph_core::{Core, Error, editor};

use crate::caller::Caller;
use crate::error::Result;
pub use place::HASH;
use place::{FilePlace, ServerFolder};

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/view").get(view::view))
        .service(web::resource("/upload/image").post(uploads::image))
        .service(web::resource("/upload/mask").post(uploads::mask))
        .service(web::resource("/internal/files/{folder}").get(names))
        .service(web::resource("/internal/folder_paths").get(folder_paths))
        .service(web::resource("/assets").post(cloud_assets::upload))
        .service(web::resource("/assets/from-hash").post(cloud_assets::from_hash))
        .service(web::resource("/assets/hash/{hash}").head(cloud_assets::has_hash).get(cloud_assets::has_hash))
        .service(web::resource("/assets/{id}").get(cloud_assets::find));
}

/// An output as [`view`](view::view) serves it. The name is the worker's; a file without one has its id.
#[must_use]
pub fn reference(asset: &OutputAsset) -> Value {
    let filename = asset.name.clone().unwrap_or_else(|| format!("{}.{}", asset.id, asset.ending()));
    json!({ "filename": filename, "subfolder": asset.id, "type": "output" })
}

/// The files in the caller's input folder, by the names that prompts give them.
pub async fn input_names(core: &Core, caller: &Caller) -> std::result::Result<Vec<(Medium, String)>, Error> {
    let medium = |kind: AssetKind| match kind {
        AssetKind::Image => Some(Medium::Image),
        AssetKind::Video => Some(Medium::Video),
        AssetKind::Audio => Some(Medium::Audio),
        AssetKind::File => None,
    };
    let files = gallery::named_inputs(core, caller).await?.into_iter();
    Ok(files.filter_map(|file| Some((medium(file.kind)?, file.path))).collect())
}

/// Files of one prompt that are named by id or hash, or are outputs: each is looked for alone.
const MOST_LOOKUPS: usize = 200;

/// The caller's uploads among the texts of a prompt. An output becomes an upload with the same bytes.
///
/// # Errors
/// [`Error::Invalid`] for a prompt with more than [`MOST_LOOKUPS`] such names.
pub async fn prompt_files(
    core: &Core,
    caller: &Caller,
    texts: &[String],
) -> std::result::Result<HashMap<String, AssetId>, Error> {
    let paths: Vec<String> = texts
        .iter()
        .filter_map(|text| FilePlace::of_value(text).filter(|place| place.folder == ServerFolder::Input))
        .map(|place| place.path())
        .collect();
    let mut found = gallery::inputs_at(core, caller, &paths).await?;
    let mut lookups = 0;
    for text in texts {
        let Some(place) = FilePlace::of_value(text) else { continue };
        let path = place.path();
        if place.folder == ServerFolder::Input && (found.contains_key(&path) || !place.is_by_id()) {
            continue;
        }
        lookups += 1;
        if lookups > MOST_LOOKUPS {
            return Err(Error::invalid(
                "prompt",
                format!("names more than {MOST_LOOKUPS} outputs and hashes of files"),
            ));
        }
        let asset = match view::find(core, caller, &place).await {
            Ok(view::FoundFile::Upload(asset)) => asset.id,
            Ok(view::FoundFile::Output(output)) => gallery::as_upload(core, caller, output.id).await?.id,
            Err(Error::NotFound { .. }) => continue,
            Err(error) => return Err(error),
        };
        // A file of the input folder is looked for without its annotation.
        let key = if place.folder == ServerFolder::Input { path } else { text.clone() };
        found.insert(key, asset);
    }
    Ok(found)
}

/// Names of the files in a folder, the newest first; those of outputs as prompts write them.
async fn names(core: Data<Core>, caller: Caller, folder: Path<String>) -> Result<HttpResponse> {
    caller.signed_in()?;
    let names: Vec<String> = match folder.as_str() {
        "input" => {
            let files = gallery::named_inputs(&core, &caller).await?.into_iter().map(|file| file.path);
            files.filter(|path| !path.contains('/')).collect()
        }
        "output" => {
            let outputs = gallery::mine(&core, &caller, ListQuery::at((), None, MAX_PAGE)).await?.items;
            let value = |output: &OutputAsset| {
                let file = reference(output);
                let [folder, name] = ["subfolder", "filename"].map(|key| file[key].as_str().unwrap_or_default());
                format!("{folder}/{name} [output]")
            };
            outputs.iter().map(value).collect()
        }
        "temp" => Vec::new(),
        _ => return Err(Error::invalid("type", "must be input, output or temp").into()),
    };
    Ok(HttpResponse::Ok().json(names))
}

/// Each folder of models with its name in place of a path.
async fn folder_paths(core: Data<Core>, caller: Caller) -> Result<Json<BTreeMap<String, [String; 1]>>> {
    let folders = editor::catalog(&core, &caller).await?.models().into_keys();
    Ok(Json(folders.map(|folder| (folder.clone(), [folder])).collect()))
}
