use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

const LIMITS: PictureLimits = PictureLimits { pixels: 1_000_000, side: 2000, frames: 3, aspect: 100 };

fn measure(bytes: &[u8], media: MediaType, limits: PictureLimits) -> Result<Measures, String> {
    clean_picture(bytes, media, limits).map(|(_, measures)| measures).map_err(|wrong| format!("{wrong:?}"))
}

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
fn decompression_bomb_is_refused_before_it_is_decoded() {
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
fn rendition_keeps_the_aspect_ratio_and_never_grows() {
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
fn rendition_keeps_transparency() {
    let image = DynamicImage::ImageRgba8(RgbaImage::from_pixel(300, 300, Rgba([255, 0, 0, 0])));
    let bytes = encoded(&image, ImageFormat::Png);
    let picture = Picture::decode(&bytes, MediaType::Png, LIMITS).expect("a picture");
    let card = image::load_from_memory_with_format(&picture.webp((200, 200), 78.0).expect("a card"), ImageFormat::WebP)
        .expect("a WebP")
        .to_rgba8();
    assert_eq!(card.get_pixel(100, 100)[3], 0);
}

/// EXIF with an orientation and a place.
fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"MM\0*\0\0\0\x08\0\x02".to_vec();
    exif.extend([0x01, 0x0f, 0, 2, 0, 0, 0, 17, 0, 0, 0, 38]);
    exif.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    exif.extend([0; 4]);
    exif.extend(b"SECRET-Kamera-52N\0");
    exif
}

/// Three colours in a row; rotated by a right angle they form a column.
fn striped() -> DynamicImage {
    let colours = [[250, 10, 10], [10, 250, 10], [10, 10, 250]];
    DynamicImage::ImageRgb8(RgbImage::from_fn(48, 16, |x, _| Rgb(colours[(x / 16) as usize])))
}

#[test]
fn oriented_picture_is_rotated_and_loses_its_metadata() {
    let write = |mut encoder: Box<dyn FnMut(Vec<u8>) -> Vec<u8>>| encoder(exif(6));
    let png = write(Box::new(|exif| {
        let mut bytes = Vec::new();
        let mut encoder = PngEncoder::new(&mut bytes);
        encoder.set_exif_metadata(exif).expect("EXIF");
        striped().write_with_encoder(encoder).expect("a PNG");
        bytes
    }));
    let jpeg = write(Box::new(|exif| {
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
        encoder.set_exif_metadata(exif).expect("EXIF");
        striped().write_with_encoder(encoder).expect("a JPEG");
        bytes
    }));
    let webp = write(Box::new(|exif| {
        let mut bytes = Vec::new();
        let mut encoder = WebPEncoder::new_lossless(&mut bytes);
        encoder.set_exif_metadata(exif).expect("EXIF");
        striped().write_with_encoder(encoder).expect("a WebP");
        bytes
    }));
    for (bytes, media) in [(png, MediaType::Png), (jpeg, MediaType::Jpeg), (webp, MediaType::Webp)] {
        let secret = |bytes: &[u8]| bytes.windows(6).any(|window| window == b"SECRET");
        assert!(secret(&bytes), "{media:?}: the test's picture tells nothing");
        let (clean, measures) = clean_picture(&bytes, media, LIMITS).expect("a picture");
        assert_eq!((measures.width, measures.height), (16, 48), "{media:?}");
        assert!(!secret(&clean), "{media:?}");
        let again = Picture::decode(&clean, media, LIMITS).expect("a picture");
        assert_eq!(
            again.was_turned,
            media == MediaType::Jpeg,
            "{media:?}: a JPEG keeps its pixels and is turned by all"
        );
        let top = again.image.to_rgb8().get_pixel(8, 2).0;
        assert!(top[0] > 200 && top[1] < 60, "{media:?}: {top:?}");
        assert_eq!(
            clean_picture(&clean, media, LIMITS).expect("a picture").0,
            clean,
            "{media:?}: cleaning again changes it"
        );
    }
}

#[test]
fn jpeg_keeps_its_scans_byte_for_byte_in_all_orientations() {
    for orientation in 1..=8 {
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
        encoder.set_exif_metadata(exif(orientation)).expect("EXIF");
        striped().write_with_encoder(encoder).expect("a JPEG");
        let (clean, measures) = clean_picture(&bytes, MediaType::Jpeg, LIMITS).expect("a picture");
        let scans = |bytes: &[u8]| {
            let tables = bytes.windows(2).position(|pair| pair == [0xff, 0xdb]).expect("tables");
            bytes[tables..].to_vec()
        };
        assert_eq!(scans(&clean), scans(&bytes), "{orientation}: the pixels were written again");
        assert!(clean.len() <= bytes.len(), "{orientation}: the file grew");
        let before = Picture::decode(&bytes, MediaType::Jpeg, LIMITS).expect("a picture").image;
        let after = Picture::decode(&clean, MediaType::Jpeg, LIMITS).expect("a picture").image;
        assert_eq!(after, before, "{orientation}: it is turned otherwise than before");
        let sides = if orientation < 5 { (48, 16) } else { (16, 48) };
        assert_eq!((measures.width, measures.height), sides, "{orientation}");
    }
}

#[test]
fn mask_of_a_rotated_photo_has_the_sides_that_are_shown() {
    for orientation in 1..=8 {
        let mut photo = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut photo, 95);
        encoder.set_exif_metadata(exif(orientation)).expect("EXIF");
        striped().write_with_encoder(encoder).expect("a JPEG");
        let lay = |width: u32, height: u32| {
            let mask = RgbaImage::from_fn(width, height, |x, y| Rgba([if (x, y) == (0, 0) { 0 } else { u8::MAX }; 4]));
            let mut png = Cursor::new(Vec::new());
            mask.write_to(&mut png, ImageFormat::Png).expect("a PNG");
            crate::assets::pictures::mask::lay(png.get_ref(), (photo.as_slice(), MediaType::Jpeg), LIMITS)
        };
        let (width, height) = if orientation < 5 { (48, 16) } else { (16, 48) };
        let file = lay(width, height).expect("a masked photo").files.remove(0).expect("a file");
        let masked = image::load_from_memory(&file).expect("a PNG").into_rgba8();
        assert_eq!(masked.dimensions(), (width, height), "{orientation}");
        assert_eq!((masked.get_pixel(0, 0)[3], masked.get_pixel(1, 0)[3]), (0, u8::MAX), "{orientation}");
        assert!(matches!(lay(height, width), Err(PictureError::Sides { .. })), "{orientation}: a mask is on its side");
    }
}

