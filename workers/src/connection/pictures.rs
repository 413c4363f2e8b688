//! Pictures that arrive over the socket only, kept until their prompt ends.

use bytes::Bytes;
use indexmap::IndexMap;
use serde::Deserialize;
use verdigraph_core::assets::Spool;
use verdigraph_core::fleet::UndeliveredCode;

use super::ports::Limits;

/// The class whose pictures are only sent over the socket: they are in no history and no folder.
const SOCKET_CLASS: &str = "SaveImageWebsocket";

/// The parts of a prompt's node that are needed before it runs.
#[derive(Debug, Deserialize)]
pub(super) struct PromptNode {
    class_type: Option<String>,
}

/// Pictures by the prompt's nodes that send them.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    pub(super) nodes: IndexMap<String, Vec<Spool>>,
    bytes: u64,
    in_memory: usize,
    /// Pictures that were not kept: too large, or too many.
    pub(super) lost: Vec<(String, UndeliveredCode, String)>,
    /// Whether pictures may have been sent before this connection listened.
    pub(super) missed: bool,
}

/// Memory for such pictures of one prompt. Further ones go to disk.
const IN_MEMORY_BYTES: usize = 4 << 20;
/// Pictures that are recorded as lost.
const MAX_LOST: usize = 1000;

impl Pictures {
    /// Starts empty, for the nodes of this prompt that send pictures.
    pub fn of(nodes: &IndexMap<String, PromptNode>) -> Self {
        let sending = nodes.iter().filter(|(_, node)| node.class_type.as_deref() == Some(SOCKET_CLASS));
        Self { nodes: sending.map(|(id, _)| (id.clone(), Vec::new())).collect(), ..Self::default() }
    }

    /// Keeps a picture if its node sends pictures and it is within the output limits.
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
                tracing::error!(%error, "cannot keep a picture from the socket");
                self.lose(node, UndeliveredCode::FileNotStored, "it could not be stored".to_owned());
            }
        }
    }

    fn lose(&mut self, node: &str, code: UndeliveredCode, reason: String) {
        if self.lost.len() < MAX_LOST {
            self.lost.push((node.to_owned(), code, reason));
        }
    }

    /// Records that the socket was closed because of a message over the limit. If the prompt sends pictures, it was
    /// one.
    pub fn note_oversized(&mut self) {
        if let Some(node) = self.nodes.keys().next().cloned() {
            self.lose(&node, UndeliveredCode::FileTooLarge, "it is larger than a message may be".to_owned());
        }
    }

    /// Records that pictures may have been sent before this connection listened.
    pub fn note_missed(&mut self) {
        self.missed |= !self.nodes.is_empty();
    }
}
