use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::super::node::{Context, Inputs, Node, NodeError, Outcome, Reports};
use super::super::testing::{folders, processor_time, with_context};
use super::super::value::{ImageBatch, Value};

/// Records a node's reports. May interrupt after the first one.
#[derive(Default)]
struct Listener {
    stop_after_first: bool,
    stopped_at: Mutex<Option<Duration>>,
    interrupted: AtomicBool,
    seen: Mutex<Vec<(u64, u64)>>,
    /// The colorfulness of each preview, if previews are requested after every step.
    previews: Option<Mutex<Vec<f32>>>,
}

impl Reports for Listener {
    fn progress(&self, value: u64, max: u64) {
        self.seen.lock().expect("not poisoned").push((value, max));
        if self.stop_after_first && !self.interrupted.swap(true, Ordering::SeqCst) {
            *self.stopped_at.lock().expect("not poisoned") = Some(processor_time());
        }
    }

    fn preview(&self, image: &ImageBatch) {
        assert!(
            image.width.max(image.height) <= 512,
            "a preview of {}x{} is too large to send",
            image.width,
            image.height
        );
        if let Some(previews) = &self.previews {
            previews.lock().expect("not poisoned").push(colourfulness(image));
        }
    }

    fn preview_every(&self) -> Duration {
        if self.previews.is_some() { Duration::ZERO } else { Duration::from_millis(300) }
    }

    fn picture(&self, _png: Vec<u8>) {}

    fn text(&self, _text: &str) {}

    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }
}

fn run_with(node: &dyn Node, changes: &Json, listener: &Listener) -> Result<Outcome, NodeError> {
    with_context(4 << 30, listener, |context| node.run(&inputs(node, changes), context))
}

/// The defaults of a node with a small size and the given changes.
fn inputs(node: &dyn Node, changes: &Json) -> Inputs {
    let small = json!({ "width": 96, "height": 72, "steps": 500, "cells": 96.0, "seed": 7 });
    let mut inputs = Inputs::default();
    let definition = node.definition(&folders());
    for (name, spec) in definition["input"]["required"].as_object().expect("inputs") {
        let value = changes.get(name).or_else(|| small.get(name)).unwrap_or(&spec[1]["default"]);
        let value = match spec[0].as_str() {
            Some("INT") => Value::Int(value.as_i64().expect("whole number").into()),
            Some("FLOAT") => Value::Float(value.as_f64().expect("number")),
            Some("IMAGE") => Value::Image(test_picture()),
            _ => Value::Text(value.as_str().expect("choice").into()),
        };
        inputs.0.insert(name.clone(), vec![value]);
    }
    inputs
}

/// A batch of two pictures with an alpha channel: ramps and a bright spot.
fn test_picture() -> Arc<ImageBatch> {
    let (height, width) = (60_usize, 84_usize);
    let mut data = Vec::new();
    for picture in 0..2_usize {
        for y in 0..height {
            for x in 0..width {
                let spot = if x.abs_diff(40) + y.abs_diff(30) < 12 { 1.0 } else { 0.0 };
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                let (u, v) = (x as f32 / width as f32, (y + picture * 9) as f32 / (height + 9) as f32);
                data.extend([u.max(spot), v.max(spot), (u * v).max(spot), v]);
            }
        }
    }
    Arc::new(ImageBatch { batch: 2, height, width, channels: 4, data })
}

fn image(outcome: &Outcome) -> &ImageBatch {
    match &outcome.outputs[0][0] {
        Value::Image(image) => image,
        other => panic!("expected a picture, found {other:?}"),
    }
}

/// A hash of the samples, bit by bit.
fn hash(outcome: &Outcome) -> String {
    let mut hasher = Sha256::new();
    for sample in &image(outcome).data {
        hasher.update(sample.to_bits().to_le_bytes());
    }
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn picture_of(node: &dyn Node, changes: &Json) -> Outcome {
    run_with(node, changes, &Listener::default()).unwrap_or_else(|error| panic!("{}: {error:?}", node.class()))
}

fn find(class: &str) -> Box<dyn Node> {
    super::nodes().into_iter().find(|node| node.class() == class).expect("class of this family")
}

fn is_generator(node: &dyn Node) -> bool {
    node.definition(&folders())["input"]["required"].get("width").is_some()
}

#[test]
fn pixels_do_not_depend_on_threads() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
    let (one, many) = (pool(1), pool(5));
    for node in super::nodes() {
        let first = one.install(|| hash(&picture_of(node.as_ref(), &json!({}))));
        let again = many.install(|| hash(&picture_of(node.as_ref(), &json!({}))));
        assert_eq!(first, again, "{} depends on the number of threads", node.class());
    }
}

