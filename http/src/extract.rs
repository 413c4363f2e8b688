//! Extractors of bodies, paths and queries. Their errors have the shape of all errors and name the field.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::{self, Bytes, BytesMut};
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout_at;
use verdigraph_core::graph::{self, NotANumber, Refusal};
use verdigraph_core::{Code, Error};

use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::objects::Objects;

/// The largest JSON body, unless a handler sets another limit.
#[derive(Debug, Clone, Copy)]
pub struct JsonLimit(pub usize);

impl Default for JsonLimit {
    fn default() -> Self {
        Self(1 << 20)
    }
}

/// A JSON body. Its content type must say so, which a form of another site cannot send.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = read(request, payload);
        Box::pin(async move { parse(&bytes.await?).map(Self).map_err(ApiError::from) })
    }
}

/// A JSON body with a graph in it; see [`parse_graph`].
#[derive(Debug)]
pub struct GraphJson<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for GraphJson<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = read(request, payload);
        Box::pin(async move { parse_graph(&bytes.await?).map(Self).map_err(ApiError::from) })
    }
}

/// As [`GraphJson`], for a body with a prompt. A workflow file in its place is refused by its name.
#[derive(Debug)]
pub struct PromptJson<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for PromptJson<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = read(request, payload);
        Box::pin(async move {
            let bytes = bytes.await?;
            let is_workflow = || parse_graph::<WorkflowFile>(&bytes).is_ok_and(|file| file.nodes.is_array());
            parse_graph(&bytes).map(Self).map_err(|error| match is_workflow() {
                true => ApiError::from(Error::from(Refusal::editor_format())),
                false => ApiError::from(error),
            })
        })
    }
}

/// A workflow in the editor's format.
#[derive(Deserialize)]
struct WorkflowFile {
    nodes: Value,
}

/// A body of any content type, up to [`JsonLimit`]: ComfyUI's clients send JSON as text, or without a type.
#[derive(Debug)]
pub struct RawBody(pub Bytes);

impl FromRequest for RawBody {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = read_any(request, payload);
        Box::pin(async move { Ok(Self(bytes.await?.freeze())) })
    }
}

type BodyFuture = Pin<Box<dyn Future<Output = Result<BytesMut, ApiError>>>>;

/// Reads a JSON body's bytes.
fn read(request: &HttpRequest, payload: &mut Payload) -> BodyFuture {
    let content_type = request.headers().get("content-type").and_then(|value| value.to_str().ok());
    let is_json = content_type.is_some_and(|text| {
        let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
    });
    let bytes = read_any(request, payload);
    Box::pin(async move {
        if !is_json {
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(ApiError::new(status, Code::UnsupportedMediaType, "the body must be application/json"));
        }
        bytes.await
    })
}

fn read_any(request: &HttpRequest, payload: &mut Payload) -> BodyFuture {
    let limit = request.app_data::<JsonLimit>().copied().unwrap_or_default().0;
    let announced = request.headers().get("content-length").and_then(|value| value.to_str().ok());
    let too_large = announced.and_then(|text| text.parse::<usize>().ok()).is_some_and(|length| length > limit);
    let mut payload = payload.take();
    let deadline = request.extensions().get::<Deadline>().cloned();
    Box::pin(async move {
        if too_large {
            return Err(body_too_large(limit));
        }
        match deadline {
            None => collect(&mut payload, limit).await,
            Some(deadline) => {
                let collected = timeout_at(deadline.reading(), collect(&mut payload, limit)).await;
                deadline.answering();
                collected.map_err(|_| ApiError::for_status(StatusCode::REQUEST_TIMEOUT))?
            }
        }
    })
}

async fn collect(payload: &mut Payload, limit: usize) -> Result<BytesMut, ApiError> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| ApiError::from(Error::invalid("body", format!("broken off: {error}"))))?;
        if bytes.len() + chunk.len() > limit {
            return Err(body_too_large(limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn body_too_large(limit: usize) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, Code::BodyTooLarge, format!("the body is larger than {limit} bytes"))
        .with_details(serde_json::json!({ "limitBytes": limit }))
}

/// The most values in one JSON text. A value may take two bytes in the text and 70 in memory: a list of a few megabytes
/// would take hundreds of megabytes.
const MAX_VALUES: usize = 250_000;

/// An upper bound of the number of values in a JSON text, without parsing it.
fn values(bytes: &[u8]) -> usize {
    let (mut count, mut in_text, mut is_escaped) = (1, false, false);
    for byte in bytes {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_text,
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => count += 1,
            _ => {}
        }
    }
    count
}

