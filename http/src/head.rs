//! HEAD requests: the response to GET without its body. Handlers and routes know only GET.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::web::Bytes;

/// Turns a HEAD request into GET; returns whether it was HEAD.
pub fn rewrite_as_get(request: &mut ServiceRequest) -> bool {
    let is_head = request.method() == Method::HEAD;
    if is_head {
        request.head_mut().method = Method::GET;
    }
    is_head
}

/// The same response without its body; `Content-Length` stays.
pub fn without_body(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    response.map_body(|_, body| match body.size() {
        // A stream is not started: it might not end.
        BodySize::None | BodySize::Stream => BoxBody::new(()),
        sized @ BodySize::Sized(_) => BoxBody::new(Length(sized)),
    })
}

/// A body's size without its bytes.
struct Length(BodySize);

impl MessageBody for Length {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(None)
    }
}
