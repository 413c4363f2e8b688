//! SaveImageWebsocket: finished pictures that go to the client alone, as PNG files on its socket.

use verdigraph_core::graph::Like;

use super::save::{self, Compression};
use crate::cpu::definition::entry;
use crate::cpu::node::{Context, Folders, Inputs, Node, NodeError, Outcome};

/// SaveImageWebsocket. Pixels are those of SaveImage; there are no texts in the files.
pub(super) struct SaveWebsocket(pub(super) Like);

impl Node for SaveWebsocket {
    fn class(&self) -> &'static str {
        "SaveImageWebsocket"
    }

    fn definition(&self, _folders: &Folders) -> serde_json::Value {
        entry(self.0, self.class())
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let images = inputs.image("images")?;
        // Beside what encoding takes: the file itself, once more as it is sent.
        save::reserve_encoding(context, images)?;
        save::reserve_encoding(context, images)?;
        for index in 0..images.batch {
            context.progress(index as u64, images.batch as u64)?;
            context.reports.picture(save::file(images, index, &[], Compression::Fast)?);
        }
        Ok(Outcome::default())
    }

    /// The client wants its pictures each time.
    fn fingerprint(&self, _inputs: &Inputs, _folders: &Folders) -> Option<String> {
        Some(uuid::Uuid::new_v4().to_string())
    }
}
