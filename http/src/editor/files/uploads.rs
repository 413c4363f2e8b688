//! `upload/image`, `upload/mask`: files for the caller's input folder. As in ComfyUI, `upload/image` takes videos,
//! sounds and text files too.

use actix_multipart::Multipart;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use verdigraph_core::assets::{self, Asset, AssetKind, Spool};
use verdigraph_core::gallery::{self, NameClash};
use verdigraph_core::graph::text_extension;
use verdigraph_core::ids::AssetId;
use verdigraph_core::{Core, Error, users};

use super::masks::{self, CLIPSPACE, MaskMetadata};
use super::place::{FilePlace, ServerFolder};
use super::{max_upload_bytes, view};
use crate::caller::Caller;
use crate::editor::dialect::Dialect;
use crate::error::Result;
use crate::extract;
use crate::routes::assets::{FormParts, file, missing, must_be, small, text};
use crate::views::assets::InputAssetView;

const INPUT: &str = "input";

/// ComfyUI's answer to an upload. The name may differ from the one that was sent.
#[derive(Debug, Serialize)]
struct UploadedView {
    name: String,
    subfolder: String,
    #[serde(rename = "type")]
    folder: &'static str,
}

impl UploadedView {
    /// The file at a path of the input folder.
    fn at(path: &str) -> Self {
        let (subfolder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Self { name: name.to_owned(), subfolder: subfolder.to_owned(), folder: INPUT }
    }
}

/// The parts of an upload.
#[derive(Default)]
struct ImageForm {
    image: Option<(String, Spool)>,
    subfolder: String,
    overwrite: bool,
}

pub async fn image(core: Data<Core>, caller: Caller, form: Multipart) -> Result<HttpResponse> {
    // Checked before the large file is read.
    let _permit = users::may_take_part(&core, &caller).await?;
    let ImageForm { image, subfolder, overwrite } = read_image(form, max_upload_bytes(&core)).await?;
    let (name, file) = image.ok_or_else(|| missing("image"))?;
    let asset = store(&core, &caller, &name, file).await?;
    let clash = if overwrite { NameClash::Replace } else { NameClash::Rename };
    let path = gallery::name_input(&core, &caller, &asset, &subfolder, clash).await?;
    Ok(HttpResponse::Ok().json(UploadedView::at(&path)))
}

/// Stores a file of any kind that the platform takes. The bytes decide the kind; for bytes of no known kind, the name
/// tells whether they must be a text.
pub async fn store(core: &Core, caller: &Caller, name: &str, file: Spool) -> std::result::Result<Asset, Error> {
    match assets::sniff(file.head()).kind() {
        kind @ (AssetKind::Video | AssetKind::Audio) => assets::upload_media(core, caller, name, kind, file).await,
        AssetKind::Text | AssetKind::File if text_extension(name).is_some() => {
            assets::upload_text(core, caller, name, file).await
        }
        AssetKind::Image | AssetKind::Text | AssetKind::File => assets::upload(core, caller, name, file).await,
    }
}

async fn read_image(form: Multipart, limit_bytes: u64) -> std::result::Result<ImageForm, Error> {
    let mut sent = ImageForm::default();
    let mut parts = FormParts::of(form);
    while let Some(mut field) = parts.next().await? {
        match field.name().unwrap_or_default() {
            "image" => {
                let (name, file) = file(&mut field, limit_bytes).await?;
                sent.image = Some((name.filter(|name| !name.is_empty()).ok_or_else(|| missing("image"))?, file));
            }
            "subfolder" => sent.subfolder = text(&small(&mut field).await?),
            "overwrite" => sent.overwrite = matches!(text(&small(&mut field).await?).as_str(), "true" | "1"),
            // All uploads go to the input folder, and are found by a name of the others too.
            "type" => {
                let folder = text(&small(&mut field).await?);
                if ServerFolder::from_name(&folder).is_none() {
                    return Err(Error::invalid("type", "must be input, temp or output"));
                }
            }
            _ => drop(small(&mut field).await?),
        }
    }
    Ok(sent)
}

/// Stores a picture with a mask in its alpha channel as a private input asset. The response has the input asset too.
pub async fn mask(core: Data<Core>, caller: Caller, request: HttpRequest, form: Multipart) -> Result<Json<MaskedView>> {
    // Checked before the large file is read.
    let _permit = users::may_take_part(&core, &caller).await?;
    let MaskForm { image, name, original } = read_mask(form, core.settings.limits.upload_bytes).await?;
    let original = picture(&core, &caller, &original).await?;
    let input = gallery::mask_input(&core, &caller, original, &name, image).await?;
    let path = gallery::name_input(&core, &caller, &input.asset, CLIPSPACE, NameClash::Rename).await?;
    let metadata = match Dialect::of(&request) {
        Dialect::Local => None,
        Dialect::Cloud => Some(masks::note(&core, &caller, original, &input.asset).await?),
    };
    let input = InputAssetView::new(input, core.settings.base_url());
    Ok(Json(MaskedView { uploaded: UploadedView::at(&path), input, metadata }))
}

#[derive(Debug, Serialize)]
pub struct MaskedView {
    #[serde(flatten)]
    uploaded: UploadedView,
    #[serde(flatten)]
    input: InputAssetView,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<MaskMetadata>,
}

/// The parts of a mask.
struct MaskForm {
    image: Spool,
    name: String,
    original: OriginalRef,
}

/// The picture that the mask was drawn on: a file of the caller, or the id of an asset with or without an extension.
#[derive(Deserialize)]
struct OriginalRef {
    filename: String,
    #[serde(default)]
    subfolder: String,
    #[serde(rename = "type")]
    folder: Option<String>,
}

/// The caller's picture. An output becomes an upload with the same bytes.
async fn picture(core: &Core, caller: &Caller, original: &OriginalRef) -> std::result::Result<AssetId, Error> {
    let stem = original.filename.split('.').next().unwrap_or_default();
    if original.folder.is_none()
        && let Ok(id) = stem.parse::<AssetId>()
    {
        return Ok(id);
    }
    let unknown = || Error::invalid("original_ref", "names no picture of yours");
    let folder = original.folder.as_deref().unwrap_or("output");
    let place = FilePlace::parse(&original.filename, &original.subfolder, folder).map_err(|_| unknown())?;
    view::find_upload(core, caller, &place).await?.ok_or_else(unknown)
}

async fn read_mask(form: Multipart, limit_bytes: u64) -> std::result::Result<MaskForm, Error> {
    let (mut image, mut name, mut original) = (None, None, None);
    let mut parts = FormParts::of(form);
    while let Some(mut field) = parts.next().await? {
        let part = field.name().unwrap_or_default().to_owned();
        if part == "image" {
            let (called, file) = file(&mut field, limit_bytes).await?;
            (name, image) = (called, Some(file));
            continue;
        }
        let value = small(&mut field).await?;
        match part.as_str() {
            "original_ref" => {
                let value: OriginalRef = extract::parse(&value)
                    .map_err(|_| Error::invalid("original_ref", "must be JSON with a filename"))?;
                original = Some(value);
            }
            "type" => must_be("type", &text(&value), INPUT)?,
            "subfolder" => must_be("subfolder", &text(&value), CLIPSPACE)?,
            "kind" => must_be("kind", &text(&value), AssetKind::Image.as_str())?,
            _ => {}
        }
    }
    Ok(MaskForm {
        image: image.ok_or_else(|| missing("image"))?,
        name: name.unwrap_or_default(),
        original: original.ok_or_else(|| Error::invalid("original_ref", "is missing"))?,
    })
}
