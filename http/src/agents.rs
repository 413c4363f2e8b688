//! One agent's connection: its WebSocket, and the tunnel in it. Ends with the token, the worker or the node, and when the
//! agent says what it should not. What it says is bounded; a broken one harms its own connection alone.

use std::time::Duration;

use actix_web::web::Data;
use actix_ws::{CloseCode, CloseReason, Message, MessageStream, Session};
use bytes::BytesMut;
use futures_util::StreamExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;
use verdigraph_agent::protocol::{self, BETWEEN_BYTES, FromAgent, FromPlatform, Hello};
use verdigraph_core::fleet::{self, AgentConnection, AgentFacts, AgentGpu, AgentHello, AgentModel, AgentRefusal};
use verdigraph_core::{Core, Error};

use crate::edge::Edge;

/// Who connects says at once who it is.
const SAYS_WITHIN: Duration = Duration::from_secs(10);
/// How often it is looked whether the connection still holds: so long a revoked token lives.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// One look. A database that hangs cuts nobody off.
const LOOK_TAKES: Duration = Duration::from_secs(5);
/// Texts that an agent may send within a minute. It says what changes, which is seldom.
const TEXTS_A_MINUTE: u32 = 60;

/// Serves one agent until either side ends it.
pub async fn serve(core: Data<Core>, edge: Data<Edge>, token: String, mut session: Session, mut stream: MessageStream) {
    let reason = match greeted(&core, &edge, &token, &mut session, &mut stream).await {
        Ok(agent) => {
            tracing::info!(worker.id = %agent.worker, worker.name = agent.name, "an agent is connected");
            let reason = connected(&core, &edge, &agent, &mut session, &mut stream).await;
            if let Err(error) = fleet::agent_gone(&core, &agent).await {
                tracing::warn!(worker.id = %agent.worker, %error, "that an agent is gone was not written down");
            }
            tracing::info!(worker.id = %agent.worker, worker.name = agent.name, reason, "an agent is gone");
            reason
        }
        Err(reason) => {
            tracing::warn!(reason, "an agent was refused");
            reason
        }
    };
    tell(&mut session, &FromPlatform::Refused { reason }).await;
    // It may be gone.
    drop(session.close(Some(CloseReason::from(CloseCode::Normal))).await);
}

/// Hears who it is, and lets it in or says why not.
async fn greeted(
    core: &Core,
    edge: &Edge,
    token: &str,
    session: &mut Session,
    stream: &mut MessageStream,
) -> Result<AgentConnection, String> {
    let said = timeout(SAYS_WITHIN, async {
        loop {
            match stream.next().await {
                Some(Ok(Message::Text(text))) => return Some(text),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return None,
            }
        }
    });
    let said = said.await.ok().flatten().ok_or("an agent begins by saying who it is")?;
    let Ok(FromAgent::Hello(hello)) = serde_json::from_str(&said) else {
        return Err("an agent begins by saying who it is, in words that this platform knows".to_owned());
    };
    if hello.protocol != protocol::VERSION {
        return Err(format!("this platform speaks version {} of the protocol: install its agent", protocol::VERSION));
    }
    let let_in = fleet::connect_agent(core, token, spoken(*hello), |url| edge.tunnels.prepare(url)).await;
    match let_in {
        Ok(Ok(agent)) => {
            tell(session, &FromPlatform::Welcome { silent_seconds: Some(core.settings.jobs.silent_seconds) }).await;
            Ok(agent)
        }
        Ok(Err(refusal)) => Err(refusal.to_string()),
        Err(error) => {
            tracing::warn!(%error, "an agent could not be let in");
            Err("something is wrong here; try again".to_owned())
        }
    }
}

