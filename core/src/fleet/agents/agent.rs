//! An agent, as it says itself and as operators see it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{NodeId, WorkerId};

/// Who connects. None of it is believed before it is checked.
#[derive(Debug, Clone)]
pub struct AgentHello {
    /// The worker's name.
    pub name: String,
    /// May be left out where the token has one pool alone.
    pub pool: Option<String>,
    /// The secret by which the agent is known again.
    pub identity: String,
    /// Another one for each process of it.
    pub run: String,
    pub facts: AgentFacts,
}

/// What its machine has, in its words.
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

/// One device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentGpu {
    pub name: String,
    pub vram_bytes: i64,
}

/// One model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentModel {
    pub name: String,
    pub size_bytes: i64,
}

/// An agent as operators see it.
#[derive(Debug, Clone)]
pub struct AgentView {
    pub worker: WorkerId,
    pub name: String,
    /// The token's name.
    pub token: String,
    /// The node that it is connected to.
    pub node: Option<NodeId>,
    pub connected_at: DateTime<Utc>,
    pub note: Option<String>,
    pub facts: AgentFacts,
}

/// How an agent's connection stands, for the roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentStanding {
    pub connected: bool,
    /// What is with its server.
    pub note: Option<String>,
}

/// Why an agent is not let in, or is cut off. The text is for the agent's operator.
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

/// An agent that was let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentConnection {
    pub worker: WorkerId,
    pub name: String,
    /// What the worker's connection knows it by.
    pub url: String,
    pub run: String,
}
