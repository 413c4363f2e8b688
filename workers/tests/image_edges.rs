//! Edge cases of image and mask nodes: sizes and batches that do not match, names that leave a folder, limits and
//! interrupts. Errors are those of a real ComfyUI.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde_json::{Value as Json, json};
use verdigraph_workers::cpu::ComfyVersion;
use verdigraph_workers::cpu::budget::{Budget, Memory};
use verdigraph_workers::cpu::node::{Context, Folders, Inputs, NodeError, Outcome, Reports};
use verdigraph_workers::cpu::value::{ImageBatch, MaskBatch, Value};

/// Counts the interrupt checks, and interrupts from a given one on.
#[derive(Default)]
struct Watch {
    checks: AtomicU32,
    stop_after: Option<u32>,
    stopped: AtomicBool,
}

impl Reports for Watch {
    fn progress(&self, _value: u64, _max: u64) {}
    fn preview(&self, _image: &ImageBatch) {}
    fn picture(&self, _png: Vec<u8>) {}
    fn text(&self, _text: &str) {}
    fn interrupted(&self) -> bool {
        let seen = self.checks.fetch_add(1, Ordering::Relaxed);
        let stop = self.stop_after.is_some_and(|after| seen >= after);
        self.stopped.fetch_or(stop, Ordering::Relaxed);
        stop
    }
}

struct Bench {
    folder: tempfile::TempDir,
    watch: Watch,
    max_side: usize,
    extra: Json,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for kind in ["input", "output", "temp"] {
            std::fs::create_dir(folder.path().join(kind)).expect("a folder");
        }
        Self { folder, watch: Watch::default(), max_side: 8192, extra: json!({"workflow": {"name": "é"}}) }
    }

    fn folders(&self) -> Folders {
        let path = |kind: &str| self.folder.path().join(kind);
        Folders { input: path("input"), output: path("output"), temp: path("temp") }
    }

    fn run(&self, class: &str, inputs: impl IntoIterator<Item = (&'static str, Value)>) -> Result<Outcome, NodeError> {
        let nodes = verdigraph_workers::cpu::nodes(ComfyVersion::default());
        let node = nodes.iter().find(|node| node.class() == class).expect("the node");
        let prompt = json!({"1": {"class_type": class}});
        let folders = self.folders();
        let budget = Budget::new(4 << 30);
        let memory = Memory::new(&budget, &|| false);
        let context = Context {
            folders: &folders,
            node_id: "1",
            prompt: &prompt,
            extra_pnginfo: Some(&self.extra),
            max_side: self.max_side,
            max_bytes: 1 << 28,
            memory: &memory,
            reports: &self.watch,
        };
        let inputs = inputs.into_iter().map(|(name, value)| (name.to_owned(), vec![value])).collect();
        node.run(&Inputs(inputs), &context)
    }

    fn output(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("output").join(name)
    }
}

fn image(batch: usize, height: usize, width: usize, channels: usize) -> Value {
    let mut image = ImageBatch::filled(batch, height, width, channels, 0.0);
    for (index, sample) in image.data.iter_mut().enumerate() {
        *sample = f32::from(u8::try_from(index * 37 % 256).expect("a byte")) / 255.0;
    }
    Value::Image(Arc::new(image))
}

fn mask(batch: usize, height: usize, width: usize, value: f32) -> Value {
    Value::Mask(Arc::new(MaskBatch::filled(batch, height, width, value)))
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn shape(outcome: &Outcome, slot: usize) -> [usize; 4] {
    match &outcome.outputs[slot][0] {
        Value::Image(image) => [image.batch, image.height, image.width, image.channels],
        Value::Mask(mask) => [mask.batch, mask.height, mask.width, 1],
        other => panic!("{other:?} has no shape"),
    }
}

fn kind(result: Result<Outcome, NodeError>) -> &'static str {
    match result {
        Ok(_) => "no error",
        Err(NodeError::Interrupted) => "interrupt",
        Err(NodeError::Raised { kind, .. }) => kind,
    }
}

