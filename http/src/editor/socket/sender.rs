//! Sends messages to a client.

use std::time::Duration;

use actix_web::rt::time::timeout;
use actix_ws::{CloseReason, Closed, Session};
use serde_json::{Value, json};
use verdigraph_workers::comfy::frame;

use super::client::Features;
use super::relay::Outgoing;

/// How long a client may take to read.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The sending side of a socket.
pub struct Sender {
    socket: Session,
    /// What the client can show.
    pub features: Features,
}

impl Sender {
    pub fn new(socket: Session) -> Self {
        Self { socket, features: Features::default() }
    }

    /// Sends a message. `remaining` is the number of the account's jobs, for a status.
    ///
    /// # Errors
    /// [`Closed`] where the client is gone, or does not read.
    pub async fn send(&mut self, message: Outgoing, remaining: impl AsyncFnOnce() -> i64) -> Result<(), Closed> {
        match message {
            Outgoing::Status => {
                let data = json!({ "status": { "exec_info": { "queue_remaining": remaining().await } } });
                self.text("status", &data.to_string()).await
            }
            Outgoing::Text { kind, data } => self.text(&kind, &data).await,
            Outgoing::Preview(picture) if self.features.previews => in_time(self.socket.binary(picture)).await,
            Outgoing::Preview(picture) => match frame::plain_preview(&picture) {
                Some(picture) => in_time(self.socket.binary(picture)).await,
                None => Ok(()),
            },
            Outgoing::NodeText(text) => in_time(self.socket.binary(text)).await,
        }
    }

    async fn text(&mut self, kind: &str, data: &str) -> Result<(), Closed> {
        let message = format!(r#"{{"type":{},"data":{data}}}"#, Value::from(kind));
        in_time(self.socket.text(message)).await
    }

    /// # Errors
    /// As [`Self::send`].
    pub async fn ping(&mut self) -> Result<(), Closed> {
        in_time(self.socket.ping(b"")).await
    }

    /// # Errors
    /// As [`Self::send`].
    pub async fn pong(&mut self, bytes: &[u8]) -> Result<(), Closed> {
        in_time(self.socket.pong(bytes)).await
    }

    pub async fn close(self, reason: CloseReason) {
        // The client may be gone already.
        drop(timeout(TIMEOUT, self.socket.close(Some(reason))).await);
    }
}

async fn in_time(sent: impl Future<Output = Result<(), Closed>>) -> Result<(), Closed> {
    timeout(TIMEOUT, sent).await.unwrap_or(Err(Closed))
}