/// Parses JSON. An error names its field. A leading byte-order mark is skipped.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let bytes = without_mark(bytes);
    strictly(bytes).map_err(|error| graph::non_number(bytes).map_or(error, at_its_place))
}

/// As [`parse`], for texts with a graph: NaN and infinities are accepted as browsers do where no node gets them, and
/// refused elsewhere.
pub fn parse_graph<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let bytes = without_mark(bytes);
    match strictly(bytes) {
        Ok(value) => Ok(value),
        Err(error) => match graph::without_non_numbers(bytes).map_err(at_its_place)? {
            Some(mended) => strictly(&mended),
            None => Err(error),
        },
    }
}

/// The byte-order mark that some editors write.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A text without its byte-order mark.
#[must_use]
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

fn at_its_place(wrong: NotANumber) -> Error {
    let place = if wrong.place.is_empty() { "body".to_owned() } else { wrong.place.clone() };
    Error::invalid(place, wrong.to_string())
}

fn strictly<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    if values(bytes) > MAX_VALUES {
        return Err(Error::invalid("body", format!("has more than {MAX_VALUES} values")));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(Objects(&mut json)).map_err(|error| {
        let path = error.path().to_string();
        // The path has "?" where the JSON is broken.
        let place = (path != "." && !path.contains('?')).then_some(path.as_str());
        let sentence = error.into_inner().to_string();
        named_fault(place, &sentence)
            .unwrap_or_else(|| Error::invalid(place.unwrap_or("body"), in_plain_words(&sentence)))
    })?;
    json.end().map_err(|error| Error::invalid("body", error.to_string()))?;
    Ok(value)
}

/// Replaces the names of Rust types in serde's message with JSON terms.
fn in_plain_words(message: &str) -> String {
    // The part before ", expected " may quote the client's text; only the part after it is rewritten.
    let Some((found, rest)) = message.rsplit_once(", expected ") else { return message.to_owned() };
    let (expected, place) = rest.split_at(rest.find(" at line ").unwrap_or(rest.len()));
    let to = |limit: u64| format!("a whole number from 0 to {limit}");
    let within = |limit: u64| format!("a whole number from -{} to {limit}", limit + 1);
    let words = match expected {
        "i8" => within(0x7F),
        "i16" => within(0x7FFF),
        "i32" => within(0x7FFF_FFFF),
        "u8" => to(u8::MAX.into()),
        "u16" => to(u16::MAX.into()),
        "u32" => to(u32::MAX.into()),
        "u64" | "u128" | "usize" => "a whole number from 0".to_owned(),
        "i64" | "i128" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a map" | "map" => "an object".to_owned(),
        "a sequence" | "sequence" => "a list".to_owned(),
        "unit" => "null".to_owned(),
        _ if expected.starts_with("struct ") || expected.contains("tagged enum ") => "an object".to_owned(),
        _ if expected.starts_with("enum ") => "a word, or an object that begins with one".to_owned(),
        other => other.to_owned(),
    };
    format!("{found}, expected {words}{place}")
}

/// The error of a field that serde names in its sentence alone: one that is missing, or given twice. `place` is that of
/// the object with the field.
#[must_use]
pub fn named_fault(place: Option<&str>, sentence: &str) -> Option<Error> {
    let known = [("missing field `", "is required"), ("duplicate field `", "is given twice")];
    let (rest, message) =
        known.into_iter().find_map(|(start, message)| Some((sentence.strip_prefix(start)?, message)))?;
    let (name, _) = rest.split_once('`')?;
    let field = place.map_or_else(|| name.to_owned(), |place| format!("{place}.{name}"));
    Some(Error::invalid(field, message))
}

/// The rule of a parameter, for what Rust says of a text that is no value of its type.
#[must_use]
pub fn rule_of(sentence: &str) -> &str {
    match sentence {
        "invalid digit found in string" | "cannot parse integer from empty string" => "must be a whole number",
        "number too large to fit in target type" => "is too large",
        "number too small to fit in target type" => "is too small",
        "invalid float literal" | "cannot parse float from empty string" => "must be a number",
        "provided string was not `true` or `false`" => "must be true or false",
        _ if sentence.starts_with("UUID parsing failed") => "must be a UUID",
        other => other,
    }
}

