//! SaveImage and PreviewImage: write PNG files with prompt and workflow in text chunks. Pixels are exact: samples times
//! 255, truncated.

use std::io::BufWriter;
use std::path::PathBuf;

use chrono::{Datelike, Local, Timelike};
use png::{BitDepth, ColorType, DeflateCompression, Filter};
use serde_json::{Value as Json, json};
use verdigraph_core::graph::python;

use super::tensor::to_byte;
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::ImageBatch;

/// PNG compression effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    /// Level 1: previews.
    Fast,
    /// Level 4: for files that are kept.
    Balanced,
    /// A level from 0 to 9.
    Level(u8),
}

impl Compression {
    pub(super) fn deflate(self) -> DeflateCompression {
        match self {
            Self::Fast => DeflateCompression::FdeflateUltraFast,
            Self::Balanced => DeflateCompression::Level(4),
            Self::Level(0) => DeflateCompression::NoCompression,
            Self::Level(level) => DeflateCompression::Level(level.min(9)),
        }
    }
}

/// Where the next files of a prefix are written.
pub(super) struct Target {
    pub(super) folder: PathBuf,
    pub(super) subfolder: String,
    pub(super) name: String,
    pub(super) counter: u64,
}

pub(super) fn save(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    write(inputs.image("images")?, context, inputs.text("filename_prefix")?, "output", Compression::Balanced)
}

/// PreviewImage and MaskPreview: write files with a random name to the temp folder.
pub(crate) fn preview(
    images: &ImageBatch,
    context: &Context<'_>,
    compression: Compression,
) -> Result<Outcome, NodeError> {
    let letters: String = (0..5).map(|_| char::from(b'a' + rand::random_range(0..26))).collect();
    write(images, context, &format!("ComfyUI_temp_{letters}"), "temp", compression)
}

fn write(
    images: &ImageBatch,
    context: &Context<'_>,
    prefix: &str,
    kind: &str,
    compression: Compression,
) -> Result<Outcome, NodeError> {
    let target = target(context, prefix, kind, images)?;
    let color = color(images)?;
    let texts = texts(context);
    reserve_encoding(context, images)?;
    let mut results = Vec::new();
    for index in 0..images.batch {
        context.check()?;
        let number = index as u64;
        let name = target.name.replace("%batch_num%", &index.to_string());
        let file = format!("{name}_{:05}_.png", target.counter + number);
        let bytes: Vec<u8> = images.picture(index).unwrap_or(&[]).iter().copied().map(to_byte).collect();
        let path = target.folder.join(&file);
        let out = BufWriter::new(std::fs::File::create(path).map_err(|error| unwritable(&error))?);
        encode(out, images, color, &texts, compression, &bytes).map_err(|error| unwritable(&error))?;
        results.push(json!({"filename": file, "subfolder": target.subfolder, "type": kind}));
    }
    Ok(Outcome { outputs: Vec::new(), ui: Some(json!({"images": results})) })
}

/// Reserves the memory to encode one picture: its bytes, filtered, and compressed.
pub(super) fn reserve_encoding(context: &Context<'_>, images: &ImageBatch) -> Result<(), NodeError> {
    context.reserve(images.picture_len().saturating_mul(4))
}

pub(super) fn file(
    images: &ImageBatch,
    index: usize,
    texts: &[(String, String)],
    compression: Compression,
) -> Result<Vec<u8>, NodeError> {
    let color = color(images)?;
    let bytes: Vec<u8> = images.picture(index).unwrap_or(&[]).iter().copied().map(to_byte).collect();
    let mut file = Vec::new();
    encode(&mut file, images, color, texts, compression, &bytes).map_err(|error| unwritable(&error))?;
    Ok(file)
}

fn encode(
    out: impl std::io::Write,
    images: &ImageBatch,
    color: ColorType,
    texts: &[(String, String)],
    compression: Compression,
    bytes: &[u8],
) -> Result<(), png::EncodingError> {
    let mut encoder = encoder(out, images, color, compression);
    for (key, text) in texts {
        encoder.add_text_chunk(key.clone(), text.clone())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()
}

pub(super) fn encoder<W: std::io::Write>(
    out: W,
    images: &ImageBatch,
    color: ColorType,
    compression: Compression,
) -> png::Encoder<'static, W> {
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let mut encoder = png::Encoder::new(out, side(images.width), side(images.height));
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_deflate_compression(compression.deflate());
    encoder.set_filter(if compression == Compression::Fast { Filter::Up } else { Filter::Adaptive });
    encoder
}

