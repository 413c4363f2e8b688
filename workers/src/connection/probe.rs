//! Reads a server's capabilities: version, node classes, models.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use verdigraph_core::fleet::{Capabilities, SIZE_PREFIX};
use verdigraph_core::graph::NodeDefinitions;

use crate::comfy::{Client, Failure, json};

/// Model folders, and headers of files, that are read concurrently.
const CONCURRENCY: usize = 4;
/// Folders whose files' headers are read.
const WITH_HEADERS: [&str; 2] = ["checkpoints", "diffusion_models"];
/// The folder whose files are known by their sizes where their headers say nothing.
const WITH_SIZES: &str = "checkpoints";
/// Headers that are read at once; the next probe reads more.
const MOST_HEADERS: usize = 50;

/// The server's capabilities, kept to detect changes.
#[derive(Debug, Clone)]
pub(super) struct Probed {
    pub capabilities: Arc<Capabilities>,
    /// In bytes, if the server has a limit.
    pub max_upload_bytes: Option<u64>,
    definitions_digest: [u8; 32],
}

impl Probed {
    /// Whether the change may affect which jobs the roster assigns.
    pub fn differs(&self, other: &Self) -> bool {
        self.definitions_digest != other.definitions_digest
            || self.capabilities.models != other.capabilities.models
            || self.capabilities.architectures != other.capabilities.architectures
            || self.capabilities.version != other.capabilities.version
    }
}

/// Queries the server. Node classes that did not change since `known` are not parsed again.
pub(super) async fn probe(client: &Client, known: Option<Probed>) -> Result<Probed, Failure> {
    let version = client.version().await?;
    let max_upload_bytes = client.max_upload_bytes().await?;
    let object_info = client.object_info().await?;
    let headers = known.as_ref().map(|known| known.capabilities.architectures.clone()).unwrap_or_default();
    let known = known.map(|known| (known.definitions_digest, Arc::clone(&known.capabilities.definitions)));
    let parsed = tokio::task::spawn_blocking(move || {
        let digest: [u8; 32] = Sha256::digest(&object_info).into();
        if let Some((_, definitions)) = known.filter(|(known, _)| *known == digest) {
            return Ok((digest, definitions));
        }
        let object_info: Map<String, Value> = json::object_info(&object_info)?;
        Ok((digest, Arc::new(NodeDefinitions::from_object_info(&Value::Object(object_info)))))
    });
    let (definitions_digest, definitions) =
        parsed.await.map_err(|error| Failure::Malformed(format!("object_info: {error}")))??;
    let models = models(client).await?;
    let architectures = architectures(client, &models, headers).await?;
    let capabilities = Arc::new(Capabilities::new(version, definitions, models).with_architectures(architectures));
    Ok(Probed { capabilities, max_upload_bytes, definitions_digest })
}

/// The names of the server's models by folder.
pub(super) async fn models(client: &Client) -> Result<BTreeMap<String, BTreeSet<String>>, Failure> {
    stream::iter(client.model_folders().await?)
        .map(|folder| async move {
            let files = client.models(&folder).await?;
            Ok((folder, files.into_iter().collect()))
        })
        .buffer_unordered(CONCURRENCY)
        .try_collect()
        .await
}

/// What the headers of the models say about their architectures, or the sizes of checkpoints. Those that are known are
/// not read again.
async fn architectures(
    client: &Client,
    models: &BTreeMap<String, BTreeSet<String>>,
    mut known: BTreeMap<(String, String), String>,
) -> Result<BTreeMap<(String, String), String>, Failure> {
    let is_there = |(folder, file): &(String, String)| {
        models.get(folder).is_some_and(|files: &BTreeSet<String>| files.contains(file))
    };
    known.retain(|key, _| is_there(key));
    let files = models.iter().filter(|(folder, _)| WITH_HEADERS.contains(&folder.as_str()));
    let files = files.flat_map(|(folder, files)| files.iter().map(move |file| (folder.clone(), file.clone())));
    let unread: Vec<(String, String)> =
        files.filter(|key| tells_model(&key.1) && !known.contains_key(key)).take(MOST_HEADERS).collect();
    let mut read: Vec<((String, String), String)> = stream::iter(unread)
        .map(|key| async move {
            let architecture = client.architecture(&key.0, &key.1).await?;
            Ok::<_, Failure>((key, architecture.unwrap_or_default()))
        })
        .buffer_unordered(CONCURRENCY)
        .try_collect()
        .await?;
    let mut silent = read.iter_mut().filter(|((folder, _), told)| folder == WITH_SIZES && told.is_empty()).peekable();
    if silent.peek().is_some() {
        let sizes = client.model_sizes(WITH_SIZES).await?;
        for ((_, file), told) in silent {
            if let Some(size) = sizes.get(file.as_str()) {
                *told = format!("{SIZE_PREFIX}{size}");
            }
        }
    }
    known.extend(read);
    Ok(known)
}

/// Whether a file is of a kind that holds whole models. Only one of them has a header.
fn tells_model(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, ending)| matches!(ending, "safetensors" | "ckpt"))
}
