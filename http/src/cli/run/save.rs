//! Saves outputs as `<nodeId>-<n>.<ext>`: n counts from 0 for each node, over all its output types.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::display::Display;
use crate::cli::client::{Client, NodeOutputs};
use crate::cli::failure::Failure;

/// Saves every item into `folder` and returns the paths, in the server's order.
///
/// # Errors
/// An output cannot be fetched or written.
pub async fn all(
    client: &Client,
    nodes: &[NodeOutputs],
    folder: &Path,
    display: &Display,
) -> Result<Vec<PathBuf>, Failure> {
    let mut saved = Vec::new();
    for node in nodes {
        let items = node
            .outputs
            .iter()
            .flat_map(|(kind, items)| items.as_array().into_iter().flatten().map(move |item| (kind.as_str(), item)));
        for (n, (kind, item)) in items.enumerate() {
            let path = one(client, &node.node_id, n, item, folder).await?;
            display.saved(&node.node_id, n, kind, &path);
            saved.push(path);
        }
    }
    Ok(saved)
}

async fn one(client: &Client, node: &str, n: usize, item: &Value, folder: &Path) -> Result<PathBuf, Failure> {
    if let Some(text) = item.as_str() {
        let path = folder.join(file_name(node, n, "txt"));
        tokio::fs::write(&path, text).await.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        return Ok(path);
    }
    let address = item
        .get("url")
        .and_then(Value::as_str)
        .ok_or_else(|| Failure::server(format!("output {n} of node {node} has no address")))?;
    let path = folder.join(file_name(node, n, &extension(address, item)));
    // Whoever owns the graph gets the file with it, as from ComfyUI.
    let whole = item.get("originalUrl").and_then(Value::as_str).unwrap_or(address);
    client.download(whole, &path).await?;
    Ok(path)
}

/// A node id as a file name: subgraph ids hold `:`, and nothing may lead out of the folder.
fn file_name(node: &str, n: usize, extension: &str) -> String {
    let safe: String =
        node.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.') { c } else { '_' }).collect();
    format!("{}-{n}.{extension}", safe.trim_start_matches('.'))
}

/// The extension of the stored file's key; for an address without one, that of its content type.
fn extension(address: &str, item: &Value) -> String {
    let name = address.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let own = name.rsplit_once('.').map(|(_, own)| own);
    if let Some(own) = own.filter(|own| (1..=5).contains(&own.len()) && own.chars().all(|c| c.is_ascii_alphanumeric()))
    {
        return own.to_ascii_lowercase();
    }
    match item.get("contentType").and_then(Value::as_str).unwrap_or_default() {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/webp" => "webp",
        "image/gif" => "gif",
        "video/mp4" => "mp4",
        "video/webm" => "webm",
        _ => "bin",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_name_stays_in_its_folder() {
        assert_eq!(file_name("12", 0, "png"), "12-0.png");
        assert_eq!(file_name("57:8", 3, "txt"), "57:8-3.txt");
        assert_eq!(file_name("../../etc/passwd", 0, "png"), "_.._etc_passwd-0.png");
    }

    #[test]
    fn the_extension_is_the_stored_files() {
        assert_eq!(extension("/media/raw/abc.PNG?token=1.2", &json!({})), "png");
        assert_eq!(extension("https://cdn/x.webm", &json!({})), "webm");
        assert_eq!(extension("/media/raw/abc", &json!({"contentType": "image/png"})), "png");
        assert_eq!(extension("/media/raw/abc", &json!({})), "bin");
    }
}
