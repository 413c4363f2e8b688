//! Fetching what a prompt made: every file once, within limits, stored before anybody is told.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use indexmap::{IndexMap, IndexSet};
use serde::Deserialize;
use serde_json::Value;
use verdigraph_core::assets::Spool;
use verdigraph_core::fleet::{self, NodeOutput, OutputItem, OutputKind};

use super::outage::Outage;
use super::ports::{Files, FilesError, Limits, StoredFile};
use super::state::{CollectError, Need};
use crate::comfy::output::{self, Folder, Piece};
use crate::comfy::{Client, Failure, FileRef};

/// Files fetched at the same time.
const CONCURRENCY: usize = 4;
/// Tries for one file that the worker answers wrongly, and the wait between them. One that does not answer is asked for as
/// long as `patience` lasts: it may have gone down with its next prompt, and be back with its files in a moment.
const TRIES: u32 = 3;
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// Fetches and stores everything that `outputs` name, in their order. A storage that is away is waited for, unless
/// what is here is needed at once alone.
///
/// # Errors
/// Where all is needed and a file is missing or over a limit; otherwise such a file is left out.
pub(super) async fn collect(
    client: &Client,
    limits: Limits,
    outputs: &[(String, Arc<Value>)],
    pictures: Pictures,
    store: Store<'_>,
) -> Result<Vec<NodeOutput>, CollectError> {
    let strict = store.need == Need::All;
    let nodes: Vec<(&String, Vec<Piece>)> =
        outputs.iter().map(|(node, output)| (node, output::pieces(output))).collect();
    let mut wanted: IndexSet<FileRef> = IndexSet::new();
    for piece in nodes.iter().flat_map(|(_, pieces)| pieces) {
        if let Piece::File { file, .. } = piece {
            wanted.insert(file.clone());
        }
    }
    if wanted.len() > limits.files {
        if strict {
            return Err(CollectError::Bad(format!("{} files, {} are allowed", wanted.len(), limits.files)));
        }
        wanted.truncate(limits.files);
    }
    let received = store_received(store, pictures, strict).await?;
    let total_bytes = &AtomicU64::new(0);
    let mut fetches = stream::iter(wanted)
        .map(|file| async move { (fetch(client, store, limits, total_bytes, &file).await, file) })
        .buffered(CONCURRENCY);
    let mut stored: HashMap<FileRef, StoredFile> = HashMap::new();
    while let Some((result, file)) = fetches.next().await {
        match result {
            Ok(found) => {
                stored.insert(file, found);
            }
            Err(error) if strict => return Err(error),
            Err(error) => tracing::warn!(file = file.filename, ?error, "an output of an unfinished prompt is left out"),
        }
    }
    drop(fetches);
    let outputs = nodes.into_iter().flat_map(|(node, pieces)| node_outputs(node, pieces, &stored));
    Ok(outputs.chain(received).collect())
}

/// Where what a prompt made goes, and how much it is needed there.
#[derive(Clone, Copy)]
pub(super) struct Store<'a> {
    pub files: &'a Arc<dyn Files>,
    pub need: Need,
    pub outage: &'a Outage,
    /// How long a worker is waited for that does not answer.
    pub patience: Duration,
}

impl Store<'_> {
    async fn put(&self, file: Spool) -> Result<StoredFile, FilesError> {
        match self.need {
            Need::All | Need::What => self.outage.store(self.files, file).await,
            Need::AtOnce => self.files.store(file).await,
        }
    }
}

/// The class whose pictures come over the socket alone: no history names them and no folder has them.
const BY_SOCKET: &str = "SaveImageWebsocket";

/// What of a prompt's node is known before it runs.
#[derive(Debug, Deserialize)]
pub(super) struct PromptNode {
    class_type: Option<String>,
}

/// The pictures that came over the socket alone, by the nodes of the prompt that send such.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    nodes: IndexMap<String, Vec<Spool>>,
    bytes: u64,
    in_memory: usize,
    /// One was too large, or one too many.
    over: bool,
}

/// What such pictures of one prompt take in memory; more of them wait on the disk.
const IN_MEMORY_BYTES: usize = 4 << 20;

impl Pictures {
    /// None yet, of the nodes of this prompt.
    pub fn of(nodes: &IndexMap<String, PromptNode>) -> Self {
        let sending = nodes.iter().filter(|(_, node)| node.class_type.as_deref() == Some(BY_SOCKET));
        Self { nodes: sending.map(|(id, _)| (id.clone(), Vec::new())).collect(), ..Self::default() }
    }

