//! Files of the caller as a ComfyUI server serves them: `view`, uploads, and the names in the input folder. Only the
//! caller's own uploads and outputs are read or changed.
//!
//! The input folder is `gallery`'s. An output has its id as its subfolder, because workers give files of different jobs
//! the same names.

mod masks;
mod place;
mod uploads;
mod view;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::gallery::{self, OutputAsset};
use verdigraph_core::ids::AssetId;
use verdigraph_core::list::{ListQuery, MAX_PAGE};
use verdigraph_core::{Core, Error, editor};

use crate::caller::Caller;
use crate::error::Result;
pub use place::HASH;
use place::{FilePlace, ServerFolder};
pub use uploads::store;
pub use view::{FoundFile, hash_of};

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/view").get(view::view))
        .service(web::resource("/upload/image").post(uploads::image))
        .service(web::resource("/upload/mask").post(uploads::mask))
        .service(web::resource("/internal/files/{folder}").get(names))
        .service(web::resource("/internal/folder_paths").get(folder_paths))
        .service(web::resource("/files/mask-layers").get(masks::layers));
}

/// An output as [`view`](view::view) serves it.
#[must_use]
pub fn reference(asset: &OutputAsset) -> Value {
    json!({ "filename": file_name(asset), "subfolder": asset.id, "type": "output" })
}

/// The worker's name of an output; a file without one has its id.
fn file_name(asset: &OutputAsset) -> String {
    asset.name.clone().unwrap_or_else(|| format!("{}.{}", asset.id, asset.ending()))
}

/// The most bytes of an upload of any kind.
#[must_use]
pub fn max_upload_bytes(core: &Core) -> u64 {
    let limits = &core.settings.limits;
    limits.upload_bytes.max(limits.media_bytes).max(limits.text_bytes)
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
    texts: &BTreeSet<String>,
) -> std::result::Result<HashMap<String, AssetId>, Error> {
    let places: Vec<(&String, FilePlace)> =
        texts.iter().filter_map(|text| Some((text, FilePlace::of_value(text)?))).collect();
    let inputs = places.iter().filter(|(_, place)| place.folder == ServerFolder::Input);
    let paths: Vec<String> = inputs.map(|(_, place)| place.path()).collect();
    let mut found = gallery::inputs_at(core, caller, &paths).await?;
    let mut lookups = 0;
    for (text, place) in places {
        let path = place.path();
        let is_input = place.folder == ServerFolder::Input;
        if is_input && (found.contains_key(&path) || !place.is_by_id()) {
            continue;
        }
        lookups += 1;
        if lookups > MOST_LOOKUPS {
            return Err(Error::invalid(
                "prompt",
                format!("names more than {MOST_LOOKUPS} outputs and hashes of files"),
            ));
        }
        if let Some(asset) = view::find_upload(core, caller, &place).await? {
            // A file of the input folder is looked for without its annotation.
            found.insert(if is_input { path } else { text.clone() }, asset);
        }
    }
    Ok(found)
}

/// The caller's upload or output with this id.
///
/// # Errors
/// [`Error::NotFound`], also for those of others.
pub async fn find_by_id(core: &Core, caller: &Caller, id: Uuid) -> std::result::Result<FoundFile, Error> {
    view::find(core, caller, &place_of(id)).await
}

/// As [`find_by_id`], as an upload: an output becomes one with the same bytes.
pub async fn find_upload_by_id(core: &Core, caller: &Caller, id: Uuid) -> std::result::Result<Option<AssetId>, Error> {
    view::find_upload(core, caller, &place_of(id)).await
}

/// Where outputs are looked for first, and then uploads.
fn place_of(id: Uuid) -> FilePlace {
    FilePlace { folder: ServerFolder::Output, subfolder: String::new(), name: id.to_string() }
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
            outputs.iter().map(|output| format!("{}/{} [output]", output.id, file_name(output))).collect()
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
