//! Agents and their tokens, for admins.

use chrono::{DateTime, Utc};
use secrecy::ExposeSecret as _;
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::fleet;

use crate::openapi::ToSchema;

/// A token that admits agents.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentTokenView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// The pools that its agents may join.
    pub pools: Vec<String>,
    /// The first characters of the token.
    pub prefix: String,
    pub created_at: DateTime<Utc>,
    /// When an agent last connected with it.
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// Its agents whose workers were removed, and that may not connect.
    pub removed_agents: i64,
}

/// A new token.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewAgentTokenView {
    pub agent_token: AgentTokenView,
    /// The token. It is shown only here.
    pub token: String,
}

/// A worker's agent and its machine.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// The worker's id.
    pub worker: Uuid,
    pub name: String,
    /// The name of its token.
    pub token: String,
    /// The node that it is connected to; none while it is disconnected.
    pub node: Option<Uuid>,
    /// When it last connected.
    pub connected_at: DateTime<Utc>,
    /// The agent's note on its server.
    pub note: Option<String>,
    pub agent_version: String,
    pub os: Option<String>,
    pub driver: Option<String>,
    pub comfyui_version: Option<String>,
    pub gpus: Vec<AgentGpuView>,
    /// Left out in lists.
    pub models: Vec<AgentModelView>,
}

/// A GPU.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentGpuView {
    pub name: String,
    pub vram_bytes: i64,
}

/// A model file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentModelView {
    /// Its path below the models folder.
    pub name: String,
    pub size_bytes: i64,
}

impl From<fleet::AgentToken> for AgentTokenView {
    fn from(token: fleet::AgentToken) -> Self {
        Self {
            id: token.id.0,
            name: token.name,
            pools: token.pools,
            prefix: token.prefix,
            created_at: token.created_at,
            last_used_at: token.last_used_at,
            revoked_at: token.revoked_at,
            removed_agents: token.removed_agents,
        }
    }
}

impl From<fleet::NewAgentToken> for NewAgentTokenView {
    fn from(new: fleet::NewAgentToken) -> Self {
        Self { token: new.secret.expose_secret().to_owned(), agent_token: new.token.into() }
    }
}

impl From<fleet::AgentView> for AgentView {
    fn from(agent: fleet::AgentView) -> Self {
        let facts = agent.facts;
        let gpus = facts.gpus.into_iter().map(|gpu| AgentGpuView { name: gpu.name, vram_bytes: gpu.vram_bytes });
        let models = facts.models.into_iter();
        Self {
            worker: agent.worker.0,
            name: agent.name,
            token: agent.token,
            node: agent.node.map(|node| node.0),
            connected_at: agent.connected_at,
            note: agent.note,
            agent_version: facts.agent_version,
            os: facts.os,
            driver: facts.driver,
            comfyui_version: facts.comfyui_version,
            gpus: gpus.collect(),
            models: models.map(|model| AgentModelView { name: model.name, size_bytes: model.size_bytes }).collect(),
        }
    }
}
