//! `view`: a file of the caller, whole, in parts, or as a smaller picture. Clients of Comfy Cloud get a signed address.

use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use verdigraph_core::assets::{self, Asset, AssetKind, FileKey, PictureChannel, Quality};
use verdigraph_core::gallery::{self, LibraryFile, OutputAsset};
use verdigraph_core::ids::{AssetId, OutputAssetId};
use verdigraph_core::{Core, Error};

use super::place::{FilePlace, HASH, PlaceFault, ServerFolder};
use crate::addresses::{SignedAddresses, site_address};
use crate::attachment::{attachment, inline};
use crate::caller::Caller;
use crate::editor::dialect::Dialect;
use crate::error::Result;
use crate::query::Query;
use crate::routes::media;
use crate::site;

const GONE: Error = Error::NotFound { what: "file" };

/// `rand` and other parameters are ignored.
#[derive(Debug, Deserialize)]
pub struct ViewQuery {
    #[serde(default)]
    filename: String,
    #[serde(default)]
    subfolder: String,
    #[serde(rename = "type")]
    folder: Option<String>,
    /// `webp;90`: any smaller picture will do.
    preview: Option<String>,
    channel: Option<String>,
}

/// A file of the caller.
#[derive(Debug)]
pub enum FoundFile {
    Upload(Box<Asset>),
    Output(Box<OutputAsset>),
}

impl From<LibraryFile> for FoundFile {
    fn from(file: LibraryFile) -> Self {
        match file {
            LibraryFile::Upload(asset) => Self::Upload(asset),
            LibraryFile::Output(output) => Self::Output(output),
        }
    }
}

impl FoundFile {
    #[must_use]
    pub fn key(&self) -> FileKey {
        match self {
            Self::Upload(asset) => asset.key(),
            Self::Output(output) => FileKey { content: output.content.clone(), media: output.media },
        }
    }

    #[must_use]
    pub fn content_type(&self) -> &'static str {
        match self {
            Self::Upload(asset) => asset.stored.media.content_type(),
            Self::Output(output) => output.content_type(),
        }
    }

    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Upload(asset) => asset.name.clone(),
            Self::Output(output) => output.name.clone().unwrap_or_else(|| output.saved_as()),
        }
    }
}

pub async fn view(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    query: Query<ViewQuery>,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let dialect = Dialect::of(&request);
    let folder = query.folder.as_deref().unwrap_or("output");
    let place = match FilePlace::parse(&query.filename, &query.subfolder, folder) {
        Ok(place) => place,
        Err(PlaceFault::Invalid) => return Ok(HttpResponse::BadRequest().finish()),
        Err(PlaceFault::Outside) => return Ok(HttpResponse::Forbidden().finish()),
    };
    let found = match (find(&core, &caller, &place).await, dialect) {
        // Comfy Cloud ignores the folder.
        (Err(Error::NotFound { .. }), Dialect::Cloud) => {
            let elsewhere = FilePlace { folder: ServerFolder::Output, subfolder: String::new(), ..place };
            find(&core, &caller, &elsewhere).await?
        }
        (found, _) => found?,
    };
    let key = found.key();
    if assets::is_locked(&core, &key.content).await? {
        return Err(GONE.into());
    }
    match query.channel.as_deref() {
        Some("rgb") => return part(&core, &key, PictureChannel::Colours).await,
        Some("a" | "alpha") => return part(&core, &key, PictureChannel::Alpha).await,
        _ => {}
    }
    if dialect == Dialect::Cloud {
        return redirect(&core, &request, key, found.name()).await;
    }
    if query.preview.is_some() && key.media.kind() == AssetKind::Image {
        let small = core.files.rendition(&key, Quality::Optimal).await?;
        let mut response = private(HttpResponse::Ok());
        return Ok(response.content_type(small.content_type).body(media::body(&small.file)));
    }
    whole(&core, &request, &found).await
}

/// Names may be given to other files later, so each use is revalidated.
fn private(mut response: actix_web::HttpResponseBuilder) -> actix_web::HttpResponseBuilder {
    response.insert_header((header::CACHE_CONTROL, "private, no-cache"));
    response.insert_header((header::CONTENT_ENCODING, "identity"));
    response
}

