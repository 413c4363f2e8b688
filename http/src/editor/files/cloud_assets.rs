//! Comfy Cloud's uploads: by bytes, or by the hash of bytes that the caller has uploaded before. Only SHA-256 is known;
//! a client with another hash sends the bytes.

use actix_multipart::Multipart;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::SecondsFormat;
use serde::Deserialize;
use serde_json::{Value, json};
use verdigraph_core::assets::{self, Asset, ContentHash};
use verdigraph_core::gallery::{self, NameClash};
use verdigraph_core::ids::AssetId;
use verdigraph_core::{Core, Error, users};

use super::max_upload_bytes;
use super::place::HASH;
use super::uploads::store;
use super::view::{hash_of, signed_address};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{self, RawBody};
use crate::routes::assets::{FormParts, file, missing, small, text};

#[derive(Debug, Deserialize)]
struct HashBody {
    hash: String,
    name: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

/// The SHA-256 in a hash with its kind; `None` for another kind.
fn sha256(hash: &str) -> Option<ContentHash> {
    hash.strip_prefix(HASH)?.parse().ok()
}

async fn by_hash(core: &Core, caller: &Caller, hash: &str) -> std::result::Result<Option<Asset>, Error> {
    let Some(hash) = sha256(hash) else { return Ok(None) };
    match assets::own_by_hash(core, caller, &hash).await {
        Ok(asset) => Ok(Some(asset)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the caller has uploaded these bytes.
pub async fn has_hash(core: Data<Core>, caller: Caller, hash: Path<String>) -> Result<HttpResponse> {
    caller.signed_in()?;
    let status = match by_hash(&core, &caller, &hash).await? {
        Some(_) => StatusCode::OK,
        None => StatusCode::NOT_FOUND,
    };
    Ok(HttpResponse::build(status).finish())
}

/// An asset of the caller's own bytes, under another name if one is given.
pub async fn from_hash(core: Data<Core>, caller: Caller, request: HttpRequest, body: RawBody) -> Result<HttpResponse> {
    let _permit = users::may_take_part(&core, &caller).await?;
    let HashBody { hash, name, tags } = extract::parse(&body.0)?;
    let Some(known) = by_hash(&core, &caller, &hash).await? else {
        let error = json!({ "code": "BLOB_NOT_FOUND", "message": "none of your uploads has this hash" });
        return Ok(HttpResponse::NotFound().json(error));
    };
    let asset = match name.filter(|name| !name.is_empty() && *name != known.name) {
        Some(name) => assets::create_from_stored(&core, &caller, &name, &known.stored).await?,
        None => known.clone(),
    };
    gallery::name_input(&core, &caller, &asset, "", NameClash::Rename).await?;
    let is_new = asset.id != known.id;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(HttpResponse::build(status).json(asset_view((&core, &request), asset, &tags, Some(is_new)).await?))
}

pub async fn upload(core: Data<Core>, caller: Caller, request: HttpRequest, form: Multipart) -> Result<HttpResponse> {
    let _permit = users::may_take_part(&core, &caller).await?;
    let limit_bytes = max_upload_bytes(&core);
    let (mut sent, mut name, mut tags) = (None, None, Vec::new());
    let mut parts = FormParts::of(form);
    while let Some(mut field) = parts.next().await? {
        match field.name().unwrap_or_default() {
            "file" => sent = Some(file(&mut field, limit_bytes).await?),
            "name" => name = Some(text(&small(&mut field).await?)),
            "tags" => tags.push(text(&small(&mut field).await?)),
            _ => drop(small(&mut field).await?),
        }
    }
    let (file_name, file) = sent.ok_or_else(|| missing("file"))?;
    let name = name.or(file_name).unwrap_or_default();
    let started = core.clock.now();
    let asset = store(&core, &caller, &name, file).await?;
    gallery::name_input(&core, &caller, &asset, "", NameClash::Rename).await?;
    let is_new = asset.created_at >= started;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(HttpResponse::build(status).json(asset_view((&core, &request), asset, &tags, Some(is_new)).await?))
}

pub async fn find(core: Data<Core>, caller: Caller, request: HttpRequest, id: Path<String>) -> Result<HttpResponse> {
    let user = caller.signed_in()?;
    let gone = || Error::NotFound { what: "asset" };
    let id: AssetId = id.parse().map_err(|_| gone())?;
    let asset = assets::find(&core, &caller, id).await?;
    if asset.user != user {
        return Err(gone().into());
    }
    Ok(HttpResponse::Ok().json(asset_view((&core, &request), asset, &[], None).await?))
}

/// Comfy Cloud's asset. Tags are not stored: everything here is an input.
async fn asset_view(
    (core, request): (&Core, &HttpRequest),
    asset: Asset,
    tags: &[String],
    is_new: Option<bool>,
) -> Result<Value> {
    let key = asset.key();
    let created = asset.created_at.to_rfc3339_opts(SecondsFormat::Millis, true);
    let address = signed_address(core, request, key.clone(), asset.name.clone()).await?;
    let mut view = json!({
        "id": asset.id,
        "name": asset.name,
        "asset_hash": hash_of(&key),
        "size": asset.stored.size_bytes,
        "mime_type": key.media.content_type(),
        "tags": if tags.is_empty() { json!(["input"]) } else { json!(tags) },
        "user_metadata": {},
        "preview_url": address,
        "preview_id": null,
        "prompt_id": null,
        "created_at": created,
        "updated_at": created,
        "last_access_time": created,
        "is_immutable": true,
    });
    if let Some(is_new) = is_new {
        view["created_new"] = json!(is_new);
    }
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sha256_is_known() {
        assert!(sha256(&format!("sha256:{}", "a1".repeat(32))).is_some());
        for other in [format!("blake3:{}", "a1".repeat(32)), "sha256:xyz".to_owned(), "a1".repeat(32)] {
            assert_eq!(sha256(&other), None, "{other}");
        }
    }
}
