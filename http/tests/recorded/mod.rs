//! Recorded graphs of a real ComfyUI server, with their inputs and outputs.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{GenericImageView as _, ImageReader};
use serde_json::Value;
use verdigraph_workers::cpu::ComfyVersion;

/// One graph.
pub struct Recording {
    pub folder: PathBuf,
    expected: Value,
}

/// The outputs of a run, by node and place.
pub trait Outputs {
    /// The bytes of a picture.
    fn picture(&self, node: &str, place: usize) -> Option<Vec<u8>>;
    fn text(&self, node: &str, place: usize) -> Option<String>;
}

impl Recording {
    /// All of them by name.
    pub fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workers/tests/data/fixtures");
        let entries = std::fs::read_dir(folder).expect("recordings");
        let mut folders: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.join("workflow.json").exists())
            .collect();
        folders.sort();
        assert!(folders.len() >= 23, "only {} recordings were found", folders.len());
        folders.into_iter().map(Self::read).collect()
    }

    fn read(folder: PathBuf) -> Self {
        let text = std::fs::read_to_string(folder.join("expected.json")).expect("a recording");
        Self { folder, expected: serde_json::from_str(&text).expect("JSON") }
    }

    pub fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Differences between recorded and new outputs.
    pub fn differences(&self, outputs: &impl Outputs) -> Vec<String> {
        let mut wrong = Vec::new();
        for (node, files) in self.expected["images"].as_object().expect("images") {
            for (place, file) in files.as_array().expect("files").iter().enumerate() {
                let file = file["file"].as_str().expect("a name");
                let found = outputs.picture(node, place);
                wrong.extend(self.compare(file, found.as_deref()).map(|why| format!("{file}: {why}")));
            }
        }
        for (node, texts) in self.expected["text"].as_object().expect("texts") {
            for (place, text) in texts.as_array().expect("texts").iter().enumerate() {
                let found = outputs.text(node, place);
                if found.as_deref() != text.as_str() {
                    wrong.push(format!("text of node {node}: {found:?} instead of {text}"));
                }
            }
        }
        wrong
    }

    /// The largest difference that the recording allows per sample.
    fn limit(&self) -> u8 {
        let compare = self.expected["compare"].as_str();
        compare.and_then(|text| text.strip_prefix("within ")?.split(' ').next()?.parse().ok()).unwrap_or(0)
    }

    fn compare(&self, file: &str, found: Option<&[u8]>) -> Option<String> {
        let own = self.folder.join(format!("expected-v{}", ComfyVersion::default())).join(file);
        let expected = if own.exists() { own } else { self.folder.join(file) };
        let expected = image::open(expected).expect("a recorded picture");
        let found =
            found.and_then(|bytes| ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?.decode().ok());
        let Some(found) = found else { return Some("is no picture".into()) };
        if (found.dimensions(), found.color()) != (expected.dimensions(), expected.color()) {
            return Some(format!(
                "{:?} {:?} instead of {:?}",
                found.dimensions(),
                found.color(),
                expected.dimensions()
            ));
        }
        let pairs = found.as_bytes().iter().zip(expected.as_bytes());
        let (worst, limit) = (pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0), self.limit());
        (worst > limit).then(|| format!("differs by {worst}, limit {limit}"))
    }
}
