//! Detects file names in texts, in all spellings that ComfyUI, its custom nodes and operating systems accept.

use std::borrow::Cow;

use crate::graph::classes::definitions::is_upload;

/// Extensions of files that users upload or workers create. Model files are not included: their lists are the same for
/// all users.
const MEDIA: [&str; 61] = [
    "png", "apng", "jpg", "jpeg", "jpe", "jfif", "webp", "gif", "bmp", "tif", "tiff", "tga", "ico", "heic", "heif",
    "avif", "jxl", "jp2", "exr", "hdr", "psd", "svg", "pdf", "mp4", "m4v", "mov", "webm", "mkv", "avi", "mpg", "mpeg",
    "wmv", "flv", "ogv", "3gp", "ts", "mts", "m2ts", "wav", "mp3", "flac", "ogg", "oga", "opus", "m4a", "aac", "wma",
    "aiff", "glb", "gltf", "obj", "fbx", "stl", "usdz", "ply", "splat", "spz", "ksplat", "latent", "srt", "zip",
];
/// Extensions of files that users upload and that custom nodes also ship: styles, wildcards, settings.
const DOCUMENTS: [&str; 12] = ["txt", "csv", "tsv", "json", "jsonl", "md", "xml", "html", "yaml", "yml", "vtt", "npy"];
const MODELS: [&str; 11] = ["safetensors", "sft", "ckpt", "pt", "pt2", "pth", "bin", "gguf", "onnx", "engine", "pkl"];

/// A longer text is not a path on any supported system.
const LONGEST_PATH: usize = 4096;
/// First characters of media files in base64: PNG, JPEG, GIF, RIFF, WebM, Ogg, FLAC, MP3 with and without a head.
const BASE64: [&str; 10] =
    ["iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "GkXfo", "T2dnU", "ZkxhQ", "SUQz", "//uQ", "//sQ"];

/// The folder in a name's annotation, as in ComfyUI's `annotated_filepath` and in more lenient nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::graph) enum Folder {
    Input,
    Output,
    Temp,
}

/// The folder in the annotation at the end of a name, regardless of case and spacing, and the name before it.
pub(in crate::graph) fn annotation(name: &str) -> Option<(&str, Folder)> {
    let inside = name.trim_end_matches(is_blank).strip_suffix(']')?;
    let (before, word) = inside.rsplit_once('[')?;
    let folder = match word.trim_matches(is_blank).to_ascii_lowercase().as_str() {
        "input" => Folder::Input,
        "output" => Folder::Output,
        "temp" => Folder::Temp,
        _ => return None,
    };
    Some((before, folder))
}

/// Whether a text outside of prose inputs names a user's file: by extension, annotation, folder, or by leaving a
/// folder. Checks each line and each list item.
pub(in crate::graph) fn names_a_file(text: &str) -> bool {
    let text = plain(text);
    let decoded = percent_decoded(&text);
    [text.as_ref(), decoded.as_ref()].into_iter().any(|text| {
        text.lines()
            .filter(|line| line.len() <= LONGEST_PATH)
            .any(|line| is_file(line) || line.contains([',', ';', '|']) && line.split([',', ';', '|']).any(is_file))
    })
}

fn is_file(text: &str) -> bool {
    let text = trimmed(text);
    if let Some((before, _)) = annotation(text) {
        return !before.trim().is_empty();
    }
    if is_web_address(text) {
        return !is_harmless_address(text);
    }
    let in_clipspace = text.replace('\\', "/");
    is_upload(text)
        || in_clipspace.starts_with("clipspace/")
        || in_clipspace.contains("/clipspace/")
        || leaves_its_folder(text)
        || has_ending(text, &MEDIA)
}

/// Whether a list's choice is a user's file.
pub(in crate::graph) fn is_listed_file(choice: &str) -> bool {
    let choice = annotation(choice).map_or(choice, |(before, _)| before);
    let choice = plain(choice);
    // `*.png` is a pattern.
    !is_web_address(&choice) && !choice.contains('*') && has_ending(trimmed(&choice), &MEDIA)
}

/// The type of media that an input accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    Image,
    Video,
    Audio,
    /// A text file, such as a table or subtitles.
    Text,
}

/// Extensions of media that users can upload in forms.
const PICTURES: [&str; 12] =
    ["png", "apng", "jpg", "jpeg", "jpe", "jfif", "webp", "bmp", "tif", "tiff", "heic", "avif"];
const FILMS: [&str; 11] = ["mp4", "m4v", "mov", "webm", "mkv", "avi", "mpg", "mpeg", "wmv", "flv", "ogv"];
const SOUNDS: [&str; 10] = ["wav", "mp3", "flac", "ogg", "oga", "opus", "m4a", "aac", "wma", "aiff"];
const TEXTS: [&str; 12] = ["txt", "csv", "tsv", "json", "jsonl", "md", "srt", "vtt", "xml", "yaml", "yml", "html"];

/// The type of a file, by its extension.
pub(in crate::graph) fn medium_of_file(choice: &str) -> Option<Medium> {
    let choice = annotation(choice).map_or(choice, |(before, _)| before);
    let name = plain(choice);
    let name = trimmed(&name);
    let kinds =
        [(Medium::Image, &PICTURES[..]), (Medium::Video, &FILMS), (Medium::Audio, &SOUNDS), (Medium::Text, &TEXTS)];
    kinds.into_iter().find(|(_, endings)| has_ending(name, endings)).map(|(medium, _)| medium)
}