#[test]
fn blur_wider_than_the_image_is_rejected() {
    let inputs = [("image", image(1, 8, 5, 3)), ("blur_radius", Value::Int(5)), ("sigma", Value::Float(1.0))];
    assert_eq!(kind(Bench::new().run("ImageBlur", inputs)), "RuntimeError");
    let inputs = [("image", image(1, 8, 6, 3)), ("blur_radius", Value::Int(5)), ("sigma", Value::Float(1.0))];
    assert_eq!(kind(Bench::new().run("ImageBlur", inputs)), "no error");
}

#[test]
fn batches_blend_only_if_equal_or_one() {
    let blend = |first: usize, second: usize| {
        let inputs = [
            ("image1", image(first, 4, 4, 3)),
            ("image2", image(second, 4, 4, 3)),
            ("blend_factor", Value::Float(0.5)),
            ("blend_mode", text("normal")),
        ];
        Bench::new().run("ImageBlend", inputs)
    };
    assert_eq!(shape(&blend(1, 3).expect("one to many"), 0), [3, 4, 4, 3]);
    assert_eq!(shape(&blend(3, 1).expect("many to one"), 0), [3, 4, 4, 3]);
    assert_eq!(kind(blend(2, 3)), "RuntimeError");
}

#[test]
fn zero_size_is_rejected_and_one_zero_side_keeps_the_aspect() {
    let scale = |method: &str, factor: f64| {
        let inputs =
            [("image", image(1, 10, 10, 3)), ("upscale_method", text(method)), ("scale_by", Value::Float(factor))];
        Bench::new().run("ImageScaleBy", inputs)
    };
    assert_eq!(kind(scale("bilinear", 0.01)), "RuntimeError");
    assert_eq!(kind(scale("lanczos", 0.01)), "ValueError");
    assert_eq!(shape(&scale("area", 0.25).expect("2.5 goes to the even side"), 0), [1, 2, 2, 3]);
}

#[test]
fn oversized_images_are_rejected_before_allocation() {
    let mut bench = Bench::new();
    bench.max_side = 64;
    let inputs = [
        ("image", image(1, 4, 4, 3)),
        ("left", Value::Int(16384)),
        ("top", Value::Int(0)),
        ("right", Value::Int(0)),
        ("bottom", Value::Int(0)),
        ("feathering", Value::Int(0)),
    ];
    assert_eq!(kind(bench.run("ImagePadForOutpaint", inputs)), "ValueError");
    let inputs = [("image", image(64, 64, 64, 3)), ("amount", Value::Int(4096))];
    assert_eq!(kind(bench.run("RepeatImageBatch", inputs)), "ValueError");
}

#[test]
fn long_node_stops_soon_after_an_interrupt() {
    let mut bench = Bench::new();
    bench.watch.stop_after = Some(3);
    let inputs =
        [("mask", mask(1, 600, 600, 0.5)), ("expand", Value::Int(500)), ("tapered_corners", Value::Bool(true))];
    assert_eq!(kind(bench.run("GrowMask", inputs)), "interrupt");
    assert!(bench.watch.stopped.load(Ordering::Relaxed));
    assert!(bench.watch.checks.load(Ordering::Relaxed) < 50, "the node went on after it was told to stop");
}

#[test]
fn mask_outside_its_destination_is_an_error() {
    let composite = |x: i128, width: usize| {
        let inputs = [
            ("destination", mask(1, 10, 10, 0.25)),
            ("source", mask(1, 4, width, 1.0)),
            ("x", Value::Int(x)),
            ("y", Value::Int(0)),
            ("operation", text("add")),
        ];
        Bench::new().run("MaskComposite", inputs)
    };
    assert_eq!(kind(composite(12, 6)), "RuntimeError");
    let Value::Mask(untouched) = composite(14, 4).expect("nothing is left of it").outputs[0][0].clone() else {
        panic!("a mask")
    };
    assert!(untouched.data.iter().all(|sample| *sample == 0.25), "a mask changed outside of the source");
}

