//! Agents, as they describe themselves and as operators see them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{NodeId, WorkerId};

/// An agent's introduction. Nothing in it is trusted before it is checked.
#[derive(Debug, Clone)]
pub struct AgentHello {
    /// The worker's name.
    pub name: String,
    /// May be omitted if the token has one pool only.
    pub pool: Option<String>,
    /// The secret that identifies a returning agent.
    pub identity: String,
    /// Differs for each process of the agent.
    pub run: String,
    pub facts: AgentFacts,
}

/// What the agent reports about its machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentFacts {
    pub agent_version: String,
    pub os: Option<String>,
    pub driver: Option<String>,
    pub comfyui_version: Option<String>,
    pub gpus: Vec<AgentGpu>,
    pub models: Vec<AgentModel>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentGpu {
    pub name: String,
    pub vram_bytes: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentModel {
    pub name: String,
    pub size_bytes: i64,
}

#[derive(Debug, Clone)]
pub struct AgentView {
    pub worker: WorkerId,
    pub name: String,
    /// The token's name.
    pub token: String,
    /// Where it is connected.
    pub node: Option<NodeId>,
    pub connected_at: DateTime<Utc>,
    pub note: Option<String>,
    pub facts: AgentFacts,
}

/// Whether an agent is connected, for the roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentStatus {
    pub connected: bool,
    /// A problem of its ComfyUI server.
    pub note: Option<String>,
}

/// Why an agent is refused or disconnected. The text is for the agent's operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AgentRefusal {
    #[error("the token is wrong, or was revoked")]
    Token,
    #[error("the name must have 1 to 60 characters, and what an agent says of itself must be short")]
    Malformed,
    #[error("the name must be one of a machine, such as gpu-01.lan: letters and digits of one script, and no path")]
    Name,
    #[error("the token is for several pools: say which one with --pool")]
    WhichPool,
    #[error("the token is not for this pool, or the installation has no such pool")]
    Pool,
    #[error("another worker has this name: choose another with --name, or have an admin remove that worker")]
    NameTaken,
    #[error("an agent of this name is connected already")]
    Connected,
    #[error("the token has as many agents as it may have: make another")]
    TooMany,
    #[error("an admin removed this worker; its token can allow it again (Workers, Agent tokens)")]
    Removed,
    #[error("the agent is connected to another node, or by another process")]
    Elsewhere,
}

/// An admitted agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentConnection {
    pub worker: WorkerId,
    pub name: String,
    /// The address that the worker's connection uses.
    pub url: String,
    pub run: String,
}
