//! The widget rules on real node definitions, the rules of a form, and the verbs on a real database.

use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};

use super::*;
use crate::graph::{InputKind, MAX_SEED, Presence, PromptNode};
use crate::ids::{AssetId, UserId};
use crate::testing::TestCore;

const OLD_CLASSES: &str = include_str!("../../tests/data/graph/v0.3.64/object_info.json");
const NEW_CLASSES: &str = include_str!("../../tests/data/graph/v0.33.0/object_info.json");

fn definitions() -> [NodeDefinitions; 2] {
    [OLD_CLASSES, NEW_CLASSES].map(|text| NodeDefinitions::from_object_info(&serde_json::from_str(text).unwrap()))
}

/// A graph with an input of every kind.
fn prompt() -> Prompt {
    Prompt::from_value(json!({
        "1": {"class_type": "LoadImage", "inputs": {"image": "example.png"}},
        "2": {"class_type": "ImageScale", "inputs": {"image": ["1", 0], "upscale_method": "area", "width": 512, "height": 512, "crop": "disabled"}},
        "3": {"class_type": "ImageBlend", "inputs": {"image1": ["2", 0], "image2": ["1", 0], "blend_factor": 0.5, "blend_mode": "multiply"}},
        "4": {"class_type": "KSampler", "inputs": {"seed": 12, "steps": 20, "cfg": 8.0, "sampler_name": "euler", "scheduler": "normal", "denoise": 1.0}},
        "5": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "dream.safetensors"}},
        "6": {"class_type": "LoraLoader", "inputs": {"lora_name": "style.safetensors", "strength_model": 1.0, "strength_clip": 1.0}},
        "7": {"class_type": "CLIPTextEncode", "inputs": {"text": "a cat"}},
        "8": {"class_type": "PrimitiveString", "inputs": {"value": ""}},
        "9": {"class_type": "PrimitiveBoolean", "inputs": {"value": true}},
        "10": {"class_type": "SaveImage", "inputs": {"images": ["3", 0], "filename_prefix": "out"}, "_meta": {"title": "The picture"}},
        "11": {"class_type": "PreviewAny", "inputs": {"source": ["8", 0]}},
    }))
    .unwrap()
}

fn described(definitions: &NodeDefinitions, inputs: &[(&str, &str)], outputs: &[&str]) -> (Inputs, Outputs) {
    let prompt = prompt();
    let inputs = (1..).zip(inputs).map(|(order, (node, input))| {
        let entry = describe_input(definitions, &prompt, node, input).unwrap();
        (format!("{node}.{input}"), InputEntry { order, ..entry })
    });
    let outputs = (1..).zip(outputs).map(|(order, node)| {
        let entry = describe_output(definitions, &prompt, node).unwrap();
        ((*node).to_owned(), OutputEntry { order, ..entry })
    });
    (inputs.collect(), outputs.collect())
}

fn planned(inputs: Inputs, outputs: Outputs) -> Result<Plan> {
    let [old, _] = definitions();
    plan(inputs, outputs, &prompt(), &old)
}

