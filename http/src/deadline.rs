//! When an answer must be there. A client is told at the latest then that it takes too long, whatever it waits for: a
//! database that hangs, a ledger that is behind. And a sender who does not send does not hold a request open for good.

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
use verdigraph_core::settings::Server;

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
    fn new(server: &Server, headers: &HeaderMap) -> Self {
        let answer = Duration::from_secs(server.answer_seconds);
        let first = if is_upload(headers) { Duration::from_secs(server.upload_seconds) } else { answer };
        let at = Rc::new(Cell::new(Instant::now() + first));
        Self { at, answer, body: Duration::from_secs(server.body_seconds) }
    }

    /// The body is being read from here on; tells until when it must be there.
    pub fn reading(&self) -> Instant {
        let complete = Instant::now() + self.body;
        self.at.set(complete + self.answer);
        complete
    }

    /// The answer may wait for so long for something to happen.
    pub fn waiting(&self, most: Duration) {
        self.at.set(Instant::now() + most + self.answer);
    }

    /// The body is there: now the answer is owed.
    pub fn answering(&self) {
        self.at.set(Instant::now() + self.answer);
    }
}

/// Bodies that are worked on while they arrive have their own, much longer time.
fn is_upload(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.starts_with("multipart/") || content_type.starts_with("application/x-ndjson")
}

/// Answers in time, if only that it takes too long.
///
/// # Errors
/// Too late; and what the handlers let through.
pub async fn keep<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let Some(core) = request.app_data::<web::Data<Core>>() else { return Err(ApiError::internal().into()) };
    let deadline = Deadline::new(&core.settings.server, request.headers());
    request.extensions_mut().insert(deadline.clone());
    let answer = next.call(request);
    tokio::pin!(answer);
    loop {
        // It may be moved closer meanwhile, which is noticed in time for the answer that is owed then.
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
    let message = "the answer takes too long; what was asked for may still happen, so repeat it with the same \
                   Idempotency-Key";
    let error = verdigraph_core::Error::Unavailable { message: message.to_owned(), retry_after_seconds: 5 };
    ApiError::from(error).of_request(current_id())
}
