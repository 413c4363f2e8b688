//! Jobs that need much memory, each in its own way.

use serde_json::{Value, json};

/// A chain of nodes, each of which reads the one before: class and inputs.
fn chain(nodes: Vec<(&str, Value)>) -> Value {
    let mut prompt = json!({});
    for (number, (class, mut inputs)) in nodes.into_iter().enumerate() {
        for value in inputs.as_object_mut().expect("inputs").values_mut() {
            if *value == json!("before") {
                *value = json!([(number - 1).to_string(), 0]);
            }
        }
        prompt[number.to_string()] = json!({"class_type": class, "inputs": inputs});
    }
    prompt
}

fn empty(width: usize, height: usize, batch: usize, color: usize) -> (&'static str, Value) {
    ("EmptyImage", json!({"width": width, "height": height, "batch_size": batch, "color": color}))
}

fn noise(seed: u64) -> (&'static str, Value) {
    ("ImageAddNoise", json!({"image": "before", "seed": seed, "strength": 1.0}))
}

fn shown() -> (&'static str, Value) {
    ("PreviewImage", json!({"images": "before"}))
}

/// Pictures of these colors, each shown.
pub fn pictures(side: usize, colors: std::ops::Range<usize>) -> Value {
    let mut prompt = json!({});
    for color in colors {
        let (class, inputs) = empty(side, side, 1, color);
        prompt[format!("e{color}")] = json!({"class_type": class, "inputs": inputs});
        prompt[format!("p{color}")] =
            json!({"class_type": "PreviewImage", "inputs": {"images": [format!("e{color}"), 0]}});
    }
    prompt
}

/// Five pictures of 0.77 GB each, all kept until the last.
pub fn wide() -> Value {
    let mut wide = pictures(8192, 10..15);
    for (number, other) in (10..14).zip(11..15) {
        wide[format!("b{number}")] = json!({"class_type": "ImageBatch", "inputs": {
            "image1": [format!("e{number}"), 0], "image2": [format!("e{other}"), 0]}});
        wide[format!("q{number}")] =
            json!({"class_type": "PreviewImage", "inputs": {"images": [format!("b{number}"), 0]}});
    }
    wide
}

/// Each batch is read by the next and by the end.
fn deep() -> Value {
    let batch = |number: usize| ("ImageBatch", json!({"image1": "before", "image2": ["0", 0], "number": number}));
    let mut nodes = vec![empty(1500, 1500, 1, 7)];
    nodes.extend((1..20).map(batch));
    nodes.push(shown());
    let mut prompt = chain(nodes);
    for node in prompt.as_object_mut().expect("nodes").values_mut() {
        node["inputs"].as_object_mut().expect("inputs").remove("number");
    }
    prompt
}

/// Texts of `letter` that double until they are long, several of them shown.
fn strings(letter: &str) -> Value {
    let mut nodes = vec![("PrimitiveString", json!({"value": letter.repeat((1 << 16) / letter.len())}))];
    nodes.extend(
        (0..10).map(|_| ("StringConcatenate", json!({"string_a": "before", "string_b": "before", "delimiter": ""}))),
    );
    let mut prompt = chain(nodes);
    for number in 0..3 {
        prompt[format!("p{number}")] =
            json!({"class_type": "PreviewAny", "inputs": {"source": [(10 - number).to_string(), 0]}});
    }
    prompt
}

/// A node with more values than it reads.
pub fn listed(values: usize) -> Value {
    let mut prompt = pictures(64, 200..201);
    prompt["e200"]["inputs"]["more"] = Value::from(vec![1; values]);
    prompt
}

/// All shapes by name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("large", chain(vec![empty(8192, 8192, 1, 99), shown()])),
        ("wide", wide()),
        ("deep", deep()),
        ("batched", chain(vec![empty(1024, 1024, 30, 1), shown()])),
        ("strip", chain(vec![empty(16384, 1024, 4, 5), shown()])),
        (
            "repeated",
            chain(vec![
                empty(2048, 2048, 1, 2),
                ("RepeatImageBatch", json!({"image": "before", "amount": 20})),
                shown(),
            ]),
        ),
        // Its file is not smaller than the picture.
        ("noisy", chain(vec![empty(3600, 3600, 1, 3), noise(1), shown()])),
        ("noisy batch", chain(vec![empty(1024, 1024, 16, 4), noise(2), shown()])),
        ("strings", strings("x")),
        // JSON escapes each letter as six.
        ("escaped strings", strings("\u{1}")),
        (
            "masks",
            chain(vec![
                ("SolidMask", json!({"value": 1.0, "width": 6000, "height": 6000})),
                ("GrowMask", json!({"mask": "before", "expand": 3, "tapered_corners": true})),
                ("MaskPreview", json!({"mask": "before"})),
            ]),
        ),
        (
            "animated",
            chain(vec![
                empty(400, 400, 8, 6),
                noise(3),
                (
                    "SaveAnimatedWEBP",
                    json!({"images": "before", "filename_prefix": "a", "fps": 6.0, "lossless": true,
                "quality": 80, "method": "fastest"}),
                ),
            ]),
        ),
        // Sent only over the socket, in messages that are in memory as a whole.
        ("sent", chain(vec![empty(2500, 2500, 5, 8), noise(4), ("SaveImageWebsocket", json!({"images": "before"}))])),
        (
            "sent at once",
            chain(vec![empty(4096, 4096, 1, 9), noise(5), ("SaveImageWebsocket", json!({"images": "before"}))]),
        ),
    ]
}

/// An uploaded picture, made larger.
pub fn loaded(name: &str) -> Value {
    chain(vec![
        ("LoadImage", json!({"image": name})),
        ("ImageScaleBy", json!({"image": "before", "upscale_method": "nearest-exact", "scale_by": 1.5})),
        shown(),
    ])
}
