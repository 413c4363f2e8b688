//! Recorded classes with inputs that can name a file, and synthetic custom classes.

use serde_json::{Value, json};

use crate::graph::NodeDefinitions;

/// An input of a class.
type Place = (&'static str, &'static str);

/// All recorded classes with an input that can name a file, by version: the classes of all tests, those of this test,
/// and their inputs.
pub(super) const RECORDED: [(&str, &str, &[Place]); 2] = [
    (
        include_str!("../../../../tests/data/graph/v0.3.64/object_info.json"),
        include_str!("../../../../tests/data/graph/v0.3.64/file_classes.json"),
        &[
            ("LoadImage", "image"),
            ("LoadImageMask", "image"),
            ("LoadImageOutput", "image"),
            ("LoadLatent", "latent"),
            ("LoadImageSetFromFolderNode", "folder"),
            ("LoadImageTextSetFromFolderNode", "folder"),
            ("WebcamCapture", "image"),
            ("LoadAudio", "audio"),
            ("RecordAudio", "audio"),
            ("Load3D", "model_file"),
            ("Load3D", "image"),
            ("Load3DAnimation", "model_file"),
            ("Load3DAnimation", "image"),
            ("Preview3D", "model_file"),
            ("Preview3DAnimation", "model_file"),
            ("LoadVideo", "file"),
            ("OpenAIInputFiles", "file"),
            ("GeminiInputFiles", "file"),
        ],
    ),
    (
        include_str!("../../../../tests/data/graph/v0.33.0/object_info.json"),
        include_str!("../../../../tests/data/graph/v0.33.0/file_classes.json"),
        &[
            ("LoadImage", "image"),
            ("LoadImageMask", "image"),
            ("LoadImageOutput", "image"),
            ("LoadLatent", "latent"),
            ("LoadImageDataSetFromFolder", "folder"),
            ("LoadImageTextDataSetFromFolder", "folder"),
            ("LoadVideoDataSetFromFolder", "folder"),
            ("LoadVideoTextDataSetFromFolder", "folder"),
            ("LoadTrainingDataset", "folder_name"),
            ("WebcamCapture", "image"),
            ("LoadAudio", "audio"),
            ("RecordAudio", "audio"),
            ("Load3D", "model_file"),
            ("Load3D", "image"),
            ("Load3DAdvanced", "model_file"),
            ("Load3DAdvanced", "viewport_state"),
            ("Preview3D", "model_file"),
            ("Preview3DAdvanced", "viewport_state"),
            ("PreviewGaussianSplat", "viewport_state"),
            ("PreviewPointCloud", "viewport_state"),
            ("Save3DAdvanced", "viewport_state"),
            ("SaveGaussianSplat", "viewport_state"),
            ("SavePointCloud", "viewport_state"),
            ("LoadVideo", "file"),
            ("Painter", "mask"),
            ("OpenAIInputFiles", "file"),
            ("GeminiInputFiles", "file"),
        ],
    ),
];

/// Synthetic custom inputs that can name a file.
pub(super) const CUSTOM: [Place; 17] = [
    ("VHS_LoadVideo", "video"),
    ("VHS_LoadAudioUpload", "audio"),
    ("VHS_LoadVideoPath", "video"),
    ("VHS_LoadImagesPath", "directory"),
    ("Load Image From Outputs", "image"),
    ("Image From Disk", "file"),
    ("WildReader", "source"),
    ("Flexible Loader (wild)", "video_1"),
    ("WildSocket", "anything"),
    ("WildUpload", "widget"),
    ("Load Text File", "file"),
    ("Load Table", "csv"),
    ("WildNotes", "notes"),
    ("LoadSplat", "splat"),
    ("WildRemote", "picture"),
    ("WildDynamic", "source.image"),
    ("WildUrlsLoader", "image_urls"),
];

/// A recorded version with all its classes, a class that links to everything, and one that accepts every link.
pub(super) fn recorded(classes: &str, more: &str) -> NodeDefinitions {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let mut all = read(classes);
    all.as_object_mut().unwrap().extend(read(more).as_object().unwrap().clone());
    with_tools(all)
}

