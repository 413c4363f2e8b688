//! Times the mask nodes against a plain copy of the same bytes into new memory: `cargo run --release -p
//! verdigraph-workers --example mask_times -- [SIDE] [ROUNDS]`
//!
//! The nodes alternate, so that load on the machine affects all of them. Prints minimum and median in milliseconds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use verdigraph_workers::cpu::budget::{Budget, Memory};
use verdigraph_workers::cpu::node::{Context, Folders, Inputs, Node};
use verdigraph_workers::cpu::value::{ImageBatch, MaskBatch, Value};
use verdigraph_workers::cpu::{ComfyVersion, nodes};

/// The allocator of the built-in worker.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type NodeInputs = Vec<(&'static str, Value)>;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|given| given.parse::<usize>().expect("a number"));
    let (side, rounds) = (arguments.next().unwrap_or(2048), arguments.next().unwrap_or(31));
    let samples = |count: usize| (0..count).map(|at| (at % 251) as f32 / 250.0).collect::<Vec<f32>>();
    let mask = |value: f32| Value::Mask(Arc::new(MaskBatch::filled(1, side, side, value)));
    let image = || {
        let data = samples(side * side * 3);
        Value::Image(Arc::new(ImageBatch { batch: 1, height: side, width: side, channels: 3, data }))
    };
    let uneven = Value::Mask(Arc::new(MaskBatch { batch: 1, height: side, width: side, data: samples(side * side) }));
    let quarter = |name: &'static str| (name, Value::Int(side as i128 / 8));
    let combine = |operation: &str| {
        let at = [("x", Value::Int(100)), ("y", Value::Int(50)), ("operation", Value::Text(operation.into()))];
        [("destination", mask(0.25)), ("source", uneven.clone())].into_iter().chain(at).collect::<NodeInputs>()
    };
    let feather = [("mask", mask(0.9)), quarter("left"), quarter("top"), quarter("right"), quarter("bottom")].to_vec();
    let origin = [("x", Value::Int(0)), ("y", Value::Int(0)), ("resize_source", Value::Bool(false))];
    let over = [("destination", image()), ("source", image()), ("mask", uneven.clone())].into_iter().chain(origin);
    let works: [(&str, usize, &str, NodeInputs); 5] = [
        ("FeatherMask", 1, "FeatherMask", feather),
        ("MaskComposite add", 1, "MaskComposite", combine("add")),
        ("MaskComposite xor", 1, "MaskComposite", combine("xor")),
        ("MaskToImage", 3, "MaskToImage", [("mask", uneven.clone())].to_vec()),
        ("ImageCompositeMasked", 3, "ImageCompositeMasked", over.collect()),
    ];
    let all = nodes(ComfyVersion::default());
    let mut times = vec![(Vec::new(), Vec::new()); works.len()];
    for _ in 0..rounds {
        for ((_, channels, class, given), (own, plain)) in works.iter().zip(&mut times) {
            let node = all.iter().find(|node| node.class() == *class).expect("a node of this class");
            own.push(took(|| run(node.as_ref(), given)));
            let from = vec![0.5_f32; side * side * channels];
            plain.push(took(|| from.clone()));
        }
    }
    let floor = "plain copy";
    println!("{:<22} {:>8} {:>8} {floor:>12} {:>8} {:>8}", "node", "least", "middle", "middle", "ratio");
    for ((name, ..), (mut own, mut plain)) in works.iter().zip(times) {
        let (least, middle) = least_and_middle(&mut own);
        let (floor, usual) = least_and_middle(&mut plain);
        println!("{name:<22} {least:>8.2} {middle:>8.2} {floor:>12.2} {usual:>8.2} {:>8.2}", middle / usual);
    }
}

fn run(node: &dyn Node, given: &NodeInputs) -> Value {
    let path = std::env::temp_dir();
    let folders = Folders { input: path.clone(), output: path.clone(), temp: path };
    let (prompt, budget) = (json!({}), Budget::new(8 << 30));
    let memory = Memory::new(&budget, &|| false);
    let context = Context {
        folders: &folders,
        node_id: "1",
        prompt: &prompt,
        extra_pnginfo: None,
        max_side: 16384,
        max_bytes: 4 << 30,
        memory: &memory,
        reports: &(),
    };
    let inputs = given.iter().map(|(name, value)| ((*name).to_owned(), vec![value.clone()])).collect();
    let mut outcome = node.run(&Inputs(inputs), &context).expect("the node runs");
    outcome.outputs.remove(0).remove(0)
}

/// Times the work alone, without dropping its result.
fn took<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    let made = std::hint::black_box(work());
    let took = began.elapsed();
    drop(made);
    took
}

fn least_and_middle(times: &mut [Duration]) -> (f64, f64) {
    times.sort_unstable();
    let ms = |at: usize| times.get(at).copied().unwrap_or_default().as_secs_f64() * 1000.0;
    (ms(0), ms(times.len() / 2))
}
