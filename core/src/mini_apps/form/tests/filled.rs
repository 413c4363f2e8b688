//! A form that somebody filled in.

use serde_json::{Map, Value, json};

use crate::graph::MAX_SEED;
use crate::ids::{AssetId, UserId};
use crate::mini_apps::form::compiled;
use crate::mini_apps::tests::{definitions, described, prompt};
use crate::mini_apps::*;

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
