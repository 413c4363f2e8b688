//! Progress, previews and texts of a running prompt, for its client.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ExtendedColorType, GrayImage, ImageEncoder, RgbImage, imageops};
use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use super::queue::QueuedPrompt;
use super::socket::{Preview, Priority};
use super::worker::Worker;
use crate::cpu::node::Reports;
use crate::cpu::value::ImageBatch;

/// Minimum interval between two reports of a node. The first and the last are always sent.
const MIN_INTERVAL: Duration = Duration::from_millis(50);
/// Larger graphs send their states at most once per [`MIN_INTERVAL`]: each message holds all nodes so far, so that the
/// traffic of a long chain would grow with its square.
const UNTHROTTLED_NODES: usize = 64;
/// Minimum interval between two previews of a node.
const MIN_PREVIEW_INTERVAL: Duration = Duration::from_millis(200);
/// Longer side of a preview, in pixels.
const PREVIEW_SIDE: u32 = 512;
/// JPEG quality of a preview.
const PREVIEW_QUALITY: u8 = 85;

/// The progress of every node of a prompt that has started.
pub(super) struct Progress<'a> {
    worker: &'a Worker,
    item: &'a QueuedPrompt,
    states: Mutex<States>,
}

#[derive(Default)]
struct States {
    nodes: IndexMap<String, Node>,
    sent: Option<Instant>,
    /// Whether there are changes since the last message.
    has_unsent: bool,
}

#[derive(Clone, Copy)]
struct Node {
    value: u64,
    max: u64,
    is_finished: bool,
    /// Found in the cache. Shown with integers, as a real server does.
    is_cached: bool,
}

impl<'a> Progress<'a> {
    pub fn new(worker: &'a Worker, item: &'a QueuedPrompt) -> Self {
        Self { worker, item, states: Mutex::default() }
    }

    pub fn start(&self, node_id: &str) {
        self.set(node_id, Node { value: 0, max: 1, is_finished: false, is_cached: false }, Priority::Required);
    }

    pub fn finish(&self, node_id: &str) {
        let max = self.lock().nodes.get(node_id).map_or(1, |node| node.max);
        self.set(node_id, Node { value: max, max, is_finished: true, is_cached: false }, Priority::Required);
    }

    pub fn finish_cached(&self, node_id: &str) {
        self.set(node_id, Node { value: 1, max: 1, is_finished: true, is_cached: true }, Priority::Required);
    }

    /// Sends the changes that were held back, if any.
    pub fn flush(&self) {
        let mut states = self.lock();
        if states.has_unsent {
            self.send(&mut states, Priority::Required);
        }
    }

    fn lock(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, node_id: &str, node: Node, priority: Priority) {
        let mut states = self.lock();
        states.nodes.insert(node_id.to_owned(), node);
        let is_early = states.sent.is_some_and(|sent| sent.elapsed() < MIN_INTERVAL);
        if states.nodes.len() > UNTHROTTLED_NODES && is_early {
            states.has_unsent = true;
        } else {
            self.send(&mut states, priority);
        }
    }

    fn send(&self, states: &mut States, priority: Priority) {
        states.sent = Some(Instant::now());
        states.has_unsent = false;
        let owner = self.item.client_id.as_deref();
        if !self.worker.sockets.has_receiver(owner) {
            return;
        }
        let nodes: Map<String, Json> =
            states.nodes.iter().map(|(id, node)| (id.clone(), self.state(id, *node))).collect();
        let data = json!({"prompt_id": self.item.prompt_id, "nodes": nodes});
        self.worker.sockets.send(owner, "progress_state", &data, priority);
    }

    fn state(&self, id: &str, node: Node) -> Json {
        #[expect(clippy::cast_precision_loss, reason = "steps of a node are far below 2^53")]
        let number = |value: u64| {
            if node.is_cached { json!(value) } else { json!(value as f64) }
        };
        json!({
            "value": number(node.value),
            "max": number(node.max),
            "state": if node.is_finished { "finished" } else { "running" },
            "node_id": id,
            "prompt_id": self.item.prompt_id,
            "display_node_id": id,
            "parent_node_id": null,
            "real_node_id": id,
        })
    }
}

/// The reports of one running node.
pub(super) struct NodeReports<'a> {
    progress: &'a Progress<'a>,
    node_id: &'a str,
    sent: Mutex<Sent>,
}

#[derive(Default)]
struct Sent {
    report: Option<Instant>,
    preview: Option<Instant>,
}

impl<'a> NodeReports<'a> {
    pub fn new(progress: &'a Progress<'a>, node_id: &'a str) -> Self {
        Self { progress, node_id, sent: Mutex::default() }
    }