async fn part(core: &Core, key: &FileKey, channel: PictureChannel) -> Result<HttpResponse> {
    let made = core.files.channel(key, channel).await?;
    Ok(private(HttpResponse::Ok()).content_type(made.content_type).body(media::body(&made.file)))
}

async fn whole(core: &Core, request: &HttpRequest, found: &FoundFile) -> Result<HttpResponse> {
    let key = found.key();
    let tag = format!("\"{}-view\"", key.content.as_str().get(..32).unwrap_or_default());
    let mut response = private(HttpResponse::Ok());
    response.insert_header((header::ETAG, tag.as_str()));
    if site::matches_tag(request.headers(), &tag) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    response.content_type(found.content_type());
    // What browsers cannot show as a picture or play is only saved.
    let disposition = if key.media.kind().is_download() { attachment } else { inline };
    response.insert_header((header::CONTENT_DISPOSITION, disposition(&found.name())));
    let storage = &core.files.storage;
    let size = storage.size(&key.content).await?;
    media::raw(storage, request, (&key.content, &tag, size), response).ok_or_else(|| media::no_such_range(size))
}

/// An address that needs no key: clients fetch it without one.
async fn redirect(core: &Core, request: &HttpRequest, key: FileKey, name: String) -> Result<HttpResponse> {
    // Absolute, because clients do not resolve it.
    let address = SignedAddresses::at(core, site_address(core, request)).await?.of(key, name);
    Ok(HttpResponse::Found()
        .insert_header((header::LOCATION, address))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .finish())
}

/// The caller's file at a place. Not even admins see those of others here: they are told of as little as files that do
/// not exist. Clients may upload to the folders of outputs too, but all uploads are in the input folder.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(core: &Core, caller: &Caller, place: &FilePlace) -> std::result::Result<FoundFile, Error> {
    let found = match place.folder {
        ServerFolder::Input => upload(core, caller, place).await,
        ServerFolder::Output => match output(core, caller, place).await {
            Err(Error::NotFound { .. }) => upload(core, caller, place).await,
            found => found,
        },
    };
    found.map_err(|error| if matches!(error, Error::NotFound { .. }) { GONE } else { error })
}

/// The caller's upload at a place; `None` if there is no file. An output becomes an upload with the same bytes.
pub async fn find_upload(
    core: &Core,
    caller: &Caller,
    place: &FilePlace,
) -> std::result::Result<Option<AssetId>, Error> {
    match find(core, caller, place).await {
        Ok(FoundFile::Upload(asset)) => Ok(Some(asset.id)),
        Ok(FoundFile::Output(output)) => Ok(Some(gallery::as_upload(core, caller, output.id).await?.id)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn upload(core: &Core, caller: &Caller, place: &FilePlace) -> std::result::Result<FoundFile, Error> {
    let user = caller.signed_in()?;
    let path = place.path();
    let named = gallery::inputs_at(core, caller, std::slice::from_ref(&path)).await?.remove(&path);
    if let Some(id) = named.or_else(|| place.id().map(AssetId)) {
        let asset = assets::find(core, caller, id).await?;
        return if asset.user == user { Ok(FoundFile::Upload(Box::new(asset))) } else { Err(GONE) };
    }
    let content = place.content().ok_or(GONE)?;
    Ok(FoundFile::Upload(Box::new(assets::own_by_hash(core, caller, &content).await?)))
}

async fn output(core: &Core, caller: &Caller, place: &FilePlace) -> std::result::Result<FoundFile, Error> {
    let user = caller.signed_in()?;
    let output = if let Some(id) = place.id() {
        let found = gallery::find(core, caller, OutputAssetId(id)).await?;
        Some(found).filter(|output| output.user == user).ok_or(GONE)?
    } else if let Some(content) = place.content() {
        gallery::own_by_content(core, caller, &content).await?
    } else {
        gallery::own_by_name(core, caller, &place.name, None).await?
    };
    Ok(FoundFile::Output(Box::new(output)))
}

/// The hash that Comfy Cloud's calls name a file by.
#[must_use]
pub fn hash_of(key: &FileKey) -> String {
    format!("{HASH}{}", key.content.as_str())
}
