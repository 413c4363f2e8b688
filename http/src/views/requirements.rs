//! Requirements of graphs, and requests for them.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::requirements::{GraphRequirements, MissingRequirement, RequestedRequirement, RequirementRequest};
use verdigraph_core::settings::Settings;

use super::words::RequirementWord;
use crate::openapi::ToSchema;

/// What a prompt requires and the workers of the caller's pools do not have.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequirementsView {
    /// In the order of the prompt.
    pub missing: Vec<MissingRequirementView>,
    /// Whether one worker has everything. A job runs on one worker, so otherwise the prompt cannot run.
    pub one_worker_meets_all: bool,
}

/// A node class or a model that no worker of the caller's pools has.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MissingRequirementView {
    pub kind: RequirementWord,
    /// The folder of a model, if it is known.
    #[schema(example = "checkpoints")]
    pub folder: Option<String>,
    /// The class, or the file with its subfolders.
    pub name: String,
    /// The ids of the nodes that use it.
    pub nodes: Vec<String>,
    /// Other pools that have it, which the caller's plan does not include.
    pub pools: Vec<OtherPoolView>,
    /// Whether the caller has requested it.
    pub is_requested: bool,
}

/// A pool that the caller's plan does not include.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherPoolView {
    pub name: String,
    /// The name shown to users.
    pub title: String,
    /// Class of the machines.
    #[schema(example = "24 GB")]
    pub gpu: String,
    /// The plans that include it.
    pub plans: Vec<String>,
}

impl RequirementsView {
    /// The view, with the pools and plans of these settings.
    #[must_use]
    pub fn new(found: GraphRequirements, settings: &Settings) -> Self {
        let missing = found.missing.into_iter().map(|one| MissingRequirementView::new(one, settings)).collect();
        Self { missing, one_worker_meets_all: found.one_worker_meets_all }
    }
}

impl MissingRequirementView {
    fn new(missing: MissingRequirement, settings: &Settings) -> Self {
        let MissingRequirement { requirement, nodes, pools, is_requested } = missing;
        let pools = pools.iter().filter_map(|name| settings.pool(name)).map(|pool| {
            let plans = settings.plans.iter().filter(|plan| plan.pools.contains(&pool.name));
            OtherPoolView {
                name: pool.name.clone(),
                title: pool.title.clone(),
                gpu: pool.gpu.clone(),
                plans: plans.map(|plan| plan.name.clone()).collect(),
            }
        });
        Self {
            kind: requirement.kind.into(),
            folder: requirement.folder,
            name: requirement.name,
            nodes,
            pools: pools.collect(),
            is_requested,
        }
    }
}

/// The caller's request for a node class or a model.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequirementRequestView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub kind: RequirementWord,
    pub folder: Option<String>,
    pub name: String,
    pub created_at: DateTime<Utc>,
}

impl From<RequirementRequest> for RequirementRequestView {
    fn from(request: RequirementRequest) -> Self {
        let RequirementRequest { id, requirement, created_at } = request;
        Self { id: id.0, kind: requirement.kind.into(), folder: requirement.folder, name: requirement.name, created_at }
    }
}

/// A node class or a model that users have requested.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestedRequirementView {
    /// The first request.
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub kind: RequirementWord,
    pub folder: Option<String>,
    pub name: String,
    /// How many users have requested it.
    pub requests: i64,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
    /// The names of the pools that have it now.
    pub pools: Vec<String>,
}

impl From<RequestedRequirement> for RequestedRequirementView {
    fn from(requested: RequestedRequirement) -> Self {
        let RequestedRequirement { id, requirement, requests, first_at, last_at, pools } = requested;
        Self {
            id: id.0,
            kind: requirement.kind.into(),
            folder: requirement.folder,
            name: requirement.name,
            requests,
            first_at,
            last_at,
            pools,
        }
    }
}
