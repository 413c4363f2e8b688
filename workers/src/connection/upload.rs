//! Sending input files to a server.

use std::sync::Arc;

use verdigraph_core::fleet::InputFile;

use super::ports::{Files, OpenFile};
use crate::comfy::{Client, Failure};

/// Uploads every file; the error says whether the server, or our storage, answered wrongly.
pub(super) async fn upload_all(
    client: &Client,
    files: &Arc<dyn Files>,
    inputs: &[InputFile],
    limit_bytes: Option<u64>,
) -> Result<(), (String, bool)> {
    for InputFile { name, content } in inputs {
        let OpenFile { size_bytes, pieces } =
            files.open(content).await.map_err(|error| (format!("input {name}: {error}"), true))?;
        if let Some(limit_bytes) = limit_bytes.filter(|limit| size_bytes > *limit) {
            return Err((format!("input {name}: the worker takes no more than {limit_bytes} bytes"), true));
        }
        client
            .upload(name, size_bytes, pieces)
            .await
            .map_err(|failure: Failure| (format!("input {name}: {failure}"), failure.is_answer()))?;
    }
    Ok(())
}
