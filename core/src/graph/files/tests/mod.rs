mod attacks;
mod classes;

use serde_json::{Value, json};

use self::classes::custom;
use crate::graph::tests::{new, old, prompt};
use crate::graph::*;

/// The worker's name of the caller's file, which prompts call `mine.png`, `sub/mine.png` and `cat`.
pub(super) const OWN: &str = "vg-1.png";

pub(super) fn own(name: &str) -> Option<String> {
    ["mine.png", "sub/mine.png", "clipspace/mine.png", "cat"].contains(&name).then(|| OWN.to_owned())
}

/// The changed input of a node, which is the whole prompt.
fn placed(definitions: &NodeDefinitions, class: &str, input: &str, value: Value) -> Result<Value, String> {
    let prompt = prompt(json!({
        "1": {"class_type": class, "inputs": {input: value}},
        "2": {"class_type": "PrimitiveString", "inputs": {"value": "x"}},
    }));
    let class_of = |id: &str| definitions.get(&prompt.0.get(id)?.class_type).map(AsRef::as_ref);
    let found = node_files(&prompt, &prompt.0["1"], class_of("1"), &class_of, &own);
    if let Some(trouble) = found.refused.first() {
        assert_eq!(
            (trouble.kind.as_str(), &trouble.extra_info),
            ("custom_validation_failed", &json!({ "input_name": input }))
        );
        return Err(trouble.details.clone());
    }
    Ok(match found.changes.first() {
        None => prompt.0["1"].inputs[input].clone(),
        Some((_, InputChange::Replace(value) | InputChange::Set(value))) => value.clone(),
        Some((_, InputChange::Drop)) => Value::Null,
    })
}

#[test]
fn own_file_is_renamed_wherever_an_input_takes_files() {
    let custom = custom();
    for (class, input) in [
        ("LoadImage", "image"),
        ("VHS_LoadVideo", "video"),
        ("LoadImageOutput", "image"),
        ("LoadLatent", "latent"),
        ("OpenAIInputFiles", "file"),
        ("WebcamCapture", "image"),
        ("Painter", "mask"),
        ("VHS_LoadVideoPath", "video"),
        ("Flexible Loader (wild)", "video_1"),
        ("WildReader", "source"),
    ] {
        for own in ["mine.png", "sub/mine.png", "sub\\mine.png"] {
            assert_eq!(placed(&custom, class, input, json!(own)), Ok(json!(OWN)), "{class}.{input}: {own}");
        }
    }
    assert_eq!(placed(&custom, "LoadImage", "image", json!("cat")), Ok(json!(OWN)));
    assert_eq!(placed(&custom, "VHS_LoadVideo", "video", json!("cat")), Ok(json!(OWN)));
}

#[test]
fn input_annotation_is_kept_for_uploads_and_dropped_elsewhere() {
    let custom = custom();
    for own in ["mine.png [input]", "clipspace/mine.png [input]"] {
        assert_eq!(placed(&custom, "LoadImage", "image", json!(own)), Ok(json!("vg-1.png [input]")), "{own}");
        assert_eq!(placed(&custom, "VHS_LoadVideo", "video", json!(own)), Ok(json!(OWN)), "{own}");
    }
}

#[test]
fn output_and_temp_folders_are_refused_also_for_own_names() {
    let custom = custom();
    for folder in ["output", "temp", "OUTPUT", " Temp "] {
        for class in ["LoadImage", "LoadImageOutput"] {
            let told = placed(&custom, class, "image", json!(format!("mine.png [{folder}]"))).unwrap_err();
            assert!(told.contains("output and temp folders cannot be used"), "{told}");
            assert!(told.starts_with("image - Invalid image file: mine.png ["), "{told}");
        }
    }
}

#[test]
fn prose_that_equals_a_file_name_is_kept() {
    let custom = custom();
    for (class, input) in [("WildText", "text"), ("CLIPTextEncode", "text"), ("PrimitiveString", "value")] {
        for text in ["cat", "mine.png", "a path /home/cat to a cat.png", "sub/mine.png"] {
            assert_eq!(placed(&custom, class, input, json!(text)), Ok(json!(text)), "{class}.{input}");
        }
    }
}

