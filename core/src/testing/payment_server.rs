//! What the test servers of payment providers share: a server that can be told to refuse, and to lose its answers.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use super::providers::{Request, read};

/// What goes wrong with the next call of an operation.
#[derive(Debug, Clone)]
pub enum PaymentFault {
    /// It is refused with this status and body, without an effect.
    Refuse(u16, Value),
    /// It has its effect, and the connection breaks before the answer.
    LoseAnswer,
    /// It has its effect, and the answer has another amount.
    WrongAmount,
    /// It has its effect, and the answer has another currency.
    WrongCurrency,
}

/// Faults by operation, in order.
#[derive(Default)]
pub(super) struct Faults(HashMap<String, VecDeque<PaymentFault>>);

impl Faults {
    pub fn add(&mut self, operation: &str, fault: PaymentFault) {
        self.0.entry(operation.to_owned()).or_default().push_back(fault);
    }

    pub fn next(&mut self, operation: &str) -> Option<PaymentFault> {
        self.0.get_mut(operation)?.pop_front()
    }
}

/// A status and a body; `None` breaks the connection.
pub(super) type Answer = Option<(u16, Value)>;

/// Starts a server, and returns its address. It runs until the runtime ends.
pub(super) async fn serve(respond: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://localhost:{}", listener.local_addr().expect("an address").port());
    let respond = Arc::new(respond);
    actix_rt::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            actix_rt::spawn(talk(stream, Arc::clone(&respond)));
        }
    });
    url
}

async fn talk(mut stream: TcpStream, respond: Arc<impl Fn(&Request) -> Answer>) {
    let Some(request) = read(&mut stream).await else { return };
    let Some((status, body)) = respond(&request) else { return };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    drop(stream.write_all(head.as_bytes()).await);
    drop(stream.write_all(body.as_bytes()).await);
}