#[test]
fn crop_outside_a_mask_is_empty_and_cannot_be_saved() {
    let bench = Bench::new();
    let numbers = [("x", 20), ("y", 0), ("width", 5), ("height", 5)];
    let inputs = numbers.map(|(name, number)| (name, Value::Int(number)));
    let cropped = bench.run("CropMask", inputs.into_iter().chain([("mask", mask(1, 10, 10, 1.0))])).expect("empty");
    assert_eq!(shape(&cropped, 0), [1, 5, 0, 1]);
    let gray = bench.run("MaskToImage", [("mask", cropped.outputs[0][0].clone())]).expect("empty");
    let inputs = [("images", gray.outputs[0][0].clone()), ("filename_prefix", text("empty"))];
    assert_eq!(kind(bench.run("SaveImage", inputs)), "ValueError");
}

#[test]
fn picture_without_alpha_has_no_alpha_mask() {
    let inputs = [("image", image(1, 4, 4, 3)), ("channel", text("alpha"))];
    assert_eq!(kind(Bench::new().run("ImageToMask", inputs)), "IndexError");
    let inputs = [("image", image(2, 4, 4, 4)), ("channel", text("alpha"))];
    assert_eq!(shape(&Bench::new().run("ImageToMask", inputs).expect("alpha"), 0), [2, 4, 4, 1]);
}

#[test]
fn source_without_alpha_is_opaque() {
    let inputs = [
        ("destination", image(1, 4, 4, 4)),
        ("source", image(1, 2, 2, 3)),
        ("x", Value::Int(1)),
        ("y", Value::Int(1)),
        ("resize_source", Value::Bool(false)),
    ];
    let outcome = Bench::new().run("ImageCompositeMasked", inputs).expect("a composite");
    let Value::Image(out) = &outcome.outputs[0][0] else { panic!("an image") };
    assert_eq!(out.data[(4 + 1) * 4 + 3], 1.0);
    assert_eq!(shape(&outcome, 0), [1, 4, 4, 4]);
}

#[test]
fn pictures_of_four_channels_cannot_be_quantized() {
    let inputs = [("image", image(1, 4, 4, 4)), ("colors", Value::Int(4)), ("dither", text("none"))];
    assert_eq!(kind(Bench::new().run("ImageQuantize", inputs)), "RuntimeError");
}

#[test]
fn counter_continues_after_the_highest_file() {
    let bench = Bench::new();
    for name in ["a_00007_.png", "a_00003_.webp", "ab_00044_.png", "a_x_.png"] {
        std::fs::write(bench.output(name), b"").expect("a file");
    }
    let save = |prefix: &str| {
        let inputs = [("images", image(2, 4, 6, 3)), ("filename_prefix", text(prefix))];
        bench.run("SaveImage", inputs).expect("saved").ui.expect("files")
    };
    assert_eq!(
        save("a")["images"],
        json!([
            {"filename": "a_00008_.png", "subfolder": "", "type": "output"},
            {"filename": "a_00009_.png", "subfolder": "", "type": "output"},
        ])
    );
    assert_eq!(save("x/y/%width%x%height%")["images"][1]["filename"], "6x4_00002_.png");
    assert_eq!(save("x/../b_%batch_num%")["images"][1]["filename"], "b_1_00002_.png");
    assert!(bench.output("x/y/6x4_00001_.png").is_file());
}

#[test]
fn prefix_cannot_leave_the_output_folder() {
    let bench = Bench::new();
    for prefix in ["../out", "/etc/out", "a/../../out", "a\0b", "..\\out"] {
        let inputs = [("images", image(1, 4, 4, 3)), ("filename_prefix", text(prefix))];
        assert_eq!(kind(bench.run("SaveImage", inputs)), "Exception", "{prefix:?} is accepted");
    }
    assert!(!bench.folder.path().join("out_00001_.png").exists());
}

