//! What nodes gave: the `output` of an `executed` message and of a history entry.

use serde_json::Value;
use verdigraph_core::assets::MediaType;
use verdigraph_core::fleet::OutputKind;

/// A file at the worker, as `/view` wants it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileRef {
    pub filename: String,
    pub subfolder: String,
    pub folder: Folder,
}

/// Characters of a name that are shown.
const SHOWN_NAME: usize = 120;

impl FileRef {
    /// The name without folders and without characters that are not seen.
    #[must_use]
    pub fn shown_name(&self) -> String {
        let last = self.filename.rsplit(['/', '\\']).next().unwrap_or_default();
        last.chars().filter(|letter| !verdigraph_core::names::is_hidden(*letter)).take(SHOWN_NAME).collect()
    }
}

/// The worker's folder that a file is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Folder {
    Output,
    /// Previews; gone when the server starts again.
    Temp,
}

impl Folder {
    /// The word of the protocol.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Temp => "temp",
        }
    }
}

/// One piece of a node's output, in the node's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// `audio` says that the node calls it sound, which the bytes of some containers do not tell.
    File {
        file: FileRef,
        audio: bool,
    },
}

/// The texts and files of one node's output, whatever its keys are called.
///
/// Custom nodes invent keys (`gifs`, `3d`, `latents`, …): everything that looks like a file is one. Files in the
/// worker's `input` folder are left out, because they were given and not made. Flags such as `animated` are none of both.
#[must_use]
pub fn pieces(output: &Value) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (key, values) in output.as_object().into_iter().flatten() {
        match key.as_str() {
            "text" | "string" => texts(values, &mut pieces),
            _ => {
                let files = values.as_array().into_iter().flatten().filter_map(file);
                pieces.extend(files.map(|file| Piece::File { file, audio: key == "audio" }));
            }
        }
    }
    pieces
}

fn texts(values: &Value, pieces: &mut Vec<Piece>) {
    match values {
        Value::Array(values) => values.iter().for_each(|value| texts(value, pieces)),
        Value::String(text) => pieces.push(Piece::Text(text.clone())),
        Value::Null => {}
        other => pieces.push(Piece::Text(other.to_string())),
    }
}

fn file(value: &Value) -> Option<FileRef> {
    let filename = value.get("filename")?.as_str().filter(|name| !name.is_empty())?;
    let folder = match value.get("type").and_then(Value::as_str) {
        Some("temp") => Folder::Temp,
        Some("output") | None => Folder::Output,
        Some(_) => return None,
    };
    let subfolder = value.get("subfolder").and_then(Value::as_str).unwrap_or_default();
    Some(FileRef { filename: filename.to_owned(), subfolder: subfolder.to_owned(), folder })
}

/// The output type under which clients see a file: by its bytes, because ComfyUI lists videos under `images`.
#[must_use]
pub fn kind(media: MediaType, audio: bool) -> OutputKind {
    match media {
        MediaType::Png | MediaType::Jpeg | MediaType::Webp | MediaType::Gif | MediaType::Bmp => OutputKind::Images,
        MediaType::Flac | MediaType::Mp3 | MediaType::Ogg | MediaType::Wav | MediaType::M4a => OutputKind::Audio,
        MediaType::Mp4 | MediaType::Webm if audio => OutputKind::Audio,
        MediaType::Mp4 | MediaType::Webm => OutputKind::Gifs,
        MediaType::Latent | MediaType::Safetensors | MediaType::Other => OutputKind::Files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn output_file(filename: &str) -> FileRef {
        FileRef { filename: filename.into(), subfolder: String::new(), folder: Folder::Output }
    }

    #[test]
    fn every_key_that_holds_files_gives_them_and_flags_give_nothing() {
        let output = json!({
            "images": [{"filename": "a.webm", "subfolder": "", "type": "output"}], "animated": [true],
            "latents": [{"filename": "b.latent", "type": "output"}], "result": ["3d/foo.glb", null],
        });
        let files: Vec<_> = pieces(&output);
        let expected = ["a.webm", "b.latent"].map(|name| Piece::File { file: output_file(name), audio: false });
        assert_eq!(files, expected);
    }

    #[test]
    fn input_files_and_nameless_files_are_not_outputs() {
        let output = json!({"images": [{"filename": "x.png", "type": "input"}, {"filename": "", "type": "output"}, 7]});
        assert_eq!(pieces(&output), []);
    }

    #[test]
    fn texts_of_lists_keep_their_order() {
        let output = json!({"text": ["a", ["b", 2], null, true]});
        let expected = ["a", "b", "2", "true"].map(|text| Piece::Text(text.into()));
        assert_eq!(pieces(&output), expected);
    }

    #[test]
    fn a_video_is_a_video_though_the_server_lists_it_under_images() {
        assert_eq!(kind(MediaType::Webm, false), OutputKind::Gifs);
        assert_eq!(kind(MediaType::Webm, true), OutputKind::Audio);
        assert_eq!(kind(MediaType::Webp, false), OutputKind::Images);
    }
}
