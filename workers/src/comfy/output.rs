//! Parses node outputs: the `output` of an `executed` message or a history entry.

use serde_json::Value;
use verdigraph_core::assets::MediaType;
use verdigraph_core::fleet::{OutputKind, Undelivered, UndeliveredCode};

/// A file at the worker, as `/view` addresses it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileRef {
    pub filename: String,
    pub subfolder: String,
    pub folder: Folder,
}

/// Characters of a name that are shown.
const SHOWN_NAME: usize = 120;

impl FileRef {
    /// The name without folders and invisible characters.
    #[must_use]
    pub fn shown_name(&self) -> String {
        shown(self.filename.rsplit(['/', '\\']).next().unwrap_or_default())
    }
}

/// A worker's name for something, without invisible characters.
fn shown(name: &str) -> String {
    name.chars().filter(|letter| !verdigraph_core::names::is_hidden(*letter)).take(SHOWN_NAME).collect()
}

/// The worker's folder of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Folder {
    Output,
    /// Previews. Deleted when the server restarts.
    Temp,
}

impl Folder {
    /// The name in the protocol.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Temp => "temp",
        }
    }
}

/// One part of a node's output, in the node's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A text, number or flag under `key`.
    Text { key: String, text: String },
    /// `audio`: the node calls the file sound, which the bytes of some containers do not show.
    File { file: FileRef, audio: bool },
    /// A value that cannot be delivered.
    Undelivered(Undelivered),
}

/// Replaces a node's output that exceeds the budget. Real outputs are objects, never a flag.
pub const UNREAD: Value = Value::Bool(false);

/// Keys whose flags describe the values under other keys.
const FLAGS: [&str; 1] = ["animated"];
/// Keys whose lists may be nested. Each text in them is an output, at any depth.
const TEXT_KEYS: [&str; 2] = ["text", "string"];

/// Extracts the texts and files of one node's output, under any key.
///
/// Custom nodes invent keys (`gifs`, `tags`, `value`, …) and mix values under one key: every value that looks like a
/// file is one, at any depth, and texts, numbers and flags are texts. Files in the worker's `input` folder are left out:
/// they were inputs. Other values, such as objects and lists of lists, become notes.
#[must_use]
pub fn pieces(output: &Value) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if *output == UNREAD {
        let message = "what the node showed is more than can be read";
        pieces.push(Piece::Undelivered(Undelivered::new("output", UndeliveredCode::ValueTooLarge, message)));
    }
    for (key, values) in output.as_object().into_iter().flatten() {
        let values = match values {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        if FLAGS.contains(&key.as_str()) && values.iter().all(Value::is_boolean) {
            continue;
        }
        let not_shown: usize = values.iter().map(|value| shown_value(key, value, &mut pieces)).sum();
        if not_shown > 0 {
            let message = "the node shows a value that is neither a text nor a number nor a file";
            let note = Undelivered::new(&shown(key), UndeliveredCode::ValueNotShown, message);
            pieces.push(Piece::Undelivered(Undelivered { count: not_shown, ..note }));
        }
    }
    pieces
}

/// Adds what a value shows. Returns how many values show nothing.
fn shown_value(key: &str, value: &Value, pieces: &mut Vec<Piece>) -> usize {
    let text = match value {
        Value::Null => return 0,
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(values) if TEXT_KEYS.contains(&key) => {
            return values.iter().map(|value| shown_value(key, value, pieces)).sum();
        }
        Value::Array(_) | Value::Object(_) => return usize::from(!add_files(key, value, pieces)),
    };
    pieces.push(Piece::Text { key: shown(key), text });
    0
}