#[test]
fn files_outside_the_folders_are_not_loaded() {
    let bench = Bench::new();
    std::fs::write(bench.folder.path().join("secret.png"), b"").expect("a file");
    std::fs::write(bench.output("kept.png"), b"no picture").expect("a file");
    let nodes = verdigraph_workers::cpu::nodes(ComfyVersion::default());
    let node = nodes.iter().find(|node| node.class() == "LoadImage").expect("the node");
    let check = |name: &str| {
        let inputs = Inputs([("image".to_owned(), vec![text(name)])].into_iter().collect());
        node.validate(&inputs, &bench.folders())
    };
    for name in ["../secret.png", "missing.png", "secret.png", "../secret.png [output]", "kept.png", ""] {
        assert_eq!(check(name), Err(("image".to_owned(), format!("Invalid image file: {name}"))));
    }
    assert_eq!(check("kept.png [output]"), Ok(()));
    assert_eq!(kind(bench.run("LoadImage", [("image", text("kept.png [output]"))])), "UnidentifiedImageError");
}

#[test]
fn saved_files_contain_prompt_and_workflow() {
    let bench = Bench::new();
    let inputs = [("images", image(1, 4, 4, 4)), ("filename_prefix", text("t"))];
    bench.run("SaveImage", inputs).expect("saved");
    let file = std::fs::File::open(bench.output("t_00001_.png")).expect("the file");
    let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG file");
    let texts: Vec<(&str, &str)> = reader
        .info()
        .uncompressed_latin1_text
        .iter()
        .map(|chunk| (chunk.keyword.as_str(), chunk.text.as_str()))
        .collect();
    assert_eq!(texts, [("prompt", r#"{"1": {"class_type": "SaveImage"}}"#), ("workflow", r#"{"name": "\u00e9"}"#)]);
}

fn animation(bench: &Bench, class: &str, option: (&'static str, Value)) -> Result<Outcome, NodeError> {
    let inputs = [
        ("images", image(3, 9, 7, 3)),
        ("filename_prefix", text("anim")),
        ("fps", Value::Float(6.0)),
        ("quality", Value::Int(80)),
        ("method", text("default")),
        option,
    ];
    bench.run(class, inputs)
}

fn loads_again(bench: &Bench, name: &str) {
    let loaded = bench.run("LoadImage", [("image", text(&format!("{name} [output]")))]).expect("the file loads");
    let (Value::Image(loaded), Value::Image(made)) = (&loaded.outputs[0][0], image(3, 9, 7, 3)) else {
        panic!("images")
    };
    let bytes = |image: &ImageBatch| -> Vec<i64> { image.data.iter().map(|s| (s * 255.0).round() as i64).collect() };
    assert_eq!((loaded.batch, loaded.height, loaded.width), (3, 9, 7), "{name} lost frames");
    let far = bytes(loaded).iter().zip(bytes(&made)).map(|(a, b)| (a - b).abs()).max();
    assert!(far <= Some(1), "{name} changed its pixels by {far:?}");
}

#[test]
fn lossless_animations_round_trip() {
    let bench = Bench::new();
    let saved = animation(&bench, "SaveAnimatedPNG", ("compress_level", Value::Int(4))).expect("saved");
    assert_eq!(saved.ui.expect("files")["animated"], json!([true]));
    loads_again(&bench, "anim_00001_.png");
    animation(&bench, "SaveAnimatedWEBP", ("lossless", Value::Bool(true))).expect("saved");
    loads_again(&bench, "anim_00002_.webp");
    let exif = std::fs::read(bench.output("anim_00002_.webp")).expect("the file");
    let text = r#"prompt:{"1": {"class_type": "SaveAnimatedWEBP"}}"#;
    assert!(exif.windows(text.len()).any(|part| part == text.as_bytes()), "the prompt is not in the file");
}

#[test]
fn broken_files_are_errors_without_panics() {
    let bench = Bench::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fixtures");
    let mut tried = 0;
    for folder in ["file-formats", "file-formats-jpeg"] {
        for entry in std::fs::read_dir(fixtures.join(folder)).expect("fixtures") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            if !name.starts_with("input_") {
                continue;
            }
            let bytes = std::fs::read(&path).expect("a file");
            for cut in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
                let mut broken = bytes.clone();
                broken[cut] ^= 0x5a;
                for content in [&bytes[..cut], &broken[..]] {
                    std::fs::write(bench.folder.path().join("input").join(&name), content).expect("a file");
                    // Both results are valid; a panic would fail this test.
                    tried += usize::from(bench.run("LoadImage", [("image", text(&name))]).is_err());
                }
            }
        }
    }
    assert!(tried > 100, "hardly any broken file was noticed: {tried}");
}

fn samples(outcome: &Outcome) -> &ImageBatch {
    match &outcome.outputs[0][0] {
        Value::Image(image) => image,
        other => panic!("{other:?} is no picture"),
    }
}

#[test]
fn batch_index_counts_from_either_end() {
    let bench = Bench::new();
    let mut batch = ImageBatch::filled(4, 2, 2, 3, 0.0);
    for (number, picture) in batch.data.chunks_mut(12).enumerate() {
        picture.fill(number as f32);
    }
    let batch = Arc::new(batch);
    for (at, length, expected) in [(-1, 1, vec![3.0]), (-3, 2, vec![1.0, 2.0]), (-9, 1, vec![0.0]), (9, 3, vec![3.0])] {
        let inputs = [
            ("image", Value::Image(Arc::clone(&batch))),
            ("batch_index", Value::Int(at)),
            ("length", Value::Int(length)),
        ];
        let taken = bench.run("ImageFromBatch", inputs).expect("a part");
        let first: Vec<f32> = samples(&taken).data.chunks(12).map(|picture| picture[0]).collect();
        assert_eq!(first, expected, "from {at}");
    }
}

#[test]
fn sides_are_multiples_of_the_step() {
    let bench = Bench::new();
    for (step, expected) in [(1, [1, 79, 132, 3]), (32, [1, 64, 128, 3])] {
        let inputs = [
            ("image", image(1, 60, 100, 3)),
            ("upscale_method", text("area")),
            ("megapixels", Value::Float(0.01)),
            ("resolution_steps", Value::Int(step)),
        ];
        assert_eq!(shape(&bench.run("ImageScaleToTotalPixels", inputs).expect("a picture"), 0), expected);
    }
}

#[test]
fn edge_is_white_and_flat_areas_are_black() {
    let bench = Bench::new();
    let mut step = ImageBatch::filled(1, 12, 17, 3, 0.0);
    for (at, pixel) in step.data.chunks_mut(3).enumerate() {
        pixel.fill(match at % 17 {
            0..8 => 0.0,
            8 => 0.5,
            _ => 1.0,
        });
    }
    let step = Value::Image(Arc::new(step));
    let thresholds = |low, high| [("low_threshold", Value::Float(low)), ("high_threshold", Value::Float(high))];
    let inputs = [("image", step.clone())].into_iter().chain(thresholds(0.4, 0.8));
    let edges = bench.run("Canny", inputs).expect("edges");
    assert_eq!(shape(&edges, 0), [1, 12, 17, 3]);
    for (at, pixel) in samples(&edges).data.chunks(3).enumerate() {
        assert_eq!(pixel, [if at % 17 == 8 { 1.0 } else { 0.0 }; 3], "pixel {} of line {}", at % 17, at / 17);
    }
    let inputs = [("image", step.clone())].into_iter().chain(thresholds(0.9, 0.4));
    assert_eq!(kind(bench.run("Canny", inputs)), "Exception", "the low threshold is the higher one");
    let inputs = [("image", image(1, 12, 17, 4))].into_iter().chain(thresholds(0.4, 0.8));
    assert_eq!(kind(bench.run("Canny", inputs)), "RuntimeError", "there is alpha");
}
