//! Fetches the files of a prompt from its last message on, while its history entry is read.
//!
//! All files of a prompt are written before that message. `collect` decides by the history which of them are delivered,
//! and fetches what is missing here: each file is tried once, and no unavailable storage is awaited.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::{StreamExt, stream};
use serde_json::Value;
use tokio::sync::oneshot;
use verdigraph_core::assets::Spool;

use super::ports::{Files, Limits, StoredFile};
use crate::comfy::output::{self, Piece};
use crate::comfy::{Client, FileRef};

/// Files of a prompt that are fetched at a time.
pub(super) const FILES_AT_ONCE: usize = 4;

/// A file that was fetched.
#[derive(Debug)]
pub(super) enum EarlyFile {
    Stored {
        file: StoredFile,
        received_bytes: u64,
    },
    /// It could not be stored.
    Received(Spool),
}

/// The files that are fetched.
#[derive(Debug, Default)]
pub(super) struct EarlyFiles(HashMap<FileRef, oneshot::Receiver<EarlyFile>>);

/// The task that fetches them.
pub(super) struct EarlyFetch(Vec<(FileRef, oneshot::Sender<EarlyFile>)>);

impl EarlyFiles {
    /// The files of these node outputs, within the limit of a job.
    pub fn of(outputs: &[(String, Arc<Value>)], limits: Limits) -> (Self, EarlyFetch) {
        let (mut files, mut wanted) = (HashMap::new(), Vec::new());
        for piece in outputs.iter().flat_map(|(_, output)| output::pieces(output)) {
            let Piece::File { file, .. } = piece else { continue };
            if files.len() >= limits.files {
                break;
            }
            if let Entry::Vacant(vacant) = files.entry(file.clone()) {
                let (sender, receiver) = oneshot::channel();
                vacant.insert(receiver);
                wanted.push((file, sender));
            }
        }
        (Self(files), EarlyFetch(wanted))
    }

    /// Takes the file, which may still be under way.
    pub fn take(&mut self, file: &FileRef) -> Option<oneshot::Receiver<EarlyFile>> {
        self.0.remove(file)
    }
}

impl EarlyFetch {
    pub async fn run(self, client: Client, files: Arc<dyn Files>, limits: Limits) {
        let (client, files, total_bytes) = (&client, &files, &AtomicU64::new(0));
        let fetches = stream::iter(self.0).for_each_concurrent(FILES_AT_ONCE, |(file, sender)| async move {
            let left = limits.job_bytes.saturating_sub(total_bytes.load(Ordering::Relaxed));
            let Ok(received) = client.view(&file, limits.file_bytes.min(left)).await else { return };
            let received_bytes = received.len();
            total_bytes.fetch_add(received_bytes, Ordering::Relaxed);
            if received.is_empty() {
                return;
            }
            let fetched = match files.store(received.clone()).await {
                Ok(file) => EarlyFile::Stored { file, received_bytes },
                Err(_) => EarlyFile::Received(received),
            };
            // The assignment may have ended.
            drop(sender.send(fetched));
        });
        fetches.await;
    }
}
