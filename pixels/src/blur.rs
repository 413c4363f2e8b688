//! BlurHash: a placeholder of 28 characters, shown while a picture loads.
//!
//! The format is Wolt's (base 83, a discrete cosine transform of linear light), here with 4 × 3 components. The
//! `blurhash` crate (0.2.3) is not used: it rounds the mean colour up, so that plain red becomes #ff0101.

use image::RgbImage;

const ALPHABET: &[u8; 83] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
const ACROSS: u32 = 4;
const DOWN: u32 = 3;

/// The hash of a picture. The cost grows with its pixels, so it should be small.
#[must_use]
pub fn encode(picture: &RgbImage) -> String {
    let light: Vec<[f32; 3]> = picture.pixels().map(|pixel| pixel.0.map(to_linear)).collect();
    let (width, height) = picture.dimensions();
    let across: Vec<Vec<f32>> = (0..ACROSS).map(|wave| cosines(wave, width)).collect();
    let down: Vec<Vec<f32>> = (0..DOWN).map(|wave| cosines(wave, height)).collect();
    let factors: Vec<[f32; 3]> =
        down.iter().flat_map(|y| across.iter().map(move |x| (x, y))).map(|(x, y)| factor(&light, x, y)).collect();
    let (mean, waves) = match factors.split_first() {
        Some((mean, waves)) => (*mean, waves.iter().map(|wave| wave.map(|value| 2.0 * value)).collect()),
        None => ([0.0; 3], Vec::new()),
    };
    let mut text = String::with_capacity(28);
    digits(&mut text, (ACROSS - 1) + (DOWN - 1) * 9, 1);
    let largest = waves.iter().flatten().fold(0.0f32, |largest, value| largest.max(value.abs()));
    let scale = ((largest * 166.0 - 0.5).floor().clamp(0.0, 82.0)) as u32;
    digits(&mut text, scale, 1);
    let [red, green, blue] = mean.map(to_srgb);
    digits(&mut text, (red << 16) + (green << 8) + blue, 4);
    let top = (scale + 1) as f32 / 166.0;
    for wave in waves {
        let [red, green, blue] = wave.map(|value| {
            let part = value / top;
            (part.abs().sqrt().copysign(part) * 9.0 + 9.5).floor().clamp(0.0, 18.0) as u32
        });
        digits(&mut text, red * 19 * 19 + green * 19 + blue, 2);
    }
    text
}

/// A cosine wave over `length` pixels, divided by their number.
fn cosines(wave: u32, length: u32) -> Vec<f32> {
    let length_f = length.max(1) as f32;
    let turn = std::f32::consts::PI * wave as f32 / length_f;
    (0..length).map(|at| (turn * at as f32).cos() / length_f).collect()
}

fn factor(light: &[[f32; 3]], across: &[f32], down: &[f32]) -> [f32; 3] {
    let mut sum = [0.0f32; 3];
    for (row, down) in light.chunks(across.len().max(1)).zip(down) {
        for (pixel, across) in row.iter().zip(across) {
            for (sum, value) in sum.iter_mut().zip(pixel) {
                *sum += value * across * down;
            }
        }
    }
    sum
}

fn to_linear(value: u8) -> f32 {
    let value = f32::from(value) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn to_srgb(value: f32) -> u32 {
    let value = value.clamp(0.0, 1.0);
    let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u32
}

fn digits(text: &mut String, value: u32, count: u32) {
    for place in (0..count).rev() {
        let digit = (value / 83u32.pow(place) % 83) as usize;
        text.push(ALPHABET.get(digit).copied().map_or('0', char::from));
    }
}