/// The segments up to the scan, each with its marker.
fn segments(bytes: &[u8]) -> Vec<&[u8]> {
    let (mut segments, mut at) = (Vec::new(), 2);
    while segments.last().is_none_or(|last: &&[u8]| last[1] != 0xda) {
        let length = usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]])) + 2;
        segments.push(&bytes[at..at + length]);
        at += length;
    }
    segments.push(&bytes[at..]);
    segments
}

#[test]
fn jpeg_with_stray_bytes_between_segments_decodes_the_same() {
    let mut plain = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut plain, 95);
    encoder.set_exif_metadata(exif(6)).expect("EXIF");
    striped().write_with_encoder(encoder).expect("a JPEG");
    let (clean, measures) = clean_picture(&plain, MediaType::Jpeg, LIMITS).expect("a picture");
    let odd: [&[u8]; 10] = [
        b"\xff",
        b"\xff\xff\xff",
        b"\0",
        b"\0\0\0\0",
        b"\x0d\x0a",
        b"\xff\0",
        b"\0\xff\0\xff",
        // Metadata segments that state only their own length, less than that, and nothing.
        b"\xff\xe5\0\x02",
        b"\xff\xfe\0\x01",
        b"\xff\xec\0\0",
    ];
    for between in odd {
        let parts = segments(&plain);
        // The start marker must be followed by another marker, otherwise no decoder accepts the JPEG.
        let first = [&plain[..2], parts[0]].concat();
        // The scan directly follows its segment and the picture ends after it.
        let (scan, head) = parts[1..].split_last().expect("a scan");
        let mut bytes = head.iter().fold(first, |file, part| [&file[..], between, part].concat());
        bytes.extend_from_slice(scan);
        bytes.extend_from_slice(between);
        let (odd, measured) = clean_picture(&bytes, MediaType::Jpeg, LIMITS).expect("a picture");
        assert_eq!(odd, clean, "{}", between.escape_ascii());
        assert_eq!(measured, measures);
    }
}

#[test]
fn jpeg_with_padding_between_segments_is_accepted() {
    for bytes in [
        &include_bytes!("../../../../tests/data/jpeg/fill-before-marker.jpg")[..],
        include_bytes!("../../../../tests/data/jpeg/zeros-between-segments.jpg"),
    ] {
        let (_, measures) = clean_picture(bytes, MediaType::Jpeg, LIMITS).expect("a picture");
        assert_eq!((measures.width, measures.height), (16, 16));
    }
}

#[test]
fn bitmap_is_encoded_again_with_the_same_pixels() {
    let bytes = [&encoded(&striped(), ImageFormat::Bmp)[..], b"SECRET"].concat();
    let (clean, _) = clean_picture(&bytes, MediaType::Bmp, LIMITS).expect("a bitmap");
    assert!(!clean.windows(6).any(|window| window == b"SECRET"));
    let again = Picture::decode(&clean, MediaType::Bmp, LIMITS).expect("a bitmap");
    assert_eq!(again.image.to_rgb8(), striped().to_rgb8());
}

#[test]
fn faults_of_a_file_are_distinguished() {
    let wrong = |bytes: &[u8]| clean_picture(bytes, crate::assets::sniff(bytes), LIMITS).expect_err("no picture");
    assert_eq!(wrong(b""), PictureError::Empty);
    let png = encoded(&plain(64, 48), ImageFormat::Png);
    assert_eq!(wrong(&png[..png.len() - 9]), PictureError::Cut);
    assert!(matches!(
        wrong(&encoded(&plain(2001, 3), ImageFormat::Png)),
        PictureError::Sides { width: 2001, height: 3, .. }
    ));
    for (bytes, format) in [
        (&b"\0\0\0\x20ftypavif\0\0\0\0"[..], "AVIF"),
        (b"\0\0\0\x20ftypheic\0\0\0\0", "HEIC"),
        (b"\0\0\0\x20ftypmif1\0\0\0\0", "HEIF"),
        (b"II*\0\x08\0\0\0", "TIFF"),
        (b"MM\0*\0\0\0\x08", "TIFF"),
        (b"\xff\x0a\x00\x00", "JPEG XL"),
        (b"8BPS\0\x01", "PSD"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"%PDF-1.7", "PDF"),
    ] {
        assert_eq!(wrong(bytes), PictureError::Format(format), "{format}");
    }
    assert!(matches!(wrong(b"hello"), PictureError::Unreadable(_)));
    assert!(LIMITS.check_aspect(1, 101).is_err() && LIMITS.check_aspect(101, 1).is_err());
    assert!(LIMITS.check_aspect(1, 100).is_ok());
}
