//! Connected clients, and sending messages to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde_json::{Value as Json, json};
use tokio::sync::mpsc;

use crate::comfy::frame;

/// Frames that may wait for one client. A client that does not read loses previews and progress from half of this on,
/// and its socket when it is full.
const MAX_WAITING_FRAMES: usize = 4096;

#[derive(Debug, Clone)]
pub(super) enum Frame {
    Text(Arc<str>),
    Binary(Bytes),
}

/// The importance of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Priority {
    /// Must be delivered.
    Required,
    /// May be dropped: a later frame replaces it.
    Droppable,
}

struct Client {
    connection: u64,
    frames: mpsc::Sender<Frame>,
    /// Whether previews include metadata.
    wants_metadata: bool,
    wants_logs: bool,
}

impl Client {
    /// Queues a frame. Returns whether the client can still be served.
    fn send(&self, frame: Frame, priority: Priority) -> bool {
        if priority == Priority::Droppable && self.frames.capacity() < MAX_WAITING_FRAMES / 2 {
            return true;
        }
        self.frames.try_send(frame).is_ok()
    }
}

/// Clients by id. A new socket under the same id takes over; the old one stays open without messages, as at a real
/// server. When the old one closes, the new one is kept (a real server forgets it).
#[derive(Default)]
pub(super) struct Sockets {
    clients: Mutex<HashMap<String, Client>>,
    connections: AtomicU64,
}

/// A registered socket: its frames, and the number for unregistering.
pub(super) struct Connection {
    pub number: u64,
    pub frames: mpsc::Receiver<Frame>,
}

/// A message in the protocol's format.
fn message(kind: &str, data: &Json) -> Frame {
    Frame::Text(json!({"type": kind, "data": data}).to_string().into())
}

impl Sockets {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Client>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a socket. `greeting` are its first messages.
    pub fn connect(&self, id: &str, greeting: &[(&str, Json)]) -> Connection {
        let (sender, frames) = mpsc::channel(MAX_WAITING_FRAMES);
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        let client = Client { connection: number, frames: sender, wants_metadata: false, wants_logs: false };
        for (kind, data) in greeting {
            client.send(message(kind, data), Priority::Required);
        }
        self.lock().insert(id.to_owned(), client);
        Connection { number, frames }
    }

    /// Unregisters a socket, unless another one has taken over its id.
    pub fn disconnect(&self, id: &str, number: u64) {
        let mut clients = self.lock();
        if clients.get(id).is_some_and(|client| client.connection == number) {
            clients.remove(id);
        }
    }

    pub fn is_taken_over(&self, id: &str, number: u64) -> bool {
        self.lock().get(id).is_some_and(|client| client.connection != number)
    }

    /// Applies a client's `feature_flags`. Only a boolean counts.
    pub fn announce(&self, id: &str, number: u64, flags: &Json) {
        let wants = flags.get("supports_preview_metadata").and_then(Json::as_bool).unwrap_or(false);
        if let Some(client) = self.lock().get_mut(id).filter(|client| client.connection == number) {
            client.wants_metadata = wants;
        }
    }

    /// Starts or stops `logs` messages to a client, if it is connected.
    pub fn subscribe(&self, id: &str, enabled: bool) {
        if let Some(client) = self.lock().get_mut(id) {
            client.wants_logs = enabled;
        }
    }

    /// Sends to one client, or to all if `to` is `None`.
    pub fn send(&self, to: Option<&str>, kind: &str, data: &Json, priority: Priority) {
        let mut frame = None;
        self.each(to, |_| Some(frame.get_or_insert_with(|| message(kind, data)).clone()), priority);
    }

    /// Sends a log line to its subscribers.
    pub fn send_log(&self, line: &Json) {
        let mut frame = None;
        let mut build = || frame.get_or_insert_with(|| message("logs", line)).clone();
        self.each(None, |client| client.wants_logs.then(&mut build), Priority::Droppable);
    }

