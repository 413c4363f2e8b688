//! How an input uses files: derived from its definition or, if that does not tell, from the names of the input and its
//! class.

use serde_json::Value;

use super::spelling::{Medium, is_document, is_listed_file, medium_of_file};
use crate::graph::classes::definitions::NodeDefinition;
use crate::graph::classes::input::{InputDefinition, InputKind, InputPresence};
use crate::graph::classes::model_folder::model_folder;

/// How an input uses files. If there are several possible definitions, the last value in this order applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::graph) enum FileUse {
    /// Prose, or a list without files.
    Text,
    /// The prefix of output file names.
    Prefix,
    /// Unknown; the value decides.
    Unknown,
    Path,
    /// A file of the input folder.
    File,
}

/// Whether an input accepts only submitted files: its choices are a worker's folder.
#[must_use]
pub fn is_file_input(class_type: &str, input: &InputDefinition) -> bool {
    of_definition(None, class_type, &input.name, input) == FileUse::File
}

/// The media type that an input accepts: by its flag, the extensions in its list, its name, its class. `None` for other
/// files or none.
#[must_use]
pub fn medium(class_type: &str, input: &InputDefinition) -> Option<Medium> {
    match input {
        input if input.is_image_upload() => return Some(Medium::Image),
        input if input.is_video_upload() => return Some(Medium::Video),
        input if input.is_audio_upload() => return Some(Medium::Audio),
        input if input.is_text_upload() => return Some(Medium::Text),
        input if !is_file_input(class_type, input) => return None,
        _ => {}
    }
    let InputKind::Combo { options } = &input.kind else { return None };
    let listed = || options.iter().filter_map(|option| medium_of_file(option.as_str()?));
    if input.is_upload() {
        // A flag for files of any type: only a list of nothing but text files tells the type.
        let mut files = options.iter().filter(|option| !option.as_str().is_some_and(is_no_choice)).peekable();
        let holds_files = files.peek().is_some();
        let is_text = |option: &Value| option.as_str().and_then(medium_of_file) == Some(Medium::Text);
        return (holds_files && files.all(is_text)).then_some(Medium::Text);
    }
    let named = medium_of_name(&input.name).or_else(|| medium_of_name(class_type));
    match listed().next() {
        Some(first) if listed().all(|one| one == first) => Some(first),
        // A folder with files of all types. A folder of pictures, videos or sounds often holds texts about them.
        Some(_) => named.or_else(|| listed().find(|one| *one != Medium::Text)),
        None if options.iter().all(|option| option.as_str().is_some_and(is_no_choice)) => named,
        None => None,
    }
}

fn medium_of_name(name: &str) -> Option<Medium> {
    let words = words(name);
    let played = words.iter().find_map(|word| match word.trim_end_matches('s') {
        "image" | "img" | "picture" | "photo" | "mask" => Some(Medium::Image),
        "video" | "film" | "movie" => Some(Medium::Video),
        "audio" | "sound" | "music" | "song" => Some(Medium::Audio),
        _ => None,
    });
    played.or_else(|| words.iter().any(|word| names_a_text(word)).then_some(Medium::Text))
}

/// Whether a word of a file input's name, or of its class, says that the file is a text.
fn names_a_text(word: &str) -> bool {
    let word = word.trim_end_matches('s');
    is_text_format(word) || matches!(word, "text" | "prompt" | "caption" | "lyric" | "document")
}

/// Types whose widgets upload a file when the prompt is sent, and whose values name it.
const RECORDINGS: [&str; 2] = ["WEBCAM", "AUDIO_RECORD"];

/// How the input of this name uses files.
pub(in crate::graph) fn takes(class: Option<&NodeDefinition>, class_type: &str, name: &str) -> FileUse {
    let declared = class.map(|class| class.inputs_named(name)).unwrap_or_default();
    // The worker fills hidden inputs, some of which share the name of another input.
    let declared = declared.iter().filter(|input| input.presence != InputPresence::Hidden);
    let of_all = declared.map(|input| of_definition(class, class_type, name, input)).max();
    of_all.unwrap_or_else(|| of_undeclared(class_type, name))
}

