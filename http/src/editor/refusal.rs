//! Errors in the shape of ComfyUI's server: `{"error": {"type", "message", "details", "extra_info"}, "node_errors"}`.
//! The fields of this API stay beside them. They are Comfy Cloud's too: `{"code", "message"}`.

use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::middleware::Next;
use serde_json::{Map, Value, json};
use verdigraph_core::Code;

use super::dialect::Dialect;
use crate::area::{EDITOR, routed};
use crate::error::{ApiError, ErrorLine};
use crate::request::OwnText;

/// Adds ComfyUI's fields to the errors of this API, and what clients of Comfy Cloud expect. Handlers may also send
/// ComfyUI's shape themselves.
pub async fn reshape<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let dialect = Dialect::of(request.request());
    let response = next.call(request).await?.map_into_boxed_body();
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    if !is_error || !is_json(response.headers()) {
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let (mut head, body) = response.into_parts();
    let body = to_bytes(body).await?;
    let Ok(mut fields) = serde_json::from_slice::<Map<String, Value>>(&body) else {
        return Ok(ServiceResponse::new(request, head.set_body(body).map_into_boxed_body()));
    };
    if dialect == Dialect::Cloud {
        let path = routed(&request).strip_prefix(EDITOR).unwrap_or_default();
        let status = cloud_status(path, head.status(), &fields);
        add_code(status, &mut fields);
        *head.status_mut() = status;
        if path.starts_with("/api/userdata") {
            head.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
            head.extensions_mut().insert(OwnText);
            let text = fields.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
            return Ok(ServiceResponse::new(request, head.set_body(text).map_into_boxed_body()));
        }
    }
    let body = match (reshaped(fields.clone()), dialect) {
        (Some(text), _) => text.into(),
        (None, Dialect::Cloud) => Value::Object(fields).to_string().into(),
        (None, Dialect::Local) => body,
    };
    Ok(ServiceResponse::new(request, head.set_body(body).map_into_boxed_body()))
}

/// The status that Comfy Cloud answers an error with.
fn cloud_status(path: &str, status: StatusCode, fields: &Map<String, Value>) -> StatusCode {
    // A ceiling forbids to spend as an empty account does: clients do not repeat it.
    if fields.get("code").is_some_and(|code| code == Code::CreditCeiling.name()) {
        return StatusCode::PAYMENT_REQUIRED;
    }
    match status {
        StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::UNPROCESSABLE_ENTITY
            if path.starts_with("/api/upload/") =>
        {
            StatusCode::BAD_REQUEST
        }
        other => other,
    }
}

/// Adds code and message to an error that a handler sent in ComfyUI's shape.
fn add_code(status: StatusCode, fields: &mut Map<String, Value>) {
    if fields.contains_key("code") {
        return;
    }
    let line = ErrorLine::from(ApiError::for_status(status));
    let said = match fields.get("error") {
        Some(Value::String(text)) => Some(text.clone()),
        Some(error) => error.get("message").and_then(Value::as_str).map(str::to_owned),
        None => None,
    };
    fields.insert("code".to_owned(), json!(line.code));
    fields.insert("message".to_owned(), json!(said.unwrap_or(line.message)));
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// The body with ComfyUI's fields; `None` if it has them, or is not an error of this API.
fn reshaped(mut body: Map<String, Value>) -> Option<String> {
    if body.contains_key("error") {
        return None;
    }
    let code = body.get("code")?.as_str()?;
    let message = body.get("message")?.as_str()?;
    // The front end shows details below the message.
    let details = match body.get("details") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(details) => details.to_string(),
    };
    let error = json!({ "type": kind(code), "message": message, "details": details, "extra_info": {} });
    body.insert("error".to_owned(), error);
    body.insert("node_errors".to_owned(), json!({}));
    Some(Value::Object(body).to_string())
}

/// ComfyUI writes types in lower case. Its front end opens the billing page of another company for types of its own.
fn kind(code: &str) -> String {
    if code == Code::OutOfCredits.name() { "no_credits".to_owned() } else { code.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: Value) -> Option<Value> {
        let Value::Object(body) = body else { panic!("an object") };
        reshaped(body).map(|text| serde_json::from_str(&text).expect("JSON"))
    }

    #[test]
    fn errors_keep_their_fields_and_get_those_of_comfyui() {
        let body =
            json!({ "code": "NOT_FOUND", "message": "there is nothing", "requestId": "r", "details": { "a": 1 } });
        let error = of(body).expect("a new body");
        assert_eq!((&error["code"], &error["requestId"]), (&json!("NOT_FOUND"), &json!("r")));
        let wanted =
            json!({ "type": "not_found", "message": "there is nothing", "details": "{\"a\":1}", "extra_info": {} });
        assert_eq!((&error["error"], &error["node_errors"]), (&wanted, &json!({})));
    }

    #[test]
    fn clients_of_comfy_cloud_get_code_and_message_with_every_shape() {
        let with = |status: u16, body: Value| {
            let Value::Object(mut fields) = body else { panic!("an object") };
            let status = cloud_status("/api/prompt", StatusCode::from_u16(status).expect("a status"), &fields);
            add_code(status, &mut fields);
            (status.as_u16(), fields["code"].clone(), fields["message"].clone())
        };
        let ceiling = json!({ "code": Code::CreditCeiling.name(), "message": "too much" });
        for (status, body, expected) in [
            (404, json!({ "error": "Job not found" }), (404, "NOT_FOUND", "Job not found")),
            (400, json!({ "error": { "message": "no" }, "node_errors": {} }), (400, "BAD_REQUEST", "no")),
            (403, json!({ "code": "FORBIDDEN", "message": "no" }), (403, "FORBIDDEN", "no")),
            (409, ceiling, (402, "CREDIT_CEILING", "too much")),
        ] {
            let (status, code, message) = with(status, body);
            assert_eq!((status, code.as_str(), message.as_str()), (expected.0, Some(expected.1), Some(expected.2)));
        }
        for (path, expected) in [("/api/upload/image", 400), ("/api/assets", 413)] {
            let status = cloud_status(path, StatusCode::PAYLOAD_TOO_LARGE, &Map::new());
            assert_eq!(status.as_u16(), expected, "{path}");
        }
    }

    #[test]
    fn shapes_of_comfyui_are_not_changed() {
        assert_eq!(of(json!({ "error": "text", "code": "NOT_FOUND", "message": "m" })), None);
        assert_eq!(of(json!({ "node_errors": {} })), None);
    }

    #[test]
    fn missing_credits_have_a_type_without_a_meaning_in_the_front_end() {
        let body = json!({ "code": Code::OutOfCredits.name(), "message": "m" });
        assert_eq!(of(body).expect("a new body")["error"]["type"], "no_credits");
    }
}