    /// Sends a preview. Includes its metadata if the client owns the prompt and asked for it.
    pub fn send_preview(&self, to: Option<&str>, image: &Preview, priority: Priority) {
        let frame = |client: &Client| {
            let framed = match client.wants_metadata && to.is_some() {
                true => frame::preview(&image.metadata, &image.file),
                false => frame::preview_without_metadata(image.content_type, &image.file),
            };
            Some(Frame::Binary(framed))
        };
        self.each(to, frame, priority);
    }

    /// Sends a text shown on a node to all clients, whichever owns the prompt.
    pub fn send_text(&self, node_id: &str, text: &str) {
        let frame = Frame::Binary(frame::text(node_id, text));
        self.each(None, |_| Some(frame.clone()), Priority::Droppable);
    }

    /// Whether a message to this client (to all if `None`) has a receiver.
    pub fn has_receiver(&self, to: Option<&str>) -> bool {
        let clients = self.lock();
        to.map_or(!clients.is_empty(), |id| clients.contains_key(id))
    }

    /// Closes every socket.
    pub fn close(&self) {
        self.lock().clear();
    }

    fn each(&self, to: Option<&str>, mut frame: impl FnMut(&Client) -> Option<Frame>, priority: Priority) {
        let mut clients = self.lock();
        let mut served = |client: &Client| frame(client).is_none_or(|frame| client.send(frame, priority));
        match to {
            Some(id) => {
                if clients.get(id).is_some_and(|client| !served(client)) {
                    clients.remove(id);
                }
            }
            None => clients.retain(|_, client| served(client)),
        }
    }
}

pub(super) struct Preview {
    pub file: Vec<u8>,
    pub content_type: &'static str,
    /// The prompt and node it belongs to.
    pub metadata: Json,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(connection: &mut Connection) -> Vec<Json> {
        let mut texts = Vec::new();
        while let Ok(Frame::Text(text)) = connection.frames.try_recv() {
            texts.push(serde_json::from_str(&text).unwrap());
        }
        texts
    }

    #[test]
    fn second_socket_takes_over_and_outlives_the_first() {
        let sockets = Sockets::default();
        let mut first = sockets.connect("a", &[("status", json!({"sid": "a"}))]);
        let mut second = sockets.connect("a", &[]);
        sockets.disconnect("a", first.number);
        sockets.send(Some("a"), "executing", &json!({"node": "1"}), Priority::Required);
        assert_eq!(texts(&mut first), [json!({"type": "status", "data": {"sid": "a"}})]);
        assert_eq!(texts(&mut second), [json!({"type": "executing", "data": {"node": "1"}})]);
    }

    #[test]
    fn client_that_never_reads_loses_progress_then_socket() {
        let sockets = Sockets::default();
        let mut connection = sockets.connect("a", &[]);
        for _ in 0..MAX_WAITING_FRAMES {
            sockets.send(Some("a"), "progress", &json!({}), Priority::Droppable);
        }
        assert!(sockets.has_receiver(Some("a")));
        for _ in 0..MAX_WAITING_FRAMES {
            sockets.send(Some("a"), "status", &json!({}), Priority::Required);
        }
        assert!(!sockets.has_receiver(Some("a")));
        let received = texts(&mut connection);
        let progress = received.iter().filter(|text| text["type"] == "progress").count();
        assert!(progress <= MAX_WAITING_FRAMES / 2 + 1, "{progress} frames of progress crowd out what is needed");
        assert!(received.iter().any(|text| text["type"] == "status"));
    }

    #[test]
    fn preview_metadata_requires_boolean_flag() {
        let sockets = Sockets::default();
        let preview = Preview { file: vec![9, 9], content_type: "image/jpeg", metadata: json!({"node_id": "1"}) };
        let mut kinds = Vec::new();
        for (flags, to) in [
            (json!({"supports_preview_metadata": true}), Some("a")),
            (json!({"supports_preview_metadata": 1}), Some("a")),
            (json!({"supports_preview_metadata": true}), None),
        ] {
            let mut connection = sockets.connect("a", &[]);
            sockets.announce("a", connection.number, &flags);
            sockets.send_preview(to, &preview, Priority::Droppable);
            if let Ok(Frame::Binary(bytes)) = connection.frames.try_recv() {
                kinds.push(bytes[3]);
            }
        }
        assert_eq!(kinds, [4, 1, 1]);
    }
}
