//! Unusual pictures and inputs.

use serde_json::json;

use super::super::super::node::{Inputs, NodeError};
use super::super::super::testing::{folders, with_context};
use super::super::super::value::{ImageBatch, MaskBatch, Value};
use super::composites::{Composite, Edge, Ground};
use super::{DEFAULTS, Options, picture, removed};

fn composite() -> Composite {
    Composite::new(96, Edge::Hard, Ground::Plain, 0, 5)
}

#[test]
fn picture_without_a_subject_is_returned_whole() {
    for (width, height) in [(1, 1), (1, 9), (7, 1), (2, 2), (64, 40), (1500, 3)] {
        let image = ImageBatch::filled(1, height, width, 3, 0.4);
        let (colors, mask) = removed(&image, None, &DEFAULTS);
        assert_eq!(colors, image, "{width}x{height} changed");
        assert!(mask.data.iter().all(|sample| *sample == 0.0), "{width}x{height} lost pixels");
    }
}

#[test]
fn batch_gives_what_each_picture_gives() {
    let (first, second) = (picture(&composite()), picture(&Composite::new(96, Edge::Soft, Ground::Gradient, 1, 9)));
    let both = ImageBatch { batch: 2, data: [first.data.clone(), second.data.clone()].concat(), ..first.clone() };
    let (colors, mask) = removed(&both, None, &DEFAULTS);
    let alone = [removed(&first, None, &DEFAULTS), removed(&second, None, &DEFAULTS)];
    assert_eq!(colors.data, [alone[0].0.data.clone(), alone[1].0.data.clone()].concat());
    assert_eq!(mask.data, [alone[0].1.data.clone(), alone[1].1.data.clone()].concat());
    assert_eq!((mask.batch, mask.height, mask.width, colors.channels), (2, 96, 96, 3));
}

#[test]
fn pixels_do_not_depend_on_threads() {
    let image = picture(&composite());
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
    let [one, many] = [1, 5].map(|threads| pool(threads).install(|| removed(&image, None, &DEFAULTS)));
    assert!(one == many, "the number of threads changes the picture");
}

#[test]
fn transparent_pixels_stay_transparent() {
    let composite = composite();
    let image = picture(&composite);
    let with_alpha = |alpha: &dyn Fn(usize) -> f32| {
        let pixels = image.data.chunks(3).enumerate();
        let data = pixels.flat_map(|(at, color)| [color[0], color[1], color[2], alpha(at)]).collect();
        ImageBatch { channels: 4, data, ..image.clone() }
    };
    let half = with_alpha(&|at| if at % 96 < 48 { 0.0 } else { 1.0 });
    let (colors, mask) = removed(&half, None, &DEFAULTS);
    assert_eq!(colors.channels, 3);
    for (at, sample) in mask.data.iter().enumerate() {
        assert!(at % 96 >= 48 || *sample == 1.0, "pixel {at} was transparent and is not");
    }
    assert!(mask.data[48 * 96 + 60] < 0.1, "the other half of the subject is gone");
    // A picture that was already cut out keeps its matte.
    let cut = with_alpha(&|at| composite.alpha[at].round());
    let (_, mask) = removed(&cut, None, &DEFAULTS);
    let wrong =
        mask.data.iter().zip(&composite.alpha).filter(|(mask, alpha)| (1.0 - **mask - alpha.round()).abs() > 0.5);
    assert!(wrong.count() < 96, "a matte that was there is lost");
}

#[test]
fn marked_pixels_are_kept() {
    // The mark has another size than the picture, as LoadImage's mask can have.
    let image = ImageBatch::filled(1, 80, 120, 3, 0.7);
    let mut keep = MaskBatch::filled(1, 40, 60, 0.0);
    for at in 0..40 * 60 {
        if (20..40).contains(&(at % 60)) && (10..30).contains(&(at / 60)) {
            keep.data[at] = 1.0;
        }
    }
    let (_, mask) = removed(&image, Some(&keep), &DEFAULTS);
    assert_eq!((mask.data[40 * 120 + 60], mask.data[5 * 120 + 5]), (0.0, 1.0), "the mark does not decide");
    let (_, mask) = removed(&image, Some(&MaskBatch::filled(1, 64, 64, 0.0)), &DEFAULTS);
    assert!(mask.data.iter().all(|sample| *sample == 0.0), "an empty mark removed the picture");
}

/// A ring in front of a plain background.
fn ring() -> ImageBatch {
    let mut image = ImageBatch::filled(1, 120, 120, 3, 0.9);
    for (at, pixel) in image.data.chunks_exact_mut(3).enumerate() {
        let (x, y) = ((at % 120).abs_diff(60), (at / 120).abs_diff(60));
        if (400..1600).contains(&(x * x + y * y)) {
            pixel.copy_from_slice(&[0.2, 0.1, 0.5]);
        }
    }
    image
}