#[test]
fn each_kind_of_input_has_its_widget_in_both_spellings() {
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
            (
                "3",
                "blend_factor",
                "range",
                json!({"type": "number", "minimum": 0.0, "maximum": 1.0, "multipleOf": 0.01, "default": 0.5}),
            ),
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
fn the_form_names_fields_in_order_and_says_which_are_required() {
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
fn a_form_carries_its_words_in_other_languages() {
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
fn words_in_other_languages_have_limits_and_known_languages() {
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
fn a_creator_may_narrow_the_nodes_limits_and_never_widen_them() {
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
    assert_eq!(field.rule, Rule::Int { min: 64, max: 1024, multiple_of: 64 });
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
fn what_cannot_be_a_form_or_does_not_stand_any_more_is_not_saved() {
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
fn health_names_each_problem_and_its_place() {
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

fn app(definitions: &NodeDefinitions, inputs: &[(&str, &str)]) -> CompiledApp {
    let (inputs, outputs) = described(definitions, inputs, &["10"]);
    let plan = plan(inputs, outputs, &prompt(), definitions).unwrap();
    let stored =
        compiled::Stored { prompt: prompt(), fields: plan.fields, outputs: plan.outputs.into_values().collect() };
    CompiledApp::new(WorkflowApiId::new(), WorkflowApiVersionId::new(), WorkflowId::new(), UserId::new(), stored)
        .unwrap()
}

fn form(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn a_form_tells_everything_that_is_wrong_with_it() {
    let [old, _] = definitions();
    let app = app(
        &old,
        &[
            ("1", "image"),
            ("2", "width"),
            ("2", "crop"),
            ("3", "blend_factor"),
            ("4", "seed"),
            ("7", "text"),
            ("9", "value"),
        ],
    );
    let refused = app.fill(&form(json!({
        "unknown": 1, "2.ImageScale.width": 70000, "2.ImageScale.crop": "left", "3.ImageBlend.blend_factor": 0.555,
        "4.KSampler.seed": -2, "7.CLIPTextEncode.text": "a\u{0}", "9.PrimitiveBoolean.value": "yes",
    })));
    let Err(Error::InvalidFields { fields }) = refused else { panic!("{refused:?}") };
    let places: Vec<&str> = fields.iter().map(|field| field.field.as_str()).collect();
    assert_eq!(
        places,
        [
            "unknown",
            "1.LoadImage.image",
            "2.ImageScale.width",
            "2.ImageScale.crop",
            "3.ImageBlend.blend_factor",
            "4.KSampler.seed",
            "7.CLIPTextEncode.text",
            "9.PrimitiveBoolean.value",
        ]
    );
    for wrong in [json!(1.5), json!("64"), json!(true), json!([64]), json!(-1)] {
        let sent = json!({"1.LoadImage.image": AssetId::new(), "2.ImageScale.width": wrong});
        assert!(app.fill(&form(sent)).is_err(), "{wrong} was taken as a width");
    }
    for wrong in [json!("cat.png"), json!(5), json!("")] {
        assert!(app.fill(&form(json!({"1.LoadImage.image": wrong}))).is_err(), "{wrong} was taken as an image");
    }
}

#[test]
fn a_filled_form_renders_the_same_prompt_each_time() {
    let [old, _] = definitions();
    let app = app(&old, &[("1", "image"), ("2", "width"), ("3", "blend_factor"), ("4", "seed"), ("7", "text")]);
    let asset = AssetId::new();
    let filled = app
        .fill(&form(json!({"1.LoadImage.image": asset, "2.ImageScale.width": 64.0, "3.ImageBlend.blend_factor": 0.3, "7.CLIPTextEncode.text": null})))
        .unwrap();
    assert_eq!(filled.files.values().map(|(id, _)| id).collect::<Vec<_>>(), [&asset]);
    let render = || app.render(&filled.form, |id| (id == asset).then(|| "vg-1.png".into())).unwrap();
    let rendered = render();
    assert_eq!(rendered, render());
    assert_eq!(rendered.0["1"].inputs["image"], "vg-1.png");
    assert_eq!(rendered.0["2"].inputs["width"].to_string(), "64", "a worker is sent whole numbers as such");
    assert_eq!(rendered.0["7"].inputs["text"], "a cat", "a field that is left out keeps its default");
    assert_eq!(rendered.0["4"].inputs["seed"], json!(filled.seeds["4.KSampler.seed"]));
    assert_eq!(rendered.0["2"].inputs["height"], 512, "what is not in the form stays as the workflow has it");
    assert!(app.render(&filled.form, |_| None).is_err(), "an image without a name was rendered");
}

#[test]
fn a_random_seed_is_drawn_anew_and_a_fixed_one_is_kept() {
    let [old, _] = definitions();
    let app = app(&old, &[("4", "seed")]);
    let seed = |sent: Value| app.fill(&form(sent)).unwrap().seeds["4.KSampler.seed"];
    let drawn: std::collections::HashSet<u64> = (0..50).map(|_| seed(json!({"4.KSampler.seed": -1}))).collect();
    assert_eq!(drawn.len(), 50, "seeds repeat");
    assert!(drawn.iter().all(|seed| *seed <= MAX_SEED));
    assert_ne!(seed(json!({})), seed(json!({})), "random is where a seed starts");
    assert_eq!(seed(json!({"4.KSampler.seed": MAX_SEED})), MAX_SEED);
    assert_eq!(seed(json!({"4.KSampler.seed": 0})), 0);
    assert_eq!(seed(json!({"4.KSampler.seed": 7.0})), 7);
    assert_eq!(seed(json!({"4.KSampler.seed": u64::MAX})), u64::MAX, "a node takes it, and so does the form");
    for wrong in [json!(-2), json!(0.5), json!(1.8e19), json!(1e300), json!("7")] {
        assert!(app.fill(&form(json!({"4.KSampler.seed": wrong}))).is_err(), "{wrong}");
    }
}

/// What a JSON schema library would say, for the keywords that a form uses.
fn fits(schema: &Value, value: &Value) -> bool {
    let kind = match schema["type"].as_str() {
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        _ => true,
    };
    let number = value.as_f64().unwrap_or_default();
    let limit = |key: &str| schema[key].as_f64();
    kind && limit("minimum").is_none_or(|min| number >= min)
        && limit("maximum").is_none_or(|max| number <= max)
        && limit("multipleOf").is_none_or(|step| ((number / step) - (number / step).round()).abs() < 1e-6)
        && schema["enum"].as_array().is_none_or(|values| values.contains(value))
}

fn agrees_with_itself(field: &Field) -> std::result::Result<(), TestCaseError> {
    if let Some(default) = &field.default {
        prop_assert!(field.check(default).is_ok(), "{field:?}");
        let schema = &rjsf(std::slice::from_ref(field)).schema["properties"][&field.name];
        prop_assert!(fits(schema, default), "{schema}");
    }
    let stored = serde_json::to_value(field).unwrap();
    prop_assert_eq!(&serde_json::from_value::<Field>(stored).unwrap(), field, "a field changes when it is stored");
    Ok(())
}

#[test]
fn every_default_of_every_known_node_fits_its_own_schema() {
    let mut derived = 0;
    for definitions in definitions() {
        for class in definitions.iter() {
            for input in class.inputs.iter().filter(|input| input.presence != Presence::Hidden && input.is_widget()) {
                let inputs = input.default().map(|value| (input.name.clone(), value.clone())).into_iter().collect();
                let node = PromptNode { class_type: class.class.clone(), inputs, meta: None };
                let prompt = Prompt([("1".to_owned(), node.clone())].into_iter().collect());
                let Ok(entry) = describe_input(&definitions, &prompt, "1", &input.name) else { continue };
                match Field::derive("1.x", &entry, &node, input) {
                    Ok(Some(field)) => {
                        agrees_with_itself(&field).unwrap();
                        derived += 1;
                    }
                    Ok(None) => panic!("{} of {} has no field", input.name, class.class),
                    // A list of model files that are not there has nothing to choose from.
                    Err(error) => {
                        assert!(matches!(&input.kind, InputKind::Combo { options } if options.is_empty()), "{error:?}")
                    }
                }
            }
        }
    }
    assert!(derived > 80, "only {derived} inputs were tried");
}

fn any_number() -> impl Strategy<Value = Option<Number>> {
    let number = prop_oneof![
        (-200_i64..200).prop_map(Number::from),
        any::<i64>().prop_map(Number::from),
        (-200_i32..200).prop_map(|number| Number::from_f64(f64::from(number) / 8.0).unwrap()),
    ];
    prop::option::of(number)
}

proptest! {
    #[test]
    fn whatever_limits_are_set_the_default_fits_or_the_save_is_refused(
        kind in prop::sample::select(vec!["INT", "FLOAT"]),
        node in prop::array::uniform4(any_number()),
        adapter in prop::array::uniform4(any_number()),
        own in any_number(),
        widget in prop::option::of(prop::sample::select(vec![UiType::Range, UiType::Seed])),
    ) {
        let mut options = Map::new();
        for (key, value) in ["min", "max", "step", "default"].into_iter().zip(node) {
            options.extend(value.map(|value| (key.to_owned(), Value::Number(value))));
        }
        let input = crate::graph::InputDefinition::parse("size", Presence::Required, &json!([kind, options]));
        let inputs = own.map(|own| ("size".to_owned(), Value::Number(own))).into_iter().collect();
        let node = PromptNode { class_type: "Any".into(), inputs, meta: None };
        let [min, max, step, default] = adapter;
        let entry = InputEntry {
            order: 1, id: "1".into(), kind: kind.into(), name: "size".into(), node_name: "Any".into(),
            node_display_name: String::new(), python_module_name: String::new(), raw: Value::Null,
            adapter: Adapter { min, max, step, default: default.map(Value::Number), ui_type: widget, ..Adapter::default() },
        };
        if let Ok(Some(field)) = Field::derive("1.size", &entry, &node, &input) {
            agrees_with_itself(&field)?;
        }
    }
}

async fn saved(core: &TestCore, owner: UserId) -> (MiniApp, NodeDefinitions) {
    let [old, _] = definitions();
    let workflow = crate::workflows::workflow(owner).prompt(prompt().to_value()).insert(&core.db).await;
    let (inputs, outputs) = described(&old, &[("2", "width"), ("4", "seed")], &["10", "11"]);
    let new = NewMiniApp { workflow: workflow.id, inputs, outputs };
    (save(core, &Caller::customer(owner), &old, new).await.unwrap(), old)
}

#[actix::test]
async fn saving_again_makes_a_version_and_old_jobs_keep_theirs() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let caller = Caller::customer(ada);
    let (first, old) = saved(&core, ada).await;
    assert_eq!(first.workflow.workflow_api, Some(first.id));
    let (read, health) = find(&core, &caller, &old, first.id).await.unwrap();
    assert_eq!(read, first, "what is read is not what was saved");
    assert!(health.ok);

    let before = compiled(&core, &caller, first.id).await.unwrap();
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    let second = save(&core, &caller, &old, NewMiniApp { workflow: first.workflow.id, inputs, outputs }).await.unwrap();
    assert_eq!(second.id, first.id);
    assert_ne!(second.version, first.version);
    let now = compiled(&core, &caller, first.id).await.unwrap();
    assert_eq!(now.version, second.version, "a save does not count at once");
    assert_eq!(now.fields()[0].name, "7.CLIPTextEncode.text");
    assert_eq!(now.prompt().0.keys().collect::<Vec<_>>(), prompt().0.keys().collect::<Vec<_>>());
    core.mini_apps.versions.invalidate_all();
    let kept = version(&core, first.version).await.unwrap();
    assert_eq!(kept.fields(), before.fields(), "a job that ran the first version cannot be rendered again");
    assert_eq!(kept.outputs().iter().map(|output| output.id.as_str()).collect::<Vec<_>>(), ["10", "11"]);
}

#[actix::test]
async fn a_mini_app_is_as_visible_as_its_workflow() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (app, old) = saved(&core, ada).await;
    let (owner, bob) = (Caller::customer(ada), Caller::customer(UserId::new()));
    let gone = |error: Error| matches!(error, Error::NotFound { what: "workflow api" });
    assert!(compiled(&core, &owner, app.id).await.is_ok());
    assert!(gone(compiled(&core, &bob, app.id).await.unwrap_err()), "a stranger ran a private mini app");
    assert!(gone(find(&core, &bob, &old, app.id).await.unwrap_err()));
    assert!(gone(delete(&core, &bob, app.id).await.unwrap_err()));
    let public = crate::workflows::set_private(&core, &owner, &[app.workflow.id], false).await.unwrap();
    assert!(compiled(&core, &bob, app.id).await.is_ok());
    assert_eq!(published(&core, AppWanted::default(), Sort::Newest, None, 10).await.unwrap().items, public);
    assert!(matches!(delete(&core, &bob, app.id).await, Err(Error::Forbidden)));
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    let theft = save(&core, &bob, &old, NewMiniApp { workflow: app.workflow.id, inputs, outputs }).await;
    assert!(matches!(theft, Err(Error::Forbidden)));
}

#[actix::test]
async fn a_deleted_mini_app_is_gone_at_once_and_can_be_made_anew() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let caller = Caller::customer(ada);
    let (app, old) = saved(&core, ada).await;
    crate::workflows::set_private(&core, &caller, &[app.workflow.id], false).await.unwrap();
    // Whoever ran it lately, and a node that has it in memory.
    let (stranger, elsewhere) = (Caller::customer(UserId::new()), core.another("elsewhere"));
    for node in [&*core, &elsewhere] {
        for who in [&caller, &stranger] {
            compiled(node, who, app.id).await.unwrap();
        }
    }
    delete(&core, &caller, app.id).await.unwrap();
    for node in [&*core, &elsewhere] {
        for who in [&caller, &stranger] {
            assert!(compiled(node, who, app.id).await.is_err(), "it is still run");
        }
        assert!(find(node, &stranger, &old, app.id).await.is_err(), "it is still shown");
    }
    assert!(delete(&core, &caller, app.id).await.is_err());
    assert!(version(&core, app.version).await.is_ok(), "jobs that ran it must still be told");
    assert_eq!(crate::workflows::find(&core, &caller, app.workflow.id).await.unwrap().workflow_api, None);
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    let again = save(&core, &caller, &old, NewMiniApp { workflow: app.workflow.id, inputs, outputs }).await.unwrap();
    assert_ne!(again.id, app.id);
}

#[actix::test]
async fn nothing_is_saved_while_nobody_knows_what_nodes_there_are() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let workflow = crate::workflows::workflow(ada).insert(&core.db).await;
    let new = NewMiniApp { workflow: workflow.id, inputs: Inputs::new(), outputs: Outputs::new() };
    let refused = save(&core, &Caller::customer(ada), &NodeDefinitions::default(), new).await;
    assert!(matches!(refused, Err(Error::Unavailable { .. })));
}

/// Checks forms one by one, as a submit without clearance does.
fn one_by_one(app: &CompiledApp, definitions: &NodeDefinitions, sent: &Value) -> bool {
    let filled = app.fill(sent.as_object().unwrap()).unwrap();
    let prompt = app.render(&filled.form, |_| Some("a.png".into())).unwrap();
    let given = crate::graph::Given { files: ["a.png".to_owned()].into() };
    crate::graph::validate(&prompt, definitions, &given).is_ok_and(|checked| checked.node_errors.is_empty())
}

fn compiled_with(definitions: &NodeDefinitions, inputs: &[(&str, &str)]) -> CompiledApp {
    let (inputs, outputs) = described(definitions, inputs, &["10"]);
    let plan = plan(inputs, outputs, &prompt(), definitions).unwrap();
    let stored = compiled::Stored { prompt: prompt(), fields: plan.fields, outputs: Vec::new() };
    CompiledApp::new(WorkflowApiId::new(), WorkflowApiVersionId::new(), WorkflowId::new(), UserId::new(), stored)
        .unwrap()
}

/// The definitions of workers on which this input takes something else.
fn with_input(definitions: &NodeDefinitions, class: &str, input: &str, raw: Value) -> NodeDefinitions {
    let mut all = definitions.to_object_info();
    all[class]["input"]["required"][input] = raw;
    NodeDefinitions::from_object_info(&all)
}

#[test]
fn a_form_of_free_values_is_cleared_once_for_all() {
    for definitions in definitions() {
        let app =
            compiled_with(&definitions, &[("1", "image"), ("2", "width"), ("3", "blend_factor"), ("3", "blend_mode")]);
        let needs = app.clearance(&definitions).expect("a clearance");
        assert!(needs.classes.contains("ImageBlend") && needs.classes.contains("SaveImage"));
        let asset = AssetId::new();
        for (width, factor, mode) in [(0, 0.0, "multiply"), (16384, 1.0, "overlay"), (777, 0.25, "screen")] {
            let sent = json!({"1.LoadImage.image": asset, "2.ImageScale.width": width,
                "3.ImageBlend.blend_factor": factor, "3.ImageBlend.blend_mode": mode});
            assert!(one_by_one(&app, &definitions, &sent), "{sent} was cleared and cannot run");
        }
    }
}

#[test]
fn workers_that_take_less_than_the_form_does_end_the_clearance() {
    let [definitions, _] = definitions();
    let inputs = [("1", "image"), ("2", "width"), ("3", "blend_factor"), ("3", "blend_mode")];
    let app = compiled_with(&definitions, &inputs);
    assert!(app.clearance(&definitions).is_some());
    for (class, input, raw) in [
        ("ImageScale", "width", json!(["INT", {"min": 0, "max": 4096}])),
        ("ImageScale", "width", json!(["FLOAT", {"min": 0, "max": 16384}])),
        ("ImageBlend", "blend_factor", json!(["FLOAT", {"min": 0.1, "max": 1.0}])),
        ("ImageBlend", "blend_mode", json!([["multiply"], {}])),
        ("ImageScale", "sharpness", json!(["FLOAT", {}])),
    ] {
        let narrowed = with_input(&definitions, class, input, raw.clone());
        assert_eq!(app.clearance(&narrowed), None, "{class}.{input} {raw}");
    }
    assert_eq!(app.clearance(&NodeDefinitions::default()), None, "the classes are gone");
}

#[test]
fn a_form_that_chooses_a_model_is_never_cleared() {
    let [definitions, _] = definitions();
    let app = compiled_with(&definitions, &[("1", "image"), ("5", "ckpt_name")]);
    assert_eq!(app.clearance(&definitions), None);
}

#[actix::test]
async fn apps_are_listed_by_what_they_take_and_make_also_those_saved_before_it_was_noted() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (app, old) = saved(&core, ada).await;
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    save(&core, &Caller::customer(ada), &old, NewMiniApp { workflow: app.workflow.id, inputs, outputs }).await.unwrap();
    crate::workflows::set_private(&core, &Caller::customer(ada), &[app.workflow.id], false).await.unwrap();
    let count = async |takes, makes| {
        let wanted = AppWanted { takes, makes };
        published(&core, wanted, Sort::View, None, 10).await.unwrap().items.len()
    };
    let (text, image) = (Some(crate::workflows::Takes::Text), Some(crate::workflows::Makes::Image));
    for _ in 0..2 {
        assert_eq!(count(text, image).await, 1, "it draws words");
        assert_eq!(count(Some(crate::workflows::Takes::Image), None).await, 0);
        assert_eq!(count(None, Some(crate::workflows::Makes::Video)).await, 0);
        // As a release before this one left it.
        sqlx::query("UPDATE workflows SET app_takes = NULL, app_makes = NULL").execute(&core.db).await.unwrap();
        assert_eq!(count(text, None).await, 0);
        index_traitless(&core).await.unwrap();
    }
}

#[actix::test]
async fn an_app_that_draws_words_is_suggested_only_while_a_worker_can_run_it() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (app, old) = saved(&core, ada).await;
    let (inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    save(&core, &Caller::customer(ada), &old, NewMiniApp { workflow: app.workflow.id, inputs, outputs }).await.unwrap();
    crate::workflows::set_private(&core, &Caller::customer(ada), &[app.workflow.id], false).await.unwrap();
    let found = suggest(&core, &old, "a cat in a red hat", |_| true).await.unwrap();
    assert!(found.fitting.first().is_some_and(|one| one.draws_words), "{found:?}");
    let found = suggest(&core, &old, "a cat in a red hat", |_| false).await.unwrap();
    assert_eq!((found.fitting.len(), found.waiting.len()), (0, 1), "no worker has what it needs");
}

#[test]
fn sounds_and_films_are_fields_of_their_own() {
    for (class, input, option, ui_type, kind) in [
        ("LoadAudio", "audio", "audio_upload", UiType::Audio, "AUDIO"),
        ("LoadVideo", "file", "video_upload", UiType::Video, "VIDEO"),
    ] {
        let classes = json!({ class: { "input": { "required": { input: [["a.bin"], { option: true }] } },
            "output": [kind], "output_node": false, "name": class, "display_name": class, "category": "" } });
        let definitions = NodeDefinitions::from_object_info(&classes);
        let nodes = json!({ "1": { "class_type": class, "inputs": { input: "a.bin" } } });
        let prompt = Prompt::from_value(nodes).expect("a prompt");
        let entry = describe_input(&definitions, &prompt, "1", input).expect("an input that a form can fill");
        assert_eq!((entry.adapter.ui_type, entry.kind.as_str()), (Some(ui_type), kind));
        assert_eq!(entry.adapter.default, None, "a file of the author's machine is nobody's default");
        assert!(ui_type.file().is_some());
    }
}
