//! Outputs of jobs: texts, pictures that a client shows in its chat, and addresses of the whole files.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::Error;
use verdigraph_core::assets::{AssetKind, FileKey, Quality};
use verdigraph_core::fleet::Undelivered;
use verdigraph_core::gallery::OutputAsset;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobOutput, OutputPiece};

use super::own;
use crate::addresses::SignedAddresses;
use crate::comfy_v2::views::status_word;
use crate::mcp::failure::Failure;
use crate::mcp::outcome::{Context, ToolResult};

/// Pictures in one result. Each fills a part of the client's context.
const MAX_PICTURES: usize = 4;
/// The most bytes of a picture in a result.
const PICTURE_BYTES: u64 = 1 << 20;
/// The most characters of a text in a result.
const TEXT_CHARS: usize = 20_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputArguments {
    job_id: Uuid,
    preview: Option<bool>,
}

/// The outputs of a job in a result.
#[derive(Default)]
pub struct Outputs {
    pub views: Vec<Value>,
    /// Pictures and links.
    pub content: Vec<Value>,
}

pub async fn outputs(context: &Context, arguments: OutputArguments) -> Result<ToolResult, Failure> {
    let OutputArguments { job_id, preview } = arguments;
    let status = own::find(context, job_id).await?;
    let job = status.job;
    let Outputs { views, content } = match job.status.is_terminal() {
        true => of_job(context, job.id, preview.unwrap_or(true)).await?,
        false => Outputs::default(),
    };
    let view = json!({
        "job_id": job.id,
        "status": status_word(&job),
        "seeds": job.seeds,
        "outputs": views,
    });
    Ok(ToolResult::of(view).with(content))
}

/// What an ended job of the caller made.
pub async fn of_job(context: &Context, job: JobId, has_pictures: bool) -> Result<Outputs, Failure> {
    let found = jobs::outputs(&context.core, &context.caller, job).await?;
    let addresses = SignedAddresses::at(&context.core, context.site.clone()).await?;
    let mut outputs = Outputs::default();
    let (mut pictures, mut links) = (Vec::new(), Vec::new());
    for JobOutput { node_id, pieces } in found {
        for (_, piece) in pieces {
            match piece {
                OutputPiece::Text(text) => {
                    let is_cut = text.chars().count() > TEXT_CHARS;
                    let text: String = text.chars().take(TEXT_CHARS).collect();
                    outputs.views.push(json!({ "node_id": node_id, "kind": "text", "text": text, "is_cut": is_cut }));
                }
                OutputPiece::Asset(asset) => {
                    let view = file(&node_id, &asset, &addresses);
                    if context.has_links {
                        links.push(json!({
                            "type": "resource_link",
                            "uri": view["url"],
                            "name": view["name"],
                            "mimeType": view["content_type"],
                        }));
                    }
                    outputs.views.push(view);
                    if has_pictures && pictures.len() < MAX_PICTURES {
                        pictures.extend(picture(context, &asset).await?);
                    }
                }
                OutputPiece::Undelivered(note) => outputs.views.push(undelivered(&node_id, note)),
                OutputPiece::Gone => {}
            }
        }
    }
    outputs.content = pictures.into_iter().chain(links).collect();
    Ok(outputs)
}

fn file(node_id: &str, asset: &OutputAsset, addresses: &SignedAddresses) -> Value {
    let name = asset.name.clone().unwrap_or_else(|| asset.saved_as());
    let kind = match asset.media.kind() {
        AssetKind::Image => "image",
        AssetKind::Video => "video",
        AssetKind::Audio => "audio",
        AssetKind::Text => "text",
        AssetKind::File => "file",
    };
    json!({
        "output_id": asset.id,
        "workflow_value": format!("{}.{}", asset.id, asset.ending()),
        "node_id": node_id,
        "kind": kind,
        "name": name,
        "content_type": asset.content_type(),
        "size_bytes": asset.size_bytes,
        "width": asset.width,
        "height": asset.height,
        "url": addresses.of(key(asset), name),
        "url_expires_at": addresses.expires_at(),
    })
}

/// An assistant that is not told of it takes the outputs for complete.
fn undelivered(node_id: &str, note: Undelivered) -> Value {
    let Undelivered { name, code, message, count } = note;
    json!({
        "node_id": node_id,
        "kind": "undelivered",
        "name": name,
        "code": code.name(),
        "message": message,
        "count": count,
    })
}

fn key(asset: &OutputAsset) -> FileKey {
    FileKey { content: asset.content.clone(), media: asset.media }
}

/// A smaller picture of an output, or the poster of a video; `None` for what has none.
async fn picture(context: &Context, asset: &OutputAsset) -> Result<Option<Value>, Failure> {
    if !asset.has_preview || !matches!(asset.media.kind(), AssetKind::Image | AssetKind::Video) {
        return Ok(None);
    }
    for quality in [Quality::W960, Quality::W480] {
        let made = match context.core.files.rendition(&key(asset), quality).await {
            Ok(made) => made,
            // The address of the whole file is in the result anyway.
            Err(Error::NotFound { .. } | Error::Unavailable { .. } | Error::StorageAway) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if made.file.len() <= PICTURE_BYTES {
            let data = BASE64_STANDARD.encode(made.file.bytes().await?);
            return Ok(Some(json!({ "type": "image", "data": data, "mimeType": made.content_type })));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use verdigraph_core::fleet::UndeliveredCode;

    use super::*;

    #[test]
    fn file_that_is_missing_is_told_with_its_reason() {
        let message = "the worker does not have the file".to_owned();
        let note = Undelivered { name: "a.png".to_owned(), code: UndeliveredCode::FileMissing, message, count: 1 };
        let view = undelivered("9", note);
        let expected = (&json!("9"), &json!("undelivered"), &json!("FILE_MISSING"), &json!("a.png"));
        assert_eq!((&view["node_id"], &view["kind"], &view["code"], &view["name"]), expected);
    }
}
