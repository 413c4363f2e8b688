//! Saves pictures and texts as `<nodeId>-<n>.<ext>`: n counts from 0 for each node, over all its output types. Other
//! files keep the names from their workers. Existing files are not overwritten.

use std::path::{Path, PathBuf};

use serde_json::Value;
use verdigraph_core::assets::{self, MediaType};

use super::display::Display;
use crate::cli::client::{Client, NodeOutputs};
use crate::cli::failure::Failure;

/// Saves every item into `folder` and returns the paths, in the server's order.
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
            let path = one(client, &node.node_id, (n, kind), item, folder).await?;
            display.saved(&node.node_id, n, kind, &path);
            saved.push(path);
        }
    }
    Ok(saved)
}

async fn one(
    client: &Client,
    node: &str,
    (n, kind): (usize, &str),
    item: &Value,
    folder: &Path,
) -> Result<PathBuf, Failure> {
    if let Some(text) = item.as_str() {
        let path = free(folder, &file_name(node, n, "txt")).await?;
        tokio::fs::write(&path, text).await.map_err(|error| unwritable(&path, &error))?;
        return Ok(path);
    }
    let address = item
        .get("url")
        .and_then(Value::as_str)
        .ok_or_else(|| Failure::server(format!("output {n} of node {node} has no address")))?;
    let given = item.get("fileName").and_then(Value::as_str).filter(|_| kind != "images");
    // A foreign server may send any name.
    let given = given.and_then(|name| assets::file_name(name, MediaType::Other));
    let name = given.unwrap_or_else(|| file_name(node, n, &extension(address, item)));
    let path = free(folder, &name).await?;
    // The owner of the graph gets the file with it, as from ComfyUI.
    let whole = item.get("originalUrl").and_then(Value::as_str).unwrap_or(address);
    if let Err(failure) = client.download(whole, &path).await {
        // The reserved empty file would look like an output.
        drop(tokio::fs::remove_file(&path).await);
        return Err(failure);
    }
    Ok(path)
}

/// Reserves a path of this name, or the next free one (`name_2.ext`), with an empty file: files of earlier runs stay.
async fn free(folder: &Path, name: &str) -> Result<PathBuf, Failure> {
    let ending = assets::ending_of(name).map(|ending| format!(".{ending}")).unwrap_or_default();
    let stem = name.strip_suffix(&ending).unwrap_or(name);
    let mut path = folder.join(name);
    for number in 2.. {
        match tokio::fs::File::create_new(&path).await {
            Ok(_) => break,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                path = folder.join(format!("{stem}_{number}{ending}"));
            }
            Err(error) => return Err(unwritable(&path, &error)),
        }
    }
    Ok(path)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}

/// A node id as a file name: subgraph ids contain `:`, and the name must stay in its folder.
fn file_name(node: &str, n: usize, extension: &str) -> String {
    let safe: String =
        node.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.') { c } else { '_' }).collect();
    format!("{}-{n}.{extension}", safe.trim_start_matches('.'))
}

/// The extension of the stored file's key; for an address without one, by its content type.
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
    fn file_name_stays_in_its_folder() {
        assert_eq!(file_name("12", 0, "png"), "12-0.png");
        assert_eq!(file_name("57:8", 3, "txt"), "57:8-3.txt");
        assert_eq!(file_name("../../etc/passwd", 0, "png"), "_.._etc_passwd-0.png");
    }

    #[tokio::test]
    async fn existing_files_are_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut names = Vec::new();
        for name in ["12-0.png", "12-0.png", "statue_00001_.glb", "statue_00001_.glb", "12-0.png", "README", "README"] {
            let path = free(folder.path(), name).await.expect("a path");
            names.push(path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned());
        }
        let taken =
            ["12-0.png", "12-0_2.png", "statue_00001_.glb", "statue_00001__2.glb", "12-0_3.png", "README", "README_2"];
        assert_eq!(names, taken);
    }

    #[test]
    fn extension_comes_from_the_address_or_the_content_type() {
        assert_eq!(extension("/media/raw/abc.PNG?token=1.2", &json!({})), "png");
        assert_eq!(extension("https://cdn/x.webm", &json!({})), "webm");
        assert_eq!(extension("/media/raw/abc", &json!({"contentType": "image/png"})), "png");
        assert_eq!(extension("/media/raw/abc", &json!({})), "bin");
    }
}
