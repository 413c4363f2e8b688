use super::super::node::{Inputs, NodeError};
use super::super::testing::with_context;
use super::super::value::{ImageBatch, Value};

fn run(image: ImageBatch) -> Result<String, NodeError> {
    let mut inputs = Inputs::default();
    inputs.0.insert("image".to_owned(), vec![Value::Image(image.into())]);
    let outcome = with_context(64 << 20, &(), |context| super::nodes()[0].run(&inputs, context))?;
    match &outcome.outputs[0][0] {
        Value::Text(text) => Ok(text.to_string()),
        other => panic!("expected a text, got {other:?}"),
    }
}

/// A picture whose bytes follow from the place.
fn drawn(width: usize, height: usize, color: impl Fn(usize, usize) -> [u8; 3]) -> ImageBatch {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let data = places.flat_map(|(x, y)| color(x, y).map(|byte| f32::from(byte) / 255.0)).collect();
    ImageBatch { batch: 1, height, width, channels: 3, data }
}

fn text(width: usize, height: usize, color: impl Fn(usize, usize) -> [u8; 3]) -> String {
    run(drawn(width, height, color)).expect("a text")
}

/// Each text has the first words and none of the second.
fn expect(text: &str, has: &[&str], has_not: &[&str]) {
    let words: Vec<&str> = text.split(", ").collect();
    for word in has {
        assert!(words.contains(word), "'{word}' is missing in: {text}");
    }
    for word in has_not {
        assert!(!text.contains(word), "'{word}' is wrong in: {text}");
    }
}

#[test]
fn one_color_has_its_name_and_no_detail() {
    for (color, name) in [
        ([255, 0, 0], "red"),
        ([0, 0, 0], "black"),
        ([255, 255, 255], "white"),
        ([128, 128, 128], "grey"),
        ([0, 0, 255], "blue"),
        ([20, 30, 90], "navy blue"),
        ([255, 165, 0], "orange"),
        ([255, 192, 203], "pink"),
        ([135, 206, 235], "light blue"),
        ([0, 128, 0], "green"),
        ([128, 0, 128], "purple"),
        ([139, 69, 19], "brown"),
    ] {
        let text = text(60, 60, |_, _| color);
        expect(
            &text,
            &[name, "square format", "an even surface without detail", "no contrast", "smooth"],
            &["sharp", "blurred", "plain background", "symmetric", "mostly"],
        );
    }
}

#[test]
fn format_follows_the_sides() {
    for (width, height, word) in [
        (300, 100, "panoramic format"),
        (160, 90, "landscape format"),
        (100, 100, "square format"),
        (90, 160, "portrait format"),
        (40, 160, "tall narrow format"),
    ] {
        expect(&text(width, height, |_, _| [90, 90, 90]), &[word, "monochrome"], &["warm", "cool", "vivid"]);
    }
}

#[test]
fn light_and_tones_are_named() {
    let night = text(64, 64, |x, _| if x.is_multiple_of(16) { [30, 30, 60] } else { [5, 5, 15] });
    expect(&night, &["very dark", "low contrast"], &["bright", "warm"]);
    let stripes = text(64, 64, |x, _| if (x / 8).is_multiple_of(2) { [0; 3] } else { [255; 3] });
    expect(&stripes, &["monochrome", "high contrast", "black and white", "sharp"], &["smooth"]);
    expect(
        &text(64, 64, |_, y| [250, 120 + u8::try_from(y).unwrap_or(0), 40]),
        &["vivid colours", "warm tones"],
        &["cool"],
    );
    expect(&text(64, 64, |_, y| [40, 90, 190 + u8::try_from(y).unwrap_or(0)]), &["cool tones"], &["warm"]);
}

#[test]
fn subject_on_a_plain_background_is_placed() {
    let checks = |x: usize, y: usize| if (x / 3 + y / 3).is_multiple_of(2) { [20, 60, 160] } else { [240, 200, 60] };
    let at = |left: usize, top: usize| {
        text(120, 120, move |x, y| {
            if (left..left + 36).contains(&x) && (top..top + 36).contains(&y) { checks(x, y) } else { [235; 3] }
        })
    };
    expect(&at(42, 42), &["detail in the centre", "plain background"], &["upper", "lower"]);
    expect(&at(2, 2), &["detail in the upper left"], &["lower", "on the right", "plain background"]);
    expect(&at(82, 82), &["detail in the lower right"], &["upper", "left"]);
    expect(&text(120, 120, checks), &["detail everywhere", "busy texture"], &["plain background"]);
}

#[test]
fn small_strong_colors_are_touches() {
    let text = text(100, 100, |x, y| if x < 20 && y < 15 { [230, 20, 20] } else { [200, 200, 205] });
    expect(&text, &["light grey", "touches of red"], &["mostly"]);
    let text = super::tests::text(100, 100, |_, y| if y < 70 { [150, 205, 240] } else { [25, 75, 40] });
    expect(&text, &["mostly light blue with dark green"], &["touches"]);
}

#[test]
fn blur_is_told_from_sharpness() {
    let ramp = |half: f32| {
        move |x: usize, _: usize| {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let t = ((x as f32 - 100.0) / half * 0.5 + 0.5).clamp(0.0, 1.0);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a byte")]
            [(t * 220.0) as u8; 3]
        }
    };
    expect(&text(200, 200, ramp(0.5)), &["sharp"], &["blurred", "soft"]);
    expect(&text(200, 200, ramp(30.0)), &["blurred"], &["sharp", "soft"]);
}

#[test]
fn symmetry_is_seen() {
    let disc =
        |at: usize| move |x: usize, y: usize| if x.abs_diff(at) + y.abs_diff(50) < 30 { [30; 3] } else { [220; 3] };
    expect(&text(101, 101, disc(50)), &["symmetric"], &[]);
    expect(&text(101, 101, disc(25)), &[], &["symmetric"]);
}

#[test]
fn transparent_parts_do_not_count() {
    let mut image = drawn(40, 40, |_, _| [0, 0, 255]);
    let pixels = image.data.chunks(3).enumerate();
    let half = |at: usize| if at % 40 < 20 { 0.0 } else { 1.0 };
    image.data = pixels.flat_map(|(at, color)| [1.0 - half(at), color[1], color[2], half(at)]).collect();
    image.channels = 4;
    expect(&run(image.clone()).expect("a text"), &["blue", "transparent background"], &["magenta", "purple"]);
    image.data.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 0.0);
    assert_eq!(run(image).expect("a text"), "a fully transparent picture");
}

#[test]
fn batch_has_one_line_per_picture() {
    let (red, blue) = (drawn(30, 30, |_, _| [220, 30, 30]), drawn(30, 30, |_, _| [30, 60, 220]));
    let both = ImageBatch { batch: 2, data: [red.data.clone(), blue.data.clone()].concat(), ..red.clone() };
    assert_eq!(run(both).expect("a text"), format!("{}\n{}", run(red).expect("a text"), run(blue).expect("a text")));
}

#[test]
fn unusual_pictures_have_words_or_a_reason() {
    for (width, height) in [(1, 1), (1, 70), (2000, 2), (3, 3)] {
        assert!(!text(width, height, |x, y| [(x % 7 * 30 + y % 5) as u8; 3]).is_empty());
    }
    let mut image = drawn(9, 9, |_, _| [9; 3]);
    image.data[5] = f32::NAN;
    assert!(run(image).is_ok_and(|text| text.contains("black")));
    assert!(matches!(run(ImageBatch::filled(1, 8, 8, 1, 0.5)), Err(NodeError::Raised { kind: "ValueError", .. })));
}
