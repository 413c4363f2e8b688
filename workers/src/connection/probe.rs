//! Reads a server's capabilities: version, node classes, models.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use verdigraph_core::fleet::Capabilities;
use verdigraph_core::graph::NodeDefinitions;

use crate::comfy::{Client, Failure, json};

/// Model folders that are read concurrently.
const CONCURRENCY: usize = 4;

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
            || self.capabilities.version != other.capabilities.version
    }
}

/// Queries the server. Node classes that did not change since `known` are not parsed again.
pub(super) async fn probe(client: &Client, known: Option<Probed>) -> Result<Probed, Failure> {
    let version = client.version().await?;
    let max_upload_bytes = client.max_upload_bytes().await?;
    let object_info = client.object_info().await?;
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
    let folders = client.model_folders().await?;
    let models: BTreeMap<_, _> = stream::iter(folders)
        .map(|folder| async move {
            let files = client.models(&folder).await?;
            Ok::<_, Failure>((folder, files.into_iter().collect()))
        })
        .buffer_unordered(CONCURRENCY)
        .try_collect()
        .await?;
    let capabilities = Arc::new(Capabilities::new(version, definitions, models));
    Ok(Probed { capabilities, max_upload_bytes, definitions_digest })
}
