//! HEAD: what GET would answer, without the body. Handlers and routes know of GET alone.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::web::Bytes;

/// Turns HEAD into the GET that it asks about; tells whether it was one.
pub fn asked(request: &mut ServiceRequest) -> bool {
    let is_head = request.method() == Method::HEAD;
    if is_head {
        request.head_mut().method = Method::GET;
    }
    is_head
}

/// The same answer without its body; its length stays told.
pub fn without_body(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    response.map_body(|_, body| match body.size() {
        // A stream is never begun: it might not end.
        BodySize::None | BodySize::Stream => BoxBody::new(()),
        sized @ BodySize::Sized(_) => BoxBody::new(Length(sized)),
    })
}

/// What is left of a body: how long it would be.
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
