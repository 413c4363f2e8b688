//! Serves one agent's WebSocket and the tunnel inside it. The connection ends with the token, the worker or the node,
//! and at the first message that breaks the protocol. Messages are bounded; a broken agent harms only its own
//! connection.

use std::time::Duration;

use actix_web::web::Data;
use actix_ws::{CloseCode, CloseReason, Message, MessageStream, Session};
use bytes::BytesMut;
use futures_util::StreamExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;
use verdigraph_agent::protocol::{self, FromAgent, FromPlatform, Hello, PIPE_BYTES};
use verdigraph_core::fleet::{self, AgentConnection, AgentFacts, AgentGpu, AgentHello, AgentModel, AgentRefusal};
use verdigraph_core::{Core, Error};

use crate::edge::Edge;

/// The agent must send its hello within this time.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval between checks of the token: a revoked token is noticed within this time.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Timeout of one check. A check that times out does not end the connection.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);
/// Text messages an agent may send per minute. It only reports changes, which are rare.
const MAX_TEXTS_PER_MINUTE: u32 = 60;

/// Serves one agent until either side ends it.
pub async fn serve(core: Data<Core>, edge: Data<Edge>, token: String, mut session: Session, mut stream: MessageStream) {
    let reason = match handshake(&core, &edge, &token, &mut session, &mut stream).await {
        Ok(agent) => {
            tracing::info!(worker.id = %agent.worker, worker.name = agent.name, "an agent is connected");
            let reason = relay(&core, &edge, &agent, &mut session, &mut stream).await;
            if let Err(error) = fleet::disconnect_agent(&core, &agent).await {
                tracing::warn!(worker.id = %agent.worker, %error, "an agent's disconnect was not recorded");
            }
            tracing::info!(worker.id = %agent.worker, worker.name = agent.name, reason, "an agent disconnected");
            reason
        }
        Err(reason) => {
            tracing::warn!(reason, "an agent was refused");
            reason
        }
    };
    send(&mut session, &FromPlatform::Refused { reason }).await;
    // The connection may be closed already.
    drop(session.close(Some(CloseReason::from(CloseCode::Normal))).await);
}

/// Reads the hello and admits the agent, or returns the reason for the refusal.
async fn handshake(
    core: &Core,
    edge: &Edge,
    token: &str,
    session: &mut Session,
    stream: &mut MessageStream,
) -> Result<AgentConnection, String> {
    let message = timeout(HELLO_TIMEOUT, async {
        loop {
            match stream.next().await {
                Some(Ok(Message::Text(text))) => return Some(text),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return None,
            }
        }
    });
    let message = message.await.ok().flatten().ok_or("an agent must send its hello first")?;
    let Ok(FromAgent::Hello(hello)) = serde_json::from_str(&message) else {
        return Err("an agent must send its hello first, as this version of the platform defines it".to_owned());
    };
    if hello.protocol != protocol::VERSION {
        return Err(format!("this platform speaks protocol version {}: install its agent", protocol::VERSION));
    }
    let admitted = fleet::connect_agent(core, token, agent_hello(*hello), |url| edge.tunnels.prepare(url)).await;
    match admitted {
        Ok(Ok(agent)) => {
            send(session, &FromPlatform::Welcome { silent_seconds: Some(core.settings.jobs.silent_seconds) }).await;
            Ok(agent)
        }
        Ok(Err(refusal)) => Err(refusal.to_string()),
        Err(error) => {
            tracing::warn!(%error, "an agent could not be admitted");
            Err("internal error; try again".to_owned())
        }
    }
}

