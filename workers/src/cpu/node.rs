//! What a node is, and what it is given while it runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::budget::Memory;
use super::value::{ImageBatch, MaskBatch, Value};

/// A node class. One instance serves every node of the class; it keeps no state.
pub trait Node: Send + Sync {
    /// The class name in prompts, such as `ImageScale`.
    fn class(&self) -> &'static str;

    /// The entry of `/object_info`, as ComfyUI gives it (`input`, `input_order`, `output`, …).
    /// File choices are listed as of now, from the folders.
    fn definition(&self, folders: &Folders) -> Json;

    /// Runs the node. Inputs were validated and converted against the definition; optional ones may be absent.
    ///
    /// # Errors
    /// [`NodeError`]: what ComfyUI's node would have raised, or the interrupt.
    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError>;

    /// What the result depends on besides the inputs (a file's bytes, say); part of the cache key.
    /// `None`: the inputs alone. A node that must run every time returns something new each time.
    fn fingerprint(&self, _inputs: &Inputs, _folders: &Folders) -> Option<String> {
        None
    }

    /// The node's own check before the prompt is queued (`VALIDATE_INPUTS`), over the literal inputs.
    ///
    /// # Errors
    /// The input's name, and the text that ComfyUI puts behind `{input} - ` in `custom_validation_failed`.
    fn validate(&self, _inputs: &Inputs, _folders: &Folders) -> Result<(), (String, String)> {
        Ok(())
    }

    /// Whether lists given to this node arrive whole (`INPUT_IS_LIST`). Such a node finds every input in
    /// [`Inputs::list`]; any other is run once per element.
    fn input_is_list(&self) -> bool {
        false
    }
}

/// Where files live. Names never leave these folders.
#[derive(Debug, Clone)]
pub struct Folders {
    pub input: PathBuf,
    pub output: PathBuf,
    pub temp: PathBuf,
}

impl Folders {
    /// The folder of a type as the protocol names it: `input`, `output` or `temp`.
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

/// The inputs of one run, by name. A list output upstream gives several values for one name.
#[derive(Debug, Clone, Default)]
pub struct Inputs(pub IndexMap<String, Vec<Value>>);

impl Inputs {
    /// Every value of an input that takes lists; empty when absent.
    #[must_use]
    pub fn list(&self, name: &str) -> &[Value] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The value of an input, where there is one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.list(name).first()
    }

    /// # Errors
    /// [`NodeError::Raised`] where the input is absent or of another type.
    pub fn image(&self, name: &str) -> Result<&Arc<ImageBatch>, NodeError> {
        match self.get(name) {
            Some(Value::Image(image)) => Ok(image),
            other => Err(wrong_type(name, "IMAGE", other)),
        }
    }

    /// # Errors
    /// [`NodeError::Raised`] where the input is absent or of another type.
    pub fn mask(&self, name: &str) -> Result<&Arc<MaskBatch>, NodeError> {
        match self.get(name) {
            Some(Value::Mask(mask)) => Ok(mask),
            other => Err(wrong_type(name, "MASK", other)),
        }
    }

    /// # Errors
    /// [`NodeError::Raised`] where the input is absent or of another type.
    pub fn text(&self, name: &str) -> Result<&str, NodeError> {
        match self.get(name) {
            Some(Value::Text(text)) => Ok(text),
            other => Err(wrong_type(name, "STRING", other)),
        }
    }

    /// A whole number; floats are cut as Python's `int()` does.
    ///
    /// # Errors
    /// [`NodeError::Raised`] where the input is absent or of another type.
    pub fn int(&self, name: &str) -> Result<i128, NodeError> {
        match self.get(name) {
            Some(Value::Int(number)) => Ok(*number),
            #[expect(clippy::cast_possible_truncation, reason = "saturates, and ranges were validated")]
            Some(Value::Float(number)) => Ok(*number as i128),
            Some(Value::Bool(flag)) => Ok(i128::from(*flag)),
            other => Err(wrong_type(name, "INT", other)),
        }
    }

    /// # Errors
    /// [`NodeError::Raised`] where the input is absent or of another type.
    pub fn float(&self, name: &str) -> Result<f64, NodeError> {
        match self.get(name) {
            Some(Value::Float(number)) => Ok(*number),
            #[expect(clippy::cast_precision_loss, reason = "as Python's float() does")]
            Some(Value::Int(number)) => Ok(*number as f64),
            Some(Value::Bool(flag)) => Ok(f64::from(u8::from(*flag))),
            other => Err(wrong_type(name, "FLOAT", other)),
        }
    }