fn of_definition(class: Option<&NodeDefinition>, class_type: &str, name: &str, input: &InputDefinition) -> FileUse {
    if input.is_upload() {
        return FileUse::File;
    }
    let names = Names::of(class_type, name);
    match &input.kind {
        InputKind::Combo { options } => {
            let texts = || options.iter().filter_map(|option| option.as_str());
            if texts().any(is_listed_file) {
                return FileUse::File;
            }
            let is_model_list = model_folder(class_type, name).is_some();
            let is_open = options.is_empty() || input.is_remote();
            let holds_nothing = texts().all(is_no_choice) && texts().count() == options.len();
            if !is_model_list
                && names.loads
                && (names.is_file && (is_open || holds_nothing || names.is_folder || texts().any(is_document))
                    || names.is_text_format && texts().any(is_document))
            {
                return FileUse::File;
            }
            if is_open && !is_model_list { FileUse::Unknown } else { FileUse::Text }
        }
        InputKind::String => of_text(class, &names, input.is_multiline()),
        InputKind::Socket { types } | InputKind::MatchType { allowed: types } => {
            let mut types = types.split(',').map(str::trim);
            if types.clone().any(|kind| RECORDINGS.contains(&kind)) {
                FileUse::File
            } else if types.any(|kind| kind == "STRING") {
                of_text(class, &names, input.is_multiline()).max(FileUse::Unknown)
            } else {
                FileUse::Unknown
            }
        }
        _ => FileUse::Unknown,
    }
}

fn of_text(class: Option<&NodeDefinition>, names: &Names, is_multiline: bool) -> FileUse {
    if names.is_base64 {
        FileUse::Unknown
    } else if names.is_prefix && !names.loads {
        FileUse::Prefix
    } else if names.is_model {
        FileUse::Unknown
    } else if names.is_path || names.loads && names.is_file {
        if names.saves { FileUse::Prefix } else { FileUse::Path }
    } else if class.is_some_and(NodeDefinition::is_built_in)
        || names.is_text
        || is_multiline && !(names.loads && names.is_address)
    {
        FileUse::Text
    } else {
        FileUse::Unknown
    }
}

/// ComfyUI drops undeclared inputs, but some custom classes accept all of them.
fn of_undeclared(class_type: &str, name: &str) -> FileUse {
    let names = Names::of(class_type, name);
    if names.is_base64 || names.is_model || names.is_upload_button {
        FileUse::Unknown
    } else if names.loads && names.is_file {
        FileUse::Path
    } else if names.is_text {
        FileUse::Text
    } else {
        FileUse::Unknown
    }
}

/// Whether a key inside a value names a file.
pub(in crate::graph) fn is_file_key(key: &str) -> bool {
    let names = Names::of("", key);
    (names.is_path || names.is_file) && !names.is_model
}

/// Whether a linked text may be read as a path here: for loaders, except prose, models and base64 pictures.
pub(in crate::graph) fn may_be_path(class_type: &str, name: &str, takes: FileUse) -> bool {
    let names = Names::of(class_type, name);
    takes >= FileUse::Path || takes == FileUse::Unknown && names.loads && !names.is_model && !names.is_base64
}

pub(in crate::graph) fn is_folder(name: &str) -> bool {
    Names::of("", name).is_folder
}

/// How a custom class uses a text that is not one of the input's choices: its own validation may accept the text and
/// open it as a file. ComfyUI's classes accept only choices.
pub(in crate::graph) fn outside_of_list(class: Option<&NodeDefinition>, input: Option<&InputDefinition>) -> FileUse {
    let (Some(class), Some(input)) = (class, input) else { return FileUse::Text };
    if !class.is_custom() || model_folder(&class.class, &input.name).is_some() {
        return FileUse::Text;
    }
    let names = Names::of(&class.class, &input.name);
    if names.loads && names.is_file || names.is_path { FileUse::Path } else { FileUse::Unknown }
}

/// Whether a choice means "no file".
pub(in crate::graph) fn is_no_choice(choice: &str) -> bool {
    choice.is_empty() || choice.eq_ignore_ascii_case("none")
}

impl NodeDefinition {
    /// Whether the class belongs to ComfyUI itself, so that the use of its texts is known.
    fn is_built_in(&self) -> bool {
        let module = self.python_module.as_str();
        module == "nodes" || module.starts_with("comfy_extras.") || module.starts_with("comfy_api_nodes.")
    }
}

/// What the names of an input and of its class tell.
struct Names {
    /// The class reads something.
    loads: bool,
    /// The class writes files.
    saves: bool,
    /// The input names a file or folder.
    is_file: bool,
    /// By an unambiguous word.
    is_path: bool,
    is_folder: bool,
    is_prefix: bool,
    is_model: bool,
    is_text: bool,
    is_base64: bool,
    is_upload_button: bool,
    /// The input names where something comes from.
    is_address: bool,
    /// The input names a format of text files.
    is_text_format: bool,
}

/// Whether a word names a format of text files.
fn is_text_format(word: &str) -> bool {
    matches!(word, "txt" | "csv" | "tsv" | "json" | "jsonl" | "yaml" | "xml" | "srt" | "vtt" | "subtitle" | "markdown")
}

