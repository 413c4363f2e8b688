//! Arguments of tools.

use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use verdigraph_core::Error;

use super::failure::Failure;
use crate::extract;

/// Reads the arguments of a tool. An error names the argument.
pub fn read<T: DeserializeOwned>(arguments: Option<&RawValue>) -> Result<T, Failure> {
    let text = arguments.map_or("{}", RawValue::get);
    extract::parse(text.as_bytes()).map_err(|error| match error {
        // The text of all of them is no body here.
        Error::Invalid { field, message } if field == "body" => Failure::field("arguments", message),
        error => error.into(),
    })
}

/// Refuses a number out of its range.
pub fn within(field: &str, number: i64, range: &RangeInclusive<i64>) -> Result<(), Failure> {
    if range.contains(&number) { Ok(()) } else { Err(Failure::out_of_range(field, number, range)) }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only their types matter")]
    struct Arguments {
        max_credits: i64,
        name: Option<String>,
    }

    #[test]
    fn wrong_arguments_are_named() {
        let faults = |arguments: serde_json::Value| {
            let raw = to_raw_value(&arguments).expect("JSON");
            let failure = read::<Arguments>(Some(&raw)).expect_err("a failure");
            json!(failure)["fields"][0].clone()
        };
        for (arguments, field) in [
            (json!({}), "max_credits"),
            (json!({ "max_credits": "5" }), "max_credits"),
            (json!({ "max_credits": 5, "name": 1 }), "name"),
            (json!({ "max_credits": 5, "more": 1 }), "more"),
            (json!([5]), "arguments"),
            (json!("max_credits"), "arguments"),
        ] {
            assert_eq!(faults(arguments.clone())["field"], field, "{arguments}");
        }
        assert_eq!(faults(json!({}))["message"], "is required");
        assert!(read::<Arguments>(None).is_err());
        assert!(within("wait_s", 50, &(0..=50)).is_ok());
        let failure = json!(within("wait_s", 51, &(0..=50)).expect_err("too long"));
        let allowed = json!({ "type": "integer", "minimum": 0, "maximum": 50 });
        assert_eq!((&failure["fields"][0]["given"], &failure["fields"][0]["allowed"]), (&json!(51), &allowed));
    }
}
