//! How a scripted server is when no script says otherwise.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

/// How the server is when no script says otherwise.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long a prompt runs.
    pub delay: Duration,
    /// How long it takes until a file of its outputs is given: what a slow storage costs.
    pub view_delay: Duration,
    /// Every n-th prompt raises in its first node.
    pub fail_every: Option<u64>,
    pub version: String,
    /// Node classes as `/object_info` has them; prompts with other classes are refused.
    pub object_info: Value,
    /// Takes prompts with any class.
    pub any_class: bool,
    /// Model files by folder.
    pub models: BTreeMap<String, Vec<String>>,
    /// Side of the pictures it makes, in pixels.
    pub image_side: u32,
    /// Keeps a line per request, for [`super::Scripted::heard`]; a load run turns it off.
    pub log: bool,
    /// Writes down when prompts came, began and ended; `GET /journal` gives those that ended since the last time.
    pub journal: bool,
    /// Port on loopback; 0 takes a free one.
    pub port: u16,
}

impl Options {
    /// A server that has custom nodes beside the stock ones, whose outputs are of unusual kinds: see
    /// [`wild`](super::wild).
    #[must_use]
    pub fn wild() -> Self {
        let mut options = Self::default();
        let classes: Value = serde_json::from_str(include_str!("wild.json")).unwrap_or_default();
        if let (Value::Object(known), Value::Object(classes)) = (&mut options.object_info, classes) {
            known.extend(classes);
        }
        options
    }
}

impl Default for Options {
    fn default() -> Self {
        let object_info = serde_json::from_str(include_str!("object_info.json")).unwrap_or_default();
        let models = BTreeMap::from([
            ("checkpoints".to_owned(), vec!["test.safetensors".to_owned()]),
            ("loras".to_owned(), Vec::new()),
        ]);
        Self {
            delay: Duration::ZERO,
            view_delay: Duration::ZERO,
            fail_every: None,
            version: "0.33.0".to_owned(),
            object_info,
            any_class: false,
            models,
            image_side: 16,
            log: true,
            journal: false,
            port: 0,
        }
    }
}
