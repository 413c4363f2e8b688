//! The whole graph: LoadImage, VerdigraphRemoveBackground, JoinImageWithAlpha, SaveImage.

use indexmap::IndexMap;
use verdigraph_core::graph::ComfyVersion;

use super::super::super::node::{Folders, Inputs, Outcome};
use super::super::super::testing::with_folders;
use super::super::super::value::Value;
use super::composites::{Composite, Edge, Ground};

fn run(folders: &Folders, class: &str, inputs: &[(&str, Value)]) -> Outcome {
    let nodes = super::super::super::nodes(ComfyVersion::V0_33_0);
    let node = nodes.iter().find(|node| node.class() == class).unwrap_or_else(|| panic!("no node {class}"));
    let inputs: IndexMap<_, _> = inputs.iter().map(|(name, value)| ((*name).to_owned(), vec![value.clone()])).collect();
    let outcome = with_folders(folders, 1 << 30, &(), |context| node.run(&Inputs(inputs), context));
    outcome.unwrap_or_else(|error| panic!("{class}: {error:?}"))
}

fn output(outcome: &Outcome, slot: usize) -> Value {
    outcome.outputs[slot][0].clone()
}

#[test]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "samples of bytes")]
fn graph_saves_a_png_with_a_transparent_background() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| {
        let path = home.path().join(name);
        std::fs::create_dir(&path).expect("a folder");
        path
    };
    let folders = Folders { input: folder("input"), output: folder("output"), temp: folder("temp") };
    let composite = Composite::new(128, Edge::Soft, Ground::Gradient, 1, 11);
    let bytes: Vec<u8> = composite.samples.iter().map(|sample| (sample * 255.0).round() as u8).collect();
    image::save_buffer(folders.input.join("subject.png"), &bytes, 128, 128, image::ColorType::Rgb8).expect("saved");

    let loaded = run(&folders, "LoadImage", &[("image", Value::Text("subject.png".into()))]);
    let removed = run(
        &folders,
        "VerdigraphRemoveBackground",
        &[
            ("image", output(&loaded, 0)),
            ("tolerance", Value::Float(0.5)),
            ("softness", Value::Float(1.0)),
            ("holes", Value::Text("remove".into())),
            // The mask of a picture without alpha is empty.
            ("keep", output(&loaded, 1)),
        ],
    );
    let joined = run(&folders, "JoinImageWithAlpha", &[("image", output(&removed, 0)), ("alpha", output(&removed, 1))]);
    let prefix = Value::Text("cut".into());
    run(&folders, "SaveImage", &[("images", output(&joined, 0)), ("filename_prefix", prefix)]);

    let saved = std::fs::read_dir(&folders.output).expect("a folder").next().expect("a file").expect("a file").path();
    let saved = image::open(saved).expect("a picture");
    assert!(saved.color().has_alpha());
    let saved = saved.to_rgba8();
    let mut error = 0.0;
    for (pixel, wanted) in saved.pixels().zip(&composite.alpha) {
        error += (f32::from(pixel[3]) / 255.0 - wanted).abs() / (128.0 * 128.0);
    }
    assert!(error < 0.02, "alpha in the file is off by {error}");
    assert_eq!((saved.get_pixel(0, 0)[3], saved.get_pixel(64, 64)[3]), (0, 255));
}