#[test]
fn models_lists_and_prose_are_allowed() {
    let custom = custom();
    for (class, input, value) in [
        ("CheckpointLoaderSimple", "ckpt_name", json!("sd\\v1-5.safetensors")),
        ("LoraLoader", "lora_name", json!("styles\\ink.safetensors")),
        ("VAELoader", "vae_name", json!("vae-ft.pt")),
        ("UpscaleModelLoader", "model_name", json!("4x.pth")),
        ("KSampler", "sampler_name", json!("euler")),
        ("Wild Detector Loader", "model_name", json!("bbox/face.pt")),
        ("Wild GGUF Loader", "path", json!("flux/q4.gguf")),
        ("VHS_VideoCombine", "format", json!("video/h264-mp4")),
        ("WildUrlsLoader", "image_urls", json!("https://example.com/cat.png\nhttps://example.com/b.png")),
        ("WildFormat", "format", json!(".jpg")),
        ("WildFormat", "pattern", json!("*.png")),
        ("WildEnding", "ending", json!(".png")),
        ("WildUrlLoader", "image_url", json!("https://example.com/a/cat.png")),
        ("WildText", "mode", json!(2.5)),
        (
            "Power Lora Loader (rgthree)",
            "lora_1",
            json!({"on": true, "lora": "styles\\ink.safetensors", "strength": 1}),
        ),
        ("LoraLoader|wild", "lora_name", json!({"image": "loras/ink.png", "content": "ink.safetensors"})),
        ("LoraLoader|wild", "lora_name", json!({"__value__": {"content": "oil.safetensors", "image": null}})),
        ("WildJoin", "delimiter", json!("\\n")),
        ("WildJoin", "delimiter", json!("/")),
        ("LoadImage", "upload", json!("image")),
        ("VHS_LoadVideo", "choose video to upload", json!("image")),
        ("Painter", "mask", json!("")),
        ("Load3D", "model_file", json!("none")),
        ("CustomCombo", "choice", json!("blue")),
    ] {
        assert_eq!(placed(&custom, class, input, value.clone()), Ok(value), "{class}.{input}");
    }
}

#[test]
fn file_in_base64_is_no_file_name() {
    let custom = custom();
    let jpeg = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQN/2Q==";
    for data in [
        "iVBORw0KGgo=".to_owned(),
        jpeg.to_owned(),
        format!("{}\n{}", &jpeg[..40], &jpeg[40..]),
        format!("data:image/jpeg;base64,{jpeg}"),
        "//uQxAAAAAAAAAAAAAAAAAAAAAAASW5mbwAAAA8/AAAB".to_owned(),
    ] {
        for (class, input) in [("ETN_LoadImageBase64", "image"), ("WildReader", "source"), ("WildSocket", "anything")] {
            assert_eq!(placed(&custom, class, input, json!(data)), Ok(json!(data)), "{class}.{input}");
        }
    }
    for path in ["/9j/../comfyui/output/secret.png", "data:image/png;base64,../output/secret.png", "//uQ/output/a.png"]
    {
        assert!(placed(&custom, "ETN_LoadImageBase64", "image", json!(path)).is_err(), "{path}");
    }
}

#[test]
fn output_prefix_stays_inside_its_folder() {
    let custom = custom();
    let inputs =
        [("SaveImage", "filename_prefix"), ("SaveImageDataSetToFolder", "folder_name"), ("Wild Saver", "filename")];
    for (class, input) in inputs {
        for good in ["ComfyUI", "wild/try", "%date:yyyy-MM-dd%/a", "v1..2", "cat.png"] {
            assert_eq!(placed(&custom, class, input, json!(good)), Ok(json!(good)), "{class}");
        }
        for bad in ["../x", "a/../../x", "..\\x", "/x", "\\x", "C:\\x", "c:/x", "~/x", "%2e%2e/x", "．．/x"] {
            assert!(placed(&custom, class, input, json!(bad)).is_err(), "{class}.{input}: {bad}");
        }
    }
}