/// These numbers must never change: users share seeds.
#[test]
fn seed_gives_recorded_pixels() {
    let changes = json!({ "seed": 20_261_121 });
    for (class, wanted) in [("VerdigraphAttractor", "d112b4a5b8ebdb40"), ("VerdigraphSilk", "c0a142d427e46574")] {
        let node = find(class);
        assert_eq!(hash(&picture_of(node.as_ref(), &changes)), wanted, "{class} paints another picture than before");
    }
}

/// The largest difference between red, green and blue.
fn colourfulness(picture: &ImageBatch) -> f32 {
    let apart = |pixel: &[f32]| {
        let ends = |(low, high): (f32, f32), part: &f32| (low.min(*part), high.max(*part));
        let (low, high) = pixel.iter().take(3).fold((1.0, 0.0), ends);
        high - low
    };
    picture.data.chunks_exact(picture.channels).map(apart).fold(0.0, f32::max)
}

#[test]
fn previews_have_the_pictures_colors() {
    for node in super::nodes().into_iter().filter(|node| is_generator(node.as_ref())) {
        for palette in ["ink", "candy"] {
            let listener = Listener { previews: Some(Mutex::default()), ..Listener::default() };
            let outcome = run_with(node.as_ref(), &json!({ "palette": palette }), &listener).expect("paints");
            let (class, wanted) = (node.class(), colourfulness(image(&outcome)));
            let previews = listener.previews.expect("kept").into_inner().expect("not poisoned");
            let last = previews.last().copied().unwrap_or_else(|| panic!("{class} shows nothing on its way"));
            let most = previews.iter().copied().fold(0.0, f32::max);
            assert!(most < wanted + 0.15, "{class} in {palette}: a preview has {most}, the picture {wanted}");
            assert!(last > wanted - 0.15, "{class} in {palette}: the last preview has {last}, the picture {wanted}");
        }
    }
}

#[test]
fn different_seed_gives_different_picture() {
    for node in super::nodes() {
        let definition = node.definition(&folders());
        if definition["input"]["required"].get("seed").is_none() {
            continue;
        }
        let hashes: Vec<String> = [1_i64, 2, (1 << 53) - 1]
            .iter()
            .map(|seed| hash(&picture_of(node.as_ref(), &json!({ "seed": seed, "direction": "up" }))))
            .collect();
        assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2], "{} ignores its seed", node.class());
    }
}

#[test]
fn picture_has_requested_size_and_valid_samples() {
    for node in super::nodes() {
        let outcome = picture_of(node.as_ref(), &json!({}));
        let picture = image(&outcome);
        let (batch, height, width) = if is_generator(node.as_ref()) { (1, 72, 96) } else { (2, 60, 84) };
        assert_eq!((picture.batch, picture.height, picture.width), (batch, height, width), "{}", node.class());
        assert_eq!(picture.data.len(), picture.batch * picture.picture_len(), "{}", node.class());
        assert!(picture.data.iter().all(|v| (0.0..=1.0).contains(v)), "{} leaves 0 to 1", node.class());
        let low = picture.data.iter().copied().fold(1.0, f32::min);
        let high = picture.data.iter().copied().fold(0.0, f32::max);
        assert!(high - low > 0.2, "{} paints nothing: {low} to {high}", node.class());
    }
}

#[test]
fn filter_keeps_the_alpha_channel() {
    let source = test_picture();
    for node in super::nodes().into_iter().filter(|node| !is_generator(node.as_ref())) {
        let outcome = picture_of(node.as_ref(), &json!({}));
        let same =
            image(&outcome).data.chunks(4).zip(source.data.chunks(4)).all(|(a, b)| a[3].to_bits() == b[3].to_bits());
        assert!(same, "{} changes alpha", node.class());
    }
}

#[test]
fn every_choice_paints() {
    for node in super::nodes() {
        let definition = node.definition(&folders());
        for (name, spec) in definition["input"]["required"].as_object().expect("inputs") {
            // All nodes read palettes with the same code; testing one node is enough.
            if name == "palette" && node.class() != "VerdigraphGradientMap" {
                continue;
            }
            for option in spec[0].as_array().into_iter().flatten() {
                picture_of(node.as_ref(), &json!({ name: option }));
            }
        }
    }
}

