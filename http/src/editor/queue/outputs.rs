//! Outputs of jobs in the shapes of ComfyUI's history and jobs.

use serde_json::{Map, Value, json};
use verdigraph_core::assets::AssetKind;
use verdigraph_core::gallery::OutputAsset;
use verdigraph_core::jobs::{JobOutput, OutputPiece};

use crate::editor::files::reference;

/// The files of outputs, with their nodes.
fn files(outputs: &[JobOutput]) -> impl Iterator<Item = (&str, &OutputAsset)> {
    outputs.iter().flat_map(|output| {
        output.pieces.iter().filter_map(|(_, piece)| match piece {
            OutputPiece::Asset(asset) => Some((output.node_id.as_str(), &**asset)),
            OutputPiece::Text(_) | OutputPiece::Undelivered(_) | OutputPiece::Gone => None,
        })
    })
}

/// ComfyUI's key of a file among a node's outputs.
fn key(asset: &OutputAsset) -> &'static str {
    match asset.media.kind() {
        // ComfyUI's own nodes list videos there too.
        AssetKind::Image | AssetKind::Video => "images",
        AssetKind::Audio => "audio",
        AssetKind::Text | AssetKind::File => match asset.ending().as_str() {
            "latent" => "latents",
            "glb" | "gltf" | "obj" | "fbx" | "stl" | "ply" | "splat" | "spz" | "ksplat" | "usdz" => "3d",
            _ => "files",
        },
    }
}

/// `outputs` of a history entry: node id → key → files or texts.
#[must_use]
pub fn by_node(outputs: &[JobOutput]) -> Map<String, Value> {
    fn push(nodes: &mut Map<String, Value>, node: &str, key: &str, item: Value) {
        let Value::Object(node) = nodes.entry(node).or_insert_with(|| json!({})) else { return };
        if let Value::Array(items) = node.entry(key).or_insert_with(|| json!([])) {
            items.push(item);
        }
    }
    let mut nodes = Map::new();
    for (node_id, asset) in files(outputs) {
        push(&mut nodes, node_id, key(asset), reference(asset));
        if asset.media.kind() == AssetKind::Video
            && let Some(Value::Object(node)) = nodes.get_mut(node_id)
        {
            node.insert("animated".to_owned(), json!([true]));
        }
    }
    for output in outputs {
        for (_, piece) in &output.pieces {
            if let OutputPiece::Text(text) = piece {
                push(&mut nodes, &output.node_id, "text", json!(text));
            }
        }
    }
    nodes
}

/// What represents a job in a list: its first file that can be shown.
#[must_use]
pub fn preview(outputs: &[JobOutput]) -> Option<Value> {
    let (node, asset, media) = files(outputs).find_map(|(node, asset)| Some((node, asset, media_type(asset)?)))?;
    let mut preview = reference(asset);
    preview["nodeId"] = json!(node);
    preview["mediaType"] = json!(media);
    Some(preview)
}

/// The number of files, and of those that can be shown. Texts do not count.
#[must_use]
pub fn counts(outputs: &[JobOutput]) -> (usize, usize) {
    files(outputs).fold((0, 0), |(all, shown), (_, asset)| (all + 1, shown + usize::from(media_type(asset).is_some())))
}

fn media_type(asset: &OutputAsset) -> Option<&'static str> {
    match asset.media.kind() {
        AssetKind::Image => Some("images"),
        AssetKind::Video => Some("video"),
        AssetKind::Audio => Some("audio"),
        AssetKind::Text | AssetKind::File => (key(asset) == "3d").then_some("3d"),
    }
}

#[cfg(test)]
pub mod tests {
    use chrono::DateTime;
    use uuid::Uuid;
    use verdigraph_core::assets::{ContentHash, EmbeddedMetadata, MediaType};
    use verdigraph_core::ids::{JobId, OutputAssetId, UserId};

    use super::*;

    pub fn asset(id: u128, media: MediaType, name: Option<&str>) -> OutputPiece {
        OutputPiece::Asset(Box::new(OutputAsset {
            id: OutputAssetId(Uuid::from_u128(id)),
            user: UserId(Uuid::from_u128(1)),
            user_name: String::new(),
            job: JobId(Uuid::from_u128(2)),
            node_id: String::new(),
            content: ContentHash(String::new()),
            media,
            size_bytes: 1,
            width: None,
            height: None,
            is_private: true,
            is_nsfw: false,
            like_count: 0,
            view_count: 0,
            ran_ms: 0,
            blur_hash: None,
            duration_ms: None,
            embedded: EmbeddedMetadata::None,
            name: name.map(str::to_owned),
            has_preview: true,
            is_publishable: true,
            created_at: DateTime::UNIX_EPOCH,
            expires_at: None,
            shows_origin: true,
        }))
    }

    pub fn output(node: &str, pieces: Vec<(&str, OutputPiece)>) -> JobOutput {
        let pieces = pieces.into_iter().map(|(kind, piece)| (kind.to_owned(), piece)).collect();
        JobOutput { node_id: node.to_owned(), pieces }
    }

    #[test]
    fn files_have_the_keys_of_comfyui_and_their_ids_as_subfolders() {
        let outputs = [
            output(
                "9",
                vec![
                    ("images", asset(1, MediaType::Png, Some("a_00001_.png"))),
                    ("images", asset(2, MediaType::Png, Some("a_00001_.png"))),
                    ("images", asset(3, MediaType::Png, None)),
                    ("text", OutputPiece::Text("hi".to_owned())),
                    ("images", OutputPiece::Gone),
                ],
            ),
            output("10:3", vec![("gifs", asset(4, MediaType::Mp4, Some("v.mp4")))]),
            output("11", vec![("files", asset(5, MediaType::Other, Some("m.glb")))]),
            output("12", vec![("files", asset(6, MediaType::Latent, Some("l.latent")))]),
        ];
        let file = |id: u128, name: &str| json!({ "filename": name, "subfolder": Uuid::from_u128(id).to_string(), "type": "output" });
        let unnamed = format!("{}.png", Uuid::from_u128(3));
        assert_eq!(
            Value::Object(by_node(&outputs)),
            json!({
                "9": { "images": [file(1, "a_00001_.png"), file(2, "a_00001_.png"), file(3, &unnamed)], "text": ["hi"] },
                "10:3": { "images": [file(4, "v.mp4")], "animated": [true] },
                "11": { "3d": [file(5, "m.glb")] },
                "12": { "latents": [file(6, "l.latent")] },
            })
        );
        assert_eq!(counts(&outputs), (6, 5));
    }

    #[test]
    fn preview_is_the_first_file_that_can_be_shown() {
        let outputs = [
            output("1", vec![("text", OutputPiece::Text("hi".to_owned()))]),
            output("2", vec![("files", asset(1, MediaType::Latent, Some("l.latent")))]),
            output("3", vec![("audio", asset(2, MediaType::Flac, Some("s.flac")))]),
        ];
        let shown = preview(&outputs).expect("a preview");
        assert_eq!(
            (&shown["nodeId"], &shown["mediaType"], &shown["filename"]),
            (&json!("3"), &json!("audio"), &json!("s.flac"))
        );
        assert_eq!(preview(&outputs[..2]), None);
    }
}
