//! Default behavior of a scripted server.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::duration::Variation;

#[derive(Debug, Clone)]
pub struct Options {
    /// Duration of a prompt.
    pub delay: Duration,
    /// By what the durations of prompts differ; `None` for prompts that all take `delay`.
    pub variation: Option<Variation>,
    /// Delay of each output file, to simulate slow storage.
    pub view_delay: Duration,
    /// Every n-th prompt fails in its first node.
    pub fail_every: Option<u64>,
    pub version: String,
    /// The content of `/object_info`. Prompts with other classes are refused.
    pub object_info: Value,
    /// Accepts prompts with any class.
    pub any_class: bool,
    /// Model files by folder.
    pub models: BTreeMap<String, Vec<String>>,
    /// Side of generated pictures in pixels.
    pub image_side: u32,
    /// Keeps a line per request, for [`super::Scripted::heard`]. Load runs disable it.
    pub log: bool,
    /// Records when prompts arrived, started and ended. `GET /journal` returns those that ended since the last request.
    pub journal: bool,
    /// Port on loopback; 0 selects a free one.
    pub port: u16,
}

impl Options {
    /// A server with custom nodes whose outputs have unusual types: see [`custom_nodes`](super::custom_nodes).
    #[must_use]
    pub fn with_custom_nodes() -> Self {
        let mut options = Self::default();
        let classes: Value = serde_json::from_str(include_str!("custom_nodes.json")).unwrap_or_default();
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
            variation: None,
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
