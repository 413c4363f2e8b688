//! Messages: JSON-RPC in the two eras of the protocol.
//!
//! A request of 2026-07-28 names its version in `_meta`, and repeats version, method and tool in headers, which must
//! match. Earlier clients begin with `initialize`, and name the version in a header afterwards.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use verdigraph_core::Error;

use crate::extract;

/// The version without a handshake.
const MODERN: &str = "2026-07-28";
/// The versions with one, newest first.
const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];
/// The first version whose results may have links to files, and whose tools may have schemas of their results.
const RICH_SINCE: &str = "2025-06-18";

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const HEADER_MISMATCH: i64 = -32020;
const UNSUPPORTED_VERSION: i64 = -32022;

/// How long clients may keep what is the same for all callers until the next release.
const FRESH_MS: u64 = 3_600_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Modern,
    Legacy,
}

/// What a client sent.
#[derive(Debug)]
pub enum Message {
    Call(Box<Call>),
    /// It has no answer. Neither has the answer of a client, because this server asks nothing.
    Notification,
}

/// A request.
#[derive(Debug)]
pub struct Call {
    id: Value,
    pub era: Era,
    pub method: String,
    pub params: Params,
    /// Whether results may have links to files, and tools schemas of their results.
    pub is_rich: bool,
}

/// The parameters that a method of this server reads.
#[derive(Debug, Default, Deserialize)]
pub struct Params {
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
    /// The version that `initialize` asks for.
    #[serde(rename = "protocolVersion")]
    version: Option<String>,
    /// The tool to call.
    pub name: Option<String>,
    pub arguments: Option<Box<RawValue>>,
}

#[derive(Debug, Default, Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
    #[serde(rename = "progressToken")]
    progress_token: Option<Value>,
}

/// Why a message is not answered with a result. The values are boxed, because results with errors should be small.
#[derive(Debug)]
pub struct Fault {
    status: StatusCode,
    id: Option<Box<Value>>,
    code: i64,
    message: String,
    data: Option<Box<Value>>,
}

#[derive(Deserialize)]
struct Envelope {
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "given")]
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Box<RawValue>>,
}

/// A field that is there, even if it is null.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Reads the body of a request.
pub fn read(headers: &HeaderMap, body: &[u8]) -> Result<Message, Fault> {
    let body = extract::without_mark(body);
    if let Err(error) = serde_json::from_slice::<IgnoredAny>(body) {
        return Err(Fault::new(PARSE_ERROR, format!("the body is not JSON: {error}")));
    }
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(Fault::new(INVALID_REQUEST, "batches are not supported; send each message by itself"));
    }
    let Envelope { jsonrpc, id, method, params } =
        extract::parse(body).map_err(|error| Fault::new(INVALID_REQUEST, error.to_string()))?;
    let id = match id {
        Some(id) if id.is_string() || id.is_i64() || id.is_u64() => Some(id),
        Some(_) => return Err(Fault::new(INVALID_REQUEST, "id: must be a text or a whole number")),
        None => None,
    };
    let fault = |code, message: &str| Fault::new(code, message).of(id.as_ref());
    if jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
        return Err(fault(INVALID_REQUEST, "jsonrpc: must be 2.0"));
    }
    let method = match (method, &id) {
        (Some(Value::String(method)), Some(_)) => method,
        (Some(Value::String(_)), None) | (None, Some(_)) => return Ok(Message::Notification),
        (Some(_), _) => return Err(fault(INVALID_REQUEST, "method: must be a text")),
        (None, None) => return Err(fault(INVALID_REQUEST, "method: is missing")),
    };
    let params: Option<Params> = params
        .map(|params| extract::parse(params.get().as_bytes()))
        .transpose()
        .map_err(|error: Error| Fault::new(INVALID_PARAMS, format!("params: {error}")).of(id.as_ref()))?;
    let params = params.unwrap_or_default();
    let (era, version) = era(headers, &method, &params).map_err(|fault| fault.of(id.as_ref()))?;
    // Versions are days, so a later one is a greater text.
    let is_rich = version >= RICH_SINCE;
    Ok(Message::Call(Box::new(Call { id: id.unwrap_or_default(), era, method, params, is_rich })))
}

