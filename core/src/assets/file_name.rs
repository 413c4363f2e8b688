//! File names from workers: names that are safe to show, to save and to put into an archive, and content types by
//! extension for files that are known by name only.

use unicode_normalization::UnicodeNormalization as _;

use super::media::MediaType;
use crate::names;

/// Including the extension.
pub const FILE_NAME_CHARACTERS: usize = 120;
/// File systems allow 255 bytes; a number may be appended.
const FILE_NAME_BYTES: usize = 200;
const ENDING_CHARACTERS: usize = 12;

/// Content types by extension.
const CONTENT_TYPES: [(&str, &str); 84] = [
    ("glb", "model/gltf-binary"),
    ("gltf", "model/gltf+json"),
    ("obj", "model/obj"),
    ("mtl", "model/mtl"),
    ("ply", "model/ply"),
    ("stl", "model/stl"),
    ("3mf", "model/3mf"),
    ("usdz", "model/vnd.usdz+zip"),
    ("usd", "model/vnd.usd"),
    ("dae", "model/vnd.collada+xml"),
    ("usda", "model/vnd.usd"),
    ("usdc", "model/vnd.usd"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("webp", "image/webp"),
    ("gif", "image/gif"),
    ("bmp", "image/bmp"),
    ("avif", "image/avif"),
    ("heic", "image/heic"),
    ("heif", "image/heif"),
    ("jxl", "image/jxl"),
    ("tiff", "image/tiff"),
    ("tif", "image/tiff"),
    ("exr", "image/x-exr"),
    ("hdr", "image/vnd.radiance"),
    ("psd", "image/vnd.adobe.photoshop"),
    ("ico", "image/vnd.microsoft.icon"),
    ("apng", "image/apng"),
    ("jp2", "image/jp2"),
    ("tga", "image/x-tga"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("mov", "video/quicktime"),
    ("mkv", "video/matroska"),
    ("avi", "video/vnd.avi"),
    ("mpg", "video/mpeg"),
    ("mpeg", "video/mpeg"),
    ("ts", "video/mp2t"),
    ("mts", "video/mp2t"),
    ("m2ts", "video/mp2t"),
    ("m4v", "video/x-m4v"),
    ("ogv", "video/ogg"),
    ("wmv", "video/x-ms-wmv"),
    ("flv", "video/x-flv"),
    ("3gp", "video/3gpp"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("wav", "audio/wav"),
    ("flac", "audio/flac"),
    ("ogg", "audio/ogg"),
    ("opus", "audio/ogg"),
    ("aac", "audio/aac"),
    ("aiff", "audio/aiff"),
    ("aif", "audio/aiff"),
    ("oga", "audio/ogg"),
    ("weba", "audio/webm"),
    ("wma", "audio/x-ms-wma"),
    ("caf", "audio/x-caf"),
    ("mid", "audio/midi"),
    ("midi", "audio/midi"),
    ("txt", "text/plain"),
    ("log", "text/plain"),
    ("srt", "application/x-subrip"),
    ("vtt", "text/vtt"),
    ("csv", "text/csv"),
    ("tsv", "text/tab-separated-values"),
    ("md", "text/markdown"),
    ("html", "text/html"),
    ("htm", "text/html"),
    ("css", "text/css"),
    ("js", "text/javascript"),
    ("xml", "application/xml"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("ndjson", "application/x-ndjson"),
    ("toml", "application/toml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("pdf", "application/pdf"),
    ("zip", "application/zip"),
    ("gz", "application/gzip"),
    ("7z", "application/x-7z-compressed"),
];

/// Device names that Windows reserves with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The name to show and save a worker's file under: no folders, no hidden characters, nothing that a file system or
/// shell rejects, and the extension of its actual type. `None` if nothing is left.
#[must_use]
pub fn file_name(given: &str, media: MediaType) -> Option<String> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let letter = |c: char| if matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\u{fffd}') { '_' } else { c };
    let shown =
        last.nfc().filter(|c| !names::is_hidden(*c) && !names::is_disruptive(*c)).map(letter).collect::<String>();
    let shown = shown.trim_matches(|c: char| c.is_whitespace() || c == '.');
    let (stem, ending) = match ending_of(shown) {
        Some(ending) => (shown.get(..shown.len() - ending.len() - 1).unwrap_or_default(), Some(ending)),
        None => (shown, None),
    };
    let stem = stem.trim_end();
    if stem.is_empty() {
        return None;
    }
    let ending = match (media, ending) {
        (MediaType::Other, ending) => ending.map(str::to_owned),
        (media, Some(ending)) if MediaType::from_ending(ending) == media => Some(ending.to_owned()),
        (media, _) => Some(media.extension().to_owned()),
    };
    let ending = ending.map(|ending| format!(".{ending}")).unwrap_or_default();
    let mut kept = String::new();
    if is_device(stem) {
        kept.push('_');
    }
    for (count, c) in stem.chars().enumerate() {
        let is_full = count + ending.chars().count() >= FILE_NAME_CHARACTERS
            || kept.len() + c.len_utf8() + ending.len() > FILE_NAME_BYTES;
        if is_full {
            break;
        }
        kept.push(c);
    }
    Some(kept + &ending)
}

/// The extension of a name, without the dot: `glb`. `None` if it has none, or an unusable one.
#[must_use]
pub fn ending_of(name: &str) -> Option<&str> {
    let (stem, ending) = name.rsplit_once('.')?;
    let is_word = !ending.is_empty()
        && ending.len() <= ENDING_CHARACTERS
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (is_word && !stem.is_empty()).then_some(ending)
}

/// The `Content-Type` to serve a file with: by its bytes, or by its name if the bytes say nothing. A file that is known
/// by its name only is always a download.
#[must_use]
pub fn content_type(media: MediaType, name: Option<&str>) -> &'static str {
    let by_bytes = media.content_type();
    if media != MediaType::Other {
        return by_bytes;
    }
    let ending = name.and_then(ending_of).map(str::to_ascii_lowercase);
    let known = ending.and_then(|ending| CONTENT_TYPES.iter().find(|(known, _)| **known == ending));
    known.map_or(by_bytes, |(_, content_type)| content_type)
}

fn is_device(stem: &str) -> bool {
    let first = stem.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let bare = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_number = bare.len() + 1 == first.len();
    match bare {
        "com" | "lpt" => has_number,
        bare => bare.len() == first.len() && DEVICES.contains(&bare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmful_parts_of_a_name_are_removed() {
        let long = format!("{}.safetensors", "가".repeat(300));
        for (given, media, kept) in [
            ("statue_00001_.glb", MediaType::Other, Some("statue_00001_.glb")),
            ("mesh/statue.tar.gz", MediaType::Other, Some("statue.tar.gz")),
            ("..\\..\\evil.svg", MediaType::Other, Some("evil.svg")),
            ("../../etc/passwd", MediaType::Other, Some("passwd")),
            ("a\u{202e}gpj.exe", MediaType::Other, Some("agpj.exe")),
            ("a\r\nSet-Cookie: x.txt", MediaType::Other, Some("aSet-Cookie_ x.txt")),
            ("say \"hi\"?.csv", MediaType::Other, Some("say _hi__.csv")),
            (" .. .hidden.json ", MediaType::Other, Some("hidden.json")),
            ("con.txt", MediaType::Other, Some("_con.txt")),
            ("COM1.obj", MediaType::Other, Some("_COM1.obj")),
            ("com.obj", MediaType::Other, Some("com.obj")),
            ("nul", MediaType::Other, Some("_nul")),
            ("e\u{301}t\u{e9}.ply", MediaType::Other, Some("\u{e9}t\u{e9}.ply")),
            ("조각상.glb", MediaType::Other, Some("조각상.glb")),
            ("README", MediaType::Other, Some("README")),
            ("", MediaType::Other, None),
            ("...", MediaType::Other, None),
            ("folder/", MediaType::Other, None),
            ("\u{200b}.glb", MediaType::Other, Some("glb")),
            // The bytes take precedence over the name.
            ("film.mp4", MediaType::Mp4, Some("film.mp4")),
            ("a.JPEG", MediaType::Jpeg, Some("a.JPEG")),
            ("a.opus", MediaType::Ogg, Some("a.opus")),
            ("a.png", MediaType::Webp, Some("a.webp")),
            ("page.html", MediaType::Png, Some("page.png")),
            ("noending", MediaType::Png, Some("noending.png")),
        ] {
            assert_eq!(file_name(given, media).as_deref(), kept, "{given:?}");
        }
        let kept = file_name(&long, MediaType::Other).expect("a name");
        assert!(kept.len() <= FILE_NAME_BYTES && kept.ends_with("가.safetensors"), "{kept}");
        let kept = file_name(&format!("{}.glb", "x".repeat(500)), MediaType::Other).expect("a name");
        assert_eq!((kept.chars().count(), kept.ends_with("x.glb")), (FILE_NAME_CHARACTERS, true));
    }

    #[test]
    fn safe_name_stays_the_same() {
        for given in ["statue_00001_.glb", "con.txt", "a\u{202e}b.c:d", "..x.", "a.b.c.d", "say \"hi\".csv"] {
            let once = file_name(given, MediaType::Other).expect("a name");
            assert_eq!(file_name(&once, MediaType::Other).as_ref(), Some(&once));
        }
    }

    #[test]
    fn content_types_follow_the_bytes_and_then_the_name() {
        for (media, name, content_type_of) in [
            (MediaType::Other, Some("a.GLB"), "model/gltf-binary"),
            (MediaType::Other, Some("a.mov"), "video/quicktime"),
            (MediaType::Other, Some("a.wmv"), "video/x-ms-wmv"),
            (MediaType::Other, Some("a.caf"), "audio/x-caf"),
            (MediaType::Other, Some("a.unheard"), "application/octet-stream"),
            (MediaType::Other, None, "application/octet-stream"),
            (MediaType::Png, Some("a.html"), "image/png"),
            (MediaType::Latent, Some("a.latent"), "application/octet-stream"),
        ] {
            assert_eq!(content_type(media, name), content_type_of, "{name:?}");
        }
    }
}