#[test]
fn nested_values_are_checked() {
    let custom = custom();
    let scene =
        |name: &str| json!({"image": name, "mask": "", "camera_info": {"fov": 35, "cameraType": "perspective"}});
    assert_eq!(placed(&custom, "Load3D", "image", scene("mine.png")), Ok(scene(OWN)));
    assert!(placed(&custom, "Load3D", "image", scene("threed/scene1.png [temp]")).is_err());
    assert!(placed(&custom, "Load3D", "image", scene("scene1")).is_err(), "a name without an ending");
    let listed = |name: &str| json!({"__value__": ["mine.png", name]});
    assert_eq!(placed(&custom, "LoadImage", "image", listed("cat")), Ok(json!({"__value__": [OWN, OWN]})));
    assert!(placed(&custom, "LoadImage", "image", listed("dog.png")).is_err());
    assert!(placed(&custom, "Flexible Loader (wild)", "item", json!([{"file": "dog"}])).is_err());
    let picture = |name: &str| json!({"content": "ink.safetensors", "image": name});
    assert!(placed(&custom, "LoraLoader|wild", "lora_name", picture("dog.png")).is_err(), "not as it is offered");
}

#[test]
fn linked_file_name_is_refused() {
    let custom = custom();
    for (class, input) in
        [("LoadImage", "image"), ("VHS_LoadVideoPath", "video"), ("VHS_LoadVideo", "video"), ("WildReader", "source")]
    {
        let told = placed(&custom, class, input, json!(["2", 0])).unwrap_err();
        assert!(told.contains("cannot come from another node"), "{told}");
    }
    assert!(placed(&custom, "CLIPTextEncode", "text", json!(["2", 0])).is_ok());
    assert!(placed(&custom, "SaveImage", "filename_prefix", json!(["2", 0])).is_ok());
}

#[test]
fn widgets_with_files_of_earlier_runs_are_not_sent() {
    let shown = json!({"params": {"filename": "old_00001.mp4", "subfolder": "", "type": "output"}});
    assert_eq!(placed(&custom(), "VHS_VideoCombine", "videopreview", shown), Ok(Value::Null));
}

#[test]
fn text_file_inputs_are_detected_by_flag_extension_and_name() {
    let medium_of = |class: &str, name: &str, definition: Value| {
        let info = json!({ class: { "input": { "required": { name: definition } }, "output": ["STRING"],
            "python_module": "custom_nodes.wild", "output_node": false } });
        let definitions = NodeDefinitions::from_object_info(&info);
        medium(class, definitions.get(class)?.input(name)?)
    };
    let text = Some(Medium::Text);
    for (class, name, definition, expected) in [
        ("WildNotes", "notes", json!([[], {"text_upload": true}]), text),
        ("WildNotes", "notes", json!(["STRING", {"text_upload": true}]), text),
        ("WildFile", "file", json!([["none", "a.txt", "b.CSV"], {"file_upload": true}]), text),
        ("WildFile", "file", json!([["a.txt", "b.glb"], {"file_upload": true}]), None),
        ("WildFile", "file", json!([["none"], {"file_upload": true}]), None),
        ("LoadAnything", "file", json!([["a.txt", "b.json [input]", "sub/c.md"]]), text),
        ("LoadAnything", "file", json!(["COMBO", {"options": ["None", "a.srt"]}]), text),
        ("Subtitles", "source", json!([["a.srt", "b.vtt"]]), text),
        ("Load Table", "csv", json!([["a.csv"]]), text),
        ("LoadTextFile", "file", json!([[]]), text),
        ("LoadAnything", "subtitle_file", json!([["none"]]), text),
        // A folder of media with texts beside it.
        ("LoadAnything", "file", json!([["a.json", "b.png"]]), Some(Medium::Image)),
        ("LoadTextFile", "file", json!([["a.png", "notes.txt"]]), text),
        ("LoadVideoFile", "file", json!([["a.json", "b.mp4"]]), Some(Medium::Video)),
        // Lists that ship with a class.
        ("LoadStyles", "style", json!([["ink.json"]]), None),
        ("Wildcards", "csv", json!([["animals.csv"]]), None),
    ] {
        assert_eq!(medium_of(class, name, definition.clone()), expected, "{class}.{name} {definition}");
    }
}