/// The era and the version of a request, after a check of its headers.
fn era(headers: &HeaderMap, method: &str, params: &Params) -> Result<(Era, &'static str), Fault> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let sent = header("mcp-protocol-version");
    let Some(version) = params.meta.as_ref().and_then(|meta| meta.version.as_deref()) else {
        return match sent {
            None => Ok((Era::Legacy, "2025-03-26")),
            Some(MODERN) => Err(mismatch("MCP-Protocol-Version", "the version in params._meta", MODERN, None)),
            Some(sent) => match LEGACY.into_iter().find(|known| *known == sent) {
                Some(known) => Ok((Era::Legacy, known)),
                None => Err(unsupported(sent)),
            },
        };
    };
    if sent != Some(version) {
        return Err(mismatch(
            "MCP-Protocol-Version",
            "the version in params._meta",
            sent.unwrap_or_default(),
            Some(version),
        ));
    }
    if version != MODERN {
        return Err(unsupported(version));
    }
    let sent = header("mcp-method").unwrap_or_default();
    if sent != method {
        return Err(mismatch("Mcp-Method", "method", sent, Some(method)));
    }
    if method == "tools/call" {
        let sent = header("mcp-name").and_then(decoded);
        if sent != params.name {
            let sent = sent.unwrap_or_default();
            return Err(mismatch("Mcp-Name", "params.name", &sent, params.name.as_deref()));
        }
    }
    Ok((Era::Modern, MODERN))
}

/// The value of a header that may be written in Base64.
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => BASE64_STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok()),
        None => Some(value.to_owned()),
    }
}

fn mismatch(name: &str, place: &str, sent: &str, body: Option<&str>) -> Fault {
    let body = body.map_or_else(|| "missing".to_owned(), |body| format!("\"{body}\""));
    let message = format!("header mismatch: {name} is \"{sent}\", and {place} is {body}");
    Fault::new(HEADER_MISMATCH, message)
}

fn unsupported(requested: &str) -> Fault {
    let data = json!({ "supported": versions(), "requested": requested });
    Fault { data: Some(Box::new(data)), ..Fault::new(UNSUPPORTED_VERSION, "unsupported protocol version") }
}

fn versions() -> Vec<&'static str> {
    [MODERN].into_iter().chain(LEGACY).collect()
}

impl Fault {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, id: None, code, message: message.into(), data: None }
    }

    fn of(self, id: Option<&Value>) -> Self {
        Self { id: id.cloned().map(Box::new), ..self }
    }

    pub fn response(self) -> HttpResponse {
        let Self { status, id, code, message, data } = self;
        let mut error = json!({ "code": code, "message": message });
        if let Some(data) = data {
            error["data"] = *data;
        }
        HttpResponse::build(status).json(json!({ "jsonrpc": "2.0", "id": id, "error": error }))
    }
}

impl Call {
    /// Where the caller wants progress to be sent to.
    pub fn progress_token(&self) -> Option<&Value> {
        let token = self.params.meta.as_ref()?.progress_token.as_ref()?;
        (token.is_string() || token.is_i64() || token.is_u64()).then_some(token)
    }

    /// The answer with this result.
    pub fn answer(&self, mut result: Value) -> Value {
        if self.era == Era::Modern {
            result["resultType"] = json!("complete");
            result["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": server_info() });
        }
        json!({ "jsonrpc": "2.0", "id": self.id, "result": result })
    }

    /// The result of `initialize`: the version that the client asks for, or the newest one with a handshake.
    pub fn welcome(&self, instructions: &str) -> Value {
        let asked = self.params.version.as_deref();
        let [newest, ..] = LEGACY;
        let version = LEGACY.into_iter().find(|known| Some(*known) == asked).unwrap_or(newest);
        json!({
            "protocolVersion": version,
            "capabilities": { "tools": {} },
            "serverInfo": server_info(),
            "instructions": instructions,
        })
    }

    /// The result of `tools/list`.
    pub fn tool_list(&self, mut tools: Vec<Value>) -> Value {
        if !self.is_rich {
            for tool in tools.iter_mut().filter_map(Value::as_object_mut) {
                tool.remove("outputSchema");
            }
        }
        match self.era {
            Era::Modern => json!({ "tools": tools, "ttlMs": FRESH_MS, "cacheScope": "public" }),
            Era::Legacy => json!({ "tools": tools }),
        }
    }

    /// The answer to a method that this server does not have, in the era of the call.
    pub fn unknown_method(&self) -> Fault {
        let status = if self.era == Era::Modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
        let message = format!("there is no method {}", self.method);
        Fault { status, ..Fault::new(METHOD_NOT_FOUND, message).of(Some(&self.id)) }
    }

    /// The answer to parameters that the method cannot be called with.
    pub fn invalid_params(&self, message: impl Into<String>) -> Fault {
        Fault { status: StatusCode::OK, ..Fault::new(INVALID_PARAMS, message).of(Some(&self.id)) }
    }
}

/// The result of `server/discover`.
pub fn discovery(instructions: &str) -> Value {
    json!({
        "supportedVersions": versions(),
        "capabilities": { "tools": {} },
        "instructions": instructions,
        "ttlMs": FRESH_MS,
        "cacheScope": "public",
    })
}

