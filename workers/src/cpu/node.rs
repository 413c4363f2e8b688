//! The node trait, and what a node gets while it runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::budget::Memory;
use super::value::{ImageBatch, MaskBatch, Value};

/// A node class. One stateless instance serves every node of the class.
pub trait Node: Send + Sync {
    /// The class name in prompts, such as `ImageScale`.
    fn class(&self) -> &'static str;

    /// The entry of `/object_info` in ComfyUI's format (`input`, `input_order`, `output`, …). Lists the files in the
    /// folders now.
    fn definition(&self, folders: &Folders) -> Json;

    /// Runs the node. Inputs are validated and converted against the definition. Optional ones may be absent.
    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError>;

    /// What the result depends on besides the inputs, such as a file's bytes. Part of the cache key. `None` means the
    /// inputs alone. A node that must run every time returns a new value each time.
    fn fingerprint(&self, _inputs: &Inputs, _folders: &Folders) -> Option<String> {
        None
    }

    /// The node's own check of its literal inputs before the prompt is queued (`VALIDATE_INPUTS`). The error is the
    /// input's name and the text that ComfyUI puts after `{input} - ` in `custom_validation_failed`.
    fn validate(&self, _inputs: &Inputs, _folders: &Folders) -> Result<(), (String, String)> {
        Ok(())
    }

    /// Whether the node takes whole lists (`INPUT_IS_LIST`), through [`Inputs::list`]. Any other node runs once per
    /// element.
    fn input_is_list(&self) -> bool {
        false
    }
}

/// The worker's folders. File names never leave them.
#[derive(Debug, Clone)]
pub struct Folders {
    pub input: PathBuf,
    pub output: PathBuf,
    pub temp: PathBuf,
}

impl Folders {
    /// The folder for a type of the protocol: `input`, `output` or `temp`.
    #[must_use]
    pub fn by_type(&self, kind: &str) -> Option<&Path> {
        match kind {
            "input" => Some(&self.input),
            "output" => Some(&self.output),
            "temp" => Some(&self.temp),
            _ => None,
        }
    }
}

/// The inputs of one run by name. A list output upstream gives several values for one name.
#[derive(Debug, Clone, Default)]
pub struct Inputs(pub IndexMap<String, Vec<Value>>);

impl Inputs {
    /// All values of an input that takes lists; empty if absent.
    #[must_use]
    pub fn list(&self, name: &str) -> &[Value] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.list(name).first()
    }

    pub fn image(&self, name: &str) -> Result<&Arc<ImageBatch>, NodeError> {
        match self.get(name) {
            Some(Value::Image(image)) => Ok(image),
            other => Err(wrong_type(name, "IMAGE", other)),
        }
    }

    pub fn mask(&self, name: &str) -> Result<&Arc<MaskBatch>, NodeError> {
        match self.get(name) {
            Some(Value::Mask(mask)) => Ok(mask),
            other => Err(wrong_type(name, "MASK", other)),
        }
    }

    pub fn text(&self, name: &str) -> Result<&str, NodeError> {
        match self.get(name) {
            Some(Value::Text(text)) => Ok(text),
            other => Err(wrong_type(name, "STRING", other)),
        }
    }

    /// An integer. Floats are truncated like Python's `int()`.
    pub fn int(&self, name: &str) -> Result<i128, NodeError> {
        match self.get(name) {
            Some(Value::Int(number)) => Ok(*number),
            #[expect(clippy::cast_possible_truncation, reason = "saturates, and ranges were validated")]
            Some(Value::Float(number)) => Ok(*number as i128),
            Some(Value::Bool(flag)) => Ok(i128::from(*flag)),
            other => Err(wrong_type(name, "INT", other)),
        }
    }

    pub fn float(&self, name: &str) -> Result<f64, NodeError> {
        match self.get(name) {
            Some(Value::Float(number)) => Ok(*number),
            #[expect(clippy::cast_precision_loss, reason = "as Python's float() does")]
            Some(Value::Int(number)) => Ok(*number as f64),
            Some(Value::Bool(flag)) => Ok(f64::from(u8::from(*flag))),
            other => Err(wrong_type(name, "FLOAT", other)),
        }
    }

    pub fn bool(&self, name: &str) -> Result<bool, NodeError> {
        match self.get(name) {
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::Int(number)) => Ok(*number != 0),
            other => Err(wrong_type(name, "BOOLEAN", other)),
        }
    }
}

fn wrong_type(name: &str, wanted: &str, found: Option<&Value>) -> NodeError {
    NodeError::Raised {
        kind: "TypeError",
        message: format!("{name}: expected {wanted}, found {}", found.map_or("nothing", Value::type_name)),
    }
}