#[test]
fn workers_name_of_a_foreign_upload_is_refused() {
    let custom = custom();
    let foreign = format!("vg-{}.txt", "0123456789abcdef".repeat(4));
    for (class, input) in [("Load Text File", "file"), ("Load Table", "csv"), ("WildNotes", "notes")] {
        assert!(placed(&custom, class, input, json!(foreign)).is_err(), "{class}.{input}");
        assert_eq!(placed(&custom, class, input, json!("mine.png")), Ok(json!(OWN)), "{class}.{input}");
    }
    // Inputs that are not known to take files.
    for (class, input) in [("WildSocket", "anything"), ("Flexible Loader (wild)", "notes"), ("WildText", "mode")] {
        assert!(placed(&custom, class, input, json!(foreign)).is_err(), "{class}.{input}");
        assert!(placed(&custom, class, input, json!("notes.txt")).is_ok(), "{class}.{input}");
    }
    let prose = format!("a note about {foreign}");
    assert_eq!(placed(&custom, "WildText", "text", json!(prose)), Ok(json!(prose)));
}

#[test]
fn text_keeps_the_extension_of_its_format() {
    for (name, kept) in [
        ("a.CSV", Some("csv")),
        ("notes.tar.md", Some("md")),
        ("subtitles.srt", Some("srt")),
        ("a.png", None),
        ("a.py", None),
        ("csv", None),
        ("a.csv/../b", None),
    ] {
        assert_eq!(text_extension(name), kept, "{name}");
    }
}

#[test]
fn urls_of_the_worker_itself_are_refused() {
    let custom = custom();
    for address in [
        "http://127.0.0.1:8188/view?filename=a.png&type=output",
        "http://localhost/a.png",
        "http://LOCALHOST./a.png",
        "http://[::1]/a.png",
        "http://2130706433/a.png",
        "http://0x7f.1/a.png",
        "http://user@10.0.0.1/a.png",
        "https://example.com/view?%66ilename=a.png",
        "file:///comfyui/output/a.png",
    ] {
        assert!(placed(&custom, "WildUrlLoader", "image_url", json!(address)).is_err(), "{address}");
    }
}

#[test]
fn only_nodes_of_accepted_outputs_are_sent() {
    let nodes = json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 16, "height": 16, "batch_size": 1, "color": 1}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "a"}},
        "3": {"class_type": "LoadImage", "inputs": {"image": "dog.png [output]"}},
        "4": {"class_type": "SaveImage", "inputs": {"images": ["3", 0], "filename_prefix": "b"}},
        "5": {"class_type": "LoadImage", "inputs": {"image": "mine.png"}},
    });
    for definitions in [old(), new()] {
        let prompt = prompt(nodes.clone());
        let text = PromptText::of(&prompt);
        let checked = validate(&prompt, &definitions, &SubmittedFiles::default()).unwrap();
        assert_eq!(checked.outputs, ["2"]);
        let refused = checked.node_errors["3"].dependent_outputs.iter().cloned().collect();
        let sent = worker_prompt(&text, &prompt, &definitions, &refused, &own).unwrap();
        assert_eq!(sent.prompt.0.keys().collect::<Vec<_>>(), ["1", "2"]);
        let value: Value = serde_json::from_str(sent.text.as_str()).unwrap();
        assert_eq!(value, json!({"1": nodes["1"], "2": nodes["2"]}));
        let all = files::worker_prompt(&text, &prompt, &definitions, &Default::default(), &own).unwrap_err();
        assert_eq!(all.node_errors.keys().collect::<Vec<_>>(), ["3"], "a refused output was accepted at dispatch");
        let none = ["2", "4"].map(str::to_owned).into();
        assert!(files::worker_prompt(&text, &prompt, &definitions, &none, &own).is_err(), "nothing is left");
    }
}
