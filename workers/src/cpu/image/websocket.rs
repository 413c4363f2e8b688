//! SaveImageWebsocket: sends finished pictures to the client's socket as PNG files, and stores none.

use verdigraph_core::graph::ComfyVersion;

use super::save::{self, Compression};
use crate::cpu::definition::entry;
use crate::cpu::node::{Context, Folders, Inputs, Node, NodeError, Outcome};

/// SaveImageWebsocket. Pixels are those of SaveImage. The files have no text chunks.
pub(super) struct SaveWebsocket(pub(super) ComfyVersion);

impl Node for SaveWebsocket {
    fn class(&self) -> &'static str {
        "SaveImageWebsocket"
    }

    fn definition(&self, _folders: &Folders) -> serde_json::Value {
        entry(self.0, self.class())
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let images = inputs.image("images")?;
        // In addition to encoding: the file, and its copy in the message.
        save::reserve_encoding(context, images)?;
        save::reserve_encoding(context, images)?;
        for index in 0..images.batch {
            context.progress(index as u64, images.batch as u64)?;
            context.reports.picture(save::file(images, index, &[], Compression::Fast)?);
        }
        Ok(Outcome::default())
    }

    /// Runs every time, because the client expects its pictures.
    fn fingerprint(&self, _inputs: &Inputs, _folders: &Folders) -> Option<String> {
        Some(uuid::Uuid::new_v4().to_string())
    }
}
