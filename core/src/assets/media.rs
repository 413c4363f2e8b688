//! Detects a file's type from its bytes, never from its name.

use std::io::{self, Read, Seek, SeekFrom};

use serde::{Deserialize, Serialize};

/// Recognized file types; all others are downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MediaType {
    Png,
    Jpeg,
    Webp,
    Gif,
    Bmp,
    Mp4,
    Webm,
    Flac,
    Mp3,
    Ogg,
    Wav,
    /// Written by ComfyUI's SaveLatent; a download.
    Latent,
    /// Models and other tensors; a download.
    Safetensors,
    M4a,
    /// UTF-8 text of any format, such as a table or subtitles; a download. Uploads only: bytes do not tell it.
    Text,
    Other,
}

/// The broad kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AssetKind {
    Image,
    Video,
    Audio,
    /// A text file.
    Text,
    File,
}

/// Each media type with its database spelling, extension, content type and kind.
const FACTS: [(MediaType, &str, &str, &str, AssetKind); 16] = [
    (MediaType::Png, "Png", "png", "image/png", AssetKind::Image),
    (MediaType::Jpeg, "Jpeg", "jpg", "image/jpeg", AssetKind::Image),
    (MediaType::Webp, "Webp", "webp", "image/webp", AssetKind::Image),
    (MediaType::Gif, "Gif", "gif", "image/gif", AssetKind::Image),
    (MediaType::Bmp, "Bmp", "bmp", "image/bmp", AssetKind::Image),
    (MediaType::Mp4, "Mp4", "mp4", "video/mp4", AssetKind::Video),
    (MediaType::Webm, "Webm", "webm", "video/webm", AssetKind::Video),
    (MediaType::Flac, "Flac", "flac", "audio/flac", AssetKind::Audio),
    (MediaType::Mp3, "Mp3", "mp3", "audio/mpeg", AssetKind::Audio),
    (MediaType::Ogg, "Ogg", "ogg", "audio/ogg", AssetKind::Audio),
    (MediaType::Wav, "Wav", "wav", "audio/wav", AssetKind::Audio),
    (MediaType::Latent, "Latent", "latent", "application/octet-stream", AssetKind::File),
    (MediaType::Safetensors, "Safetensors", "safetensors", "application/octet-stream", AssetKind::File),
    (MediaType::M4a, "M4a", "m4a", "audio/mp4", AssetKind::Audio),
    (MediaType::Text, "Text", "txt", "text/plain; charset=utf-8", AssetKind::Text),
    (MediaType::Other, "Other", "bin", "application/octet-stream", AssetKind::File),
];

impl MediaType {
    fn facts(self) -> (&'static str, &'static str, &'static str, AssetKind) {
        let unknown = ("Other", "bin", "application/octet-stream", AssetKind::File);
        FACTS
            .iter()
            .find(|(media, ..)| *media == self)
            .map_or(unknown, |(_, word, extension, content_type, kind)| (*word, *extension, *content_type, *kind))
    }

    /// The database spelling.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.facts().0
    }

    /// The media type with this spelling, else [`MediaType::Other`].
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        FACTS.iter().find(|(_, known, ..)| *known == word).map_or(Self::Other, |(media, ..)| *media)
    }

    /// The extension in keys and saved files, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.facts().1
    }

    /// The `Content-Type` it is served with.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        self.facts().2
    }

    #[must_use]
    pub fn kind(self) -> AssetKind {
        self.facts().3
    }

    /// The media type with this extension, else [`MediaType::Other`].
    #[must_use]
    pub fn from_extension(extension: &str) -> Self {
        FACTS.iter().find(|(_, _, known, ..)| *known == extension).map_or(Self::Other, |(media, ..)| *media)
    }
}

impl MediaType {
    /// Whether a file that begins with these bytes may be served as this type. Downloads keep their type whatever their
    /// bytes look like, because browsers open none of them.
    #[must_use]
    pub fn fits(self, head: &[u8]) -> bool {
        self.kind().is_download() || sniff(head) == self
    }

    /// Like [`MediaType::from_extension`], with common alternative extensions.
    #[must_use]
    pub fn from_ending(ending: &str) -> Self {
        match ending.to_ascii_lowercase().as_str() {
            "jpeg" | "jpe" | "jfif" => Self::Jpeg,
            "apng" => Self::Png,
            "opus" | "oga" => Self::Ogg,
            "m4v" => Self::Mp4,
            "wave" => Self::Wav,
            "sft" => Self::Safetensors,
            ending => Self::from_extension(ending),
        }
    }
}

