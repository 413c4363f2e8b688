//! The widget of each input, the texts of a form, and the health of an app whose workflow changed.

use serde_json::{Map, Value, json};

use crate::Code;
use crate::graph::Prompt;
use crate::mini_apps::tests::{definitions, described, planned, prompt};
use crate::mini_apps::*;

#[test]
fn each_kind_of_input_has_its_widget_in_both_list_formats() {
    for definitions in definitions() {
        for (node, input, widget, property) in [
            ("1", "image", "image", json!({"type": "string", "format": "uuid"})),
            (
                "2",
                "upscale_method",
                "select",
                json!({"type": "string", "enum": ["nearest-exact", "bilinear", "area", "bicubic", "lanczos"], "default": "area"}),
            ),
            (
                "2",
                "width",
                "range",
                json!({"type": "integer", "minimum": 0, "maximum": 16384, "multipleOf": 1, "default": 512}),
            ),
            ("3", "blend_factor", "range", json!({"type": "number", "minimum": 0.0, "maximum": 1.0, "default": 0.5})),
            ("4", "seed", "seed", json!({"type": "integer", "minimum": -1, "maximum": u64::MAX, "default": -1})),
            (
                "4",
                "steps",
                "range",
                json!({"type": "integer", "minimum": 1, "maximum": 10000, "multipleOf": 1, "default": 20}),
            ),
            ("5", "ckpt_name", "model", json!({"type": "string", "default": "dream.safetensors"})),
            ("6", "lora_name", "model", json!({"type": "string", "default": "style.safetensors"})),
            ("7", "text", "textarea", json!({"type": "string", "default": "a cat"})),
            ("8", "value", "text", json!({"type": "string", "default": ""})),
            ("9", "value", "toggle", json!({"type": "boolean", "default": true})),
        ] {
            let (inputs, outputs) = described(&definitions, &[(node, input)], &["10"]);
            let plan = plan(inputs, outputs, &prompt(), &definitions).unwrap();
            let form = rjsf(&plan.fields);
            let name = plan.fields[0].name.as_str();
            assert_eq!(form.ui_schema[name]["ui:widget"], widget, "{node}.{input}");
            for (key, value) in property.as_object().unwrap() {
                assert_eq!(&form.schema["properties"][name][key], value, "{node}.{input}: {key}");
            }
        }
    }
}

