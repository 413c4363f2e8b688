//! Open sockets by client id. A second socket replaces the first.

use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;
use tokio_tungstenite::tungstenite::Message;

use super::{Model, ToSocket};
use crate::run::{Step, text};

impl Model {
    pub(super) fn status(&self) {
        let status = json!({"status": {"exec_info": {"queue_remaining": self.remaining()}}});
        self.broadcast(&text("status", status));
    }

    pub fn broadcast(&self, step: &Step) {
        let frame = match step {
            Step::Text(message) => Message::text(message.to_string()),
            Step::Raw(text) => Message::text(text.clone()),
            Step::Binary(bytes) => Message::Binary(bytes.clone()),
            _ => return,
        };
        for (_, socket) in self.sockets.values() {
            let _ = socket.send(ToSocket::Frame(frame.clone()));
        }
    }

    pub fn open_socket(&mut self, client_id: &str, socket: UnboundedSender<ToSocket>) -> u64 {
        self.next_socket += 1;
        let status = json!({"status": {"exec_info": {"queue_remaining": self.remaining()}}, "sid": client_id});
        let _ = socket.send(ToSocket::Frame(Message::text(json!({"type": "status", "data": status}).to_string())));
        if self.running.as_ref().is_some_and(|job| job.client_id == client_id) {
            let _ = socket.send(ToSocket::Frame(Message::text(r#"{"type": "executing", "data": {"node": "1"}}"#)));
        }
        self.sockets.insert(client_id.to_owned(), (self.next_socket, socket));
        self.next_socket
    }

    pub fn close_socket(&mut self, client_id: &str, number: u64) {
        if self.sockets.get(client_id).is_some_and(|(known, _)| *known == number) {
            self.sockets.remove(client_id);
        }
    }

    pub fn has_socket(&self, client_id: &str) -> bool {
        self.sockets.contains_key(client_id)
    }

    pub fn cut_socket(&mut self, client_id: &str) {
        if let Some((_, socket)) = self.sockets.remove(client_id) {
            let _ = socket.send(ToSocket::Cut);
        }
    }

    pub fn forget_socket(&mut self, client_id: &str) {
        if let Some(socket) = self.sockets.remove(client_id) {
            self.forgotten.insert(client_id.to_owned(), socket);
        }
    }

    pub fn cut_sockets(&mut self) {
        for (_, (_, socket)) in self.sockets.drain().chain(self.forgotten.drain()) {
            let _ = socket.send(ToSocket::Cut);
        }
    }
}