const FOLDER: [&str; 6] = ["folder", "folders", "dir", "directory", "directories", "subfolder"];
const PATH: [&str; 10] =
    ["path", "paths", "file", "files", "filename", "filenames", "filepath", "filepaths", "filelist", "subdirectory"];
/// Last words of inputs about files that are not files: `file_format`.
const ABOUT_FILES: [&str; 16] = [
    "format",
    "type",
    "extension",
    "ext",
    "size",
    "count",
    "index",
    "mode",
    "delimiter",
    "padding",
    "limit",
    "quality",
    "sort",
    "order",
    "number",
    "encoding",
];
const MEDIA: [&str; 28] = [
    "image",
    "images",
    "img",
    "picture",
    "pictures",
    "photo",
    "video",
    "videos",
    "film",
    "movie",
    "gif",
    "audio",
    "audios",
    "sound",
    "music",
    "song",
    "mask",
    "masks",
    "latent",
    "latents",
    "mesh",
    "recording",
    "frames",
    "normal",
    "lineart",
    "clip",
    "dataset",
    "svg",
];
const MODEL: [&str; 18] = [
    "model",
    "models",
    "ckpt",
    "checkpoint",
    "lora",
    "loras",
    "vae",
    "unet",
    "gguf",
    "onnx",
    "embedding",
    "embeddings",
    "controlnet",
    "tokenizer",
    "weights",
    "repo",
    "engine",
    "hypernetwork",
];
const TEXT: [&str; 22] = [
    "text",
    "texts",
    "prompt",
    "prompts",
    "positive",
    "negative",
    "caption",
    "captions",
    "string",
    "strings",
    "title",
    "description",
    "tags",
    "words",
    "message",
    "instruction",
    "instructions",
    "system",
    "lyrics",
    "style",
    "wildcard",
    "question",
];

impl Names {
    fn of(class: &str, input: &str) -> Self {
        let (class_words, words) = (words(class), words(input));
        let squashed: String = class_words.concat();
        let is_one_of = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let last = words.iter().rev().find(|word| !word.chars().all(|letter| letter.is_ascii_digit()));
        let reads = |word: &String| {
            word.starts_with("load")
                || word.ends_with("loader")
                || matches!(
                    word.as_str(),
                    "read" | "reader" | "open" | "opener" | "import" | "importer" | "fetch" | "from"
                )
        };
        let loads = class_words.iter().any(reads)
            || ["loadimage", "loadvideo", "loadaudio", "loadmask", "loadlatent", "inputfile", "imagefrom", "videofrom"]
                .iter()
                .any(|part| squashed.contains(part));
        let saves = !loads
            && class_words.iter().any(|word| {
                word.starts_with("save")
                    || word.ends_with("saver")
                    || matches!(word.as_str(), "export" | "exporter" | "write" | "writer")
            });
        let joined = words.concat();
        let is_about_files = last.is_some_and(|word| ABOUT_FILES.contains(&word.as_str()));
        let is_folder = is_one_of(&FOLDER) && !is_about_files;
        let is_path = !is_about_files
            && (is_folder || is_one_of(&PATH) || joined.ends_with("path") || joined.ends_with("filename"));
        Self {
            loads,
            saves,
            is_file: is_path || last.is_some_and(|word| MEDIA.contains(&word.as_str())),
            is_path,
            is_folder,
            is_prefix: is_one_of(&["prefix"]) && (is_path || saves),
            // 3D model files belong to users.
            is_model: is_one_of(&MODEL) && joined != "modelfile",
            is_text: last.is_some_and(|word| TEXT.contains(&word.as_str())),
            is_base64: [squashed.as_str(), joined.as_str()]
                .iter()
                .any(|all| all.contains("base64") || all.contains("b64")),
            is_upload_button: is_one_of(&["upload"]),
            is_address: is_one_of(&["url", "urls", "uri", "uris", "link", "links", "source", "sources"]),
            is_text_format: last.is_some_and(|word| is_text_format(word.trim_end_matches('s'))),
        }
    }
}

/// The lowercase words of a name: `LoadImage_v2` is load, image, v, 2.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        let begins = match (before, letter) {
            (before, letter) if !letter.is_alphanumeric() || !before.is_alphanumeric() => true,
            (before, letter) if before.is_lowercase() && letter.is_uppercase() => true,
            (before, letter) => before.is_ascii_digit() != letter.is_ascii_digit(),
        };
        if letter.is_alphanumeric() {
            match words.last_mut().filter(|_| !begins) {
                Some(word) => word.extend(letter.to_lowercase()),
                None => words.push(letter.to_lowercase().collect()),
            }
        }
        before = letter;
    }
    words
}
