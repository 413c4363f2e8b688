//! BlurHash of pictures whose waves are known.

use image::RgbImage;
use verdigraph_pixels::blur::encode;

const ALPHABET: &[u8; 83] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

#[test]
fn plain_picture_has_its_colour_only() {
    let text = encode(&RgbImage::from_pixel(32, 32, image::Rgb([255, 0, 0])));
    // "L" means 4 × 3; "TI:j" is red; the waves of a plain picture are rounding noise.
    assert_eq!(text.len(), 28);
    assert!(text.starts_with('L'), "{text}");
    assert_eq!(&text[2..6], "TI:j", "{text}");
}

#[test]
fn lighter_left_half_shows_in_the_first_horizontal_wave() {
    let halves = RgbImage::from_fn(32, 32, |x, _| image::Rgb(if x < 16 { [255; 3] } else { [0; 3] }));
    let text = encode(&halves);
    let at = |from: usize| {
        text.as_bytes()[from..from + 2]
            .iter()
            .fold(0, |value, byte| value * 83 + ALPHABET.iter().position(|known| known == byte).expect("a digit"))
    };
    let middle = 9 * 361 + 9 * 19 + 9;
    assert!(at(6) > middle, "the first wave falls from left to right: {text}");
    assert!(text.len() == 28);
}
