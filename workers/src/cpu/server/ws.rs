//! GET /ws: one client's socket.

use std::collections::HashMap;

use actix_web::web::{Data, Payload, Query};
use actix_web::{HttpRequest, HttpResponse};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason, ProtocolError, Session};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::info;
use super::socket::{Connection, Frame, Priority};
use super::worker::Worker;

/// Maximum size of a client's message in bytes. A larger one closes the socket with 1009.
const MESSAGE_BYTES: usize = 4 << 20;

/// GET /ws?clientId=
pub(super) async fn connect(
    worker: Data<Worker>,
    query: Query<HashMap<String, String>>,
    request: HttpRequest,
    body: Payload,
) -> HttpResponse {
    let Ok((response, session, messages)) = actix_ws::handle(&request, body) else {
        return HttpResponse::BadRequest()
            .content_type("text/plain; charset=utf-8")
            .body("No WebSocket UPGRADE hdr: None\n Can \"Upgrade\" only to \"WebSocket\".");
    };
    let given = query.get("clientId").filter(|id| !id.is_empty()).cloned();
    let id = given.unwrap_or_else(|| Uuid::new_v4().simple().to_string());
    let messages =
        messages.max_frame_size(MESSAGE_BYTES).aggregate_continuations().max_continuation_size(MESSAGE_BYTES);
    // Registered before the client sees the connection: it may submit at once and must not miss messages.
    let connection = worker.connect(&id);
    actix_web::rt::spawn(talk(worker, id, connection, session, messages));
    response
}

/// Serves a socket until either side closes it.
async fn talk(
    worker: Data<Worker>,
    id: String,
    Connection { number, mut frames }: Connection,
    mut session: Session,
    mut messages: AggregatedMessageStream,
) {
    let mut is_first = true;
    let mut is_heard = true;
    let reason = loop {
        tokio::select! {
            frame = frames.recv(), if is_heard => {
                let sent = match frame {
                    Some(Frame::Text(text)) => session.text(&*text).await,
                    Some(Frame::Binary(bytes)) => session.binary(bytes).await,
                    // If another socket has this id now, this one stays open without messages. Otherwise the worker
                    // ends, or the client did not read its messages.
                    None if worker.sockets.is_taken_over(&id, number) => {
                        is_heard = false;
                        Ok(())
                    }
                    None => break Some(CloseReason::from(CloseCode::Away)),
                };
                if sent.is_err() {
                    break None;
                }
            }
            message = messages.recv() => match message {
                None => break None,
                Some(Err(ProtocolError::Overflow)) => break Some(CloseReason::from(CloseCode::Size)),
                Some(Err(_)) => break Some(CloseReason::from(CloseCode::Protocol)),
                Some(Ok(AggregatedMessage::Close(reason))) => break reason,
                Some(Ok(AggregatedMessage::Ping(bytes))) => {
                    if session.pong(&bytes).await.is_err() {
                        break None;
                    }
                }
                Some(Ok(AggregatedMessage::Text(text))) if is_first => {
                    is_first = !handshake(&worker, &id, number, &text);
                }
                Some(Ok(_)) => {}
            },
        }
    };
    worker.sockets.disconnect(&id, number);
    // The client may be gone.
    drop(session.close(reason).await);
}

/// Handles a client's first message: answers `feature_flags` with ours. Returns whether it counts as the first one;
/// text that is not a JSON object does not.
fn handshake(worker: &Worker, id: &str, number: u64, text: &str) -> bool {
    let Ok(Json::Object(message)) = serde_json::from_str(text) else {
        return false;
    };
    if message.get("type").and_then(Json::as_str) == Some("feature_flags") {
        let none = json!({});
        worker.sockets.announce(id, number, message.get("data").unwrap_or(&none));
        worker.sockets.send(Some(id), "feature_flags", &info::feature_flags(worker), Priority::Required);
    }
    true
}
