//! LoadImage, LoadImageMask, LoadImageOutput: load files with `decode`. A mask is 1 minus alpha; a file without alpha
//! gives 64 x 64 zeros, whatever its size.
//!
//! Versions differ in LoadImage and LoadImageOutput, which decode with Pillow and, since 0.33.0, with ffmpeg.

use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use verdigraph_core::graph::ComfyVersion;

use super::batch::concatenate;
use super::decode::{Alpha, Picture, as_pillow, decode, pictures};
use super::tensor::{from_byte, runtime};
use crate::cpu::definition::entry;
use crate::cpu::node::{Context, Folders, Inputs, Node, NodeError, Outcome};
use crate::cpu::server::touch;
use crate::cpu::value::{ImageBatch, MaskBatch, Value};

/// LoadImage and LoadImageOutput: load every frame of a file.
pub(super) struct Load {
    pub(super) class: &'static str,
    pub(super) like: ComfyVersion,
}

/// LoadImageMask: loads one channel of a file's first frame.
pub(super) struct LoadMask(pub(super) ComfyVersion);

/// The side of the mask of a file without alpha.
const NO_MASK_SIDE: usize = 64;

/// Resolves a choice: a name with an optional suffix ` [input]`, ` [output]` or ` [temp]`. `None` if the folder has no
/// such file.
fn find(name: &str, folders: &Folders) -> Option<PathBuf> {
    let mut folder = folders.input.as_path();
    let mut bare = name;
    for kind in ["input", "output", "temp"] {
        if let Some(rest) = name.strip_suffix(&format!("[{kind}]")) {
            folder = folders.by_type(kind)?;
            // ComfyUI cuts a fixed length, which includes the character before the bracket.
            let mut characters = rest.chars();
            characters.next_back();
            bare = characters.as_str();
        }
    }
    let folder = folder.canonicalize().ok()?;
    let path = folder.join(bare).canonicalize().ok()?;
    (path.starts_with(&folder) && path.is_file()).then_some(path)
}

fn read(inputs: &Inputs, context: &Context<'_>) -> Result<Vec<u8>, NodeError> {
    let name = inputs.text("image")?;
    let missing = || NodeError::Raised { kind: "FileNotFoundError", message: format!("Invalid image file: {name}") };
    let path = find(name, context.folders).ok_or_else(missing)?;
    let unreadable =
        |error: std::io::Error| NodeError::Raised { kind: "OSError", message: format!("{name}: {}", error.kind()) };
    let size = std::fs::metadata(&path).map_err(unreadable)?.len();
    context.reserve(usize::try_from(size).unwrap_or(usize::MAX))?;
    let bytes = std::fs::read(&path).map_err(unreadable)?;
    touch(&path);
    Ok(bytes)
}

fn validate(inputs: &Inputs, folders: &Folders) -> Result<(), (String, String)> {
    let Ok(name) = inputs.text("image") else {
        return Ok(());
    };
    match find(name, folders) {
        Some(_) => Ok(()),
        None => Err(("image".to_owned(), format!("Invalid image file: {name}"))),
    }
}

fn fingerprint(inputs: &Inputs, folders: &Folders) -> Option<String> {
    let mut file = std::fs::File::open(find(inputs.text("image").ok()?, folders)?).ok()?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        let read = file.read(&mut piece).ok()?;
        if read == 0 {
            return Some(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        digest.update(piece.get(..read)?);
    }
}

/// The files of the input folder, sorted; optionally only those with picture extensions.
fn files(folders: &Folders, pictures_only: bool) -> Vec<String> {
    const PICTURES: [&str; 14] =
        ["png", "jpg", "jpeg", "jpe", "gif", "webp", "bmp", "tif", "tiff", "svg", "ico", "avif", "heic", "heif"];
    let mut names: Vec<String> = std::fs::read_dir(&folders.input)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| {
            let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
            !pictures_only || extension.is_some_and(|extension| PICTURES.contains(&extension.as_str()))
        })
        .collect();
    names.sort_unstable();
    names
}