    fn owner(&self) -> Option<&str> {
        self.progress.item.client_id.as_deref()
    }
}

impl NodeReports<'_> {
    fn send_picture(&self, file: Vec<u8>, content_type: &'static str, priority: Priority) {
        let metadata = json!({
            "node_id": self.node_id,
            "prompt_id": self.progress.item.prompt_id,
            "display_node_id": self.node_id,
            "parent_node_id": null,
            "real_node_id": self.node_id,
            "image_type": content_type,
        });
        self.progress.worker.sockets.send_preview(self.owner(), &Preview { file, content_type, metadata }, priority);
    }
}

/// Whether enough time has passed. If so, restarts the interval.
fn is_due(last: &mut Option<Instant>, between: Duration) -> bool {
    let due = last.is_none_or(|last| last.elapsed() >= between);
    if due {
        *last = Some(Instant::now());
    }
    due
}

impl Reports for NodeReports<'_> {
    fn progress(&self, value: u64, max: u64) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_last = value >= max;
        if !is_due(&mut sent.report, MIN_INTERVAL) && !is_last {
            return;
        }
        let priority = if is_last { Priority::Required } else { Priority::Droppable };
        self.progress.set(self.node_id, Node { value, max, is_finished: false, is_cached: false }, priority);
        let data = json!({"value": value, "max": max, "prompt_id": self.progress.item.prompt_id, "node": self.node_id});
        self.progress.worker.sockets.send(self.owner(), "progress", &data, priority);
    }

    fn preview(&self, image: &ImageBatch) {
        if !self.progress.worker.sockets.has_receiver(self.owner()) {
            return;
        }
        if !is_due(&mut self.sent.lock().unwrap_or_else(PoisonError::into_inner).preview, MIN_PREVIEW_INTERVAL) {
            return;
        }
        let Some(jpeg) = preview_jpeg(image) else {
            return;
        };
        self.send_picture(jpeg, "image/jpeg", Priority::Droppable);
    }

    fn picture(&self, png: Vec<u8>) {
        self.send_picture(png, "image/png", Priority::Required);
    }

    fn text(&self, text: &str) {
        self.progress.worker.sockets.send_text(self.node_id, text);
    }

    fn interrupted(&self) -> bool {
        self.progress.worker.queue.interrupted()
    }
}

/// The first picture of a batch as a JPEG of at most [`PREVIEW_SIDE`].
fn preview_jpeg(image: &ImageBatch) -> Option<Vec<u8>> {
    let picture = image.picture(0)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
    let byte = |sample: &f32| (sample * 255.0).clamp(0.0, 255.0) as u8;
    let (width, height) = (u32::try_from(image.width).ok()?, u32::try_from(image.height).ok()?);
    // Samples a large picture sparsely, so that a preview takes little memory.
    let stride = image.width.max(image.height).div_ceil(2 * PREVIEW_SIDE as usize).max(1);
    let pixels = (0..image.height).step_by(stride).flat_map(|y| {
        let row = picture.chunks_exact(image.channels.max(1)).skip(y * image.width).take(image.width);
        row.step_by(stride)
    });
    let (width, height) = (width.div_ceil(u32::try_from(stride).ok()?), height.div_ceil(u32::try_from(stride).ok()?));
    let picture = if image.channels >= 3 {
        let samples = pixels.flat_map(|pixel| pixel.iter().take(3).map(byte)).collect();
        DynamicImage::ImageRgb8(RgbImage::from_raw(width, height, samples)?)
    } else {
        let samples = pixels.filter_map(|pixel| pixel.first().map(byte)).collect();
        DynamicImage::ImageLuma8(GrayImage::from_raw(width, height, samples)?)
    };
    let picture = if width.max(height) > PREVIEW_SIDE {
        picture.resize(PREVIEW_SIDE, PREVIEW_SIDE, imageops::FilterType::Triangle)
    } else {
        picture
    };
    let rgb = picture.to_rgb8();
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, PREVIEW_QUALITY)
        .write_image(&rgb, rgb.width(), rgb.height(), ExtendedColorType::Rgb8)
        .ok()?;
    Some(jpeg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previews_are_small_jpegs_for_any_channels() {
        for (channels, width) in [(1, 700), (3, 1024), (4, 30)] {
            let jpeg = preview_jpeg(&ImageBatch::filled(2, 20, width, channels, 0.5)).unwrap();
            let read = image::load_from_memory(&jpeg).unwrap();
            assert_eq!(read.width(), u32::try_from(width).unwrap().min(PREVIEW_SIDE), "{channels} channels");
        }
        assert!(preview_jpeg(&ImageBatch::filled(0, 20, 20, 3, 0.5)).is_none(), "an empty batch shows nothing");
    }
}
