//! Assets: the caller's uploads by bytes, by BLAKE3 and by id, and outputs by id. Uploads stay until they are deleted, or
//! for `expires_in`. Tags are those of the library that clients of Comfy Cloud list.

use actix_multipart::Multipart;
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use chrono::TimeDelta;
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::assets::{self, Asset, Blake3Hash, Spool, UploadBefore};
use verdigraph_core::gallery::{self, LibraryChange, TagEdit};
use verdigraph_core::ids::AssetId;
use verdigraph_core::jobs::{self, Job, OutputPiece};
use verdigraph_core::{Core, Error, account_deletion, users};

use super::errors::{ComfyError, Result};
use super::file_views::{self, TEXT, TextId};
use crate::addresses::{SignedAddresses, site_address};
use crate::caller::Caller;
use crate::editor::files::{self, FoundFile, max_upload_bytes};
use crate::extract::Body;
use crate::routes::assets::{FormParts, file, missing, small, text};
use crate::routes::media;

const MISSING: &str = "asset_not_found";
/// Seconds that an upload may ask to be kept.
const KEPT_SECONDS: std::ops::RangeInclusive<i64> = 60..=604_800;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/assets").post(upload))
        .service(web::resource("/assets/from-hash").post(from_hash))
        .service(web::resource("/assets/by-hash/{hash}").head(has_hash).get(has_hash))
        .service(web::resource("/assets/{id}").get(find).delete(delete))
        .service(web::resource("/assets/{id}/content").get(content));
}

/// The parts of an upload.
#[derive(Default)]
struct SentAsset {
    file: Option<(Option<String>, Spool)>,
    file_path: Option<String>,
    expected_hash: Option<String>,
    expires_in: Option<i64>,
    tags: Vec<String>,
}

impl SentAsset {
    async fn read(form: Multipart, limit_bytes: u64) -> std::result::Result<Self, Error> {
        let mut sent = Self::default();
        let mut parts = FormParts::of(form);
        while let Some(mut field) = parts.next().await? {
            match field.name().unwrap_or_default() {
                "file" => sent.file = Some(file(&mut field, limit_bytes).await?),
                "file_path" => sent.file_path = Some(text(&small(&mut field).await?)),
                "expected_hash" => sent.expected_hash = Some(text(&small(&mut field).await?)),
                "expires_in" => {
                    let seconds = text(&small(&mut field).await?).trim().parse::<i64>();
                    sent.expires_in = Some(seconds.map_err(|_| Error::invalid("expires_in", "must be seconds"))?);
                }
                "tags" => sent.tags.push(text(&small(&mut field).await?)),
                // The bytes decide the content type.
                _ => drop(small(&mut field).await?),
            }
        }
        Ok(sent)
    }
}

fn check_kept(expires_in: Option<i64>) -> std::result::Result<Option<TimeDelta>, Error> {
    match expires_in {
        Some(seconds) if !KEPT_SECONDS.contains(&seconds) => {
            let (least, most) = (KEPT_SECONDS.start(), KEPT_SECONDS.end());
            Err(Error::invalid("expires_in", format!("must be between {least} and {most} seconds")))
        }
        expires_in => Ok(expires_in.map(TimeDelta::seconds)),
    }
}

/// The upload with the expiry that its call asks for.
async fn kept(
    core: &Core,
    caller: &Caller,
    asset: Asset,
    before: &UploadBefore,
    expires_in: Option<TimeDelta>,
) -> std::result::Result<Asset, Error> {
    match expires_in {
        Some(time) => assets::expire(core, caller, asset, before, core.clock.now() + time).await,
        None => Ok(asset),
    }
}

/// The change of an asset's tags by a call that creates it. A known one keeps those that it has.
fn tag_edit(mut tags: Vec<String>) -> std::result::Result<TagEdit, Error> {
    tags.retain(|tag| !tag.is_empty());
    let edit = if tags.is_empty() { TagEdit::Keep } else { TagEdit::Add(tags) };
    edit.check()?;
    Ok(edit)
}

