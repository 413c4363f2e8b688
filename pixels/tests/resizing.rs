//! Pictures of one colour and of two halves, resized.

use image::{DynamicImage, ImageBuffer, Luma, Rgb, RgbImage, Rgba, RgbaImage};
use verdigraph_pixels::resized;

#[test]
fn resizing_keeps_colours_and_pixel_type() {
    let red = DynamicImage::ImageRgb8(RgbImage::from_pixel(40, 20, Rgb([200, 10, 20])));
    let small = resized(&red, 10, 5).expect("a picture");
    assert_eq!(small, DynamicImage::ImageRgb8(RgbImage::from_pixel(10, 5, Rgb([200, 10, 20]))));
    let clear = DynamicImage::ImageRgba8(RgbaImage::from_pixel(3, 3, Rgba([0, 255, 0, 128])));
    let large = resized(&clear, 9, 6).expect("a picture");
    assert_eq!(large.to_rgba8().get_pixel(4, 3), &Rgba([0, 255, 0, 128]));
    let grey = DynamicImage::ImageLuma16(ImageBuffer::from_pixel(8, 8, Luma([0x8080])));
    assert_eq!(resized(&grey, 4, 4).expect("a picture").to_rgb8().get_pixel(1, 1), &Rgb([128, 128, 128]));
}

#[test]
fn transparent_pixels_do_not_bleed() {
    // One half is transparent red: without alpha handling the white half would turn pink.
    let halves = RgbaImage::from_fn(16, 4, |x, _| if x < 8 { Rgba([255, 0, 0, 0]) } else { Rgba([255; 4]) });
    let small = resized(&DynamicImage::ImageRgba8(halves), 4, 1).expect("a picture").to_rgba8();
    assert!(small.pixels().filter(|pixel| pixel.0[3] > 8).all(|pixel| pixel.0[1] > 250), "{small:?}");
}

#[test]
fn zero_side_is_an_error() {
    let red = DynamicImage::ImageRgb8(RgbImage::new(4, 4));
    assert!(resized(&red, 0, 4).is_err() && resized(&red, 4, 0).is_err());
    assert!(resized(&DynamicImage::ImageRgb8(RgbImage::new(0, 4)), 2, 2).is_err());
}
