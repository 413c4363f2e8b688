//! Pictures that come over the socket alone, kept until their prompt is over.

use bytes::Bytes;
use indexmap::IndexMap;
use serde::Deserialize;
use verdigraph_core::assets::Spool;
use verdigraph_core::fleet::UndeliveredCode;

use super::ports::Limits;

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
    pub(super) nodes: IndexMap<String, Vec<Spool>>,
    bytes: u64,
    in_memory: usize,
    /// Those that cannot be kept: one that was too large, or one too many.
    pub(super) lost: Vec<(String, UndeliveredCode, String)>,
    /// Some may have come before anything listened.
    pub(super) missed: bool,
}

/// What such pictures of one prompt take in memory; more of them wait on the disk.
const IN_MEMORY_BYTES: usize = 4 << 20;
/// Pictures that are noted as not kept.
const MOST_LOST: usize = 1000;

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
        if count >= limits.files {
            return self.lose(
                node,
                UndeliveredCode::TooManyFiles,
                format!("a job delivers at most {} files", limits.files),
            );
        }
        if size > limits.file_bytes || self.bytes.saturating_add(size) > limits.job_bytes {
            return self.lose(node, UndeliveredCode::FileTooLarge, "it is larger than allowed".to_owned());
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
                self.lose(node, UndeliveredCode::FileNotStored, "it could not be stored".to_owned());
            }
        }
    }

    fn lose(&mut self, node: &str, code: UndeliveredCode, reason: String) {
        if self.lost.len() < MOST_LOST {
            self.lost.push((node.to_owned(), code, reason));
        }
    }

    /// The socket was closed because of a message that is larger than any may be: a picture, where one is awaited.
    pub fn lose_large(&mut self) {
        if let Some(node) = self.nodes.keys().next().cloned() {
            self.lose(&node, UndeliveredCode::FileTooLarge, "it is larger than a message may be".to_owned());
        }
    }

    /// Pictures may have come before anything listened.
    pub fn miss(&mut self) {
        self.missed |= !self.nodes.is_empty();
    }
}