/// Adds the files at any depth of a value. Returns whether it names any, also such that are no outputs.
fn add_files(key: &str, value: &Value, pieces: &mut Vec<Piece>) -> bool {
    match value {
        Value::Array(values) => values.iter().filter(|value| add_files(key, value, pieces)).count() > 0,
        Value::Object(fields) if fields.get("filename").is_some_and(Value::is_string) => {
            pieces.extend(file(value).map(|file| Piece::File { file, audio: key == "audio" }));
            true
        }
        Value::Object(fields) => fields.values().filter(|value| add_files(key, value, pieces)).count() > 0,
        _ => false,
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

/// The output type under which clients see a file. Decided by its bytes, because ComfyUI lists videos under `images`.
#[must_use]
pub fn kind(media: MediaType, audio: bool) -> OutputKind {
    match media {
        MediaType::Png | MediaType::Jpeg | MediaType::Webp | MediaType::Gif | MediaType::Bmp => OutputKind::Images,
        MediaType::Flac | MediaType::Mp3 | MediaType::Ogg | MediaType::Wav | MediaType::M4a => OutputKind::Audio,
        MediaType::Mp4 | MediaType::Webm if audio => OutputKind::Audio,
        MediaType::Mp4 | MediaType::Webm => OutputKind::Gifs,
        MediaType::Latent | MediaType::Safetensors | MediaType::Text | MediaType::Other => OutputKind::Files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn output_file(filename: &str) -> FileRef {
        FileRef { filename: filename.into(), subfolder: String::new(), folder: Folder::Output }
    }

    /// The texts of an output, and the notes for other values.
    fn texts_of(output: &Value) -> (Vec<String>, Vec<(String, usize)>) {
        let (mut texts, mut notes) = (Vec::new(), Vec::new());
        for piece in pieces(output) {
            match piece {
                Piece::Text { text, .. } => texts.push(text),
                Piece::Undelivered(note) => notes.push((note.name, note.count)),
                Piece::File { file, .. } => panic!("{file:?} is a file"),
            }
        }
        (texts, notes)
    }

    #[test]
    fn files_of_any_key_are_outputs_and_flags_are_not() {
        let output = json!({
            "images": [{"filename": "a.webm", "subfolder": "", "type": "output"}], "animated": [true],
            "latents": [{"filename": "b.latent", "type": "output"}], "odd": [null, {"filename": "c.ply"}, 7],
        });
        let files = ["a.webm", "b.latent", "c.ply"].map(|name| Piece::File { file: output_file(name), audio: false });
        let number = Piece::Text { key: "odd".into(), text: "7".into() };
        assert_eq!(pieces(&output), files.into_iter().chain([number]).collect::<Vec<_>>());
    }

    #[test]
    fn files_at_any_depth_are_outputs() {
        let file = |name: &str| json!({"filename": name, "subfolder": "", "type": "output"});
        for output in [
            json!({"images": [[file("a.png")], [file("b.png")]]}),
            json!({"result": {"views": [file("a.png")], "mesh": file("b.png"), "count": 2}}),
            json!({"video": file("a.png"), "3d": [{"model": file("b.png"), "camera": null}]}),
        ] {
            let expected = ["a.png", "b.png"].map(|name| Piece::File { file: output_file(name), audio: false });
            assert_eq!(pieces(&output), expected, "{output}");
        }
    }

    #[test]
    fn values_beside_files_do_not_vanish() {
        for (output, texts, notes) in [
            (json!({"images": ["a text", 3, null]}), vec!["a text", "3"], vec![]),
            (json!({"3d": ["mesh/statue.glb"], "audio": 0.5}), vec!["0.5", "mesh/statue.glb"], vec![]),
            (json!({"gifs": [{"name": "a.gif"}, {"filename": 7}]}), vec![], vec![("gifs", 2)]),
            (json!({"animated": [true, false]}), vec![], vec![]),
            (json!({"animated": ["walk", true]}), vec!["walk", "true"], vec![]),
        ] {
            let (mut shown, named) = texts_of(&output);
            shown.sort_unstable();
            let mut texts = texts;
            texts.sort_unstable();
            let named: Vec<_> = named.iter().map(|(key, count)| (key.as_str(), *count)).collect();
            assert_eq!((shown.iter().map(String::as_str).collect(), named), (texts, notes), "{output}");
        }
    }

    #[test]
    fn input_files_and_nameless_files_are_not_outputs() {
        let output = json!({"images": [{"filename": "x.png", "type": "input"}, {"filename": "", "type": "output"}]});
        assert_eq!(pieces(&output), []);
    }

    #[test]
    fn texts_of_lists_keep_their_order() {
        let texts = ["a", "b", "2", "true"].map(str::to_owned).to_vec();
        assert_eq!(texts_of(&json!({"text": ["a", ["b", 2], null, true]})), (texts, Vec::new()));
    }

    #[test]
    fn texts_of_any_key_are_outputs_and_other_values_are_noted() {
        for (output, texts, notes) in [
            (json!({"tags": ["1girl, solo", "outdoors"]}), vec!["1girl, solo", "outdoors"], vec![]),
            (json!({"value": [42, 0.5, -7]}), vec!["42", "0.5", "-7"], vec![]),
            (json!({"value": 42, "name": "one", "flag": false}), vec!["42", "one", "false"], vec![]),
            (json!({"result": ["3d/foo.glb", null]}), vec!["3d/foo.glb"], vec![]),
            (json!({"result": [[0.5, true], ["nested"]], "flags": [true]}), vec!["true"], vec![("result", 2)]),
            (json!({"camera": [{"x": 1}], "also": {"y": 2}}), vec![], vec![("camera", 1), ("also", 1)]),
            (json!({"empty": [], "nothing": [null]}), vec![], vec![]),
            (json!(null), vec![], vec![]),
            (UNREAD, vec![], vec![("output", 1)]),
        ] {
            let (shown, named) = texts_of(&output);
            let named: Vec<_> = named.iter().map(|(key, count)| (key.as_str(), *count)).collect();
            assert_eq!((shown.iter().map(String::as_str).collect(), named), (texts, notes), "{output}");
        }
    }

    #[test]
    fn video_listed_under_images_is_a_video() {
        assert_eq!(kind(MediaType::Webm, false), OutputKind::Gifs);
        assert_eq!(kind(MediaType::Webm, true), OutputKind::Audio);
        assert_eq!(kind(MediaType::Webp, false), OutputKind::Images);
    }
}
