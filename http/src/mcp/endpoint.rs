//! The one path: a message in, its answer out.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use serde_json::{Value, json};
use verdigraph_core::{Code, Core};

use super::outcome::{Context, Outcome, ToolResult, Waiting};
use super::protocol::{self, Call, Era, Message};
use super::schema::{self, INSTRUCTIONS};
use super::stream::{self, JobWatch};
use super::tools;
use crate::addresses::site_address;
use crate::caller::Caller;
use crate::deadline::Deadline;
use crate::edge::Edge;
use crate::error::{ApiError, Result};
use crate::extract::RawBody;

/// Other methods are answered with 405: there are no sessions to end, and no streams to open.
pub fn configure(config: &mut ServiceConfig) {
    // People also paste the address with a slash at its end.
    config.service(web::resource("").post(answer)).service(web::resource("/").post(answer));
}

async fn answer(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    body: RawBody,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let site = site_address(&core, &request);
    if is_foreign(request.headers(), &site) {
        return Err(ApiError::new(StatusCode::FORBIDDEN, Code::Forbidden, "pages of other sites may not call this"));
    }
    let call = match protocol::read(request.headers(), &body.0) {
        Ok(Message::Call(call)) => call,
        Ok(Message::Notification) => return Ok(HttpResponse::Accepted().finish()),
        Err(fault) => return Ok(fault.response()),
    };
    let result = match (call.method.as_str(), call.era) {
        ("tools/call", _) => {
            let core = core.get_ref().clone();
            let context = Context { core, caller, site, has_links: call.is_rich };
            return Box::pin(called(context, &edge, &request, call)).await;
        }
        ("tools/list", _) => call.tool_list(schema::list()),
        ("server/discover", Era::Modern) => protocol::discovery(INSTRUCTIONS),
        ("initialize", Era::Legacy) => call.welcome(INSTRUCTIONS),
        ("ping", Era::Legacy) => json!({}),
        _ => return Ok(call.unknown_method().response()),
    };
    Ok(sent(&call, result))
}

/// Whether a page of another site sends the request. Programs send no origin.
fn is_foreign(headers: &HeaderMap, site: &str) -> bool {
    let is_own = |origin: &str| origin.eq_ignore_ascii_case(site.trim_end_matches('/'));
    headers.get(header::ORIGIN).is_some_and(|origin| !origin.to_str().is_ok_and(is_own))
}

fn sent(call: &Call, result: Value) -> HttpResponse {
    HttpResponse::Ok().json(call.answer(result))
}

/// The answer to a call of a tool. Failures are results: an assistant reads them and mends its call.
async fn called(context: Context, edge: &Data<Edge>, request: &HttpRequest, call: Box<Call>) -> Result<HttpResponse> {
    let Some(tool) = call.params.name.as_deref().and_then(schema::find) else {
        let name = call.params.name.as_deref().unwrap_or_default();
        return Ok(call.invalid_params(format!("unknown tool: {name}")).response());
    };
    let waiting = match Box::pin(tools::call(&context, tool.kind, call.params.arguments.as_deref())).await {
        Ok(Outcome::Done(result)) => return Ok(sent(&call, result.into_value())),
        Ok(Outcome::Wait(waiting)) => waiting,
        Err(failure) => {
            let failure = failure.explained(&given(&call), tool.arguments());
            return Ok(sent(&call, ToolResult::from(failure).into_value()));
        }
    };
    Ok(waited(context, edge, request, (call, waiting)).await)
}

/// The arguments of a call, for its failure.
fn given(call: &Call) -> Value {
    let arguments = call.params.arguments.as_deref();
    arguments.and_then(|arguments| serde_json::from_str(arguments.get()).ok()).unwrap_or_default()
}

/// The answer after a wait: as a stream with the progress where the client asks for that.
async fn waited(
    context: Context,
    edge: &Data<Edge>,
    request: &HttpRequest,
    (call, waiting): (Box<Call>, Waiting),
) -> HttpResponse {
    if let Some(watch) = JobWatch::begin(&context, edge, request, &waiting).await {
        if let Some(token) = call.progress_token().filter(|_| takes_events(request.headers())).cloned() {
            return stream::progress(watch, waiting, call, token);
        }
        let deadline = request.extensions().get::<Deadline>().cloned();
        if let Some(deadline) = deadline {
            deadline.waiting(Duration::from_secs(waiting.seconds));
        }
        watch.end().await;
    }
    let result = Box::pin(stream::result(&context, &waiting)).await;
    sent(&call, result)
}

fn takes_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/event-stream"))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn only_pages_of_this_site_may_call() {
        let foreign = |origin: &'static str| {
            let request = TestRequest::default().insert_header(("origin", origin)).to_http_request();
            is_foreign(request.headers(), "https://verdigraph.example")
        };
        assert!(!is_foreign(TestRequest::default().to_http_request().headers(), "https://verdigraph.example"));
        assert!(!foreign("https://verdigraph.example"));
        for origin in ["null", "https://evil.example", "http://verdigraph.example", "https://verdigraph.example.evil"] {
            assert!(foreign(origin), "{origin}");
        }
    }
}
