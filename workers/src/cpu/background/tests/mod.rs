mod composites;
mod edges;
mod join;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::super::node::{NodeError, Reports};
use super::super::testing::{processor_time, with_context};
use super::super::value::{ImageBatch, MaskBatch};
use super::cut::Options;
use super::grid::number;
use composites::{Composite, Edge, Ground};

const DEFAULTS: Options = Options { tolerance: 0.5, softness: 1.0, keep_holes: false };

/// Interrupts after the first report.
#[derive(Default)]
struct Listener(AtomicBool);

impl Reports for Listener {
    fn progress(&self, _value: u64, _max: u64) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn preview(&self, _image: &ImageBatch) {}

    fn picture(&self, _png: Vec<u8>) {}

    fn text(&self, _text: &str) {}

    fn interrupted(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

fn removed(image: &ImageBatch, keep: Option<&MaskBatch>, options: &Options) -> (ImageBatch, MaskBatch) {
    with_context(1 << 30, &(), |context| super::remove(image, keep, options, context)).expect("has a result")
}

fn picture(composite: &Composite) -> ImageBatch {
    let side = composite.side;
    ImageBatch { batch: 1, height: side, width: side, channels: 3, data: composite.samples.clone() }
}

#[derive(Debug, Clone, Copy, Default)]
struct Quality {
    /// Intersection of the mattes over their union, cut at one half.
    hard: f32,
    /// The same over the mattes as they are, which counts every strand.
    soft: f32,
    /// Mean absolute error of alpha.
    error: f32,
    /// Mean absolute error of the colors of half transparent pixels.
    color: f32,
}

fn quality(composite: &Composite) -> Quality {
    let (colors, mask) = removed(&picture(composite), None, &DEFAULTS);
    let (mut both, mut either, mut shared, mut total) = (0.0, 0.0, 0.0, 0.0);
    let (mut error, mut color, mut edge) = (0.0, 0.0, 0.0);
    for (at, (wanted, mask)) in composite.alpha.iter().zip(&mask.data).enumerate() {
        let alpha = 1.0 - mask;
        both += f32::from(u8::from(*wanted > 0.5 && alpha > 0.5));
        either += f32::from(u8::from(*wanted > 0.5 || alpha > 0.5));
        shared += wanted.min(alpha);
        total += wanted.max(alpha);
        error += (wanted - alpha).abs();
        if (0.1..0.9).contains(wanted) {
            let pairs = colors.data[at * 3..at * 3 + 3].iter().zip(composite.colors[at]);
            color += pairs.map(|(a, b)| (a - b).abs()).sum::<f32>() / 3.0;
            edge += 1.0;
        }
    }
    let count = number(composite.alpha.len());
    Quality { hard: both / either, soft: shared / total, error: error / count, color: color / edge }
}

fn mean(all: &[(Composite, Quality)], of: impl Fn(&Composite) -> bool) -> Quality {
    let chosen: Vec<Quality> = all.iter().filter(|(composite, _)| of(composite)).map(|(_, quality)| *quality).collect();
    let mean = |part: fn(&Quality) -> f32| chosen.iter().map(part).sum::<f32>() / number(chosen.len());
    Quality { hard: mean(|q| q.hard), soft: mean(|q| q.soft), error: mean(|q| q.error), color: mean(|q| q.color) }
}

fn measured(side: usize) -> Vec<(Composite, Quality)> {
    let all: Vec<(Composite, Quality)> = composites::all(side)
        .into_par_iter()
        .map(|composite| {
            let quality = quality(&composite);
            (composite, quality)
        })
        .collect();
    for (composite, quality) in &all {
        println!("{:18} {quality:.4?}", composite.name);
    }
    all
}

/// The figures that the node's description gives: the mean intersection over union.
const ON_PLAIN: f32 = 0.95;
const ON_TEXTURES: f32 = 0.9;

#[test]
fn mattes_of_thirty_composites_match() {
    let all = measured(128);
    assert_eq!(all.len(), 30);
    let plain = mean(&all, |composite| composite.ground != Ground::Textured);
    let textured = mean(&all, |composite| composite.ground == Ground::Textured);
    let hair = mean(&all, |composite| composite.ground != Ground::Textured && composite.edge == Edge::Hair);
    println!("plain and gradient {plain:.4?}\nof these with hair {hair:.4?}\ntextured {textured:.4?}");
    assert!(plain.hard > ON_PLAIN && plain.soft > ON_PLAIN, "the description promises {ON_PLAIN}: {plain:?}");
    assert!(hair.hard > 0.9 && hair.soft > 0.9, "fine strands are lost: {hair:?}");
    assert!(textured.hard > ON_TEXTURES, "the description promises {ON_TEXTURES} on textures: {textured:?}");
    assert!(plain.error < 0.01 && textured.error < 0.025, "alpha is off: {plain:?}, {textured:?}");
    assert!(plain.color < 0.1, "the background's color stays on the edge: {plain:?}");
    for figure in [ON_PLAIN, ON_TEXTURES] {
        assert!(super::DESCRIPTION.contains(&figure.to_string()), "the description does not give {figure}");
    }
}

#[test]
fn subject_in_front_of_blurred_patches_is_cut_out() {
    for seed in 1..4 {
        let found = quality(&Composite::new(128, Edge::Soft, Ground::Textured, 3, seed));
        assert!(found.hard > 0.9, "seed {seed}: {found:?}");
    }
}

/// `cargo test --release -p verdigraph-workers --lib background -- --ignored --nocapture`
#[test]
#[ignore = "measures a release build"]
fn full_size_picture_takes_under_two_seconds_on_one_core() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("pool");
    let all = composites::all(1024);
    for composite in all.iter().step_by(4) {
        let started = Instant::now();
        let (found, used) = pool.install(|| {
            let before = processor_time();
            (quality(composite), processor_time() - before)
        });
        println!("{:18} {used:?} of processor time, {:?} in all, {found:.4?}", composite.name, started.elapsed());
        assert!(used < Duration::from_secs(2), "{} took {used:?}", composite.name);
    }
}

#[test]
fn interrupt_ends_a_large_picture_within_200_ms() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("pool");
    let image = ImageBatch::filled(1, 2048, 2048, 3, 0.5);
    let used = pool.install(|| {
        let listener = Listener::default();
        let before = processor_time();
        let outcome = with_context(1 << 30, &listener, |context| super::remove(&image, None, &DEFAULTS, context));
        assert_eq!(outcome.err(), Some(NodeError::Interrupted));
        processor_time() - before
    });
    assert!(used < Duration::from_millis(200), "took {used:?} to stop");
}

#[test]
fn every_step_checks_for_an_interrupt() {
    /// Interrupts at the given check.
    struct Counter(std::sync::atomic::AtomicUsize);
    impl Reports for Counter {
        fn progress(&self, _value: u64, _max: u64) {}
        fn preview(&self, _image: &ImageBatch) {}
        fn picture(&self, _png: Vec<u8>) {}
        fn text(&self, _text: &str) {}
        fn interrupted(&self) -> bool {
            self.0.fetch_sub(1, Ordering::SeqCst) == 1
        }
    }
    let composite = Composite::new(96, Edge::Hard, Ground::Plain, 0, 5);
    let image = picture(&composite);
    for after in [1, 50, 300, 700, 1200] {
        let counter = Counter(after.into());
        let outcome = with_context(1 << 30, &counter, |context| super::remove(&image, None, &DEFAULTS, context));
        assert_eq!(outcome.err(), Some(NodeError::Interrupted), "check {after} was not heeded");
    }
}