/// Errors of actix's extractor of paths. The parameter is named if it is the only one.
pub fn configure(config: &mut web::ServiceConfig) {
    config.app_data(web::PathConfig::default().error_handler(|error, request| {
        let reason = match &error {
            actix_web::error::PathError::Deserialize(cause) => cause.to_string(),
            other => other.to_string(),
        };
        let mut names = request.match_info().iter().map(|(name, _)| name);
        let field = match (names.next(), names.next()) {
            (Some(name), None) if !name.is_empty() => name,
            _ => "path",
        };
        ApiError::from(Error::invalid(field, rule_of(&reason))).into()
    }));
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[expect(dead_code, reason = "only its type matters")]
        items: Vec<Inner>,
    }
    #[derive(Debug, Deserialize)]
    struct Inner {
        #[expect(dead_code, reason = "only its type matters")]
        count: u32,
    }

    fn field(text: &str) -> String {
        match parse::<Outer>(text.as_bytes()) {
            Err(Error::Invalid { field, .. }) => field,
            other => panic!("{text} was read as {other:?}"),
        }
    }

    #[test]
    fn text_with_too_many_values_is_refused_before_parsing() {
        assert_eq!(values(br#"{"a": ["x, [{ \" , [", 1, 2], "b": {}}"#), 7);
        let list = |values: usize| format!("[{}1]", "1,".repeat(values));
        let long = parse::<Outer>(format!(r#"{{"items": {}}}"#, list(MAX_VALUES)).as_bytes());
        assert!(matches!(long, Err(Error::Invalid { message, .. }) if message.contains("250000 values")));
    }

    #[test]
    fn nan_is_refused_with_its_place_except_in_notes_of_a_graph() {
        assert_eq!(field(r#"{"items": [{"count": 1}, {"count": NaN}]}"#), "items[1].count");
        assert_eq!(field("-Infinity"), "body");
        let graph = |text: &str| parse_graph::<serde_json::Value>(text.as_bytes());
        assert!(graph(r#"{"prompt": {"1": {"is_changed": [NaN], "inputs": {}}}}"#).is_ok());
        for (text, place) in [
            (r#"{"prompt": {"1": {"inputs": {"a": NaN}}}}"#, "prompt.1.inputs.a"),
            (r#"{"form": {"a": Infinity}}"#, "form.a"),
        ] {
            assert!(matches!(graph(text), Err(Error::Invalid { field, .. }) if field == place), "{text}");
        }
    }

    #[test]
    fn byte_order_mark_is_skipped() {
        let read = parse::<Outer>("\u{feff}{\"items\": []}".as_bytes());
        assert!(read.is_ok(), "{read:?}");
        assert_eq!(field("\u{feff}\u{feff}{\"items\": []}"), "body");
    }

    #[test]
    fn expected_types_are_named_in_json_terms() {
        let message = |text: &str| match parse::<Outer>(text.as_bytes()) {
            Err(Error::Invalid { message, .. }) => message,
            other => panic!("{text} was read as {other:?}"),
        };
        for (text, expected) in [
            ("null", "invalid type: null, expected an object at line 1 column 4"),
            ("5", "invalid type: integer `5`, expected an object at line 1 column 1"),
            (r#"{"items": 1}"#, "invalid type: integer `1`, expected a list at line 1 column 11"),
            (r#"{"items": [null]}"#, "invalid type: null, expected an object at line 1 column 15"),
        ] {
            assert_eq!(message(text), expected, "{text}");
        }
        let sent = message(r#"{"items": [{"count": ", expected struct Inner"}]}"#);
        assert!(
            sent.starts_with(r#"invalid type: string ", expected struct Inner", expected a whole number"#),
            "{sent}"
        );
    }

    #[test]
    fn wrong_type_is_named_by_its_place() {
        assert_eq!(field(r#"{"items": [{"count": 1}, {"count": "x"}]}"#), "items[1].count");
        assert_eq!(field(r#"{"items": [], "more": 1}"#), "more");
        assert_eq!(field(r#"{"items": []} tail"#), "body");
        assert_eq!(field("not json"), "body");
        assert_eq!(field("[[]]"), "body", "an array is no object");
        assert_eq!(field(r#"{"items": [[1]]}"#), "items[0]");
        assert_eq!(field("{}"), "items", "a missing field");
        assert_eq!(field(r#"{"items": [{"count": 1}, {}]}"#), "items[1].count");
        assert_eq!(field(r#"{"items": [], "items": []}"#), "items", "a field that is given twice");
    }
}
