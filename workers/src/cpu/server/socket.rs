//! Connected clients and what is sent to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde_json::{Value as Json, json};
use tokio::sync::mpsc;

/// Frames that may wait for one client. A client that reads nothing loses previews and progress from half of this on,
/// and its socket when it is full.
const WAITING: usize = 4096;

/// What goes to a socket.
#[derive(Debug, Clone)]
pub(super) enum Frame {
    Text(Arc<str>),
    Binary(Bytes),
}

/// How much a frame matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// The client cannot do without it.
    Needed,
    /// A later one says the same and more.
    Passing,
}

struct Client {
    connection: u64,
    frames: mpsc::Sender<Frame>,
    /// Whether previews come with metadata.
    wants_metadata: bool,
    wants_logs: bool,
}

impl Client {
    /// Whether the client can still be served.
    fn send(&self, frame: Frame, weight: Weight) -> bool {
        if weight == Weight::Passing && self.frames.capacity() < WAITING / 2 {
            return true;
        }
        self.frames.try_send(frame).is_ok()
    }
}

/// The clients by id. A new socket under the same id takes over; the old one stays open and silent, as on a real server.
/// When the old one then closes, the new one is kept (a real server forgets it).
#[derive(Default)]
pub(super) struct Sockets {
    clients: Mutex<HashMap<String, Client>>,
    connections: AtomicU64,
}

/// A registered socket: what to send, and the number to leave with.
pub(super) struct Connection {
    pub number: u64,
    pub frames: mpsc::Receiver<Frame>,
}

/// A message as the protocol has it.
fn message(kind: &str, data: &Json) -> Frame {
    Frame::Text(json!({"type": kind, "data": data}).to_string().into())
}

impl Sockets {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Client>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a socket; `greeting` are its first messages, before any other.
    pub fn connect(&self, id: &str, greeting: &[(&str, Json)]) -> Connection {
        let (sender, frames) = mpsc::channel(WAITING);
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        let client = Client { connection: number, frames: sender, wants_metadata: false, wants_logs: false };
        for (kind, data) in greeting {
            client.send(message(kind, data), Weight::Needed);
        }
        self.lock().insert(id.to_owned(), client);
        Connection { number, frames }
    }

    /// Forgets a socket, unless another has taken over its id.
    pub fn disconnect(&self, id: &str, number: u64) {
        let mut clients = self.lock();
        if clients.get(id).is_some_and(|client| client.connection == number) {
            clients.remove(id);
        }
    }

    /// Whether another socket has taken over the id of this one.
    pub fn is_taken_over(&self, id: &str, number: u64) -> bool {
        self.lock().get(id).is_some_and(|client| client.connection != number)
    }

    /// Notes what a client announced in its `feature_flags`; only a boolean counts.
    pub fn announce(&self, id: &str, number: u64, flags: &Json) {
        let wants = flags.get("supports_preview_metadata").and_then(Json::as_bool).unwrap_or(false);
        if let Some(client) = self.lock().get_mut(id).filter(|client| client.connection == number) {
            client.wants_metadata = wants;
        }
    }

    /// Begins or ends the flow of `logs` to a client; nothing where it is not connected.
    pub fn subscribe(&self, id: &str, enabled: bool) {
        if let Some(client) = self.lock().get_mut(id) {
            client.wants_logs = enabled;
        }
    }

    /// Sends to a client, or to all where `to` is `None`.
    pub fn send(&self, to: Option<&str>, kind: &str, data: &Json, weight: Weight) {
        let mut frame = None;
        self.each(to, |_| Some(frame.get_or_insert_with(|| message(kind, data)).clone()), weight);
    }

    /// Sends a log line to its subscribers.
    pub fn send_log(&self, line: &Json) {
        let mut frame = None;
        let mut build = || frame.get_or_insert_with(|| message("logs", line)).clone();
        self.each(None, |client| client.wants_logs.then(&mut build), Weight::Passing);
    }

    /// Sends a picture of the work so far: with its metadata to a client that owns the prompt and asked for it.
    pub fn send_preview(&self, to: Option<&str>, image: &Preview, weight: Weight) {
        let frame = |client: &Client| {
            let framed = if client.wants_metadata && to.is_some() { image.with_metadata() } else { image.plain() };
            Some(Frame::Binary(framed))
        };
        self.each(to, frame, weight);
    }

    /// Sends a text shown on a node. It goes to everybody, whoever owns the prompt.
    pub fn send_text(&self, node_id: &str, text: &str) {
        let mut bytes = Vec::with_capacity(8 + node_id.len() + text.len());
        bytes.extend_from_slice(&3_u32.to_be_bytes());
        bytes.extend_from_slice(&u32::try_from(node_id.len()).unwrap_or(u32::MAX).to_be_bytes());
        bytes.extend_from_slice(node_id.as_bytes());
        bytes.extend_from_slice(text.as_bytes());
        let frame = Frame::Binary(bytes.into());
        self.each(None, |_| Some(frame.clone()), Weight::Passing);
    }

