//! Assets: uploads by bytes, or by the hash of bytes that the caller has; and one asset, an upload or an output.

use actix_multipart::Multipart;
use actix_web::http::{StatusCode, header};
use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use verdigraph_core::assets::{self, Asset, Blake3Hash, ContentHash, Spool};
use verdigraph_core::gallery::{self, LibraryChange, LibraryFile, LibraryItem, NameClash, TagEdit};
use verdigraph_core::{Code, Core, Error, account_deletion, users};

use super::asset_view::CloudAsset;
use crate::addresses::{SignedAddresses, site_address};
use crate::caller::Caller;
use crate::editor::files::{HASH, max_upload_bytes, store};
use crate::error::{ApiError, Result};
use crate::extract::{self, RawBody};
use crate::routes::assets::{FormParts, file, missing, small, text};

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/assets/from-hash").post(from_hash))
        .service(web::resource("/assets/download").post(import))
        .service(web::resource("/assets/hash/{hash}").head(has_hash).get(has_hash))
        .service(web::resource("/assets/{id}").get(find).put(change).delete(delete))
        .service(web::resource("/assets/{id}/tags").post(add_tags).delete(remove_tags));
}

const GONE: Error = Error::NotFound { what: "asset" };

fn parsed(id: &str) -> std::result::Result<Uuid, Error> {
    id.parse().map_err(|_| GONE)
}

async fn view(
    (core, request): (&Core, &HttpRequest),
    item: LibraryItem,
    created_new: Option<bool>,
) -> Result<CloudAsset> {
    let addresses = SignedAddresses::at(core, site_address(core, request)).await?;
    Ok(CloudAsset::new(item, created_new, &addresses))
}

/// What a call says about an asset.
#[derive(Debug, Default, Deserialize)]
struct SentNotes {
    name: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    user_metadata: Option<Map<String, Value>>,
}