/// The extension that a text file keeps on a worker, because some nodes list and read files by it. `None` for names of
/// other files.
#[must_use]
pub fn text_extension(name: &str) -> Option<&'static str> {
    TEXTS.into_iter().find(|ending| has_ending(name, &[ending]))
}

/// Whether a list's choice is a text or table file.
pub(in crate::graph) fn is_document(choice: &str) -> bool {
    has_ending(trimmed(&plain(choice)), &DOCUMENTS)
}

/// Whether a text is only the name of a model file in a model folder.
#[must_use]
pub fn is_model(text: &str) -> bool {
    let text = plain(text);
    let first = text.split(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    has_ending(&text, &MODELS)
        && !leaves_its_folder(&text)
        && !text.contains('%')
        && !matches!(first.as_str(), "input" | "output" | "temp" | "user" | ".")
}

/// Whether a text in a path input cannot be a path: a web URL, or a file's bytes in base64.
pub(in crate::graph) fn is_no_path(text: &str) -> bool {
    let text = text.trim();
    if is_web_address(text) {
        return is_harmless_address(text);
    }
    is_file_data(text)
}

/// Whether a text is a file's bytes in base64, with or without a type before them.
pub(in crate::graph) fn is_file_data(text: &str) -> bool {
    let text = text.trim();
    if let Some(data) = text.strip_prefix("data:") {
        return data.split_once(";base64,").is_some_and(|(_, bytes)| is_base64(bytes));
    }
    text.len() >= 12 && BASE64.iter().any(|start| text.starts_with(start)) && is_base64(text)
}

/// Whether a path leaves its folder: `..`, a root, a drive, a home, a `file:` URL.
pub(in crate::graph) fn leaves_its_folder(text: &str) -> bool {
    let text = plain(text);
    [text.as_ref(), percent_decoded(&text).as_ref()].into_iter().any(|text| {
        let text = trimmed(text);
        let has_parent = text.contains(['/', '\\']) && text.split(['/', '\\']).any(|part| part.trim() == "..");
        text == ".." || has_parent || is_absolute(text)
    })
}

/// Whether an output prefix leaves the output folder. Stricter than for other texts, because a prefix has no other
/// meaning.
pub(in crate::graph) fn is_bad_prefix(text: &str) -> bool {
    let text = plain(text);
    let text = trimmed(&text);
    leaves_its_folder(text) || text.starts_with(['/', '\\', '~'])
}

fn is_absolute(text: &str) -> bool {
    let mut letters = text.chars();
    let (first, second, third) = (letters.next(), letters.next(), letters.next());
    let is_drive = first.is_some_and(|letter| letter.is_ascii_alphabetic())
        && second == Some(':')
        && third.is_none_or(|letter| ['/', '\\'].contains(&letter) || has_ending(text, &MEDIA));
    let lower = text.get(..5).map(str::to_ascii_lowercase);
    // A lone separator and `\n` are used to join texts.
    let rest = text.trim_start_matches(['/', '\\']);
    let is_rooted = rest.len() < text.len()
        && rest.starts_with(|letter: char| letter.is_alphanumeric() || ['.', '_', '~'].contains(&letter))
        && rest.contains(['/', '\\', '.']);
    is_drive || lower.as_deref() == Some("file:") || text.starts_with("~/") || text.starts_with("~\\") || is_rooted
}

fn has_ending(text: &str, endings: &[&str]) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    // Windows removes dots and spaces at the end of a name.
    let name = name.trim_end_matches(|letter: char| letter == '.' || is_blank(letter));
    // `.png` alone is the name of a format.
    let parts = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    parts.is_some_and(|(_, ending)| endings.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}

fn is_web_address(text: &str) -> bool {
    let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

/// Whether a URL does not address the worker itself, whose server serves files of all folders.
fn is_harmless_address(text: &str) -> bool {
    let lower = percent_decoded(text).to_ascii_lowercase();
    let host =
        lower.split_once("://").map_or("", |(_, rest)| rest.split(['/', '\\', '?', '#']).next().unwrap_or_default());
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
    let host = host.trim_end_matches('.');
    // Names of the local machine have no dot, or are numeric.
    let is_public_name = host.contains('.')
        && !host.ends_with(".localhost")
        && !host.ends_with(".local")
        && !host.ends_with(".internal")
        && host.rsplit('.').next().is_some_and(|last| last.starts_with(|letter: char| letter.is_alphabetic()));
    is_public_name && !lower.contains("filename=")
}

fn is_base64(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '=' | '\n' | '\r'))
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| is_blank(letter) || ['"', '\'', '`'].contains(&letter))
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// Replaces look-alikes by ASCII and removes invisible characters.
fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let letters = text.chars().filter_map(|letter| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0),
        '\u{2024}' | '\u{fe52}' | '\u{3002}' => Some('.'),
        '\u{2025}' => Some('\u{2025}'),
        '\u{2044}' | '\u{2215}' | '\u{29f8}' => Some('/'),
        '\u{2216}' | '\u{29f5}' | '\u{29f9}' | '\u{fe68}' => Some('\\'),
        '\u{3000}' | '\u{a0}' => Some(' '),
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' => None,
        letter => Some(letter),
    });
    Cow::Owned(letters.collect::<String>().replace('\u{2025}', ".."))
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits =
            bytes.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}
