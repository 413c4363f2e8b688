//! Filling of forms.

use serde_json::{Map, Value, json};
use unicode_normalization::UnicodeNormalization as _;

use crate::graph::{MAX_SEED, Prompt};
use crate::ids::{AssetId, UserId};
use crate::mini_apps::form::compiled;
use crate::mini_apps::tests::{definitions, described, prompt};
use crate::mini_apps::*;

fn app(definitions: &NodeDefinitions, inputs: &[(&str, &str)]) -> CompiledApp {
    let (inputs, outputs) = described(definitions, inputs, &["10"]);
    let plan = plan(inputs, outputs, &prompt(), definitions).unwrap();
    let stored = compiled::Stored {
        prompt: prompt().into(),
        fields: plan.fields,
        outputs: plan.outputs.into_values().collect(),
    };
    CompiledApp::new(WorkflowApiId::new(), WorkflowApiVersionId::new(), WorkflowId::new(), UserId::new(), stored)
        .unwrap()
}

fn form(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn error_lists_all_invalid_fields() {
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
        "unknown": 1, "2.ImageScale.width": 70000, "2.ImageScale.crop": "left", "3.ImageBlend.blend_factor": 1.5,
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
    for wrong in [json!(1.5), json!("64px"), json!(null), json!(true), json!([64]), json!(-1)] {
        let sent = json!({"1.LoadImage.image": AssetId::new(), "2.ImageScale.width": wrong});
        assert!(app.fill(&form(sent)).is_err(), "{wrong} was taken as a width");
    }
    for wrong in [json!("cat.png"), json!(5), json!("")] {
        assert!(app.fill(&form(json!({"1.LoadImage.image": wrong}))).is_err(), "{wrong} was taken as an image");
    }
}

#[test]
fn filled_form_always_renders_the_same_prompt() {
    let [old, _] = definitions();
    let app = app(&old, &[("1", "image"), ("2", "width"), ("3", "blend_factor"), ("4", "seed"), ("7", "text")]);
    let asset = AssetId::new();
    let filled = app
        .fill(&form(
            json!({"1.LoadImage.image": asset, "2.ImageScale.width": 64.0, "3.ImageBlend.blend_factor": 0.333}),
        ))
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
fn random_seed_differs_per_form_and_fixed_seed_is_kept() {
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
    assert_eq!(seed(json!({"4.KSampler.seed": u64::MAX.to_string()})), u64::MAX, "clients whose numbers are smaller");
    for wrong in [json!(-2), json!(0.5), json!(1.8e19), json!(1e300), json!("seven"), json!("0.5"), json!(null)] {
        assert!(app.fill(&form(json!({"4.KSampler.seed": wrong}))).is_err(), "{wrong}");
    }
}

#[test]
fn missing_field_has_its_default_and_empty_field_has_no_value() {
    let [old, _] = definitions();
    let mut all = old.to_object_info();
    all["ImageBlend"]["input"]["optional"] = json!({"gain": ["FLOAT", {"default": 2.0}]});
    let definitions = NodeDefinitions::from_object_info(&all);
    let app = app(&definitions, &[("1", "image"), ("2", "width"), ("3", "gain"), ("7", "text")]);
    let asset = AssetId::new();
    let inputs = |mut sent: Value| {
        sent["1.LoadImage.image"] = json!(asset);
        let filled = app.fill(&form(sent))?;
        let prompt = app.render(&filled.form, |_| Some("a.png".into()))?;
        Ok::<_, Error>(["7.text", "3.gain", "2.width"].map(|place| {
            let (node, input) = place.split_once('.').unwrap();
            prompt.0[node].inputs.get(input).cloned()
        }))
    };
    let with_default = [Some(json!("a cat")), Some(json!(2.0)), Some(json!(512))];
    assert_eq!(inputs(json!({})).unwrap(), with_default);
    let empty = json!({"7.CLIPTextEncode.text": null, "3.ImageBlend.gain": null});
    assert_eq!(inputs(empty).unwrap(), [Some(json!("")), None, Some(json!(512))]);
    assert_eq!(inputs(json!({"7.CLIPTextEncode.text": ""})).unwrap()[0], Some(json!("")));
    let Err(Error::InvalidFields { fields }) = inputs(json!({"2.ImageScale.width": null})) else { panic!("no width") };
    assert_eq!((fields[0].field.as_str(), fields[0].message.as_str()), ("2.ImageScale.width", "must not be empty"));
    let shown = app.rjsf().ui_schema;
    assert_eq!(shown["3.ImageBlend.gain"]["ui:options"]["optional"], true);
    assert_eq!(shown["2.ImageScale.width"]["ui:options"].get("optional"), None);
}

/// The graph with a third picture, which a node takes if it is there, and an entry for it.
fn with_third_picture() -> (Prompt, NodeDefinitions, InputEntry) {
    let [old, _] = definitions();
    let mut all = old.to_object_info();
    all["ImageBlend"]["input"]["optional"] = json!({"image3": ["IMAGE", {}]});
    let definitions = NodeDefinitions::from_object_info(&all);
    let mut nodes = prompt().to_value();
    nodes["12"] = json!({"class_type": "LoadImage", "inputs": {"image": "third.png"}});
    nodes["13"] = nodes["2"].clone();
    nodes["13"]["inputs"]["image"] = json!(["12", 0]);
    nodes["3"]["inputs"]["image3"] = json!(["13", 0]);
    let prompt = Prompt::from_value(nodes).unwrap();
    let mut entry = describe_input(&definitions, &prompt, "12", "image").unwrap();
    entry.adapter.is_optional = Some(true);
    (prompt, definitions, entry)
}

#[test]
fn picture_that_is_left_out_takes_its_branch_along() {
    let (prompt, definitions, entry) = with_third_picture();
    let (mut inputs, outputs) = described(&definitions, &[("1", "image")], &["10"]);
    inputs.insert("12.image".to_owned(), InputEntry { order: 2, ..entry });
    let size = describe_input(&definitions, &prompt, "13", "width").unwrap();
    inputs.insert("13.width".to_owned(), InputEntry { order: 3, ..size });
    let plan = plan(inputs, outputs, &prompt, &definitions).unwrap();
    let fields: Vec<Field> = serde_json::from_value(json!(plan.fields)).unwrap();
    assert_eq!(fields, plan.fields, "what is stored is not what was made");
    let stored = compiled::Stored { prompt: prompt.into(), fields, outputs: plan.outputs.into_values().collect() };
    let ids = (WorkflowApiId::new(), WorkflowApiVersionId::new(), WorkflowId::new(), UserId::new());
    let app = CompiledApp::new(ids.0, ids.1, ids.2, ids.3, stored).unwrap();
    assert_eq!(app.rjsf().schema["required"], json!(["1.LoadImage.image"]));
    assert_eq!(app.clearance(&definitions), None, "the prompt depends on the form");

    let (first, third) = (AssetId::new(), AssetId::new());
    let rendered = |sent: Value| {
        let filled = app.fill(&form(sent)).unwrap();
        app.render(&filled.form, |id| Some(format!("{id}.png"))).unwrap()
    };
    let both = rendered(json!({"1.LoadImage.image": first, "12.LoadImage.image": third, "13.ImageScale.width": 64}));
    assert_eq!(both.0["12"].inputs["image"], format!("{third}.png"));
    assert_eq!((&both.0["13"].inputs["width"], &both.0["3"].inputs["image3"]), (&json!(64), &json!(["13", 0])));
    for sent in [
        json!({"1.LoadImage.image": first, "13.ImageScale.width": 64}),
        json!({"1.LoadImage.image": first, "12.LoadImage.image": null}),
    ] {
        let alone = rendered(sent);
        assert!(["12", "13"].iter().all(|node| !alone.0.contains_key(*node)), "{:?}", alone.0.keys());
        assert_eq!(alone.0["3"].inputs.get("image3"), None);
        assert!(!alone.text.as_str().contains("third.png"));
        let text = serde_json::from_str::<Value>(alone.text.as_str()).unwrap();
        assert_eq!(text, alone.prompt.to_value(), "the worker receives the text");
        let given = crate::graph::SubmittedFiles { files: [format!("{first}.png")].into() };
        let checked = crate::graph::validate(&alone, &definitions, &given).unwrap();
        // The other nodes of this graph lack their models.
        assert!(checked.node_errors.keys().all(|node| !["1", "2", "3", "10"].contains(&node.as_str())));
    }
}

#[test]
fn file_that_an_output_requires_and_numbers_cannot_be_left_out() {
    let (prompt, definitions, _) = with_third_picture();
    for (node, input, reason) in
        [("1", "image", "output node 10 requires this file"), ("2", "width", "only files may be left out")]
    {
        let (mut inputs, outputs) = described(&definitions, &[(node, input)], &["10"]);
        inputs[0].adapter.is_optional = Some(true);
        let refused = plan(inputs, outputs, &prompt, &definitions);
        let Err(Error::InvalidFields { fields }) = refused else { panic!("{node}.{input}: {refused:?}") };
        let place = format!("inputs.{node}.{input}.adapter.isOptional");
        assert_eq!((fields[0].field.as_str(), fields[0].message.as_str()), (place.as_str(), reason));
    }
}

#[test]
fn choice_is_sent_in_the_format_of_its_node() {
    let [old, _] = definitions();
    let mut all = old.to_object_info();
    all["ImageScale"]["input"]["required"]["crop"] = json!([["disabled", 1.0, "1", true, u64::MAX], {}]);
    let definitions = NodeDefinitions::from_object_info(&all);
    let app = app(&definitions, &[("2", "crop")]);
    for (sent, chosen) in [
        (json!(1), json!(1.0)),
        (json!("1"), json!("1")),
        (json!(true), json!(true)),
        (json!(u64::MAX.to_string()), json!(u64::MAX)),
    ] {
        let filled = app.fill(&form(json!({"2.ImageScale.crop": sent}))).unwrap();
        assert_eq!(filled.form["2.ImageScale.crop"], chosen, "{sent}");
    }
    for wrong in [json!("true"), json!(2), json!("2"), json!(null)] {
        assert!(app.fill(&form(json!({"2.ImageScale.crop": wrong}))).is_err(), "{wrong}");
    }
}

#[test]
fn field_name_matches_in_any_unicode_form() {
    let [old, _] = definitions();
    let (mut inputs, outputs) = described(&old, &[("7", "text")], &["10"]);
    inputs["7.text"].adapter.api_field_name = Some("cafe\u{301}".into());
    inputs["7.text"].adapter.name = Some("한".nfd().collect());
    let plan = plan(inputs, outputs, &prompt(), &old).unwrap();
    assert_eq!((plan.fields[0].name.as_str(), plan.fields[0].title.as_str()), ("caf\u{e9}", "한"));
    let stored = compiled::Stored { prompt: prompt().into(), fields: plan.fields, outputs: Vec::new() };
    let ids = (WorkflowApiId::new(), WorkflowApiVersionId::new(), WorkflowId::new(), UserId::new());
    let app = CompiledApp::new(ids.0, ids.1, ids.2, ids.3, stored).unwrap();
    for name in ["cafe\u{301}", "caf\u{e9}"] {
        assert_eq!(app.fill(&form(json!({ name: "x" }))).unwrap().form["caf\u{e9}"], "x");
    }
}
