use image::{Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

const LIMITS: PictureLimits = PictureLimits { pixels: 1_000_000, side: 2000, frames: 3 };

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("an encoded picture");
    bytes.into_inner()
}

fn plain(width: u32, height: u32) -> DynamicImage {
    DynamicImage::ImageRgb8(RgbImage::from_pixel(width, height, Rgb([10, 200, 90])))
}

fn gif(frames: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
    for shade in 0..frames {
        let pixel = Rgba([u8::try_from(shade * 20).expect("a few frames"), 0, 0, 255]);
        encoder.encode_frame(image::Frame::new(RgbaImage::from_pixel(9, 7, pixel))).expect("a frame");
    }
    drop(encoder);
    bytes
}

#[test]
fn every_format_is_decoded_and_measured() {
    for (format, media) in [
        (ImageFormat::Png, MediaType::Png),
        (ImageFormat::Jpeg, MediaType::Jpeg),
        (ImageFormat::WebP, MediaType::Webp),
        (ImageFormat::Gif, MediaType::Gif),
        (ImageFormat::Bmp, MediaType::Bmp),
    ] {
        let bytes = encoded(&plain(64, 48), format);
        assert_eq!(crate::assets::sniff(&bytes), media);
        let measures = measure(&bytes, media, LIMITS).expect("a picture");
        assert_eq!((measures.width, measures.height, measures.blur_hash.len()), (64, 48, 28), "{media:?}");
    }
}

#[test]
fn a_small_file_that_states_a_flood_of_pixels_is_refused_before_it_is_decoded() {
    let mut bytes = encoded(&plain(4, 4), ImageFormat::Bmp);
    bytes[18..22].copy_from_slice(&1900u32.to_le_bytes());
    bytes[22..26].copy_from_slice(&1900u32.to_le_bytes());
    let error = measure(&bytes, MediaType::Bmp, LIMITS).expect_err("3.6 million pixels");
    assert!(error.contains("1900 × 1900"), "{error}");
    let wide = encoded(&plain(2001, 1), ImageFormat::Png);
    assert!(measure(&wide, MediaType::Png, LIMITS).is_err(), "the side has a limit of its own");
}

#[test]
fn broken_and_foreign_bytes_are_refused_and_never_panic() {
    let whole = encoded(&plain(64, 48), ImageFormat::Png);
    for end in 0..whole.len() {
        let _any = measure(&whole[..end], MediaType::Png, LIMITS);
    }
    assert!(measure(&whole[..whole.len() / 2], MediaType::Png, LIMITS).is_err());
    assert!(measure(&whole, MediaType::Jpeg, LIMITS).is_err());
    assert!(measure(b"<svg/>", MediaType::Other, LIMITS).is_err());
}

#[test]
fn animations_have_a_limit_on_frames() {
    assert_eq!(frames(&gif(3), MediaType::Gif), 3);
    assert!(measure(&gif(3), MediaType::Gif, LIMITS).is_ok());
    let error = measure(&gif(4), MediaType::Gif, LIMITS).expect_err("too many frames");
    assert!(error.contains("3 frames"), "{error}");
}

#[test]
fn frames_of_webp_and_png_are_counted_from_their_containers() {
    let mut webp = b"RIFF\0\0\0\0WEBP".to_vec();
    for _ in 0..5 {
        webp.extend(b"ANMF\x03\0\0\0abc\0");
    }
    assert_eq!(frames(&webp, MediaType::Webp), 5);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    png.extend(b"\0\0\0\x08acTL\0\0\0\x07\0\0\0\0crc!");
    assert_eq!(frames(&png, MediaType::Png), 7);
    assert_eq!(frames(&encoded(&plain(4, 4), ImageFormat::Png), MediaType::Png), 1);
}

#[test]
fn an_edition_keeps_the_shape_of_its_picture_and_never_grows() {
    let fitted = |image: &DynamicImage, size: (u32, u32)| {
        let bytes = encoded(image, ImageFormat::Png);
        let picture = Picture::decode(&bytes, MediaType::Png, LIMITS).expect("a picture");
        let webp = picture.webp(size, 78.0).expect("an edition");
        let card = image::load_from_memory_with_format(&webp, ImageFormat::WebP).expect("a WebP");
        (card.width(), card.height())
    };
    assert_eq!(fitted(&plain(800, 600), (200, 200)), (200, 150));
    assert_eq!(fitted(&plain(600, 800), (200, 200)), (150, 200));
    assert_eq!(fitted(&plain(30, 20), (200, 200)), (30, 20));
    assert_eq!(fitted(&plain(1000, 2), (200, 200)), (200, 1));
    assert_eq!(fitted(&plain(800, 600), (480, 960)), (480, 360), "a cell is full across");
    assert_eq!(fitted(&plain(800, 1200), (480, 960)), (480, 720), "a high picture is as sharp as a wide one");
    assert_eq!(fitted(&plain(400, 1600), (480, 960)), (240, 960));
}

#[test]
fn transparency_survives_in_a_card() {
    let image = DynamicImage::ImageRgba8(RgbaImage::from_pixel(300, 300, Rgba([255, 0, 0, 0])));
    let bytes = encoded(&image, ImageFormat::Png);
    let picture = Picture::decode(&bytes, MediaType::Png, LIMITS).expect("a picture");
    let card = image::load_from_memory_with_format(&picture.webp((200, 200), 78.0).expect("a card"), ImageFormat::WebP)
        .expect("a WebP")
        .to_rgba8();
    assert_eq!(card.get_pixel(100, 100)[3], 0);
}
