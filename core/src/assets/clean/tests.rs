use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::*;

const SECRET: &[u8] = b"52.5200N 13.4050E Kamera-4711";

fn encoded(format: ImageFormat) -> Vec<u8> {
    let image = RgbImage::from_fn(40, 30, |x, y| Rgb([(x * 6) as u8, (y * 8) as u8, 77]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, format).expect("an encoded picture");
    bytes.into_inner()
}

fn all() -> [(Vec<u8>, MediaType); 4] {
    [
        (encoded(ImageFormat::Png), MediaType::Png),
        (encoded(ImageFormat::Jpeg), MediaType::Jpeg),
        (encoded(ImageFormat::WebP), MediaType::Webp),
        (encoded(ImageFormat::Gif), MediaType::Gif),
    ]
}

fn tells(bytes: &[u8]) -> bool {
    bytes.windows(SECRET.len()).any(|window| window == SECRET)
}

#[test]
fn file_without_metadata_stays_the_same() {
    for (bytes, media) in all() {
        assert_eq!(picture(&bytes, media).expect("a picture"), bytes, "{media:?}");
    }
}

#[test]
fn trailing_data_is_removed() {
    for (bytes, media) in all() {
        let longer = [&bytes[..], SECRET].concat();
        assert_eq!(picture(&longer, media).expect("a picture"), bytes, "{media:?}");
    }
}

#[test]
fn truncation_is_detected_at_every_length() {
    for (bytes, media) in all() {
        for end in 0..bytes.len() {
            let cut = picture(&bytes[..end], media);
            // A GIF may lack its last byte, which is restored.
            let whole = media == MediaType::Gif && cut.as_deref() == Ok(&bytes[..]);
            assert!(cut == Err(Broken::Cut) || whole, "{media:?} at {end}: {cut:?}");
        }
    }
}

#[test]
fn no_wrong_byte_causes_a_panic() {
    for (bytes, media) in all() {
        for at in 0..bytes.len() {
            for wrong in [0, 0x7f, 0xff] {
                let mut broken = bytes.clone();
                broken[at] = wrong;
                let _any = picture(&broken, media);
            }
        }
    }
}

#[test]
fn metadata_pieces_are_removed_and_colours_stay() {
    let (png, jpeg, webp, gif) = {
        let [(png, _), (jpeg, _), (webp, _), (gif, _)] = all();
        (png, jpeg, webp, gif)
    };
    let chunk = |name: &[u8; 4], data: &[u8]| {
        [&u32::try_from(data.len()).expect("short").to_be_bytes()[..], name, data, &[0; 4]].concat()
    };
    // After the head of 33 bytes.
    for name in [b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME", b"xyZa", b"caBX"] {
        let with_piece = [&png[..33], &chunk(name, SECRET), &png[33..]].concat();
        assert_eq!(picture(&with_piece, MediaType::Png).expect("a PNG"), png, "{}", name.escape_ascii());
    }
    let with_piece = [&png[..33], &chunk(b"iCCP", SECRET), &png[33..]].concat();
    assert_eq!(picture(&with_piece, MediaType::Png).expect("a PNG"), with_piece);

    let segment = |marker: u8, begin: &[u8]| {
        let length = u16::try_from(begin.len() + SECRET.len() + 2).expect("short").to_be_bytes();
        [&[0xff, marker][..], &length, begin, SECRET].concat()
    };
    let pieces: [(u8, &[u8]); 8] = [
        (0xe1, b"Exif\0\0"),
        (0xe1, b"http://ns.adobe.com/xap/1.0/\0"),
        (0xed, b"Photoshop 3.0\0"),
        (0xfe, b""),
        (0xe2, b"MPF\0"),
        (0xe0, b"JFXX\0"),
        (0xef, b""),
        (0xeb, b"JP"),
    ];
    for (marker, begin) in pieces {
        let with_piece = [&jpeg[..2], &segment(marker, begin), &jpeg[2..]].concat();
        assert_eq!(picture(&with_piece, MediaType::Jpeg).expect("a JPEG"), jpeg, "{marker:x}");
    }
    let with_piece = [&jpeg[..2], &segment(0xe2, b"ICC_PROFILE\0\x01\x01"), &jpeg[2..]].concat();
    assert_eq!(picture(&with_piece, MediaType::Jpeg).expect("a JPEG"), with_piece);
    // A thumbnail in the first segment, and a camera's name after the colours.
    let small = [&jpeg[..2], &segment(0xe0, b"JFIF\0\x01\x01\0\0\x48\0\x48\x03\x03"), &jpeg[2..]].concat();
    let small = [&small[..2], &segment(0xee, b"Adobe\0\x64\0\0\0\0\x01"), &small[2..]].concat();
    assert!(!tells(&picture(&small, MediaType::Jpeg).expect("a JPEG")));

    let riff = |chunks: &[u8]| {
        let size = u32::try_from(webp.len() - 8 + chunks.len()).expect("short").to_le_bytes();
        [b"RIFF", &size[..], &webp[8..], chunks].concat()
    };
    let chunk = |name: &[u8; 4]| [&name[..], &29u32.to_le_bytes(), SECRET, &[0]].concat();
    for name in [b"EXIF", b"XMP ", b"abcd"] {
        assert_eq!(picture(&riff(&chunk(name)), MediaType::Webp).expect("a WebP"), webp);
    }
    assert!(tells(&picture(&riff(&chunk(b"ICCP")), MediaType::Webp).expect("a WebP")));

    let block = |label: u8, begin: &[u8]| {
        let name: &[u8] = if begin.is_empty() { &[] } else { &[&[11], begin].concat() };
        [&[0x21, label], name, &[29], SECRET, &[0]].concat()
    };
    let end = gif.len() - 1;
    for (label, begin) in [(0xfe, &b""[..]), (0xff, b"XMP DataXMP"), (0x01, b""), (0x77, b"")] {
        let with_piece = [&gif[..end], &block(label, begin), &gif[end..]].concat();
        assert_eq!(picture(&with_piece, MediaType::Gif).expect("a GIF"), gif, "{label:x}");
    }
    let repeats = [&gif[..end], b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", &gif[end..]].concat();
    assert_eq!(picture(&repeats, MediaType::Gif).expect("a GIF"), repeats);
}