/// Carries bytes until the connection is over; tells why it is.
async fn connected(
    core: &Core,
    edge: &Edge,
    agent: &AgentConnection,
    session: &mut Session,
    stream: &mut MessageStream,
) -> String {
    let (near, far) = tokio::io::duplex(BETWEEN_BYTES);
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
                    if texts > TEXTS_A_MINUTE {
                        return "the agent says too much".to_owned();
                    }
                    match serde_json::from_str(&text) {
                        Ok(said) => {
                            if matches!(said, FromAgent::Note { text: None }) {
                                edge.tunnels.note_answers(&agent.url);
                            }
                            hear(core, agent, said).await;
                        }
                        Err(_) => return "the agent says what this platform does not know".to_owned(),
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Nop)) => {}
                Some(Ok(Message::Continuation(_))) => return "the agent sends parts of frames".to_owned(),
                Some(Ok(Message::Close(_))) | None => return "the agent closed the connection".to_owned(),
                Some(Err(error)) => return format!("the agent sends what is no frame: {error}"),
            }
        }
    };
    let watch = async {
        let (mut looks, mut stopping) = (tokio::time::interval(LOOK_EVERY), edge.stopping());
        loop {
            tokio::select! {
                _ = looks.tick() => {}
                _ = stopping.wait_for(|stopping| *stopping) => return None,
            }
            // Alone, the node carries on to the end: there is nobody else to go to.
            if edge.is_draining() && core.fleet.living_nodes() > 1 {
                return None;
            }
            match timeout(LOOK_TAKES, fleet::agent_stands(core, agent)).await {
                Ok(Ok(Err(refusal))) => {
                    // Nobody reaches the worker this way any more: not even the address is left.
                    if matches!(refusal, AgentRefusal::Token | AgentRefusal::Removed) {
                        edge.tunnels.retire(&agent.url);
                    }
                    return Some(refusal.to_string());
                }
                Ok(Ok(Ok(()))) => {}
                Ok(Err(_)) | Err(_) => {
                    tracing::debug!(worker.id = %agent.worker, "nobody knows whether an agent's connection still holds");
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
            tell(session, &FromPlatform::Elsewhere).await;
            "this node stops".to_owned()
        }
    }
}

/// Takes in what a connected agent says.
async fn hear(core: &Core, agent: &AgentConnection, said: FromAgent) {
    let noted = match said {
        // Once is enough.
        FromAgent::Hello(_) => Ok(()),
        FromAgent::Facts(facts) => fleet::note_agent_facts(core, agent, known(*facts)).await,
        FromAgent::Note { text } => {
            if let Some(note) = &text {
                tracing::warn!(worker.id = %agent.worker, worker.name = agent.name, note, "an agent says of its server");
            }
            fleet::note_agent_server(core, agent, text).await
        }
        FromAgent::Leaving => fleet::note_agent_leaves(core, agent).await,
    };
    if let Err(error) = noted {
        tracing::warn!(worker.id = %agent.worker, %error, "what an agent said was not written down");
    }
}

async fn tell(session: &mut Session, message: &FromPlatform) {
    // An agent that is gone hears nothing.
    if let Ok(text) = serde_json::to_string(message) {
        drop(timeout(SAYS_WITHIN, session.text(text)).await);
    }
}

fn spoken(hello: Hello) -> AgentHello {
    let Hello { protocol: _, name, pool, identity, run, facts } = hello;
    AgentHello { name, pool, identity, run, facts: known(facts) }
}

fn known(facts: protocol::Facts) -> AgentFacts {
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

/// Why an agent cannot be served now.
///
/// # Errors
/// [`Error::Unavailable`] while the node stops, [`Error::AgentTokenInvalid`] for a token that is none.
pub async fn may_come(core: &Core, edge: &Edge, token: &str) -> Result<(), Error> {
    if edge.is_draining() {
        return Err(Error::Unavailable { message: "this node stops".to_owned(), retry_after_seconds: 1 });
    }
    match fleet::lets_in(core, token).await? {
        true => Ok(()),
        false => Err(Error::AgentTokenInvalid),
    }
}