    /// Whether anybody would hear what is sent to this client (to all where `None`).
    pub fn anybody(&self, to: Option<&str>) -> bool {
        let clients = self.lock();
        to.map_or(!clients.is_empty(), |id| clients.contains_key(id))
    }

    /// Lets every socket end.
    pub fn close(&self) {
        self.lock().clear();
    }

    fn each(&self, to: Option<&str>, mut frame: impl FnMut(&Client) -> Option<Frame>, weight: Weight) {
        let mut clients = self.lock();
        let mut served = |client: &Client| frame(client).is_none_or(|frame| client.send(frame, weight));
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

/// What file a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureKind {
    Jpeg,
    Png,
}

/// A picture of a running node's work.
pub(super) struct Preview {
    /// A JPEG or PNG file.
    pub file: Vec<u8>,
    pub kind: PictureKind,
    /// Which node of which prompt it belongs to.
    pub metadata: Json,
}

impl Preview {
    /// Kind 1: the kind of image, then the file.
    fn plain(&self) -> Bytes {
        let mut bytes = Vec::with_capacity(8 + self.file.len());
        bytes.extend_from_slice(&1_u32.to_be_bytes());
        let kind: u32 = match self.kind {
            PictureKind::Jpeg => 1,
            PictureKind::Png => 2,
        };
        bytes.extend_from_slice(&kind.to_be_bytes());
        bytes.extend_from_slice(&self.file);
        bytes.into()
    }

    /// Kind 4: the length of the metadata, the metadata, then the file.
    fn with_metadata(&self) -> Bytes {
        let metadata = self.metadata.to_string();
        let mut bytes = Vec::with_capacity(8 + metadata.len() + self.file.len());
        bytes.extend_from_slice(&4_u32.to_be_bytes());
        bytes.extend_from_slice(&u32::try_from(metadata.len()).unwrap_or(u32::MAX).to_be_bytes());
        bytes.extend_from_slice(metadata.as_bytes());
        bytes.extend_from_slice(&self.file);
        bytes.into()
    }
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
    fn a_second_socket_takes_over_and_outlives_the_first() {
        let sockets = Sockets::default();
        let mut first = sockets.connect("a", &[("status", json!({"sid": "a"}))]);
        let mut second = sockets.connect("a", &[]);
        sockets.disconnect("a", first.number);
        sockets.send(Some("a"), "executing", &json!({"node": "1"}), Weight::Needed);
        assert_eq!(texts(&mut first), [json!({"type": "status", "data": {"sid": "a"}})]);
        assert_eq!(texts(&mut second), [json!({"type": "executing", "data": {"node": "1"}})]);
    }

    #[test]
    fn a_client_that_never_reads_loses_progress_first_and_then_its_socket() {
        let sockets = Sockets::default();
        let mut connection = sockets.connect("a", &[]);
        for _ in 0..WAITING {
            sockets.send(Some("a"), "progress", &json!({}), Weight::Passing);
        }
        assert!(sockets.anybody(Some("a")));
        for _ in 0..WAITING {
            sockets.send(Some("a"), "status", &json!({}), Weight::Needed);
        }
        assert!(!sockets.anybody(Some("a")));
        let received = texts(&mut connection);
        let progress = received.iter().filter(|text| text["type"] == "progress").count();
        assert!(progress <= WAITING / 2 + 1, "{progress} frames of progress crowd out what is needed");
        assert!(received.iter().any(|text| text["type"] == "status"));
    }

    #[test]
    fn metadata_comes_only_to_owners_who_asked_with_a_boolean() {
        let sockets = Sockets::default();
        let preview = Preview { file: vec![9, 9], kind: PictureKind::Jpeg, metadata: json!({"node_id": "1"}) };
        let mut kinds = Vec::new();
        for (flags, to) in [
            (json!({"supports_preview_metadata": true}), Some("a")),
            (json!({"supports_preview_metadata": 1}), Some("a")),
            (json!({"supports_preview_metadata": true}), None),
        ] {
            let mut connection = sockets.connect("a", &[]);
            sockets.announce("a", connection.number, &flags);
            sockets.send_preview(to, &preview, Weight::Passing);
            if let Ok(Frame::Binary(bytes)) = connection.frames.try_recv() {
                kinds.push(bytes[3]);
            }
        }
        assert_eq!(kinds, [4, 1, 1]);
    }
}