#[test]
fn range_limits_are_accepted() {
    for node in super::nodes() {
        let definition = node.definition(&folders());
        for (name, spec) in definition["input"]["required"].as_object().expect("inputs") {
            if ["width", "height", "steps", "iterations"].contains(&name.as_str()) {
                continue;
            }
            for end in ["min", "max"] {
                if let Some(value) = spec[1].get(end) {
                    let outcome = picture_of(node.as_ref(), &json!({ name: value }));
                    let finite = image(&outcome).data.iter().all(|v| v.is_finite());
                    assert!(finite, "{} with {name} = {value} leaves holes", node.class());
                }
            }
        }
    }
}

#[test]
fn values_out_of_range_are_rejected() {
    let node = find("VerdigraphFlowField");
    for (changes, word) in [
        (json!({ "width": 2049 }), "width"),
        (json!({ "height": 8 }), "height"),
        (json!({ "seed": -1 }), "seed"),
        (json!({ "spacing": 0.0 }), "spacing"),
        (json!({ "palette": "mud" }), "palette"),
        (json!({ "ground": "sand" }), "ground"),
    ] {
        match run_with(node.as_ref(), &changes, &Listener::default()) {
            Err(NodeError::Raised { kind: "ValueError", message }) => assert!(message.contains(word), "{message}"),
            other => panic!("{changes} was taken: {other:?}"),
        }
    }
    let mut inputs = inputs(node.as_ref(), &json!({}));
    inputs.0.insert("scale".to_owned(), vec![Value::Float(f64::NAN)]);
    assert!(
        super::parameters::Values::read(super::generators::RECIPES[0].parameters, &inputs).is_err(),
        "NaN was taken"
    );
}

#[test]
fn too_little_memory_is_detected_before_painting() {
    for node in super::nodes() {
        let outcome = with_context(4 << 30, &Listener::default(), |context| {
            let context = Context { max_bytes: 1 << 10, ..*context };
            node.run(&inputs(node.as_ref(), &json!({})), &context)
        });
        assert!(matches!(outcome, Err(NodeError::Raised { kind: "ValueError", .. })), "{} went on", node.class());
    }
}

#[test]
fn every_node_reports_full_progress() {
    for node in super::nodes() {
        let listener = Listener::default();
        run_with(node.as_ref(), &json!({}), &listener).expect("paints");
        let seen = listener.seen.lock().expect("not poisoned").clone();
        let last = seen.last().copied().unwrap_or_default();
        assert!(last.1 > 0 && last.0 == last.1, "{} ends at {last:?}", node.class());
        assert!(seen.iter().all(|(value, max)| value <= max), "{} goes past its end", node.class());
    }
}

#[test]
fn interrupt_ends_a_large_picture_within_200_ms() {
    // One thread, so that all work is counted.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("pool");
    for node in super::nodes().into_iter().filter(|node| is_generator(node.as_ref())) {
        let class = node.class();
        let took = pool.install(|| {
            let listener = Listener { stop_after_first: true, ..Listener::default() };
            let changes = json!({ "width": 2048, "height": 2048, "steps": 8000 });
            let outcome = run_with(node.as_ref(), &changes, &listener);
            assert_eq!(outcome.err(), Some(NodeError::Interrupted), "{class} went on");
            let asked = listener.stopped_at.lock().expect("not poisoned").expect("was asked");
            processor_time() - asked
        });
        assert!(took < Duration::from_millis(200), "{class} took {took:?} to stop");
    }
}

#[test]
fn defaults_satisfy_their_definition() {
    let mut classes = std::collections::HashSet::new();
    for node in super::nodes() {
        let (class, definition) = (node.class(), node.definition(&folders()));
        assert!(class.starts_with("Verdigraph") && classes.insert(class), "{class} is named badly or twice");
        assert!(definition["category"].as_str().is_some_and(|text| text.starts_with("verdigraph/")), "{class}");
        assert!(definition["description"].as_str().is_some_and(|text| text.len() > 30), "{class} has no description");
        let required = definition["input"]["required"].as_object().expect("inputs");
        let order: Vec<&str> = required.keys().map(String::as_str).collect();
        assert_eq!(json!(order), definition["input_order"]["required"], "{class}");
        for (name, spec) in required {
            let options = &spec[1];
            assert!(options["tooltip"].as_str().is_some_and(|text| text.len() > 10), "{class}.{name} has no tooltip");
            match &spec[0] {
                Json::Array(choices) => assert!(choices.contains(&options["default"]), "{class}.{name}"),
                kind if kind == "IMAGE" => assert!(options.get("default").is_none(), "{class}.{name}"),
                _ => {
                    let number = |key: &str| options[key].as_f64().expect("number");
                    assert!(number("min") <= number("default") && number("default") <= number("max"), "{class}.{name}");
                }
            }
        }
    }
    assert!(classes.len() >= 18, "the pack holds {} nodes only", classes.len());
}
