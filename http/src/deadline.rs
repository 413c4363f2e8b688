//! The deadline of a response. A client gets an error when it passes, whatever the request waits for: a hung database,
//! a slow ledger, or a body that does not arrive.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_TYPE, HeaderMap};
use actix_web::middleware::Next;
use actix_web::rt::time::{Instant, sleep_until};
use actix_web::{Error, HttpMessage as _, web};
use verdigraph_core::Core;
use verdigraph_core::settings::ServerSettings;

use crate::error::ApiError;
use crate::request::current_id;

/// The deadline of one request; it moves while a body is read. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Deadline {
    at: Rc<Cell<Instant>>,
    answer: Duration,
    body: Duration,
}

impl Deadline {
    fn new(server: &ServerSettings, headers: &HeaderMap) -> Self {
        let answer = Duration::from_secs(server.answer_seconds);
        let first = if is_upload(headers) { Duration::from_secs(server.upload_seconds) } else { answer };
        let at = Rc::new(Cell::new(Instant::now() + first));
        Self { at, answer, body: Duration::from_secs(server.body_seconds) }
    }

    /// Starts reading the body; returns the time until which it must have arrived.
    pub fn reading(&self) -> Instant {
        let complete = Instant::now() + self.body;
        self.at.set(complete + self.answer);
        complete
    }

    /// Lets the response wait up to `most` for an event.
    pub fn waiting(&self, most: Duration) {
        self.at.set(Instant::now() + most + self.answer);
    }

    /// The body has arrived: the time for the response starts.
    pub fn answering(&self) {
        self.at.set(Instant::now() + self.answer);
    }
}

/// Uploads that are processed while they arrive have their own, much longer deadline.
fn is_upload(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.starts_with("multipart/") || content_type.starts_with("application/x-ndjson")
}

/// Answers with an error when the deadline passes.
pub async fn enforce<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let Some(core) = request.app_data::<web::Data<Core>>() else { return Err(ApiError::internal().into()) };
    let deadline = Deadline::new(&core.settings.server, request.headers());
    request.extensions_mut().insert(deadline.clone());
    let answer = next.call(request);
    tokio::pin!(answer);
    loop {
        // Another task may move the deadline closer. It takes effect before the response is due.
        let until = deadline.at.get().min(Instant::now() + deadline.answer);
        tokio::select! {
            biased;
            response = &mut answer => return response,
            () = sleep_until(until) => {}
        }
        if Instant::now() >= deadline.at.get() {
            return Err(too_late().into());
        }
    }
}

fn too_late() -> ApiError {
    let message = "the response takes too long; the request may still succeed, so repeat it with the same \
                   Idempotency-Key";
    let error = verdigraph_core::Error::Unavailable { message: message.to_owned(), retry_after_seconds: 5 };
    ApiError::from(error).of_request(current_id())
}