#[test]
fn form_lists_fields_in_order_and_marks_required_ones() {
    let [old, _] = definitions();
    let (mut inputs, outputs) = described(&old, &[("4", "seed"), ("1", "image"), ("5", "ckpt_name")], &["10"]);
    inputs["4.seed"].order = 9;
    inputs["1.image"].adapter.api_field_name = Some("picture".into());
    inputs["5.ckpt_name"].adapter.api_field_name = None;
    let plan = planned(inputs, outputs).unwrap();
    let form = rjsf(&plan.fields);
    assert_eq!(form.ui_schema["ui:order"], json!(["picture", "5.CheckpointLoaderSimple.ckpt_name", "4.KSampler.seed"]));
    assert_eq!(form.schema["required"], json!(["picture"]));
    assert_eq!(form.ui_schema["5.CheckpointLoaderSimple.ckpt_name"]["ui:options"]["folder"], "checkpoints");
    assert_eq!(form.ui_schema["4.KSampler.seed"]["ui:options"]["isRandom"], true);
    assert_eq!(plan.inputs.values().map(|entry| entry.order).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(plan.outputs["10"].name, "The picture");
    assert_eq!(plan.inputs["4.seed"].raw[1]["default"], 12, "raw has the workflow's own value");
}

#[test]
fn form_has_its_translations() {
    let [old, _] = definitions();
    let (mut inputs, mut outputs) = described(&old, &[("2", "upscale_method"), ("2", "width")], &["10"]);
    let words = json!({"ko": {"name": " 방법 ", "tooltip": " ", "options": {"area": "면적", "gone": "없음"}}});
    inputs["2.upscale_method"].adapter.translations = serde_json::from_value(words).unwrap();
    outputs["10"].translations = serde_json::from_value(json!({"ko": {"name": "이미지"}})).unwrap();
    let plan = planned(inputs, outputs).unwrap();
    let form = rjsf(&plan.fields);
    assert_eq!(
        form.ui_schema["2.ImageScale.upscale_method"]["ui:options"]["translations"],
        json!({"ko": {"title": "방법", "enumNames": ["nearest-exact", "bilinear", "면적", "bicubic", "lanczos"]}})
    );
    assert_eq!(form.ui_schema["2.ImageScale.width"]["ui:options"].get("translations"), None);
    assert_eq!(plan.outputs["10"].translations.ko.as_ref().and_then(|words| words.name.as_deref()), Some("이미지"));
}

#[test]
fn translations_have_limits_and_known_languages() {
    let [old, _] = definitions();
    let many: Map<String, Value> = (0..=MAX_NAMED_CHOICES).map(|number| (number.to_string(), json!("x"))).collect();
    for (words, place) in [
        (json!({"name": "가".repeat(MAX_LABEL_CHARS + 1)}), "name"),
        (json!({"name": "a\u{0}"}), "name"),
        (json!({"tooltip": "가".repeat(MAX_TOOLTIP_CHARS + 1)}), "tooltip"),
        (json!({"options": {"area": "가".repeat(MAX_LABEL_CHARS + 1)}}), "options.area"),
        (json!({"options": many}), "options"),
    ] {
        let (mut inputs, outputs) = described(&old, &[("2", "upscale_method")], &["10"]);
        inputs[0].adapter.translations = serde_json::from_value(json!({"ko": words})).unwrap();
        let Err(Error::InvalidFields { fields }) = planned(inputs, outputs) else { panic!("{place} is too long") };
        assert_eq!(fields[0].field, format!("inputs.2.upscale_method.adapter.translations.ko.{place}"));
    }
    let (inputs, mut outputs) = described(&old, &[("2", "width")], &["10"]);
    let long = json!({"ko": {"name": "가".repeat(MAX_LABEL_CHARS + 1)}});
    outputs[0].translations = serde_json::from_value(long).unwrap();
    let Err(Error::InvalidFields { fields }) = planned(inputs, outputs) else { panic!("an output's name is too long") };
    assert_eq!(fields[0].field, "outputs.10.translations.ko.name");
    assert!(serde_json::from_value::<Adapter>(json!({"translations": {"fr": {"name": "Largeur"}}})).is_err());
}

#[test]
fn creator_may_narrow_but_not_widen_the_nodes_limits() {
    let [old, _] = definitions();
    let with = |input: (&str, &str), adapter: Value| {
        let (mut inputs, outputs) = described(&old, &[input], &["10"]);
        inputs[0].adapter = serde_json::from_value(adapter).unwrap();
        planned(inputs, outputs).map(|plan| plan.fields.into_iter().next().unwrap())
    };
    let field = with(
        ("2", "width"),
        json!({"min": 64, "max": 1024, "step": 64, "default": 128, "name": "Width", "tooltip": "How wide"}),
    )
    .unwrap();
    assert_eq!(field.rule, Rule::Int { min: 64, max: 1024, step: 64 });
    assert_eq!(
        (field.title.as_str(), field.description.as_deref(), field.default.clone()),
        ("Width", Some("How wide"), Some(json!(128)))
    );
    let offered =
        with(("2", "upscale_method"), json!({"options": [{"value": "area", "label": "Soft"}, "lanczos"]})).unwrap();
    assert_eq!(
        offered.rule,
        Rule::Select { values: vec![json!("area"), json!("lanczos")], labels: vec!["Soft".into(), "lanczos".into()] }
    );
    for (input, adapter, place) in [
        (("2", "width"), json!({"min": -1}), "min"),
        (("2", "width"), json!({"max": 99999}), "max"),
        (("2", "width"), json!({"min": 10, "max": 5}), "min"),
        (("2", "width"), json!({"step": 0}), "step"),
        (("2", "width"), json!({"default": 99999}), "default"),
        (("2", "width"), json!({"default": "wide"}), "default"),
        (("2", "width"), json!({"uiType": "text"}), "uiType"),
        (("3", "blend_factor"), json!({"max": 1.5}), "max"),
        (("3", "blend_factor"), json!({"default": 2}), "default"),
        (("3", "blend_factor"), json!({"uiType": "seed"}), "uiType"),
        (("2", "crop"), json!({"options": ["none at all"]}), "options"),
        (("2", "crop"), json!({"default": "none at all"}), "default"),
        (("7", "text"), json!({"default": 5}), "default"),
        (("7", "text"), json!({"apiFieldName": "a b"}), "apiFieldName"),
        (("7", "text"), json!({"apiFieldName": "__proto__"}), "apiFieldName"),
    ] {
        match with(input, adapter.clone()) {
            Err(Error::InvalidFields { fields }) => {
                assert_eq!(fields[0].field, format!("inputs.{}.{}.adapter.{place}", input.0, input.1), "{adapter}");
            }
            other => panic!("{adapter}: {other:?}"),
        }
    }
}

#[test]
fn invalid_and_outdated_entries_are_not_saved() {
    let [old, _] = definitions();
    let good = || described(&old, &[("2", "width"), ("7", "text")], &["10"]);
    let code = |change: &dyn Fn(&mut Inputs, &mut Outputs)| {
        let (mut inputs, mut outputs) = good();
        change(&mut inputs, &mut outputs);
        planned(inputs, outputs).unwrap_err().code()
    };
    assert!(planned(good().0, good().1).is_ok());
    assert_eq!(code(&|inputs, _| inputs.clear()), Code::WorkflowApiNoInput);
    assert_eq!(
        code(&|inputs, _| inputs.values_mut().for_each(|entry| entry.adapter.api_field_name = Some(String::new()))),
        Code::WorkflowApiNoInput
    );
    assert_eq!(code(&|_, outputs| outputs.clear()), Code::WorkflowApiNoOutput);
    assert_eq!(code(&|inputs, _| inputs[0].node_name = "ImageCrop".into()), Code::WorkflowApiUnhealthy);
    assert_eq!(code(&|inputs, _| inputs[0].python_module_name = "elsewhere".into()), Code::WorkflowApiUnhealthy);
    assert_eq!(
        code(&|inputs, _| inputs[0].name = "width2".into()),
        Code::ValidationFailed,
        "a key that is not id.name"
    );
    assert_eq!(
        code(&|inputs, _| {
            let entry = InputEntry { name: "depth".into(), ..inputs[0].clone() };
            inputs.insert("2.depth".into(), entry);
        }),
        Code::WorkflowApiUnhealthy
    );
    assert_eq!(
        code(&|inputs, _| {
            let entry = InputEntry { id: "77".into(), ..inputs[0].clone() };
            inputs.insert("77.width".into(), entry);
        }),
        Code::WorkflowApiUnhealthy
    );
    assert_eq!(
        code(&|_, outputs| {
            outputs.insert("2".into(), OutputEntry { id: "2".into(), ..outputs[0].clone() });
        }),
        Code::WorkflowApiUnhealthy,
        "a node that gives no output"
    );
    assert_eq!(
        code(&|inputs, _| inputs[1].adapter.api_field_name = inputs[0].adapter.api_field_name.clone()),
        Code::ValidationFailed
    );
    for (node, input) in [("2", "image"), ("2", "nothing"), ("77", "x"), ("4", "model")] {
        assert!(describe_input(&old, &prompt(), node, input).is_err(), "{node}.{input} was described");
    }
}

#[test]
fn sounds_videos_and_texts_have_fields_of_their_own() {
    for (class, input, option, ui_type, kind) in [
        ("LoadAudio", "audio", "audio_upload", UiType::Audio, "AUDIO"),
        ("LoadVideo", "file", "video_upload", UiType::Video, "VIDEO"),
        ("LoadNotes", "file", "text_upload", UiType::TextFile, "STRING"),
    ] {
        let classes = json!({ class: { "input": { "required": { input: [["a.bin"], { option: true }] } },
            "output": [kind], "output_node": false, "name": class, "display_name": class, "category": "" } });
        let definitions = NodeDefinitions::from_object_info(&classes);
        let nodes = json!({ "1": { "class_type": class, "inputs": { input: "a.bin" } } });
        let prompt = Prompt::from_value(nodes).expect("a prompt");
        let entry = describe_input(&definitions, &prompt, "1", input).expect("an input that a form can fill");
        assert_eq!((entry.adapter.ui_type, entry.kind), (Some(ui_type), FormEntryKind::Required));
        assert_eq!(entry.adapter.default, None, "a file on the author's machine is no default");
        assert!(ui_type.file().is_some());
    }
}

#[test]
fn health_lists_each_problem_with_its_place() {
    let [old, _] = definitions();
    let (inputs, outputs) = described(&old, &[("2", "width"), ("7", "text"), ("8", "value")], &["10", "11"]);
    let mut changed = prompt();
    changed.0["2"].inputs.insert("width".into(), json!(["8", 0]));
    changed.0["7"].class_type = "PrimitiveString".into();
    changed.0.shift_remove("8");
    changed.0.shift_remove("11");
    let health = health(&inputs, &outputs, Some(&changed), &old);
    let found: Vec<_> = health.problems.iter().map(|problem| (problem.place.as_str(), problem.code)).collect();
    assert!(!health.ok);
    assert_eq!(
        found,
        [
            ("inputs.2.width", ProblemCode::InputLinked),
            ("inputs.7.text", ProblemCode::NodeNameChanged),
            ("inputs.8.value", ProblemCode::NodeGone),
            ("outputs.11", ProblemCode::NodeGone),
        ]
    );
    assert_eq!(serde_json::to_value(ProblemCode::NodeNameChanged).unwrap(), "NODE_NAME_CHANGED");
}

/// The field of an input with this definition and this value in the workflow.
fn derived(class: &str, name: &str, definition: Value, own: Value) -> std::result::Result<Option<Field>, String> {
    let classes = json!({ class: { "input": { "required": { name: definition } }, "output": ["IMAGE"],
        "output_node": false, "name": class, "display_name": class, "category": "", "python_module": "custom_nodes.x" } });
    let definitions = NodeDefinitions::from_object_info(&classes);
    let mut node = json!({ "class_type": class, "inputs": {} });
    node["inputs"][name] = own;
    let prompt = Prompt::from_value(json!({ "1": node })).expect("a prompt");
    let entry = describe_input(&definitions, &prompt, "1", name).map_err(|error| error.to_string())?;
    assert!(!json!(entry).to_string().contains("holiday"), "a file of a worker's folder is told: {entry:?}");
    let input = definitions.get(class).and_then(|class| class.input(name)).expect("the input");
    Field::derive("1.x", &entry, &prompt.0["1"], input).map_err(|error| error.message)
}

#[test]
fn whole_numbers_keep_every_digit() {
    let own = json!(18_446_744_073_709_551_557_u64);
    let huge = json!(["INT", {"default": 0, "min": 0, "max": u64::MAX}]);
    let field = derived("Any", "rand", huge, own.clone()).unwrap().unwrap();
    assert_eq!(field.default, Some(own));
    let schema = &rjsf(std::slice::from_ref(&field)).schema["properties"][&field.name];
    assert_eq!(schema["maximum"], json!(u64::MAX));
    let stored: Field = serde_json::from_value(json!(field)).unwrap();
    assert_eq!(stored, field);
    assert!(field.check(&json!("18446744073709551615")).is_ok() && field.check(&json!(u64::MAX)).is_ok());
    for wrong in ["18446744073709551616", "0x10", "+1", " 1", "1.0", "1e3", "", "-"] {
        assert!(field.check(&json!(wrong)).is_err(), "{wrong} was taken as a whole number");
    }
}

#[test]
fn steps_refuse_no_value() {
    let definition = json!(["INT", {"default": 164, "min": 100, "max": 2000, "step": 64}]);
    let field = derived("Any", "width", definition, json!(100)).unwrap().unwrap();
    for value in [100, 101, 164, 777, 2000] {
        assert!(field.check(&json!(value)).is_ok(), "{value} is taken by ComfyUI");
    }
    let old = json!({"widget": "range", "min": 0, "max": 9, "multiple_of": 4});
    assert_eq!(serde_json::from_value::<Rule>(old).unwrap(), Rule::Int { min: 0, max: 9, step: 4 });
    let old = json!({"widget": "decimal", "min": 0.0, "max": 1.0, "step": 0.5, "multiple_of": 0.5});
    assert_eq!(serde_json::from_value::<Rule>(old).unwrap(), Rule::Float { min: 0.0, max: 1.0, step: 0.5 });
    assert!(derived("Any", "odd", json!(["INT", {"step": 0.5}]), json!(1)).is_ok(), "an odd step of a node");
    assert!(derived("Any", "odd", json!(["FLOAT", {"step": 0}]), json!(1)).is_ok(), "no step of a node");
}

#[test]
fn choices_of_lists_keep_their_types() {
    let list = json!([[1, 1.0, "1", true, false, 0.5, null, ["x"], {"a": 1}, u64::MAX], {}]);
    let field = derived("Any", "mode", list, json!(0.5)).unwrap().unwrap();
    let schema = &rjsf(std::slice::from_ref(&field)).schema["properties"][&field.name];
    assert_eq!(schema["enum"], json!([1, 1.0, "1", true, false, 0.5, u64::MAX]));
    assert_eq!((schema.get("type"), &schema["default"]), (None, &json!(0.5)));
    for (list, kind) in
        [(json!([[true, false]]), "boolean"), (json!([[1, 2.5]]), "number"), (json!([[1, 2]]), "integer")]
    {
        let field = derived("Any", "mode", list, Value::Null).unwrap().unwrap();
        assert_eq!(rjsf(std::slice::from_ref(&field)).schema["properties"][&field.name]["type"], kind);
    }
}

#[test]
fn list_of_worker_files_becomes_an_upload() {
    let rule = |class: &str, name: &str, definition: Value| {
        derived(class, name, definition, Value::Null).map(|field| field.map(|field| field.rule))
    };
    for (class, name, list, expected) in [
        ("VHS_LoadVideo", "video", json!([["holiday.mp4", "holiday.gif", "a.webm"], {}]), Rule::Video),
        ("VHS_LoadVideo", "video", json!([[], {}]), Rule::Video),
        ("VHS_LoadAudioUpload", "audio", json!([["holiday.mp3"]]), Rule::Audio),
        ("VHS_LoadAudioUpload", "audio", json!(["COMBO", {"options": [], "default": "holiday.mp3"}]), Rule::Audio),
        ("PickFile", "source", json!([["holiday.png", "b.jpg"]]), Rule::Image),
        ("PickFile", "source", json!(["COMBO", {"options": ["none", "holiday.wav [input]"]}]), Rule::Audio),
        ("LoadImage", "image", json!([["holiday.png"], {"image_upload": true}]), Rule::Image),
        ("LoadImageMask", "image", json!([["holiday.png", "holiday.mp4"], {}]), Rule::Image),
        ("LoadTextFile", "file", json!([["holiday.txt", "b.md"], {}]), Rule::TextFile),
        ("PickFile", "subtitles", json!(["COMBO", {"options": ["none", "holiday.srt [input]"]}]), Rule::TextFile),
    ] {
        assert_eq!(rule(class, name, list.clone()), Ok(Some(expected)), "{class}.{name} {list}");
    }
    assert!(rule("LoadMesh", "model_file", json!([["holiday.glb"]])).is_err(), "a form cannot upload this kind");
}

#[test]
fn text_input_named_image_is_a_text() {
    for (class, name) in [("ETN_LoadImageBase64", "image"), ("LoadImageFromBase64", "image"), ("Caption", "image")] {
        let field =
            derived(class, name, json!(["STRING", {"multiline": true}]), json!("iVBORw0KGgo=")).unwrap().unwrap();
        assert_eq!(field.rule, Rule::Text { multiline: true }, "{class}");
    }
}
