//! The orientation of a JPEG: the one metadata that belongs to the picture. Workers, browsers and our own decoder apply
//! it, so that the pixels can stay as they are.

use image::metadata::Orientation;

/// Start of an EXIF segment.
const EXIF: &[u8] = b"Exif\0\0";
/// Start of an XMP segment.
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const TAG: u16 = 0x0112;
/// A two-byte integer.
const SHORT: u16 = 3;

/// The orientation in the data of an APP1 segment, from 2 to 8; `None` if there is none to apply. Read as in Pillow,
/// which ComfyUI uses: EXIF first, then XMP.
pub(super) fn stated(data: &[u8]) -> Option<Stated> {
    if let Some(tiff) = data.strip_prefix(EXIF) {
        let orientation = Orientation::from_exif_chunk(tiff)?.to_exif();
        return turned(u16::from(orientation)).map(Stated::Exif);
    }
    let xmp = data.strip_prefix(XMP)?;
    in_xmp(xmp).map(Stated::Xmp)
}

/// The source of an orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stated {
    Exif(u16),
    Xmp(u16),
}

/// The data of an APP1 segment with nothing but an orientation.
pub(super) fn segment(orientation: u16) -> Vec<u8> {
    let mut data = EXIF.to_vec();
    // Big-endian; one directory at byte 8 with one entry, and no further directory.
    data.extend_from_slice(b"MM\0*\0\0\0\x08\0\x01");
    data.extend_from_slice(&TAG.to_be_bytes());
    data.extend_from_slice(&SHORT.to_be_bytes());
    data.extend_from_slice(&[0, 0, 0, 1]);
    data.extend_from_slice(&orientation.to_be_bytes());
    data.extend_from_slice(&[0; 6]);
    data
}

fn in_xmp(xmp: &[u8]) -> Option<u16> {
    const NAME: &[u8] = b"tiff:Orientation";
    let at = xmp.windows(NAME.len()).position(|window| window == NAME)? + NAME.len();
    let rest = xmp.get(at..)?;
    let digit = rest.strip_prefix(b"=\"").or_else(|| rest.strip_prefix(b">"))?.first()?;
    turned(u16::from(digit.checked_sub(b'0')?))
}

fn turned(orientation: u16) -> Option<u16> {
    (2..=8).contains(&orientation).then_some(orientation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orientation_is_read_in_both_byte_orders_and_from_xmp() {
        for orientation in 2..=8_u16 {
            assert_eq!(stated(&segment(orientation)), Some(Stated::Exif(orientation)));
            let mut little = EXIF.to_vec();
            little.extend_from_slice(b"II*\0\x08\0\0\0\x02\0");
            little.extend_from_slice(&[0x0f, 0x01, 2, 0, 4, 0, 0, 0, b'X', 0, 0, 0]);
            little.extend_from_slice(&[0x12, 0x01, 3, 0, 1, 0, 0, 0]);
            little.extend_from_slice(&orientation.to_le_bytes());
            little.extend_from_slice(&[0; 2]);
            assert_eq!(stated(&little), Some(Stated::Exif(orientation)));
            for text in [format!("tiff:Orientation=\"{orientation}\""), format!("<tiff:Orientation>{orientation}<")] {
                let xmp = [XMP, b"<x:xmpmeta> ", text.as_bytes()].concat();
                assert_eq!(stated(&xmp), Some(Stated::Xmp(orientation)), "{text}");
            }
        }
    }

    #[test]
    fn a_plain_picture_and_a_broken_directory_state_nothing() {
        for plain in [0, 1, 9, 0xffff] {
            assert_eq!(stated(&segment(plain)), None, "{plain}");
        }
        let whole = segment(6);
        for end in 0..26 {
            assert_eq!(stated(&whole[..end]), None, "cut at {end}");
        }
        for at in 0..whole.len() {
            for wrong in [0, 0x7f, 0xff] {
                let mut broken = whole.clone();
                broken[at] = wrong;
                let _any = stated(&broken);
            }
        }
    }
}