    /// Keeps a picture, where its node sends such and it is within the limits of outputs.
    pub fn take(&mut self, node: &str, picture: &Bytes, limits: Limits) {
        let count: usize = self.nodes.values().map(Vec::len).sum();
        let Some(pictures) = self.nodes.get_mut(node) else { return };
        let size = picture.len() as u64;
        if size > limits.file_bytes || self.bytes.saturating_add(size) > limits.job_bytes || count >= limits.files {
            self.over = true;
            return;
        }
        self.bytes += size;
        if self.in_memory.saturating_add(picture.len()) <= IN_MEMORY_BYTES {
            self.in_memory += picture.len();
            return pictures.push(picture.clone().into());
        }
        match Spool::to_disk(picture) {
            Ok(file) => pictures.push(file),
            Err(error) => {
                tracing::error!(%error, "a picture that came over the socket cannot be kept");
                self.over = true;
            }
        }
    }

    /// The socket was closed because of a message that is larger than any may be: a picture, where one is awaited.
    pub fn lose(&mut self) {
        self.over |= !self.nodes.is_empty();
    }
}

async fn store_received(store: Store<'_>, pictures: Pictures, strict: bool) -> Result<Vec<NodeOutput>, CollectError> {
    if pictures.over && strict {
        return Err(CollectError::Bad("the pictures that came over the socket are larger than allowed".to_owned()));
    }
    let mut outputs = Vec::new();
    for (node_id, pictures) in pictures.nodes {
        let mut items = Vec::new();
        for picture in pictures {
            match store.put(picture).await {
                Ok(stored) => items.push(file_item(stored, false)),
                Err(error) if strict => return Err(CollectError::Bad(format!("output of {node_id}: {error}"))),
                Err(error) => tracing::warn!(node_id, %error, "a picture of an unfinished prompt is left out"),
            }
        }
        if !items.is_empty() {
            outputs.push(NodeOutput { node_id, kind: OutputKind::Images, items });
        }
    }
    Ok(outputs)
}

fn file_item(stored: StoredFile, temporary: bool) -> OutputItem {
    let StoredFile { content, media, size_bytes, width, height, blur_hash, duration_ms, embedded } = stored;
    OutputItem::File { content, media, size_bytes, width, height, blur_hash, duration_ms, embedded, temporary }
}

/// One output per kind, in the order in which the node first gave each kind.
fn node_outputs(node: &str, pieces: Vec<Piece>, stored: &HashMap<FileRef, StoredFile>) -> Vec<NodeOutput> {
    let mut outputs: Vec<NodeOutput> = Vec::new();
    for piece in pieces {
        let Some((kind, item)) = item(piece, stored) else { continue };
        match outputs.iter_mut().find(|output| output.kind == kind) {
            Some(output) => output.items.push(item),
            None => outputs.push(NodeOutput { node_id: node.to_owned(), kind, items: vec![item] }),
        }
    }
    outputs
}

fn item(piece: Piece, stored: &HashMap<FileRef, StoredFile>) -> Option<(OutputKind, OutputItem)> {
    match piece {
        Piece::Text(mut text) => {
            text.truncate(fleet::shown(&text).len());
            Some((OutputKind::Text, OutputItem::Text { text }))
        }
        Piece::File { file, audio } => {
            let stored = stored.get(&file)?.clone();
            let media = stored.media;
            Some((output::kind(media, audio), file_item(stored, file.folder == Folder::Temp)))
        }
    }
}

async fn fetch(
    client: &Client,
    store: Store<'_>,
    limits: Limits,
    total_bytes: &AtomicU64,
    file: &FileRef,
) -> Result<StoredFile, CollectError> {
    let name = &file.filename;
    let (mut tries, began) = (1, Instant::now());
    let received = loop {
        let left = limits.job_bytes.saturating_sub(total_bytes.load(Ordering::Relaxed));
        match client.view(file, limits.file_bytes.min(left)).await {
            Ok(received) => break received,
            Err(failure) => {
                let is_worth_it = match failure {
                    // Its files outlive its process, and the way to it.
                    Failure::Unreachable(_) | Failure::Refused(_) | Failure::Cut(_) => {
                        tries < TRIES || began.elapsed() < store.patience
                    }
                    Failure::Status { status: 500.. } => tries < TRIES,
                    _ => false,
                };
                if is_worth_it {
                    tokio::time::sleep(RETRY_AFTER * tries.min(TRIES)).await;
                    tries += 1;
                    continue;
                }
                let reason = format!("output {name}: {failure}");
                return Err(match failure {
                    Failure::Status { status: 404 } => CollectError::Missing(reason),
                    failure if failure.is_answer() => CollectError::Bad(reason),
                    _ => CollectError::Gone(reason),
                });
            }
        }
    };
    let size = received.len();
    if received.is_empty() {
        return Err(CollectError::Bad(format!("output {name} is empty")));
    }
    if total_bytes.fetch_add(size, Ordering::Relaxed).saturating_add(size) > limits.job_bytes {
        return Err(CollectError::Bad(format!("the outputs are larger than {} bytes in all", limits.job_bytes)));
    }
    store.put(received).await.map_err(|error| CollectError::Bad(format!("output {name}: {error}")))
}