/// Raises `TypeError` for pictures that are neither RGB nor RGBA, `ValueError` for empty ones.
pub(super) fn color(images: &ImageBatch) -> Result<ColorType, NodeError> {
    if images.batch == 0 {
        let message = "index 0 is out of bounds for dimension 0 with size 0".to_owned();
        return Err(NodeError::Raised { kind: "IndexError", message });
    }
    if images.width == 0 || images.height == 0 {
        return Err(NodeError::value("cannot write empty image"));
    }
    match images.channels {
        3 => Ok(ColorType::Rgb),
        4 => Ok(ColorType::Rgba),
        channels => Err(NodeError::Raised {
            kind: "TypeError",
            message: format!("Cannot handle this data type: (1, 1, {channels}), |u1"),
        }),
    }
}

/// Text chunks of a file: the prompt, and everything in `extra_pnginfo`. Names that PNG cannot hold are left out.
pub(super) fn texts(context: &Context<'_>) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    if !context.prompt.is_null() {
        texts.push(("prompt".to_owned(), python::dumps(context.prompt)));
    }
    for (key, value) in context.extra_pnginfo.and_then(Json::as_object).into_iter().flatten() {
        if (1..80).contains(&key.chars().count()) && key.chars().all(|letter| u32::from(letter) < 256) {
            texts.push((key.clone(), python::dumps(value)));
        }
    }
    texts
}

/// The error of a real server that cannot write a file, without the path.
pub(super) fn unwritable(error: &dyn std::fmt::Display) -> NodeError {
    NodeError::Raised { kind: "OSError", message: format!("cannot write the image file: {error}") }
}

/// Resolves a prefix: fills in placeholders, creates subfolders, and continues after the highest counter. Raises
/// `Exception` for a prefix that leaves the folder, `OSError` if the folder cannot be created.
pub(super) fn target(
    context: &Context<'_>,
    prefix: &str,
    kind: &str,
    images: &ImageBatch,
) -> Result<Target, NodeError> {
    let prefix = fill_in(prefix, images);
    let outside = || NodeError::Raised {
        kind: "Exception",
        message: format!("saving an image outside the {kind} folder is not allowed: {prefix}"),
    };
    let root = context.folders.by_type(kind).ok_or_else(outside)?;
    if prefix.starts_with('/') || prefix.contains('\0') || prefix.contains('\\') {
        return Err(outside());
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in prefix.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or_else(outside)?;
            }
            part => parts.push(part),
        }
    }
    let name = parts.pop().unwrap_or(".").to_owned();
    let subfolder = parts.join("/");
    std::fs::create_dir_all(root).map_err(|error| unwritable(&error))?;
    let root = root.canonicalize().map_err(|error| unwritable(&error))?;
    let folder = root.join(&subfolder);
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&error))?;
    let folder = folder.canonicalize().map_err(|error| unwritable(&error))?;
    if !folder.starts_with(&root) {
        return Err(outside());
    }
    let counter = next_counter(&folder, &name).map_err(|error| unwritable(&error))?;
    Ok(Target { folder, subfolder, name, counter })
}

/// One more than the highest counter of the files `{name}_{counter}_…`; 1 if there are none.
fn next_counter(folder: &std::path::Path, name: &str) -> std::io::Result<u64> {
    let mut highest = 0;
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.file_name();
        let Some(rest) = file.to_str().and_then(|file| file.strip_prefix(name)?.strip_prefix('_')) else {
            continue;
        };
        let digits = rest.split('_').next().unwrap_or_default();
        highest = highest.max(digits.parse().unwrap_or(0));
    }
    Ok(highest + 1)
}

fn fill_in(prefix: &str, images: &ImageBatch) -> String {
    if !prefix.contains('%') {
        return prefix.to_owned();
    }
    let now = Local::now();
    prefix
        .replace("%width%", &images.width.to_string())
        .replace("%height%", &images.height.to_string())
        .replace("%year%", &now.year().to_string())
        .replace("%month%", &format!("{:02}", now.month()))
        .replace("%day%", &format!("{:02}", now.day()))
        .replace("%hour%", &format!("{:02}", now.hour()))
        .replace("%minute%", &format!("{:02}", now.minute()))
        .replace("%second%", &format!("{:02}", now.second()))
}