impl AssetKind {
    /// The specification's word: `Image`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Image => "Image",
            Self::Video => "Video",
            Self::Audio => "Audio",
            Self::Text => "Text",
            Self::File => "File",
        }
    }

    /// The kind with this word, else [`AssetKind::File`].
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        let known = [Self::Image, Self::Video, Self::Audio, Self::Text];
        known.into_iter().find(|kind| kind.as_str() == word).unwrap_or(Self::File)
    }

    /// Whether browsers only save files of this kind, and never show them.
    #[must_use]
    pub fn is_download(self) -> bool {
        matches!(self, Self::Text | Self::File)
    }
}

/// The media type of these bytes, by their first bytes only; the decoder finds out whether the rest is valid.
#[must_use]
pub fn sniff(bytes: &[u8]) -> MediaType {
    let at = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
    match () {
        () if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => MediaType::Png,
        () if bytes.starts_with(b"\xff\xd8\xff") => MediaType::Jpeg,
        () if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") => MediaType::Gif,
        () if bytes.starts_with(b"RIFF") && at(8, 12) == b"WEBP" => MediaType::Webp,
        () if bytes.starts_with(b"RIFF") && at(8, 12) == b"WAVE" => MediaType::Wav,
        // The size field of the second header distinguishes a bitmap from a text that starts with "BM".
        () if bytes.starts_with(b"BM") && matches!(at(14, 18), [12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0]) => {
            MediaType::Bmp
        }
        () if at(4, 8) == b"ftyp" => brand(at(8, 12)),
        () if bytes.starts_with(b"\x1a\x45\xdf\xa3")
            && at(0, bytes.len().min(64)).windows(4).any(|word| word == b"webm") =>
        {
            MediaType::Webm
        }
        () if bytes.starts_with(b"fLaC") => MediaType::Flac,
        () if bytes.starts_with(b"OggS") => MediaType::Ogg,
        () if bytes.starts_with(b"ID3") || is_mpeg_audio(at(0, 4)) => MediaType::Mp3,
        () => tensors(bytes).unwrap_or(MediaType::Other),
    }
}

/// Tensor files: an eight-byte length, then a JSON header. Latents contain a tensor of a fixed name.
fn tensors(bytes: &[u8]) -> Option<MediaType> {
    const LONGEST_HEADER: u64 = 100_000_000;
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let length = u64::from_le_bytes(*length);
    if !(2..=LONGEST_HEADER).contains(&length) || !rest.starts_with(b"{\"") {
        return None;
    }
    let header = rest.get(..usize::try_from(length).ok()?).unwrap_or(rest);
    let latent: &[u8] = b"\"latent_tensor\":";
    let is_latent = header.windows(latent.len()).any(|part| part == latent);
    Some(if is_latent { MediaType::Latent } else { MediaType::Safetensors })
}

/// The name of an unsupported picture, video or document format, as people know it.
#[must_use]
pub(super) fn foreign(bytes: &[u8]) -> Option<&'static str> {
    let at = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
    let text = at(0, bytes.len().min(512));
    let says = |word: &[u8]| text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word));
    match () {
        () if at(4, 8) == b"ftyp" => match at(8, 12) {
            b"avif" | b"avis" => Some("AVIF"),
            b"heic" | b"heix" | b"hevc" | b"hevx" => Some("HEIC"),
            b"mif1" | b"msf1" => Some("HEIF"),
            b"crx " => Some("CR3"),
            b"qt  " => Some("QuickTime"),
            _ => None,
        },
        () if bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*") => Some("TIFF"),
        () if bytes.starts_with(b"\xff\x0a") || at(4, 12) == b"JXL \r\n\x87\n" => Some("JPEG XL"),
        () if at(4, 8) == b"jP  " => Some("JPEG 2000"),
        () if bytes.starts_with(b"8BPS") => Some("PSD"),
        () if bytes.starts_with(b"\0\0\x01\0") => Some("ICO"),
        () if bytes.starts_with(b"v/1\x01") => Some("EXR"),
        () if bytes.starts_with(b"%PDF-") => Some("PDF"),
        () if bytes.starts_with(b"\x1a\x45\xdf\xa3") => Some("Matroska"),
        () if bytes.starts_with(b"RIFF") && at(8, 12) == b"AVI " => Some("AVI"),
        () if text.starts_with(b"<") && says(b"<svg") => Some("SVG"),
        () => None,
    }
}

