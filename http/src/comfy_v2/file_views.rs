//! Outputs and assets in the words of Comfy API v2: files with signed addresses, and texts with themselves as an address.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::assets::{AssetKind, Blake3Hash, FileKey};
use verdigraph_core::fleet::Undelivered;
use verdigraph_core::gallery::OutputAsset;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, Job, JobOutput, OutputPiece};
use verdigraph_core::{Caller, Core, Error};

use crate::addresses::SignedAddresses;
use crate::editor::files::FoundFile;

/// The content type of texts.
pub const TEXT: &str = "text/plain; charset=utf-8";
/// An address with a text inside does not expire.
const FOREVER: TimeDelta = TimeDelta::days(36_500);

/// Also the data of the event `output`.
#[derive(Debug, Serialize)]
pub struct ComfyOutput {
    node_id: String,
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    content_type: String,
    size_bytes: i64,
    id: String,
    /// Hashes of outputs are not computed.
    hash: Option<String>,
    url: String,
    url_expires_at: DateTime<Utc>,
    job_id: Uuid,
}

#[derive(Debug, Serialize)]
pub struct ComfyAsset {
    id: String,
    hash: Option<String>,
    size_bytes: i64,
    content_type: String,
    file_path: String,
    /// Of calls that create an asset.
    #[serde(skip_serializing_if = "Option::is_none")]
    created_new: Option<bool>,
    created_at: DateTime<Utc>,
    url: String,
    url_expires_at: DateTime<Utc>,
    /// Null for uploads, which stay until they are deleted.
    expires_at: Option<DateTime<Utc>>,
    /// Of outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    job_id: Option<Uuid>,
}

/// What an ended job made, and a line for each output that it could not deliver.
#[derive(Debug, Default)]
pub struct ComfyOutputs {
    pub made: Vec<ComfyOutput>,
    pub undelivered: Vec<String>,
}

/// The outputs of an ended job. Texts have an id of their own, because they are no files.
pub async fn outputs(core: &Core, caller: &Caller, site: &str, job: &Job) -> Result<ComfyOutputs, Error> {
    let mut outputs = ComfyOutputs::default();
    if !job.status.is_terminal() {
        return Ok(outputs);
    }
    let found = jobs::outputs(core, caller, job.id).await?;
    if found.is_empty() {
        return Ok(outputs);
    }
    let addresses = SignedAddresses::at(core, site.to_owned()).await?;
    let mut texts = 0;
    for JobOutput { node_id, pieces } in found {
        for (_, piece) in pieces {
            match piece {
                OutputPiece::Text(text) => {
                    outputs.made.push(text_output(job.id, &node_id, (texts, &text), &addresses));
                    texts += 1;
                }
                OutputPiece::Asset(asset) => outputs.made.push(file_output(&node_id, &asset, &addresses)),
                OutputPiece::Undelivered(note) => outputs.undelivered.push(note_line(&node_id, &note)),
                OutputPiece::Gone => {}
            }
        }
    }
    Ok(outputs)
}

/// Why an output is missing, for the log of its job.
fn note_line(node_id: &str, note: &Undelivered) -> String {
    let Undelivered { name, code, message, count } = note;
    let what = if name.is_empty() { format!("{count} outputs") } else { name.clone() };
    format!("node {node_id}: {what}: {message} ({})\n", code.name())
}

fn file_output(node_id: &str, asset: &OutputAsset, addresses: &SignedAddresses) -> ComfyOutput {
    let name = name_of(asset);
    let key = FileKey { content: asset.content.clone(), media: asset.media };
    let kind = match asset.media.kind() {
        AssetKind::Image => "image",
        AssetKind::Video => "video",
        AssetKind::Audio => "audio",
        AssetKind::Text => "text",
        AssetKind::File if asset.ending() == "latent" => "latent",
        AssetKind::File => "file",
    };
    ComfyOutput {
        node_id: node_id.to_owned(),
        kind,
        content_type: asset.content_type().to_owned(),
        size_bytes: asset.size_bytes,
        id: asset.id.to_string(),
        hash: None,
        url: addresses.of(key, name.clone()),
        url_expires_at: addresses.expires_at(),
        job_id: asset.job.0,
        name,
    }
}

fn name_of(output: &OutputAsset) -> String {
    output.name.clone().unwrap_or_else(|| output.saved_as())
}

/// A text that a node showed. Its address has it inside.
fn text_output(job: JobId, node_id: &str, (index, text): (usize, &str), addresses: &SignedAddresses) -> ComfyOutput {
    ComfyOutput {
        node_id: node_id.to_owned(),
        name: format!("{node_id}-{index}.txt"),
        kind: "text",
        content_type: TEXT.to_owned(),
        size_bytes: i64::try_from(text.len()).unwrap_or(i64::MAX),
        id: TextId { job, index }.to_string(),
        hash: None,
        url: data_url(text),
        url_expires_at: addresses.expires_at(),
        job_id: job.0,
    }
}

fn data_url(text: &str) -> String {
    format!("data:text/plain;charset=utf-8;base64,{}", BASE64_STANDARD.encode(text))
}

/// The id of a text among the outputs of a job: `<job>.<index>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextId {
    pub job: JobId,
    pub index: usize,
}

impl TextId {
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (job, index) = text.split_once('.')?;
        Some(Self { job: job.parse().ok()?, index: index.parse().ok()? })
    }
}

impl std::fmt::Display for TextId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.job, self.index)
    }
}

/// A text that a job made, as an asset.
#[must_use]
pub fn text_asset(id: TextId, text: &str, job: &Job) -> ComfyAsset {
    let made_at = job.ended_at.unwrap_or(job.created_at);
    ComfyAsset {
        id: id.to_string(),
        hash: Some(Blake3Hash::of(text.as_bytes()).to_string()),
        size_bytes: i64::try_from(text.len()).unwrap_or(i64::MAX),
        content_type: TEXT.to_owned(),
        file_path: format!("{}.txt", id.index),
        created_new: None,
        created_at: made_at,
        url: data_url(text),
        url_expires_at: made_at + FOREVER,
        expires_at: None,
        job_id: Some(id.job.0),
    }
}

/// An upload or output of the caller. `hash` is of the bytes that the caller sent, before they were cleaned.
#[must_use]
pub fn asset(
    found: &FoundFile,
    hash: Option<&Blake3Hash>,
    created_new: Option<bool>,
    addresses: &SignedAddresses,
) -> ComfyAsset {
    let (id, size_bytes, created_at, expires_at, job_id) = match found {
        FoundFile::Upload(asset) => (asset.id.0, asset.stored.size_bytes, asset.created_at, asset.expires_at, None),
        FoundFile::Output(output) => {
            (output.id.0, output.size_bytes, output.created_at, output.expires_at, Some(output.job.0))
        }
    };
    let name = found.name();
    ComfyAsset {
        id: id.to_string(),
        hash: hash.map(Blake3Hash::to_string),
        size_bytes,
        content_type: found.content_type().to_owned(),
        url: addresses.of(found.key(), name.clone()),
        url_expires_at: addresses.expires_at(),
        file_path: name,
        created_new,
        created_at,
        expires_at,
        job_id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_id_is_read_as_it_is_written() {
        let id = TextId { job: JobId(Uuid::from_u128(7)), index: 2 };
        assert_eq!(TextId::parse(&id.to_string()), Some(id));
        for other in ["", "7", "x.1", &Uuid::from_u128(7).to_string(), &format!("{}.-1", Uuid::from_u128(7))] {
            assert_eq!(TextId::parse(other), None, "{other}");
        }
    }
}
