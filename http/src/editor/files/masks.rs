//! Masks in the words of Comfy Cloud. A mask is applied to its picture at once, so a picture with a mask has one layer.

use actix_web::web::{Data, Json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use verdigraph_core::assets::{self, Asset};
use verdigraph_core::gallery::{self, LibraryChange};
use verdigraph_core::ids::AssetId;
use verdigraph_core::{Core, Error};

use super::place::{FilePlace, ServerFolder};
use super::view::{FoundFile, find, hash_of};
use crate::caller::Caller;
use crate::error::Result;
use crate::query::Query;

/// The folder of masks.
pub const CLIPSPACE: &str = "clipspace";
/// The layer with the picture and its mask.
const LAYER: &str = "painted_masked";

/// The names of the layers of a picture.
#[derive(Debug, Serialize)]
pub struct MaskLayers {
    mask: Option<String>,
    paint: Option<String>,
    painted: Option<String>,
    painted_masked: String,
}

impl MaskLayers {
    fn of(asset: &Asset) -> Self {
        Self { mask: None, paint: None, painted: None, painted_masked: asset.key().to_string() }
    }
}

/// What Comfy Cloud tells about a new mask.
#[derive(Debug, Serialize)]
pub struct MaskMetadata {
    is_mask: bool,
    original_hash: String,
    mask_type: &'static str,
    related_files: MaskLayers,
}

/// Notes that the upload is a mask of a picture.
pub async fn note(
    core: &Core,
    caller: &Caller,
    original: AssetId,
    masked: &Asset,
) -> std::result::Result<MaskMetadata, Error> {
    let original_hash = hash_of(&assets::find(core, caller, original).await?.key());
    let metadata = Map::from_iter([
        ("is_mask".to_owned(), json!(true)),
        ("original_hash".to_owned(), json!(original_hash)),
        ("mask_type".to_owned(), json!(LAYER)),
    ]);
    let change = LibraryChange { metadata: Some(metadata), ..LibraryChange::default() };
    gallery::change_library_item(core, caller, masked.id.0, &change).await?;
    Ok(MaskMetadata { is_mask: true, original_hash, mask_type: LAYER, related_files: MaskLayers::of(masked) })
}

#[derive(Debug, Deserialize)]
pub struct LayersQuery {
    filename: String,
}

/// The layers of a picture with a mask, by the name or hash of one of them.
pub async fn layers(core: Data<Core>, caller: Caller, query: Query<LayersQuery>) -> Result<Json<MaskLayers>> {
    caller.signed_in()?;
    let gone = || Error::NotFound { what: "mask" };
    let place = FilePlace::parse(&query.filename, "", "input").map_err(|_| gone())?;
    let among_masks = FilePlace { folder: ServerFolder::Input, subfolder: CLIPSPACE.to_owned(), ..place.clone() };
    let found = match find(&core, &caller, &place).await {
        Err(Error::NotFound { .. }) => find(&core, &caller, &among_masks).await,
        found => found,
    };
    let FoundFile::Upload(asset) = found? else { return Err(gone().into()) };
    let item = gallery::library_item(&core, &caller, asset.id.0).await?;
    if item.metadata.get("is_mask") != Some(&Value::Bool(true)) {
        return Err(gone().into());
    }
    Ok(Json(MaskLayers::of(&asset)))
}