    /// # Errors
    /// [`NodeError::Raised`] where the input is absent or of another type.
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

/// What a node gives back.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// One entry per output slot; each holds one value, or several where the slot is a list (`output_is_list`).
    pub outputs: Vec<Vec<Value>>,
    /// What goes into `executed` and history (`{"images": […]}`, `{"text": […]}`); `None` for nodes without UI output.
    pub ui: Option<Json>,
}

impl Outcome {
    /// One plain output.
    #[must_use]
    pub fn one(value: Value) -> Self {
        Self { outputs: vec![vec![value]], ui: None }
    }

    /// Several plain outputs.
    #[must_use]
    pub fn many(values: impl IntoIterator<Item = Value>) -> Self {
        Self { outputs: values.into_iter().map(|value| vec![value]).collect(), ui: None }
    }
}

/// Why a node ended without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeError {
    /// The prompt was interrupted; not a failure of the node.
    Interrupted,
    /// The node raised. `kind` is Python's exception type as a real server would name it, e.g. `ValueError`.
    Raised { kind: &'static str, message: String },
}

impl NodeError {
    /// A `ValueError`.
    pub fn value(message: impl Into<String>) -> Self {
        Self::Raised { kind: "ValueError", message: message.into() }
    }
}

/// What a node is given while it runs.
pub struct Context<'a> {
    pub folders: &'a Folders,
    /// The node's id in the prompt.
    pub node_id: &'a str,
    /// The prompt as it was queued, and `extra_pnginfo`; output nodes write them into PNG texts.
    pub prompt: &'a Json,
    pub extra_pnginfo: Option<&'a Json>,
    /// Largest side of an image a node may make, in pixels.
    pub max_side: usize,
    /// Most bytes of samples a single output may take.
    pub max_bytes: usize,
    /// What this run may take of the worker's memory.
    pub memory: &'a Memory<'a>,
    /// The way back to the queue.
    pub reports: &'a dyn Reports,
}

/// What a running node tells the queue.
pub trait Reports: Sync {
    /// `value` of `max` steps are done; sent on as `progress` and `progress_state`.
    fn progress(&self, value: u64, max: u64);
    /// A picture of the work so far (its first batch item is shown), sent on as a binary preview.
    fn preview(&self, image: &ImageBatch);
    /// The shortest time between two previews.
    fn preview_every(&self) -> Duration {
        Duration::from_millis(300)
    }
    /// A finished picture, as a PNG file, that goes to the client alone (SaveImageWebsocket).
    fn picture(&self, png: Vec<u8>);
    /// A text shown on the node (binary message 3), as GetImageSize does.
    fn text(&self, text: &str);
    /// Whether somebody asked to stop.
    fn interrupted(&self) -> bool;
}

/// Nobody listens, and nobody interrupts.
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
    /// Reports progress and stops here where somebody asked to; call it at least every 50 ms of work.
    ///
    /// # Errors
    /// [`NodeError::Interrupted`]
    pub fn progress(&self, value: u64, max: u64) -> Result<(), NodeError> {
        self.check()?;
        self.reports.progress(value, max);
        Ok(())
    }

    /// # Errors
    /// [`NodeError::Interrupted`] where somebody asked to stop.
    pub fn check(&self) -> Result<(), NodeError> {
        if self.reports.interrupted() { Err(NodeError::Interrupted) } else { Ok(()) }
    }

    /// Reserves memory that is about to be allocated, for as long as the node runs.
    ///
    /// # Errors
    /// An out-of-memory error, as a real server raises it.
    pub fn reserve(&self, bytes: usize) -> Result<(), NodeError> {
        self.memory.reserve(bytes)
    }

    /// Refuses a size beyond the limits before anything is allocated, and reserves its memory.
    ///
    /// # Errors
    /// A `ValueError` that names the limit, or an out-of-memory error.
    pub fn reserve_size(&self, batch: usize, height: usize, width: usize, channels: usize) -> Result<(), NodeError> {
        self.reserve(self.check_size(batch, height, width, channels)?)
    }

    /// Refuses a size beyond the limits of one output. Gives its bytes.
    ///
    /// # Errors
    /// A `ValueError` that names the limit.
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