async fn upload(core: Data<Core>, caller: Caller, request: HttpRequest, form: Multipart) -> Result<HttpResponse> {
    // Checked before the large file is read.
    let _permit = users::may_take_part(&core, &caller).await?;
    let SentAsset { file, file_path, expected_hash, expires_in, tags } =
        SentAsset::read(form, max_upload_bytes(&core)).await?;
    let expires_in = check_kept(expires_in)?;
    let tags = tag_edit(tags)?;
    let (file_name, file) = file.ok_or_else(|| missing("file"))?;
    let hash = file.blake3().await?;
    if let Some(expected) = expected_hash.filter(|expected| *expected != hash.to_string()) {
        let message = format!("the bytes have the hash {hash}, not {expected}");
        let fault = Error::invalid("expected_hash", message);
        return Err(ComfyError::from(fault).coded(StatusCode::CONFLICT, "hash_mismatch"));
    }
    let known = by_hash(&core, &caller, &hash.to_string()).await?.map(|(known, _)| known);
    let before = UploadBefore { marker: AssetId::new(), known };
    let name = file_path.or(file_name).unwrap_or_default();
    let asset = files::store(&core, &caller, &name, file).await?;
    let asset = kept(&core, &caller, asset, &before, expires_in).await?;
    let is_new = before.known.is_none_or(|known| known.id != asset.id);
    created((&core, &request), &caller, (asset, is_new), &hash, tags).await
}

#[derive(Debug, Deserialize)]
struct FromHashBody {
    hash: String,
    file_path: Option<String>,
    expires_in: Option<i64>,
    tags: Option<Vec<String>>,
}