/// Whether an MP4 file is truncated: one of its boxes states more bytes than there are. Blocking.
pub(super) fn is_cut(file: &mut (impl Read + Seek), length: u64) -> io::Result<bool> {
    let mut at = 0_u64;
    // Size and name of a box, and its 64-bit size.
    let mut head = [0; 16];
    while at < length {
        file.seek(SeekFrom::Start(at))?;
        let read = read_some(file, &mut head)?;
        let number = |from: usize, to: usize| {
            let digits = head.get(from..to).filter(|_| to <= read);
            digits.map(|digits| digits.iter().fold(0_u64, |sum, digit| sum << 8 | u64::from(*digit)))
        };
        if at == 0 && (read < 8 || head.get(4..8) != Some(b"ftyp")) {
            return Ok(false);
        }
        let stated = match number(0, 4) {
            // 0: to the end of the file; 1: a 64-bit size follows.
            Some(0) => return Ok(false),
            Some(1) => number(8, 16),
            stated => stated,
        };
        // Trailing bytes that are not a box.
        let Some(stated) = stated.filter(|stated| *stated >= 8) else { return Ok(false) };
        match at.checked_add(stated).filter(|end| *end <= length) {
            Some(end) => at = end,
            None => return Ok(true),
        }
    }
    Ok(false)
}

/// Reads until the buffer is full or the file ends.
fn read_some(file: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while let Some(rest) = room.get_mut(read..).filter(|rest| !rest.is_empty()) {
        match file.read(rest)? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

/// MP4 containers also hold still pictures and QuickTime videos, which not all browsers show.
fn brand(brand: &[u8]) -> MediaType {
    match brand {
        b"avif" | b"avis" | b"heic" | b"heix" | b"hevc" | b"hevx" | b"mif1" | b"msf1" | b"crx " | b"qt  " => {
            MediaType::Other
        }
        b"M4A " | b"M4B " => MediaType::M4a,
        _ => MediaType::Mp4,
    }
}

/// Whether this is a frame header of MPEG audio, layer III, with a valid bit rate and sampling rate.
fn is_mpeg_audio(header: &[u8]) -> bool {
    match header {
        [0xff, second, third, _] => {
            second & 0xe0 == 0xe0
                && second & 0x18 != 0x08
                && second & 0x06 == 0x02
                && third & 0xf0 != 0xf0
                && third & 0xf0 != 0
                && third & 0x0c != 0x0c
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_detected_from_bytes() {
        let cases: [(&[u8], MediaType); 21] = [
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", MediaType::Png),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", MediaType::Jpeg),
            (b"GIF89a\x01\0\x01\0", MediaType::Gif),
            (b"RIFF\x24\0\0\0WEBPVP8 ", MediaType::Webp),
            (b"RIFF\x24\0\0\0WAVEfmt ", MediaType::Wav),
            (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", MediaType::Bmp),
            (b"BMW is a maker of cars and motorcycles", MediaType::Other),
            (b"\0\0\0\x20ftypisom\0\0\x02\0", MediaType::Mp4),
            (b"\0\0\0\x20ftypavif\0\0\0\0", MediaType::Other),
            (b"\0\0\0\x20ftypM4A \0\0\0\0", MediaType::M4a),
            (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm", MediaType::Webm),
            (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska", MediaType::Other),
            (b"fLaC\0\0\0\x22", MediaType::Flac),
            (b"OggS\0\x02", MediaType::Ogg),
            (b"ID3\x04\0", MediaType::Mp3),
            (b"\xff\xfb\x90\x64", MediaType::Mp3),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", MediaType::Other),
            (b"", MediaType::Other),
            (b"\x40\0\0\0\0\0\0\0{\"__metadata__\":{},\"latent_tensor\":{\"dtype\":\"F32\"", MediaType::Latent),
            (b"\x40\0\0\0\0\0\0\0{\"lora_up\":{\"dtype\":\"F32\"", MediaType::Safetensors),
            (b"\x40\0\0\0\0\0\0\0<svg>", MediaType::Other),
        ];
        for (bytes, media) in cases {
            assert_eq!(sniff(bytes), media, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn extensions_and_words_are_unique() {
        for (media, word, extension, ..) in FACTS {
            assert_eq!(MediaType::from_extension(extension), media);
            assert_eq!(MediaType::from_word(word), media);
            assert_eq!(word, format!("{media:?}"), "the database spelling");
            assert_eq!(media.extension(), extension);
        }
        assert_eq!(MediaType::from_extension("svg"), MediaType::Other);
    }
}
