//! The tasks of a scripted server: listener, connections, sockets, executor.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

use crate::fault::FaultKind;
use crate::model::{Job, ToSocket, features};
use crate::run::{Step, THIS_PROMPT, text};
use crate::shared::{ProcessState, Shared};
use crate::wire::{Request, Response};

pub(crate) async fn serve(shared: Arc<Shared>, listener: std::net::TcpListener, address: SocketAddr) {
    let mut life = shared.life.subscribe();
    let mut listener = listener.set_nonblocking(true).and_then(|()| TcpListener::from_std(listener)).ok();
    loop {
        let now = *life.borrow_and_update();
        match now {
            ProcessState::Over => return,
            ProcessState::Down(_) => {
                listener = None;
                let _ = life.changed().await;
            }
            ProcessState::Up(_) => {
                let Some(open) = listener.take() else {
                    listener = TcpListener::bind(address).await.ok();
                    if listener.is_none() {
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                    continue;
                };
                tokio::select! {
                    () = executor(&shared) => {}
                    () = accept(&shared, &open, now) => {}
                    _ = life.changed() => {}
                }
                listener = Some(open);
            }
        }
    }
}

async fn accept(shared: &Arc<Shared>, listener: &TcpListener, now: ProcessState) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let _ = stream.set_nodelay(true);
        let shared = Arc::clone(shared);
        tokio::spawn(async move {
            let mut life = shared.life.subscribe();
            tokio::select! {
                () = connection(&shared, BufReader::new(stream)) => {}
                _ = life.wait_for(|life| *life != now) => {}
            }
        });
    }
}

async fn connection(shared: &Arc<Shared>, mut stream: BufReader<TcpStream>) {
    while let Some(request) = Request::read(&mut stream).await {
        let spoilt = shared.model().take_fault(&request);
        let view_delay = shared.model().options.view_delay;
        if request.path == "/view" && !view_delay.is_zero() {
            tokio::time::sleep(view_delay).await;
        }
        shared.note(&format!("{} {}", request.method, request.path));
        let mut shown = usize::MAX;
        let response = match &spoilt {
            None if request.path == "/ws" => return socket(shared, request, stream).await,
            Some(FaultKind::Drop) => return,
            Some(FaultKind::Kill) => return shared.kill(),
            Some(FaultKind::Hang) => return std::future::pending().await,
            Some(FaultKind::Status(status, body)) => Response::status(*status, body.clone()),
            Some(FaultKind::Body(body)) => Response::status(200, body.clone()),
            None | Some(FaultKind::DropAfter | FaultKind::KillAfter | FaultKind::CutBody(_)) => {
                let response = shared.model().handle(&request);
                shared.changed();
                response
            }
        };
        match spoilt {
            Some(FaultKind::DropAfter) => return,
            Some(FaultKind::KillAfter) => return shared.kill(),
            Some(FaultKind::CutBody(length)) => shown = length,
            _ => {}
        }
        if response.write(&mut stream, shown).await.is_err() || shown < response.body.len() {
            return;
        }
    }
}

async fn socket(shared: &Arc<Shared>, request: Request, mut stream: BufReader<TcpStream>) {
    let Some(key) = request.headers.get("sec-websocket-key") else { return };
    let upgrade = format!(
        "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: {}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    );
    if stream.write_all(upgrade.as_bytes()).await.is_err() {
        return;
    }
    let mut socket = WebSocketStream::from_raw_socket(stream.into_inner(), Role::Server, None).await;
    let client_id = request.query.get("clientId").cloned().unwrap_or_default();
    let (to_socket, mut frames) = mpsc::unbounded_channel();
    let number = shared.model().open_socket(&client_id, to_socket);
    shared.note(&format!("socket opened {client_id}"));
    shared.changed();
    let mut shaken = false;
    loop {
        tokio::select! {
            frame = frames.recv() => match frame {
                Some(ToSocket::Frame(frame)) => {
                    if socket.send(frame).await.is_err() {
                        break;
                    }
                }
                Some(ToSocket::Cut) | None => break,
            },
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    let message: Option<Value> = serde_json::from_str(text.as_str()).ok();
                    let flags = message.is_some_and(|message| message["type"] == "feature_flags");
                    if flags && !shaken {
                        shared.note("feature flags");
                        let answer = json!({"type": "feature_flags", "data": features()});
                        let _ = socket.send(Message::text(answer.to_string())).await;
                    }
                    shaken = true;
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
        }
    }
    drop(socket);
    shared.model().close_socket(&client_id, number);
    shared.note("socket closed");
    shared.changed();
}

async fn executor(shared: &Arc<Shared>) {
    loop {
        let begun = std::cell::Cell::new(None);
        shared
            .until(|model| {
                let job = model.begin();
                let found = job.is_some();
                begun.set(job);
                found
            })
            .await;
        let Some(job) = begun.into_inner() else { return };
        // Read before the log line that may make a test release the run before it holds.
        let released = shared.model().released;
        shared.note("run");
        play(shared, job, released).await;
        shared.model().finish();
        shared.note("ended");
        shared.changed();
    }
}

async fn play(shared: &Arc<Shared>, job: Job, mut released: u64) {
    let stopped = |model: &mut super::model::Model| model.interrupted.as_deref() == Some(&job.id);
    for step in &job.run.steps {
        let over = matches!(step.kind(), Some("status" | "executing" | "execution_interrupted"));
        if !over && stopped(&mut shared.model()) && !matches!(step, Step::AwaitInterrupt) {
            return interrupted(shared);
        }
        match step {
            Step::Text(_) | Step::Raw(_) | Step::Binary(_) | Step::Preview { .. } => shared.model().emit(step),
            Step::Wait(delay) => {
                let _ = tokio::time::timeout(*delay, shared.until(stopped)).await;
            }
            Step::CutSocket => {
                shared.model().cut_socket(&job.client_id);
                shared.changed();
            }
            Step::AwaitSocket => shared.until(|model| model.has_socket(&job.client_id)).await,
            Step::ForgetSocket => shared.model().forget_socket(&job.client_id),
            Step::AwaitInterrupt => {
                shared.note("awaits interrupt");
                shared.until(stopped).await;
                // The steps that follow are the recorded end.
                shared.model().interrupted = None;
            }
            Step::AwaitDelete | Step::Vanish => return,
            Step::Kill => shared.kill(),
            Step::Restart => shared.restart(),
            Step::Hold => {
                shared.note("holds");
                shared.until(|model| model.released > released || stopped(model)).await;
                released = shared.model().released;
            }
        }
        // Lets other tasks run between two steps, as between two nodes.
        tokio::task::yield_now().await;
    }
}

fn interrupted(shared: &Arc<Shared>) {
    let mut model = shared.model();
    for step in [
        text(
            "execution_interrupted",
            json!({"prompt_id": THIS_PROMPT, "node_id": "1", "node_type": "Scripted", "executed": [], "timestamp": null}),
        ),
        text("status", json!({"status": {"exec_info": {"queue_remaining": 0}}})),
        text("executing", json!({"node": null, "prompt_id": THIS_PROMPT})),
    ] {
        model.emit(&step);
    }
}