/// The newest recorded version with synthetic custom classes.
pub(super) fn custom() -> NodeDefinitions {
    let [_, (classes, more, _)] = RECORDED;
    let mut all = recorded(classes, more).to_object_info();
    for (class, inputs) in made_up().as_object().unwrap() {
        all[class] = class_of(inputs, json!(["IMAGE"]), class.contains("Save") || class.contains("Combine"));
    }
    with_tools(all)
}

fn with_tools(mut all: Value) -> NodeDefinitions {
    all["Anything"] = class_of(&json!({}), json!(["*"]), false);
    all["Everything"] = class_of(&json!({"source": ["*", {}]}), json!([]), true);
    NodeDefinitions::from_object_info(&all)
}

fn class_of(inputs: &Value, output: Value, is_output: bool) -> Value {
    json!({"input": {"required": inputs}, "output": output, "output_node": is_output, "python_module": "custom_nodes.wild"})
}

fn made_up() -> Value {
    json!({
        "VHS_LoadVideo": {"video": [["someones-holiday.mp4"], {}], "format": [["None", "AnimateDiff"], {}]},
        "VHS_LoadAudioUpload": {"audio": [["someones-song.mp3"], {}]},
        "VHS_LoadVideoPath": {"video": ["STRING", {"default": "X://insert/path/here.mp4"}]},
        "VHS_LoadImagesPath": {"directory": ["STRING", {"default": "X://path/to/images"}]},
        "VHS_VideoCombine": {"images": ["IMAGE", {}], "format": [["image/gif", "video/h264-mp4"], {}]},
        "Load Image From Outputs": {"image": [["x_00001_.png [output]", "none"], {}]},
        "Image From Disk": {"file": ["STRING", {"default": ""}]},
        "WildReader": {"source": ["STRING", {}]},
        "Flexible Loader (wild)": {},
        "WildSocket": {"anything": ["*", {}]},
        "WildUpload": {"widget": ["WILD_UPLOAD", {}]},
        "Load Text File": {"file": [["notes.txt"], {}]},
        "Load Table": {"csv": [["someones-table.csv"], {}]},
        "WildNotes": {"notes": [["notes.md"], {"text_upload": true}]},
        "LoadSplat": {"splat": [[], {}]},
        "WildRemote": {"picture": ["COMBO", {"remote": {"route": "/wild/pictures"}}]},
        "WildDynamic": {"source": ["COMFY_DYNAMICCOMBO_V3", {"options": [
            {"key": "text", "inputs": {"required": {"image": ["STRING", {"multiline": true}]}}},
            {"key": "file", "inputs": {"required": {"image": [["a.png"], {}]}}},
        ]}]},
        "WildText": {"text": ["STRING", {"multiline": true}], "mode": [[1, 2.5, "auto"], {}]},
        "WildJoin": {"delimiter": ["STRING", {"default": ", "}]},
        "WildUrlLoader": {"image_url": ["STRING", {"default": ""}]},
        "WildUrlsLoader": {"image_urls": ["STRING", {"default": "", "multiline": true}]},
        "WildFormat": {"format": [[".png", ".jpg", ".webp"], {}], "pattern": [["*.png", "*.*"], {}]},
        "WildEnding": {"ending": ["STRING", {"default": ".png"}]},
        "ETN_LoadImageBase64": {"image": ["STRING", {"multiline": false}]},
        "Wild Detector Loader": {"model_name": [[], {}]},
        "Wild GGUF Loader": {"path": ["STRING", {}]},
        "Power Lora Loader (rgthree)": {},
        "LoraLoader|wild": {"lora_name": [[
            {"content": "ink.safetensors", "image": "loras/ink.png"}, {"content": "oil.safetensors", "image": null},
        ], {}]},
        "Wild Saver": {"filename": ["STRING", {"default": "ComfyUI"}]},
    })
}