/// The caller's upload or output with this hash.
async fn by_hash(core: &Core, caller: &Caller, hash: &str) -> std::result::Result<Option<LibraryFile>, Error> {
    let upload = |asset: Asset| LibraryFile::Upload(Box::new(asset));
    let found = match hash.strip_prefix(HASH) {
        Some(digits) => {
            let Ok(content) = digits.parse::<ContentHash>() else { return Ok(None) };
            match assets::own_by_hash(core, caller, &content).await {
                Err(Error::NotFound { .. }) => {
                    let output = gallery::own_by_content(core, caller, &content).await;
                    output.map(|output| LibraryFile::Output(Box::new(output)))
                }
                found => found.map(upload),
            }
        }
        None => {
            let Ok(blake3) = hash.parse::<Blake3Hash>() else { return Ok(None) };
            assets::own_by_blake3(core, caller, &blake3).await.map(upload)
        }
    };
    match found {
        Ok(file) => Ok(Some(file)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the caller has these bytes.
async fn has_hash(core: Data<Core>, caller: Caller, hash: Path<String>) -> Result<HttpResponse> {
    caller.signed_in()?;
    let status = match by_hash(&core, &caller, &hash).await? {
        Some(_) => StatusCode::OK,
        None => StatusCode::NOT_FOUND,
    };
    Ok(HttpResponse::build(status).finish())
}

#[derive(Debug, Deserialize)]
struct HashBody {
    hash: String,
    #[serde(flatten)]
    notes: SentNotes,
}

/// An asset of bytes that the caller has, under another name if one is given.
async fn from_hash(core: Data<Core>, caller: Caller, request: HttpRequest, body: RawBody) -> Result<HttpResponse> {
    let _permit = users::may_take_part(&core, &caller).await?;
    let HashBody { hash, notes } = extract::parse(&body.0)?;
    let known = match by_hash(&core, &caller, &hash).await? {
        Some(LibraryFile::Upload(asset)) => *asset,
        // A picture that a job made becomes an upload with the same bytes.
        Some(LibraryFile::Output(output)) => gallery::as_upload(&core, &caller, output.id).await?,
        None => {
            let message = "none of your files has this hash";
            return Err(ApiError::new(StatusCode::NOT_FOUND, Code::BlobNotFound, message));
        }
    };
    let asset = match notes.name.as_ref().filter(|name| !name.is_empty() && **name != known.name) {
        Some(name) => assets::create_from_stored(&core, &caller, name, &known.stored).await?,
        None => known.clone(),
    };
    let is_new = asset.id != known.id;
    created((&core, &request), &caller, (asset, is_new), notes).await
}

/// Answers an upload, which goes to the input folder too. A known file keeps its tags.
async fn created(
    (core, request): (&Core, &HttpRequest),
    caller: &Caller,
    (asset, is_new): (Asset, bool),
    notes: SentNotes,
) -> Result<HttpResponse> {
    gallery::name_input(core, caller, &asset, "", NameClash::Rename).await?;
    let SentNotes { name: _, tags, user_metadata: metadata } = notes;
    let tags = match (tags.is_empty(), is_new) {
        (true, _) => TagEdit::Keep,
        (false, true) => TagEdit::Replace(tags),
        (false, false) => TagEdit::Add(tags),
    };
    let change = LibraryChange { name: None, tags, metadata };
    let item = match change == LibraryChange::default() {
        true => gallery::library_item(core, caller, asset.id.0).await?,
        false => gallery::change_library_item(core, caller, asset.id.0, &change).await?.1,
    };
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(HttpResponse::build(status).json(view((core, request), item, Some(is_new)).await?))
}

/// The parts of an upload.
#[derive(Default)]
struct SentAsset {
    file: Option<(Option<String>, Spool)>,
    notes: SentNotes,
}

impl SentAsset {
    async fn read(form: Multipart, limit_bytes: u64) -> std::result::Result<Self, Error> {
        let mut sent = Self::default();
        let mut parts = FormParts::of(form);
        while let Some(mut field) = parts.next().await? {
            match field.name().unwrap_or_default() {
                "file" => sent.file = Some(file(&mut field, limit_bytes).await?),
                "name" => sent.notes.name = Some(text(&small(&mut field).await?)),
                "tags" => sent.notes.tags.extend(listed(&text(&small(&mut field).await?))),
                "user_metadata" => {
                    let fields = extract::parse(&small(&mut field).await?);
                    let wrong = |_| Error::invalid("user_metadata", "must be a JSON object");
                    sent.notes.user_metadata = Some(fields.map_err(wrong)?);
                }
                // The bytes decide the type.
                _ => drop(small(&mut field).await?),
            }
        }
        Ok(sent)
    }
}

/// The tags of one part: a JSON list, or texts between commas.
fn listed(text: &str) -> Vec<String> {
    let tags: Vec<String> =
        serde_json::from_str(text).unwrap_or_else(|_| text.split(',').map(|tag| tag.trim().to_owned()).collect());
    tags.into_iter().filter(|tag| !tag.is_empty()).collect()
}

/// The refusal of an address to fetch.
fn no_import() -> ApiError {
    let message = "files are not fetched from other addresses: send the bytes as multipart/form-data";
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, Code::UrlImportNotSupported, message)
}

/// Files come as bytes. Comfy Cloud also takes JSON with an address to fetch, which this server does not call.
pub(super) async fn upload(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    form: Multipart,
) -> Result<HttpResponse> {
    // Checked before the large file is read.
    let _permit = users::may_take_part(&core, &caller).await?;
    let is_json = |value: &header::HeaderValue| value.as_bytes().starts_with(b"application/json");
    if request.headers().get(header::CONTENT_TYPE).is_some_and(is_json) {
        return Err(no_import());
    }
    let SentAsset { file, notes } = SentAsset::read(form, max_upload_bytes(&core)).await?;
    let (file_name, file) = file.ok_or_else(|| missing("file"))?;
    let name = notes.name.clone().or(file_name).unwrap_or_default();
    let known = by_hash(&core, &caller, &file.blake3().await?.to_string()).await?;
    let asset = store(&core, &caller, &name, file).await?;
    let is_new = !matches!(known, Some(LibraryFile::Upload(known)) if known.id == asset.id);
    created((&core, &request), &caller, (asset, is_new), notes).await
}

/// The import of a model from another address, which workers' operators do here.
async fn import(core: Data<Core>, caller: Caller) -> Result<HttpResponse> {
    let _permit = users::may_take_part(&core, &caller).await?;
    Err(no_import())
}

async fn find(core: Data<Core>, caller: Caller, request: HttpRequest, id: Path<String>) -> Result<HttpResponse> {
    caller.signed_in()?;
    let item = gallery::library_item(&core, &caller, parsed(&id)?).await?;
    Ok(HttpResponse::Ok().json(view((&core, &request), item, None).await?))
}

/// Changes to an asset. `None` keeps a field; others are ignored, because the bytes decide them.
#[derive(Debug, Deserialize)]
struct AssetChanges {
    name: Option<String>,
    tags: Option<Vec<String>>,
    user_metadata: Option<Map<String, Value>>,
}

async fn change(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    id: Path<String>,
    body: RawBody,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let AssetChanges { name, tags, user_metadata: metadata } = extract::parse(&body.0)?;
    let change = LibraryChange { name, tags: tags.map(TagEdit::Replace).unwrap_or_default(), metadata };
    let (_, item) = gallery::change_library_item(&core, &caller, parsed(&id)?, &change).await?;
    Ok(HttpResponse::Ok().json(view((&core, &request), item, None).await?))
}

async fn delete(core: Data<Core>, caller: Caller, id: Path<String>) -> Result<HttpResponse> {
    caller.signed_in()?;
    match gallery::library_item(&core, &caller, parsed(&id)?).await?.file {
        LibraryFile::Upload(asset) => account_deletion::delete_kept_upload(&core, &caller, asset.id).await?,
        LibraryFile::Output(output) => {
            if gallery::delete(&core, &caller, &[output.id]).await? == 0 {
                return Err(GONE.into());
            }
        }
    }
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Debug, Deserialize)]
struct TagsBody {
    tags: Vec<String>,
}

impl TagsBody {
    fn read(body: &RawBody) -> std::result::Result<Vec<String>, Error> {
        let Self { tags } = extract::parse(&body.0)?;
        let tags: Vec<String> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
        if tags.is_empty() {
            return Err(Error::invalid("tags", "must have at least one tag"));
        }
        Ok(tags)
    }
}

async fn add_tags(core: Data<Core>, caller: Caller, id: Path<String>, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let tags = TagsBody::read(&body)?;
    let change = LibraryChange { tags: TagEdit::Add(tags.clone()), ..LibraryChange::default() };
    let (before, item) = gallery::change_library_item(&core, &caller, parsed(&id)?, &change).await?;
    let (already_present, added) = told_apart(tags, &before);
    Ok(HttpResponse::Ok().json(json!({ "added": added, "already_present": already_present, "total_tags": item.tags })))
}

async fn remove_tags(core: Data<Core>, caller: Caller, id: Path<String>, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let tags = TagsBody::read(&body)?;
    let change = LibraryChange { tags: TagEdit::Remove(tags.clone()), ..LibraryChange::default() };
    let (before, item) = gallery::change_library_item(&core, &caller, parsed(&id)?, &change).await?;
    let (removed, not_present) = told_apart(tags, &before);
    Ok(HttpResponse::Ok().json(json!({ "removed": removed, "not_present": not_present, "total_tags": item.tags })))
}

/// The tags that the asset had, and the others.
fn told_apart(tags: Vec<String>, before: &[String]) -> (Vec<String>, Vec<String>) {
    tags.into_iter().partition(|tag| before.contains(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_from_a_list_or_between_commas() {
        for (text, expected) in
            [("input", vec!["input"]), ("a, b,", vec!["a", "b"]), (r#"["a,b","c"]"#, vec!["a,b", "c"]), ("", vec![])]
        {
            assert_eq!(listed(text), expected, "{text}");
        }
    }
}
