//! Failures of tools, as an assistant can mend them: the field, the value that was given, and what is allowed there.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde_json::{Map, Value, json};
use verdigraph_core::Error;

use crate::error::{ApiError, ErrorLine};

/// The longest text of a given value that is repeated, in characters.
const MAX_GIVEN: usize = 200;

#[derive(Debug, Serialize)]
pub struct Failure {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldFault>,
    /// Such as the errors of a graph's nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Box<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u64>,
}

#[derive(Debug, Serialize)]
struct FieldFault {
    field: String,
    message: String,
    /// What was sent; null for a missing field.
    given: Value,
    /// The JSON schema of the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<Value>,
}

impl Failure {
    /// A field that is wrong, with the error's code for that.
    pub fn field(field: &str, message: impl Into<String>) -> Self {
        Error::invalid(field, message).into()
    }

    /// A number outside its range, which other arguments may narrow.
    pub fn out_of_range(field: &str, number: i64, range: &RangeInclusive<i64>) -> Self {
        let (least, most) = (range.start(), range.end());
        let mut failure = Self::field(field, format!("must be between {least} and {most}"));
        for fault in &mut failure.fields {
            fault.given = json!(number);
            fault.allowed = Some(json!({ "type": "integer", "minimum": least, "maximum": most }));
        }
        failure
    }

    /// What is not there, or belongs to another account. `field` is the id that was given.
    pub fn missing(field: &str, error: Error) -> Self {
        let is_missing = matches!(error, Error::NotFound { .. });
        let failure = Self::from(error);
        if is_missing {
            let message = "names nothing that exists and that you may use".to_owned();
            let fields = vec![FieldFault { field: field.to_owned(), message, given: Value::Null, allowed: None }];
            return Self { fields, ..failure };
        }
        failure
    }

    /// The failure of a run that may cost `max_credits`. Too low a number is an error of that field.
    pub fn of_run(error: Error, max_credits: i64) -> Self {
        let mut failure = Self::from(error);
        let number = |name: &str| failure.details.as_ref()?.get(name)?.as_i64();
        let (needed, most) = (number("needed"), number("maxCredits"));
        if let Some(needed) = needed.filter(|_| most == Some(max_credits)) {
            failure.fields.push(FieldFault {
                field: "max_credits".to_owned(),
                message: format!("is too low: at least {needed} is needed"),
                given: json!(max_credits),
                allowed: Some(json!({ "type": "integer", "minimum": needed })),
            });
        }
        failure
    }

    /// The failure of one of several runs with an equal part of `max_credits` each: it names the least for all of them.
    #[must_use]
    pub fn of_part(mut self, max_credits: i64, runs: i64) -> Self {
        for fault in self.fields.iter_mut().filter(|fault| fault.field == "max_credits") {
            let needed = fault.allowed.as_ref().and_then(|allowed| allowed["minimum"].as_i64());
            let needed = needed.map_or(max_credits, |each| each.saturating_mul(runs));
            fault.message = format!("is too low: at least {needed} is needed for {runs} runs");
            fault.given = json!(max_credits);
            fault.allowed = Some(json!({ "type": "integer", "minimum": needed }));
        }
        self
    }

    /// Adds to wrong fields what was given, and the schemas of what is allowed: for an unknown field, the names of the
    /// others.
    #[must_use]
    pub fn explained(mut self, given: &Value, schemas: &Value) -> Self {
        let names = schemas.as_object().map(|schemas| json!({ "enum": schemas.keys().collect::<Vec<_>>() }));
        for fault in self.fields.iter_mut().filter(|fault| fault.allowed.is_none()) {
            let name = fault.field.split(['.', '[']).next().unwrap_or_default();
            if fault.given.is_null() {
                fault.given = given.get(&fault.field).or_else(|| given.get(name)).map_or(Value::Null, short);
            }
            let schema = schemas.get(&fault.field).or_else(|| schemas.get(name));
            fault.allowed = schema.or(names.as_ref()).cloned();
        }
        self
    }

