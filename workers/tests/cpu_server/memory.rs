//! Prompts of many shapes at a worker with little memory.

use serde_json::{Value as Json, json};
use verdigraph_workers::cpu::budget::release_early;

use crate::files::upload;
use crate::harness::{Harness, data_of};

/// The budget of prompts, and the allowance for threads and memory that the allocator returns late.
const BUDGET: usize = 256 << 20;
const BESIDE: usize = 96 << 20;

/// A field of `/proc/self/status`, in bytes.
fn status(field: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim_matches([':', ' ', '\t']).trim_end_matches(" kB").trim().parse::<usize>().unwrap() << 10
}

fn empty(side: usize, batch: usize, color: usize) -> Json {
    json!({"class_type": "EmptyImage", "inputs": {"width": side, "height": side, "batch_size": batch, "color": color}})
}

fn shown(prompt: &mut Json, id: &str, from: &str) {
    prompt[id] = json!({"class_type": "PreviewImage", "inputs": {"images": [from, 0]}});
}

/// Prompts that need about as much memory as there is, or more, each in its own way.
fn shapes() -> Vec<(&'static str, Json)> {
    let mut shapes = Vec::new();
    // Five large pictures side by side.
    let mut wide = json!({});
    for color in 0..5 {
        wide[format!("e{color}")] = empty(3000, 1, color);
        shown(&mut wide, &format!("p{color}"), &format!("e{color}"));
    }
    shapes.push(("wide", wide));
    // Each result is read by the next node and by the last.
    let mut deep = json!({"0": empty(1500, 1, 7)});
    for step in 1..12 {
        deep[step.to_string()] = json!({"class_type": "ImageBatch", "inputs":
            {"image1": [(step - 1).to_string(), 0], "image2": ["0", 0]}});
    }
    shown(&mut deep, "p", "11");
    shapes.push(("deep", deep));
    let mut batched = json!({"1": empty(512, 200, 1)});
    shown(&mut batched, "p", "1");
    shapes.push(("batched", batched));
    let mut repeated = json!({"1": empty(1024, 1, 2), "2": {"class_type": "RepeatImageBatch", "inputs": {"image": ["1", 0], "amount": 30}}});
    shown(&mut repeated, "p", "2");
    shapes.push(("repeated", repeated));
    let mut strings = json!({"0": {"class_type": "PrimitiveString", "inputs": {"value": "x".repeat(1 << 16)}}});
    for step in 1..10 {
        let upstream = json!([(step - 1).to_string(), 0]);
        strings[step.to_string()] = json!({"class_type": "StringConcatenate", "inputs":
            {"string_a": upstream, "string_b": upstream, "delimiter": ""}});
    }
    strings["p"] = json!({"class_type": "PreviewAny", "inputs": {"source": ["9", 0]}});
    shapes.push(("strings", strings));
    let mut regex = json!({"0": {"class_type": "PrimitiveString", "inputs": {"value": "x".repeat(256 << 10)}}});
    regex["1"] = json!({"class_type": "RegexExtract", "inputs": {"string": ["0", 0], "regex_pattern": "x?",
        "mode": "All Matches", "case_insensitive": true, "multiline": false, "dotall": false, "group_index": 0}});
    regex["p"] = json!({"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}});
    shapes.push(("matches", regex));
    let mut masks = json!({"1": {"class_type": "SolidMask", "inputs": {"value": 1.0, "width": 3000, "height": 3000}}});
    masks["2"] = json!({"class_type": "GrowMask", "inputs": {"mask": ["1", 0], "expand": 3, "tapered_corners": true}});
    masks["p"] = json!({"class_type": "MaskPreview", "inputs": {"mask": ["2", 0]}});
    shapes.push(("masks", masks));
    let mut stitched = json!({"1": empty(3200, 1, 3), "2": {"class_type": "ImageStitch", "inputs": {
        "image1": ["1", 0], "image2": ["1", 0], "direction": "right", "match_image_size": true,
        "spacing_width": 0, "spacing_color": "white"}}});
    shown(&mut stitched, "p", "2");
    shapes.push(("stitched", stitched));
    for (name, class, extra) in [
        ("blurred", "ImageBlur", json!({"blur_radius": 5, "sigma": 1.0})),
        ("scaled", "ImageScaleBy", json!({"upscale_method": "lanczos", "scale_by": 2.0})),
        ("quantized", "ImageQuantize", json!({"colors": 64, "dither": "none"})),
        ("noisy", "ImageAddNoise", json!({"seed": 1, "strength": 0.5})),
        ("morphed", "Morphology", json!({"operation": "gradient", "kernel_size": 3})),
        ("rotated", "ImageRotate", json!({"rotation": "90 degrees"})),
    ] {
        let mut prompt = json!({"1": empty(2000, 1, 4), "2": {"class_type": class, "inputs": extra}});
        prompt["2"]["inputs"]["image"] = json!(["1", 0]);
        shown(&mut prompt, "p", "2");
        shapes.push((name, prompt));
    }
    let animated = json!({"1": empty(700, 12, 5), "2": {"class_type": "SaveAnimatedWEBP", "inputs": {"images": ["1", 0],
        "filename_prefix": "a", "fps": 6.0, "lossless": true, "quality": 80, "method": "fastest"}}});
    shapes.push(("animated", animated));
    shapes
}

#[actix_web::test]
async fn every_prompt_stays_within_budget_and_worker_continues() {
    release_early();
    let harness = Harness::start_with(|options| options.memory_bytes = BUDGET).await;
    let mut shapes = shapes();
    // An upload that is a few kilobytes as a file and much more as a picture.
    let picture = image::DynamicImage::new_rgb8(5000, 5000);
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    drop(picture);
    std::fs::write(harness.folder.path().join("input/large.png"), file.into_inner()).unwrap();
    let mut upload = json!({"1": {"class_type": "LoadImage", "inputs": {"image": "large.png"}}});
    shown(&mut upload, "p", "1");
    shapes.push(("upload", upload));
    // By then the cache has filled the memory.
    let mut cached = json!({});
    for number in 0..6 {
        cached[format!("e{number}")] = empty(1800, 1, 100 + number);
        shown(&mut cached, &format!("p{number}"), &format!("e{number}"));
    }
    shapes.push(("cached", cached));

    // Resets the peak, which includes the test's own allocations.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS");
    let mut refused = Vec::new();
    for (name, prompt) in &shapes {
        let mut socket = harness.socket("a").await;
        let id = harness.submit(prompt, "a").await;
        let received = socket.until_end(&id).await;
        let rose = status("VmHWM").saturating_sub(before);
        assert!(rose <= BUDGET + BESIDE, "{name} took {} MiB", rose >> 20);
        for error in data_of(&received, "execution_error") {
            assert_eq!(error["exception_type"], "torch.OutOfMemoryError", "{name}: {error}");
            assert!(error["exception_message"].as_str().unwrap().contains("out of memory"), "{name}: {error}");
            refused.push(*name);
        }
    }
    assert!(["batched", "repeated", "deep", "upload"].iter().all(|name| refused.contains(name)), "{refused:?}");
    // The cache is evicted: no shape that fits is rejected because of earlier prompts.
    assert!(!["wide", "cached", "rotated", "masks"].iter().any(|name| refused.contains(name)), "{refused:?}");
    harness.stop().await;
}

#[actix_web::test]
async fn uploads_masks_and_previews_stay_within_budget() {
    release_early();
    let harness = Harness::start_with(|options| options.memory_bytes = 64 << 20).await;
    let encoded = |side: u32| {
        let mut file = std::io::Cursor::new(Vec::new());
        image::DynamicImage::new_rgba8(side, side).write_to(&mut file, image::ImageFormat::Png).unwrap();
        file.into_inner()
    };
    let (small, large) = (encoded(64), encoded(5000));
    for (name, file) in [("small.png", &small), ("large.png", &large)] {
        std::fs::write(harness.folder.path().join("input").join(name), file).unwrap();
    }
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS");
    for asked in ["preview=webp;50", "preview=jpeg;50", "channel=rgb", "channel=a"] {
        let view = async |name: &str| harness.get(&format!("/view?filename={name}&type=input&{asked}")).await;
        assert_eq!(view("small.png").await.status(), 200, "{asked}");
        let refused = view("large.png").await;
        assert_eq!(
            (refused.status().as_u16(), &refused.headers()["retry-after"]),
            (503, &"5".parse().unwrap()),
            "{asked}"
        );
    }
    for (original, mask, expected) in
        [("small.png", &small, 200), ("large.png", &large, 503), ("small.png", &large, 503), ("large.png", &small, 503)]
    {
        let reference = json!({"filename": original, "type": "input"}).to_string();
        let fields = [("original_ref", reference.as_str())];
        let answer = upload(&harness, "/upload/mask", "mask.png", mask.clone(), &fields).await;
        assert_eq!(answer.status(), expected, "a mask on {original}");
    }
    let refused = upload(&harness, "/upload/image", "long.png", vec![0; 33 << 20], &[]).await;
    assert_eq!(refused.status(), 503, "an upload of which there is no room for two");
    let rose = status("VmHWM").saturating_sub(before);
    assert!(rose <= (64 << 20) + BESIDE, "{} MiB", rose >> 20);
    let whole = harness.get("/view?filename=large.png&type=input").await;
    assert_eq!(whole.bytes().await.unwrap(), large, "a file as it is takes no memory");
    harness.stop().await;
}

#[actix_web::test]
async fn passed_through_value_is_counted_once() {
    // Room for the pictures and one file, but not for two copies of the pictures.
    let harness = Harness::start_with(|options| options.memory_bytes = 100 << 20).await;
    let mut socket = harness.socket("a").await;
    let mut prompt = json!({"1": empty(512, 20, 7)});
    shown(&mut prompt, "p", "1");
    prompt["s"] = json!({"class_type": "GetImageSize", "inputs": {"image": ["p", 0]}});
    prompt["t"] = json!({"class_type": "PreviewAny", "inputs": {"source": ["s", 2]}});
    let id = harness.submit(&prompt, "a").await;
    let received = socket.until_end(&id).await;
    assert_eq!(data_of(&received, "execution_error"), Vec::<serde_json::Value>::new());
    assert_eq!(
        harness.history(&id).await["outputs"]["t"]["text"],
        json!(["20"]),
        "the pictures come out of the preview"
    );
    harness.stop().await;
}
