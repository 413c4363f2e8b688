//! Responses by route, method and status.
//!
//! Each HTTP thread caches its metric handles, so that a response costs two look-ups and two atomic additions. The set of
//! labels is closed: routes are templates, and unusual methods and statuses share a name.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use crate::area::{Area, routed};
use actix_web::HttpRequest;
use actix_web::http::{Method, StatusCode};
use metrics::{Counter, Histogram};
use verdigraph_core::metrics::{HTTP_REQUESTS, HTTP_SECONDS, is_recording};

/// Label of requests without a route.
const NO_ROUTE: &str = "none";
/// Label of requests whose handler was aborted.
const ABORTED: &str = "given up";
/// Label of files and pages of the web app.
const PAGES: &str = "pages";

#[derive(Default)]
struct Route {
    seconds: HashMap<&'static str, Histogram>,
    answers: HashMap<(&'static str, StatusCode), Counter>,
}

thread_local! {
    static ROUTES: RefCell<HashMap<String, Route>> = RefCell::default();
}

/// Counts a response.
pub fn answered(request: &HttpRequest, status: StatusCode, after: Duration) {
    if !is_recording() {
        return;
    }
    let method = method(request.method());
    ROUTES.with_borrow_mut(|routes| match template(request) {
        Some(route) => note(routes, &route, method, status, after),
        None => {
            let is_file = matches!(Area::of(request), Area::Page | Area::EditorFile);
            let name = if is_file { PAGES } else { NO_ROUTE };
            note(routes, name, method, status, after);
        }
    });
}

/// Counts a response to a handler that panicked or took too long.
pub fn broken(requested: &Method, status: StatusCode, after: Duration) {
    if is_recording() {
        ROUTES.with_borrow_mut(|routes| note(routes, ABORTED, method(requested), status, after));
    }
}

/// The route that has matched. Of the pages nothing is requested: they have none, and to find that out takes a search.
fn template(request: &HttpRequest) -> Option<String> {
    let ours = Area::of(request) != Area::Page || routed(request) == "/metrics";
    ours.then(|| request.match_pattern()).flatten()
}

fn note(routes: &mut HashMap<String, Route>, name: &str, method: &'static str, status: StatusCode, after: Duration) {
    if !routes.contains_key(name) {
        routes.insert(name.to_owned(), Route::default());
    }
    let Some(route) = routes.get_mut(name) else { return };
    let seconds = route.seconds.entry(method);
    seconds
        .or_insert_with(|| metrics::histogram!(HTTP_SECONDS, "route" => name.to_owned(), "method" => method))
        .record(after.as_secs_f64());
    let answers = route.answers.entry((method, status));
    answers
        .or_insert_with(|| {
            let status = status.as_str().to_owned();
            metrics::counter!(HTTP_REQUESTS, "route" => name.to_owned(), "method" => method, "status" => status)
        })
        .increment(1);
}

/// A client may send any method.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