    /// Puts the names of fields below that of the argument that has them.
    #[must_use]
    pub fn below(mut self, argument: &str) -> Self {
        for fault in &mut self.fields {
            fault.field = format!("{argument}.{}", fault.field);
        }
        self
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let retry_after_seconds = error.retry_after_seconds();
        let ErrorLine { code, message, details } = ApiError::from(error).into();
        let (fields, details) = match details {
            Some(Value::Array(lines)) => (lines.iter().filter_map(field_fault).collect(), None),
            details => (Vec::new(), details.filter(|details| !details.is_null()).map(Box::new)),
        };
        Self { code, message, fields, details, retry_after_seconds }
    }
}

/// A wrong field of an error: `{"field", "message"}`.
fn field_fault(line: &Value) -> Option<FieldFault> {
    let text = |name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
    Some(FieldFault { field: text("field")?, message: text("message")?, given: Value::Null, allowed: None })
}

/// A given value, without the end of a long text and without the items of lists and objects.
fn short(value: &Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > MAX_GIVEN => {
            json!(format!("{}…", text.chars().take(MAX_GIVEN).collect::<String>()))
        }
        Value::Array(items) if !items.is_empty() => json!(format!("a list of {}", items.len())),
        Value::Object(fields) if !fields.is_empty() => {
            Value::Object(fields.keys().map(|name| (name.clone(), json!("…"))).collect::<Map<_, _>>())
        }
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use verdigraph_core::Code;

    use super::*;

    #[test]
    fn wrong_field_has_its_value_and_what_is_allowed() {
        let schemas = json!({ "steps": { "type": "integer", "maximum": 50 } });
        let failure = Failure::field("steps", "must be at most 50").explained(&json!({ "steps": 90 }), &schemas);
        let view = json!(failure.below("inputs"));
        assert_eq!(view["code"], "VALIDATION_FAILED");
        assert_eq!(
            view["fields"],
            json!([{
                "field": "inputs.steps", "message": "must be at most 50", "given": 90, "allowed": schemas["steps"],
            }])
        );
        assert!(view.get("details").is_none(), "the fields are told once: {view}");
        let unknown = Failure::field("stepz", "there is no such field").explained(&json!({ "stepz": 1 }), &schemas);
        assert_eq!(json!(unknown)["fields"][0]["allowed"], json!({ "enum": ["steps"] }));
    }

    #[test]
    fn run_over_its_budget_names_the_least_budget() {
        let ceiling = |most: i64| Error::Refused {
            code: Code::CreditCeiling,
            message: "too much".to_owned(),
            details: json!({ "needed": 12, "maxCredits": most }),
        };
        let view = json!(Failure::of_run(ceiling(5), 5));
        assert_eq!((&view["fields"][0]["given"], &view["fields"][0]["allowed"]["minimum"]), (&json!(5), &json!(12)));
        let part = json!(Failure::of_run(ceiling(5), 5).of_part(16, 3));
        assert_eq!((&part["fields"][0]["given"], &part["fields"][0]["allowed"]["minimum"]), (&json!(16), &json!(36)));
        let own = json!(Failure::of_run(ceiling(3), 5));
        assert!(own.get("fields").is_none(), "the ceiling of the account is lower: {own}");
    }

    #[test]
    fn missing_thing_names_the_id_and_long_values_are_cut() {
        let failure = Failure::missing("job_id", Error::NotFound { what: "job" });
        let view = json!(failure.explained(&json!({ "job_id": "x" }), &json!({})));
        assert_eq!((&view["code"], &view["fields"][0]["given"]), (&json!("NOT_FOUND"), &json!("x")));
        let long = short(&json!("a".repeat(5000)));
        assert_eq!(long.as_str().map(|text| text.chars().count()), Some(MAX_GIVEN + 1));
        assert_eq!(short(&json!({ "a": [1] })), json!({ "a": "…" }));
    }
}
