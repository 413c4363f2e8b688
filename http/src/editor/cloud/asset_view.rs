//! Comfy Cloud's asset: an upload or output with what its owner wrote about it.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;
use verdigraph_core::gallery::{LibraryFile, LibraryItem};

use crate::addresses::SignedAddresses;
use crate::editor::files::{FoundFile, hash_of};

#[derive(Debug, Serialize)]
pub struct CloudAsset {
    id: Uuid,
    name: String,
    display_name: String,
    hash: String,
    /// The documented name of `hash`. Clients read either.
    asset_hash: String,
    size: i64,
    mime_type: &'static str,
    tags: Vec<String>,
    user_metadata: Map<String, Value>,
    /// Needs no key.
    preview_url: String,
    preview_id: Option<Uuid>,
    /// Of outputs.
    prompt_id: Option<Uuid>,
    job_id: Option<Uuid>,
    created_at: String,
    updated_at: String,
    last_access_time: String,
    is_immutable: bool,
    /// Of calls that create an asset.
    #[serde(skip_serializing_if = "Option::is_none")]
    created_new: Option<bool>,
}

impl CloudAsset {
    #[must_use]
    pub fn new(item: LibraryItem, created_new: Option<bool>, addresses: &SignedAddresses) -> Self {
        let LibraryItem { file, name, tags, metadata, updated_at } = item;
        let (id, size, created_at, job) = match &file {
            LibraryFile::Upload(asset) => (asset.id.0, asset.stored.size_bytes, asset.created_at, None),
            LibraryFile::Output(output) => (output.id.0, output.size_bytes, output.created_at, Some(output.job.0)),
        };
        let found = FoundFile::from(file);
        let hash = hash_of(&found.key());
        Self {
            id,
            display_name: name.clone(),
            preview_url: addresses.of(found.key(), name.clone()),
            name,
            asset_hash: hash.clone(),
            hash,
            size,
            mime_type: found.content_type(),
            tags,
            user_metadata: metadata,
            preview_id: None,
            prompt_id: job,
            job_id: job,
            created_at: time(created_at),
            updated_at: time(updated_at),
            last_access_time: time(updated_at),
            is_immutable: false,
            created_new,
        }
    }
}

/// A time as Comfy Cloud writes it.
#[must_use]
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}
