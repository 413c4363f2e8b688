//! Every possible field, and random limits.

use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};

use crate::graph::{InputKind, InputPresence, Prompt, PromptNode};
use crate::mini_apps::tests::definitions;
use crate::mini_apps::*;

/// A JSON schema check of the keywords that forms use.
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
            for input in
                class.inputs.iter().filter(|input| input.presence != InputPresence::Hidden && input.is_widget())
            {
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
                    // A list of missing model files has no choices.
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
        let input = crate::graph::InputDefinition::parse("size", InputPresence::Required, &json!([kind, options]));
        let inputs = own.map(|own| ("size".to_owned(), Value::Number(own))).into_iter().collect();
        let node = PromptNode { class_type: "Any".into(), inputs, meta: None };
        let [min, max, step, default] = adapter;
        let entry = InputEntry {
            order: 1, id: "1".into(), kind: FormEntryKind::Required, name: "size".into(), node_name: "Any".into(),
            node_display_name: String::new(), python_module_name: String::new(), raw: Value::Null,
            adapter: Adapter { min, max, step, default: default.map(Value::Number), ui_type: widget, ..Adapter::default() },
        };
        if let Ok(Some(field)) = Field::derive("1.size", &entry, &node, &input) {
            agrees_with_itself(&field)?;
        }
    }
}