fn with_files(mut entry: Json, names: Vec<String>) -> Json {
    if let Some(choices) = entry.pointer_mut("/input/required/image/0").filter(|choices| choices.is_array()) {
        *choices = json!(names);
    }
    entry
}

impl Node for Load {
    fn class(&self) -> &'static str {
        self.class
    }

    fn definition(&self, folders: &Folders) -> Json {
        with_files(entry(self.like, self.class), files(folders, true))
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let bytes = read(inputs, context)?;
        let mut frames = match self.like {
            ComfyVersion::V0_3_64 => decode(context, &bytes)?.into_iter().map(as_pillow).collect(),
            ComfyVersion::V0_33_0 => pictures(context, &bytes)?,
        };
        let first = frames.first().map(|frame| (frame.width, frame.height));
        frames.retain(|frame| Some((frame.width, frame.height)) == first);
        // Picture and mask of each frame, before they are joined.
        let pixels: usize = frames.iter().map(|frame| frame.width * frame.height).sum();
        context.reserve(pixels.saturating_mul(4 * size_of::<f32>()))?;
        let (images, masks): (Vec<ImageBatch>, Vec<ImageBatch>) = frames.into_iter().map(parts).unzip();
        let image = concatenate(context, &images.iter().collect::<Vec<_>>())?;
        let mask = concatenate(context, &masks.iter().collect::<Vec<_>>())?;
        let mask = super::tensor::image_as_mask(mask);
        Ok(Outcome::many([Value::Image(Arc::new(image)), Value::Mask(Arc::new(mask))]))
    }

    fn fingerprint(&self, inputs: &Inputs, folders: &Folders) -> Option<String> {
        fingerprint(inputs, folders)
    }

    fn validate(&self, inputs: &Inputs, folders: &Folders) -> Result<(), (String, String)> {
        validate(inputs, folders)
    }
}

fn parts(frame: Picture) -> (ImageBatch, ImageBatch) {
    let Picture { width, height, rgb, mask } = frame;
    let image = ImageBatch { batch: 1, height, width, channels: 3, data: rgb };
    let mask = match mask {
        Some(data) => ImageBatch { batch: 1, height, width, channels: 1, data },
        None => ImageBatch::filled(1, NO_MASK_SIDE, NO_MASK_SIDE, 1, 0.0),
    };
    (image, mask)
}

impl Node for LoadMask {
    fn class(&self) -> &'static str {
        "LoadImageMask"
    }

    fn definition(&self, folders: &Folders) -> Json {
        with_files(entry(self.0, self.class()), files(folders, false))
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let frames = decode(context, &read(inputs, context)?)?;
        let frame = frames.first().ok_or_else(|| runtime("the file has no frames"))?;
        let channel = inputs.text("channel")?;
        context.reserve_size(1, frame.height, frame.width, 1)?;
        let data = match ["red", "green", "blue"].iter().position(|name| *name == channel) {
            Some(at) => frame.rgb.iter().skip(at).step_by(3).copied().map(from_byte).collect(),
            None => match &frame.alpha {
                Alpha::None => vec![0.0; frame.width * frame.height],
                Alpha::Channel(bytes) | Alpha::Keyed(bytes) => {
                    bytes.iter().map(|byte| 1.0 - from_byte(*byte)).collect()
                }
            },
        };
        let mask = MaskBatch { batch: 1, height: frame.height, width: frame.width, data };
        Ok(Outcome::one(Value::Mask(Arc::new(mask))))
    }

    fn fingerprint(&self, inputs: &Inputs, folders: &Folders) -> Option<String> {
        fingerprint(inputs, folders)
    }

    fn validate(&self, inputs: &Inputs, folders: &Folders) -> Result<(), (String, String)> {
        validate(inputs, folders)
    }
}