#[test]
fn holes_are_removed_or_kept() {
    let at_centre = |keep_holes| removed(&ring(), None, &Options { keep_holes, ..DEFAULTS }).1.data[60 * 120 + 60];
    assert!(at_centre(false) > 0.9, "the hole is not removed");
    assert!(at_centre(true) < 0.1, "the hole is not kept");
}

#[test]
fn softness_of_zero_cuts_along_a_line() {
    let image = picture(&Composite::new(96, Edge::Soft, Ground::Plain, 0, 5));
    let between = |softness| {
        let (_, mask) = removed(&image, None, &Options { softness, ..DEFAULTS });
        mask.data.iter().filter(|sample| (0.05..0.95).contains(*sample)).count()
    };
    assert!(between(0.0) * 5 < between(1.0), "{} of {} pixels are soft", between(0.0), between(1.0));
}

#[test]
fn more_tolerance_removes_more() {
    // A shadow next to the subject.
    let mut image = ring();
    for (at, pixel) in image.data.chunks_exact_mut(3).enumerate() {
        if (90..110).contains(&(at % 120)) && (85..105).contains(&(at / 120)) && pixel[0] > 0.8 {
            pixel.copy_from_slice(&[0.835; 3]);
        }
    }
    let shadow = |tolerance| removed(&image, None, &Options { tolerance, ..DEFAULTS }).1.data[95 * 120 + 100];
    assert!(shadow(0.0) < 0.6 && shadow(1.0) > 0.9, "{} and {}", shadow(0.0), shadow(1.0));
}

#[test]
fn samples_that_are_no_numbers_do_no_harm() {
    let mut image = picture(&composite());
    for (at, bad) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -7.0, 1e30].into_iter().enumerate() {
        image.data[at * 1000 + 17] = bad;
    }
    let (colors, mask) = removed(&image, None, &DEFAULTS);
    assert!(colors.data.iter().chain(&mask.data).all(|sample| (0.0..=1.0).contains(sample)));
}

#[test]
fn unusable_inputs_are_refused() {
    let gray = ImageBatch::filled(1, 8, 8, 1, 0.5);
    for image in [gray, ImageBatch::filled(1, 0, 8, 3, 0.5)] {
        let outcome = with_context(1 << 20, &(), |context| super::super::remove(&image, None, &DEFAULTS, context));
        assert!(matches!(outcome, Err(NodeError::Raised { kind: "ValueError", .. })), "{outcome:?}");
    }
    let node = &super::super::nodes()[0];
    let mut usable = Inputs::default();
    for (name, value) in [
        ("image", Value::Image(picture(&composite()).into())),
        ("tolerance", Value::Float(0.5)),
        ("softness", Value::Float(1.0)),
        ("holes", Value::Text("keep".into())),
    ] {
        usable.0.insert(name.to_owned(), vec![value]);
    }
    for (name, value) in [("tolerance", Value::Float(2.0)), ("holes", Value::Text("fill".into()))] {
        let mut inputs = usable.clone();
        inputs.0.insert(name.to_owned(), vec![value]);
        match with_context(1 << 30, &(), |context| node.run(&inputs, context)) {
            Err(NodeError::Raised { kind: "ValueError", message }) => assert!(message.contains(name), "{message}"),
            other => panic!("{name} was taken: {other:?}"),
        }
    }
}

#[test]
fn memory_is_reserved_before_use_and_does_not_grow_with_the_batch() {
    let run = |batch, bytes| {
        let image = ImageBatch::filled(batch, 256, 2048, 3, 0.5);
        with_context(bytes, &(), |context| super::super::remove(&image, None, &DEFAULTS, context))
    };
    let results = 256 * 2048 * 4 * size_of::<f32>();
    let work = super::super::cut::working_bytes(2048, 256);
    assert!(work < 64 << 20, "a picture of half a megapixel needs {work} bytes");
    assert!(run(1, results + work).is_ok() && run(2, 2 * results + work).is_ok());
    let outcome = run(1, results + work - 1);
    assert!(matches!(outcome, Err(NodeError::Raised { kind: "torch.OutOfMemoryError", .. })), "{outcome:?}");
    assert_eq!(super::super::cut::working_bytes(8192, 8192), super::super::cut::working_bytes(1024, 1024));
}

#[test]
fn definition_explains_every_input() {
    let node = &super::super::nodes()[0];
    let definition = node.definition(&folders());
    for group in ["required", "optional"] {
        let inputs = definition["input"][group].as_object().expect("inputs");
        let order: Vec<&str> = inputs.keys().map(String::as_str).collect();
        assert_eq!(json!(order), definition["input_order"][group]);
        for (name, spec) in inputs {
            assert!(spec[1]["tooltip"].as_str().is_some_and(|text| text.len() > 10), "{name} has no tooltip");
        }
    }
    assert_eq!(definition["name"], node.class());
    assert_eq!(definition["output"], json!(["IMAGE", "MASK"]));
}
