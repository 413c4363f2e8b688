//! Errors in the shape of ComfyUI's server: `{"error": {"type", "message", "details", "extra_info"}, "node_errors"}`.
//! The fields of this API stay beside them.

use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap};
use actix_web::middleware::Next;
use serde_json::{Map, Value, json};
use verdigraph_core::Code;

/// Adds ComfyUI's fields to the errors of this API. Handlers may also send ComfyUI's shape themselves.
pub async fn reshape<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let response = next.call(request).await?.map_into_boxed_body();
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    if !is_error || !is_json(response.headers()) {
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let (head, body) = response.into_parts();
    let body = to_bytes(body).await?;
    let body = serde_json::from_slice(&body).ok().and_then(reshaped).map_or(body, |text| text.into());
    Ok(ServiceResponse::new(request, head.set_body(body).map_into_boxed_body()))
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