fn server_info() -> Value {
    json!({ "name": "verdigraph", "title": "Verdigraph", "version": env!("CARGO_PKG_VERSION") })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const META: &str = r#""_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}"#;

    fn sent(headers: &[(&'static str, &'static str)], body: &str) -> Result<Message, Fault> {
        let request = headers.iter().fold(TestRequest::default(), |request, header| request.insert_header(*header));
        read(request.to_http_request().headers(), body.as_bytes())
    }

    fn code(headers: &[(&'static str, &'static str)], body: &str) -> i64 {
        match sent(headers, body) {
            Err(fault) => {
                assert_eq!(fault.status, 400, "{body}");
                fault.code
            }
            Ok(message) => panic!("{body} was read as {message:?}"),
        }
    }

    fn call(headers: &[(&'static str, &'static str)], body: &str) -> Call {
        match sent(headers, body) {
            Ok(Message::Call(call)) => *call,
            other => panic!("{body} was read as {other:?}"),
        }
    }

    #[test]
    fn garbage_is_told_from_wrong_requests() {
        for body in ["", "nonsense", "{", r#"{"a": 1} x"#, r#"{"jsonrpc": NaN}"#] {
            assert_eq!(code(&[], body), PARSE_ERROR, "{body}");
        }
        for body in [
            "[]",
            r#" [{"jsonrpc": "2.0", "id": 1, "method": "ping"}]"#,
            "5",
            "{}",
            r#"{"jsonrpc": "1.0", "id": 1, "method": "ping"}"#,
            r#"{"id": 1, "method": "ping"}"#,
            r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#,
            r#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "method": 7}"#,
        ] {
            assert_eq!(code(&[], body), INVALID_REQUEST, "{body}");
        }
        assert_eq!(code(&[], r#"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}"#), INVALID_PARAMS);
    }

    #[test]
    fn notifications_and_answers_of_clients_have_no_answer() {
        for body in [
            r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#,
        ] {
            assert!(matches!(sent(&[], body), Ok(Message::Notification)), "{body}");
        }
    }

    #[test]
    fn modern_request_must_match_its_headers() {
        let body =
            format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "quote", {META}}}}}"#);
        let (version, method) = (("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"));
        let read = call(&[version, method, ("mcp-name", "quote")], &body);
        assert_eq!((read.era, read.params.name.as_deref(), read.is_rich), (Era::Modern, Some("quote"), true));
        assert_eq!(call(&[version, method, ("mcp-name", "=?base64?cXVvdGU=?=")], &body).era, Era::Modern);
        for headers in [
            vec![],
            vec![("mcp-protocol-version", "2025-11-25"), method, ("mcp-name", "quote")],
            vec![version, ("mcp-name", "quote")],
            vec![version, ("mcp-method", "tools/list"), ("mcp-name", "quote")],
            vec![version, method],
            vec![version, method, ("mcp-name", "run_app")],
            vec![version, method, ("mcp-name", "=?base64?*?=")],
        ] {
            assert_eq!(code(&headers, &body), HEADER_MISMATCH, "{headers:?}");
        }
        assert_eq!(code(&[version], r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#), HEADER_MISMATCH);
    }

    #[test]
    fn unknown_version_is_answered_with_the_known_ones() {
        let body = r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
        let refused = sent(&[("mcp-protocol-version", "1900-01-01")], body).expect_err("a fault");
        let data = refused.data.expect("the versions");
        assert_eq!(
            (refused.code, refused.id.as_deref(), &data["requested"]),
            (UNSUPPORTED_VERSION, Some(&json!(1)), &json!("1900-01-01"))
        );
        assert_eq!(data["supported"][0], MODERN);
        let body = body.replace(
            "\"ping\"",
            r#""ping", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2027-01-01"}}"#,
        );
        assert_eq!(code(&[("mcp-protocol-version", "2027-01-01")], &body), UNSUPPORTED_VERSION);
    }

    #[test]
    fn handshake_agrees_on_a_version() {
        let version = |asked: &str| {
            let params = format!(r#"{{"protocolVersion": "{asked}", "capabilities": {{}}}}"#);
            let body = format!(r#"{{"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {params}}}"#);
            call(&[], &body).welcome("")["protocolVersion"].clone()
        };
        assert_eq!(version("2025-06-18"), "2025-06-18");
        for unknown in ["2024-11-05", MODERN, "2030-01-01"] {
            assert_eq!(version(unknown), "2025-11-25", "{unknown}");
        }
        let body = r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
        let oldest = call(&[], body);
        assert!(!oldest.is_rich, "the oldest clients know no links");
        let newer = call(&[("mcp-protocol-version", "2025-06-18")], body);
        assert!(newer.is_rich);
        let tool = || vec![json!({ "name": "a", "inputSchema": {}, "outputSchema": {} })];
        assert_eq!(oldest.tool_list(tool()), json!({ "tools": [{ "name": "a", "inputSchema": {} }] }));
        assert_eq!(newer.tool_list(tool()), json!({ "tools": tool() }), "it knows schemas of results");
    }
}