/// The caller's upload with this hash; `None` also for a hash of another kind.
async fn by_hash(core: &Core, caller: &Caller, hash: &str) -> Result<Option<(Asset, Blake3Hash)>> {
    let Ok(hash) = hash.parse::<Blake3Hash>() else { return Ok(None) };
    match assets::own_by_blake3(core, caller, &hash).await {
        Ok(asset) => Ok(Some((asset, hash))),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn no_blob() -> ComfyError {
    ComfyError::not_found("blob_not_found", "none of your uploads has this hash")
}

/// An asset of the caller's own bytes, under another name if one is given.
async fn from_hash(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    Body(body): Body<FromHashBody>,
) -> Result<HttpResponse> {
    let _permit = users::may_take_part(&core, &caller).await?;
    let expires_in = check_kept(body.expires_in)?;
    let tags = tag_edit(body.tags.unwrap_or_default())?;
    let (known, hash) = by_hash(&core, &caller, &body.hash).await?.ok_or_else(no_blob)?;
    let before = UploadBefore { marker: AssetId::new(), known: Some(known.clone()) };
    let asset = match body.file_path.filter(|name| !name.is_empty() && *name != known.name) {
        Some(name) => assets::create_from_stored(&core, &caller, &name, &known.stored).await?,
        // Without an expiry it is kept from now on.
        None if known.expires_at.is_some() => {
            assets::create_from_stored(&core, &caller, &known.name, &known.stored).await?
        }
        None => known.clone(),
    };
    let asset = kept(&core, &caller, asset, &before, expires_in).await?;
    let is_new = asset.id != known.id;
    created((&core, &request), &caller, (asset, is_new), &hash, tags).await
}

async fn created(
    (core, request): (&Core, &HttpRequest),
    caller: &Caller,
    (asset, is_new): (Asset, bool),
    hash: &Blake3Hash,
    tags: TagEdit,
) -> Result<HttpResponse> {
    if tags != TagEdit::Keep {
        let change = LibraryChange { tags, ..LibraryChange::default() };
        gallery::change_library_item(core, caller, asset.id.0, &change).await?;
    }
    let addresses = SignedAddresses::at(core, site_address(core, request)).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let found = FoundFile::Upload(Box::new(asset));
    Ok(HttpResponse::build(status).json(file_views::asset(&found, Some(hash), Some(is_new), &addresses)))
}

/// Whether the caller has uploaded these bytes.
async fn has_hash(core: Data<Core>, caller: Caller, hash: Path<String>) -> Result<HttpResponse> {
    caller.signed_in()?;
    by_hash(&core, &caller, &hash).await?.ok_or_else(no_blob)?;
    Ok(HttpResponse::Ok().finish())
}

/// The caller's upload or output with this id.
async fn own(core: &Core, caller: &Caller, id: &str) -> Result<FoundFile> {
    caller.signed_in()?;
    let id: Uuid = id.parse().map_err(|_| ComfyError::not_found(MISSING, "asset not found"))?;
    files::find_by_id(core, caller, id).await.map_err(ComfyError::about(MISSING))
}

/// A text among the outputs of a job of the caller.
async fn own_text(core: &Core, caller: &Caller, id: TextId) -> Result<(Job, String)> {
    let user = caller.signed_in()?;
    let missing = || ComfyError::not_found(MISSING, "asset not found");
    let job = jobs::find(core, caller, id.job).await.map_err(ComfyError::about(MISSING))?;
    if job.user != user {
        return Err(missing());
    }
    let outputs = jobs::outputs(core, caller, id.job).await.map_err(ComfyError::about(MISSING))?;
    let texts = outputs.into_iter().flat_map(|output| output.pieces).filter_map(|(_, piece)| match piece {
        OutputPiece::Text(text) => Some(text),
        OutputPiece::Asset(_) | OutputPiece::Undelivered(_) | OutputPiece::Gone => None,
    });
    let mut texts = texts.skip(id.index);
    texts.next().map(|text| (job, text)).ok_or_else(missing)
}

async fn find(core: Data<Core>, caller: Caller, request: HttpRequest, id: Path<String>) -> Result<HttpResponse> {
    if let Some(id) = TextId::parse(&id) {
        let (job, text) = own_text(&core, &caller, id).await?;
        return Ok(HttpResponse::Ok().json(file_views::text_asset(id, &text, &job)));
    }
    let found = own(&core, &caller, &id).await?;
    let hash = match &found {
        FoundFile::Upload(asset) => assets::blake3_of(&core, asset).await?,
        FoundFile::Output(_) => None,
    };
    let addresses = SignedAddresses::at(&core, site_address(&core, &request)).await?;
    Ok(HttpResponse::Ok().json(file_views::asset(&found, hash.as_ref(), None, &addresses)))
}

async fn delete(core: Data<Core>, caller: Caller, id: Path<String>) -> Result<HttpResponse> {
    let missing = ComfyError::about(MISSING);
    match own(&core, &caller, &id).await? {
        FoundFile::Upload(asset) => account_deletion::delete_upload(&core, &caller, asset.id).await.map_err(missing)?,
        FoundFile::Output(output) => {
            if gallery::delete(&core, &caller, &[output.id]).await? == 0 {
                return Err(missing(Error::NotFound { what: "asset" }));
            }
        }
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Redirects to a signed address, which answers ranges and needs no key. Texts are answered here, with ranges too.
async fn content(core: Data<Core>, caller: Caller, request: HttpRequest, id: Path<String>) -> Result<HttpResponse> {
    if let Some(id) = TextId::parse(&id) {
        let (_, text) = own_text(&core, &caller, id).await?;
        let mut response = HttpResponse::Ok();
        response.content_type(TEXT);
        let part = media::raw_bytes(&request, text.as_bytes(), response);
        return Ok(part.unwrap_or_else(|| media::no_such_range(text.len() as u64).error_response()));
    }
    let found = own(&core, &caller, &id).await?;
    if assets::is_locked(&core, &found.key().content).await? {
        return Err(ComfyError::not_found(MISSING, "asset not found"));
    }
    let addresses = SignedAddresses::at(&core, site_address(&core, &request)).await?;
    Ok(HttpResponse::Found()
        .insert_header((header::LOCATION, addresses.of(found.key(), found.name())))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .finish())
}