/// The result of a node.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// One entry per output slot: one value, or several if the slot is a list (`output_is_list`).
    pub outputs: Vec<Vec<Value>>,
    /// For `executed` and history (`{"images": […]}`, `{"text": […]}`); `None` for nodes without UI output.
    pub ui: Option<Json>,
}

impl Outcome {
    #[must_use]
    pub fn one(value: Value) -> Self {
        Self { outputs: vec![vec![value]], ui: None }
    }

    #[must_use]
    pub fn many(values: impl IntoIterator<Item = Value>) -> Self {
        Self { outputs: values.into_iter().map(|value| vec![value]).collect(), ui: None }
    }
}

/// Why a node ended without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeError {
    /// The prompt was interrupted. Not a failure of the node.
    Interrupted,
    /// The node raised. `kind` is Python's exception type, such as `ValueError`.
    Raised { kind: &'static str, message: String },
}

impl NodeError {
    pub fn value(message: impl Into<String>) -> Self {
        Self::Raised { kind: "ValueError", message: message.into() }
    }
}

pub struct Context<'a> {
    pub folders: &'a Folders,
    /// The node's id in the prompt.
    pub node_id: &'a str,
    /// The submitted prompt with `extra_pnginfo`. Output nodes write them into PNG texts.
    pub prompt: &'a Json,
    pub extra_pnginfo: Option<&'a Json>,
    /// Largest side of an image in pixels.
    pub max_side: usize,
    /// Maximum bytes of samples of a single output.
    pub max_bytes: usize,
    /// This run's share of the worker's memory.
    pub memory: &'a Memory<'a>,
    /// Receives reports of this run.
    pub reports: &'a dyn Reports,
}

/// Reports of a running node.
pub trait Reports: Sync {
    /// `value` of `max` steps are done. Sent as `progress` and `progress_state`.
    fn progress(&self, value: u64, max: u64);
    /// A preview: the first picture of the batch. Sent as a binary preview.
    fn preview(&self, image: &ImageBatch);
    /// Minimum interval between two previews.
    fn preview_every(&self) -> Duration {
        Duration::from_millis(300)
    }
    /// A finished PNG file that is only sent to the client (SaveImageWebsocket).
    fn picture(&self, png: Vec<u8>);
    /// A text shown on the node (binary message 3), as GetImageSize sends.
    fn text(&self, text: &str);
    /// Whether the prompt was interrupted.
    fn interrupted(&self) -> bool;
}

/// Ignores all reports and never interrupts.
impl Reports for () {
    fn progress(&self, _value: u64, _max: u64) {}
    fn preview(&self, _image: &ImageBatch) {}
    fn picture(&self, _png: Vec<u8>) {}
    fn text(&self, _text: &str) {}
    fn interrupted(&self) -> bool {
        false
    }
}

impl Context<'_> {
    /// Reports progress, and fails if the prompt was interrupted. Call it at least every 50 ms. Classes of ComfyUI report
    /// progress only where ComfyUI does, and call [`Self::check`] elsewhere.
    pub fn progress(&self, value: u64, max: u64) -> Result<(), NodeError> {
        self.check()?;
        self.reports.progress(value, max);
        Ok(())
    }

    pub fn check(&self) -> Result<(), NodeError> {
        if self.reports.interrupted() { Err(NodeError::Interrupted) } else { Ok(()) }
    }

    /// Reserves memory until the node ends.
    pub fn reserve(&self, bytes: usize) -> Result<(), NodeError> {
        self.memory.reserve(bytes)
    }

    /// Checks a size against the limits before it is allocated, and reserves its memory.
    pub fn reserve_size(&self, batch: usize, height: usize, width: usize, channels: usize) -> Result<(), NodeError> {
        self.reserve(self.check_size(batch, height, width, channels)?)
    }

    /// Checks a size against the limits of one output. Returns its bytes.
    pub fn check_size(&self, batch: usize, height: usize, width: usize, channels: usize) -> Result<usize, NodeError> {
        let bytes = batch
            .checked_mul(height)
            .and_then(|n| n.checked_mul(width))
            .and_then(|n| n.checked_mul(channels))
            .and_then(|n| n.checked_mul(size_of::<f32>()));
        if height > self.max_side || width > self.max_side {
            return Err(NodeError::value(format!(
                "an image of {width}x{height} is larger than this worker makes (at most {0}x{0})",
                self.max_side
            )));
        }
        match bytes {
            Some(bytes) if bytes <= self.max_bytes => Ok(bytes),
            _ => Err(NodeError::value(format!(
                "{batch} images of {width}x{height} need more memory than this worker gives a node ({} MiB)",
                self.max_bytes >> 20
            ))),
        }
    }
}