/// Carries bytes until the connection ends, and returns the reason.
async fn relay(
    core: &Core,
    edge: &Edge,
    agent: &AgentConnection,
    session: &mut Session,
    stream: &mut MessageStream,
) -> String {
    let (near, far) = tokio::io::duplex(PIPE_BYTES);
    let (mut from_us, mut to_us) = tokio::io::split(near);
    let mut sends = session.clone();
    let out = async move {
        let mut piece = BytesMut::new();
        loop {
            piece.reserve(64 << 10);
            match from_us.read_buf(&mut piece).await {
                Ok(1..) => {}
                Ok(0) | Err(_) => return "the tunnel ended".to_owned(),
            }
            if sends.binary(piece.split().freeze()).await.is_err() {
                return "the agent closed the connection".to_owned();
            }
        }
    };
    let back = async {
        let (mut texts, mut since) = (0, tokio::time::Instant::now());
        loop {
            match stream.next().await {
                Some(Ok(Message::Binary(piece))) => {
                    if to_us.write_all(&piece).await.is_err() {
                        return "the tunnel ended".to_owned();
                    }
                }
                Some(Ok(Message::Text(text))) => {
                    if since.elapsed() >= Duration::from_secs(60) {
                        (texts, since) = (0, tokio::time::Instant::now());
                    }
                    texts += 1;
                    if texts > MAX_TEXTS_PER_MINUTE {
                        return "the agent sends too many messages".to_owned();
                    }
                    match serde_json::from_str(&text) {
                        Ok(message) => {
                            if matches!(message, FromAgent::Note { text: None }) {
                                edge.tunnels.notify_server_up(&agent.url);
                            }
                            handle_message(core, agent, message).await;
                        }
                        Err(_) => return "the agent sent an unknown message".to_owned(),
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Nop)) => {}
                Some(Ok(Message::Continuation(_))) => return "the agent sent a fragmented message".to_owned(),
                Some(Ok(Message::Close(_))) | None => return "the agent closed the connection".to_owned(),
                Some(Err(error)) => return format!("the agent sent an invalid frame: {error}"),
            }
        }
    };
    let watch = async {
        let (mut checks, mut stopping) = (tokio::time::interval(CHECK_INTERVAL), edge.stopping());
        loop {
            tokio::select! {
                _ = checks.tick() => {}
                _ = stopping.wait_for(|stopping| *stopping) => return None,
            }
            // A node that is alone keeps its agents to the end: they have no other node to connect to.
            if edge.is_draining() && core.fleet.living_nodes() > 1 {
                return None;
            }
            match timeout(CHECK_TIMEOUT, fleet::check_agent(core, agent)).await {
                Ok(Ok(Err(refusal))) => {
                    // The tunnel's address is given up too: this agent does not come back.
                    if matches!(refusal, AgentRefusal::Token | AgentRefusal::Removed) {
                        edge.tunnels.retire(&agent.url);
                    }
                    return Some(refusal.to_string());
                }
                Ok(Ok(Ok(()))) => {}
                Ok(Err(_)) | Err(_) => {
                    tracing::debug!(worker.id = %agent.worker, "an agent's token could not be checked");
                }
            }
        }
    };
    let ended = tokio::select! {
        reason = out => Some(reason),
        reason = back => Some(reason),
        reason = edge.tunnels.run(&agent.url, far) => Some(reason),
        reason = watch => reason,
    };
    match ended {
        Some(reason) => reason,
        None => {
            send(session, &FromPlatform::Reconnect).await;
            "this node stops".to_owned()
        }
    }
}

/// Handles a message of a connected agent.
async fn handle_message(core: &Core, agent: &AgentConnection, message: FromAgent) {
    let recorded = match message {
        // Only the first hello counts.
        FromAgent::Hello(_) => Ok(()),
        FromAgent::Facts(facts) => fleet::record_agent_facts(core, agent, agent_facts(*facts)).await,
        FromAgent::Note { text } => {
            if let Some(note) = &text {
                tracing::warn!(worker.id = %agent.worker, worker.name = agent.name, note, "an agent reports on its server");
            }
            fleet::record_agent_server(core, agent, text).await
        }
        FromAgent::Leaving => fleet::drain_agent(core, agent).await,
    };
    if let Err(error) = recorded {
        tracing::warn!(worker.id = %agent.worker, %error, "an agent's message was not recorded");
    }
}

async fn send(session: &mut Session, message: &FromPlatform) {
    // Errors are ignored: the connection may be closed already.
    if let Ok(text) = serde_json::to_string(message) {
        drop(timeout(HELLO_TIMEOUT, session.text(text)).await);
    }
}

fn agent_hello(hello: Hello) -> AgentHello {
    let Hello { protocol: _, name, pool, identity, run, facts } = hello;
    AgentHello { name, pool, identity, run, facts: agent_facts(facts) }
}

fn agent_facts(facts: protocol::Facts) -> AgentFacts {
    let bytes = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    AgentFacts {
        agent_version: facts.agent_version,
        os: facts.os,
        driver: facts.driver,
        comfyui_version: facts.comfyui_version,
        gpus: facts
            .gpus
            .into_iter()
            .map(|gpu| AgentGpu { name: gpu.name, vram_bytes: bytes(gpu.vram_bytes) })
            .collect(),
        models: facts
            .models
            .into_iter()
            .map(|model| AgentModel { name: model.name, size_bytes: bytes(model.size_bytes) })
            .collect(),
    }
}

/// Checks that this node accepts agents and that the token is valid.
///
/// # Errors
/// [`Error::Unavailable`] while the node stops, [`Error::AgentTokenInvalid`] for an unknown token.
pub async fn check_admission(core: &Core, edge: &Edge, token: &str) -> Result<(), Error> {
    if edge.is_draining() {
        return Err(Error::Unavailable { message: "this node stops".to_owned(), retry_after_seconds: 1 });
    }
    match fleet::is_agent_token(core, token).await? {
        true => Ok(()),
        false => Err(Error::AgentTokenInvalid),
    }
}
