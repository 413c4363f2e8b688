//! Uploads of the node editor and the mask editor. The calls are those of ComfyUI's server, so they are not part of
//! this API's document.

use actix_multipart::Multipart;
use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::assets::{AssetKind, Spool};
use verdigraph_core::ids::AssetId;
use verdigraph_core::{Core, Error, gallery};

use super::assets::{Parts, file, missing, must_be, small, text};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract;
use crate::views::assets::InputAssetView;

/// Mounts the routes below `/comfyui-editor/api`.
pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/upload/mask").post(mask));
}

/// Stores a picture with a mask in its alpha channel as a private input asset. The response has ComfyUI's fields too.
async fn mask(core: Data<Core>, caller: Caller, form: Multipart) -> Result<Json<MaskedView>> {
    caller.signed_in()?;
    let Sent { image, name, original } = read(form, core.settings.limits.upload_bytes).await?;
    let input = gallery::mask_input(&core, &caller, original, &name, image).await?;
    let input = InputAssetView::new(input, core.settings.base_url());
    Ok(Json(MaskedView { name: input.asset.name.clone(), subfolder: SUBFOLDER, kind: TYPE, input }))
}

const SUBFOLDER: &str = "clipspace";
const TYPE: &str = "input";

#[derive(Debug, serde::Serialize)]
struct MaskedView {
    name: String,
    subfolder: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    input: InputAssetView,
}

/// The parts of the form.
struct Sent {
    image: Spool,
    name: String,
    original: AssetId,
}

/// The picture that the mask was drawn on: an asset's id, with or without an extension.
#[derive(Deserialize)]
struct OriginalRef {
    filename: String,
}

impl OriginalRef {
    fn asset(&self) -> std::result::Result<AssetId, Error> {
        let id = self.filename.split('.').next().unwrap_or_default();
        id.parse().map_err(|_| Error::invalid("original_ref", "filename must be the id of an asset"))
    }
}

async fn read(form: Multipart, limit_bytes: u64) -> std::result::Result<Sent, Error> {
    let (mut image, mut name, mut original) = (None, None, None);
    let mut parts = Parts::of(form);
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
                original = Some(value.asset()?);
            }
            "type" => must_be("type", &text(&value), TYPE)?,
            "subfolder" => must_be("subfolder", &text(&value), SUBFOLDER)?,
            "kind" => must_be("kind", &text(&value), AssetKind::Image.as_str())?,
            _ => {}
        }
    }
    Ok(Sent {
        image: image.ok_or_else(|| missing("image"))?,
        name: name.unwrap_or_default(),
        original: original.ok_or_else(|| Error::invalid("original_ref", "is missing"))?,
    })
}
