//! People and their API keys.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::ids::UserId;
use verdigraph_core::settings::{Plan, Settings};
use verdigraph_core::users::{self, Ban, Session};

use super::assets::AssetView;
use super::credits::BalanceView;
use crate::described::ToSchema;

/// The person who is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// Tells people of one name apart: `#1234`.
    pub name_tag: String,
    pub email: String,
    /// `en` or `ko`.
    pub language: String,
    /// `Customer`, and `Admin` for operators.
    pub roles: Vec<String>,
    /// The first one's name is the plan.
    pub subscriptions: Vec<SubscriptionView>,
    pub profile: Option<AssetView>,
    /// Always `null`: pictures of sign-in providers are taken over as `profile`, because pages load no others' pictures.
    pub social_profile: Option<String>,
    pub credits: BalanceView,
    /// Whether the person has shown that they read the address.
    pub email_verified: bool,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Where else they sign in: `Google`, `Discord`.
    pub sign_in_with: Vec<String>,
    /// The ban that holds now.
    pub ban: Option<BanView>,
    pub created_at: DateTime<Utc>,
}

/// A ban: whoever has one reads on and takes part in nothing.
#[derive(Debug, Serialize, ToSchema)]
pub struct BanView {
    pub since: DateTime<Utc>,
    /// `null` for good.
    pub until: Option<DateTime<Utc>>,
    /// What the person was told.
    pub reason: String,
}

impl From<&Ban> for BanView {
    fn from(ban: &Ban) -> Self {
        Self { since: ban.since, until: ban.until, reason: ban.reason.clone() }
    }
}

/// A plan that somebody has.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionView {
    #[schema(example = "Free")]
    pub name: String,
}

/// A place where somebody is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// What the browser called itself.
    pub user_agent: Option<String>,
    /// The address of the network that the session began at.
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
    /// To ten minutes.
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// Whether it is the one that asks.
    pub is_current: bool,
}

impl From<Session> for SessionView {
    fn from(session: Session) -> Self {
        Self {
            id: session.id,
            user_agent: session.user_agent,
            address: session.address,
            created_at: session.created_at,
            last_seen_at: session.last_seen_at,
            expires_at: session.expires_at,
            is_current: session.is_current,
        }
    }
}

/// A plan and what it allows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanView {
    #[schema(example = "Free")]
    pub name: String,
    /// Credits granted every month.
    pub monthly_credits: i64,
    /// Share of the workers against others who wait at the same time.
    pub weight: u32,
    /// The workers that its jobs may use, the preferred ones first.
    pub pools: Vec<PoolView>,
    /// How long one job may run.
    pub max_run_seconds: u64,
    /// Jobs that may wait or run at the same time.
    pub max_queued_jobs: u64,
    /// Bytes that uploads may have together.
    pub storage_bytes: u64,
    /// Whether work may be private after it was public (Stealth Mode).
    pub stealth_mode: bool,
}

/// A pool of workers with one price.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoolView {
    pub name: String,
    /// What people read.
    pub title: String,
    /// Class of the machines.
    #[schema(example = "24 GB")]
    pub gpu: String,
    pub credits_per_second: i64,
}

impl PlanView {
    /// The view, with the pools that these settings know.
    #[must_use]
    pub fn new(plan: &Plan, settings: &Settings) -> Self {
        let pools = plan.pools.iter().filter_map(|name| settings.pool(name)).map(|pool| PoolView {
            name: pool.name.clone(),
            title: pool.title.clone(),
            gpu: pool.gpu.clone(),
            credits_per_second: pool.credits_per_second,
        });
        Self {
            name: plan.name.clone(),
            monthly_credits: plan.monthly_credits,
            weight: plan.weight,
            pools: pools.collect(),
            max_run_seconds: plan.max_run_seconds,
            max_queued_jobs: plan.max_queued_jobs,
            storage_bytes: plan.storage_bytes,
            stealth_mode: plan.private,
        }
    }
}

/// A person as others see them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserCard {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    pub profile: Option<AssetView>,
    pub social_profile: Option<String>,
    /// Whether the person has left; `name` is a placeholder then, which pages show in the reader's language.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub is_deleted: bool,
}

impl UserCard {
    /// Somebody of this name, with a picture where there is one.
    #[must_use]
    pub fn new(id: UserId, name: String, profile: Option<AssetView>) -> Self {
        let is_deleted = name == users::DELETED_NAME;
        Self { id: id.0, name, profile, social_profile: None, is_deleted }
    }
}

/// Somebody who is blocked.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockView {
    pub user: UserCard,
    pub created_at: DateTime<Utc>,
}

/// An API key without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// How the key begins, to recognise it by.
    pub prefix: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

/// An API key that was just made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewApiKeyView {
    #[serde(flatten)]
    pub api_key: ApiKeyView,
    /// The whole key. Shown this once and never again.
    pub key: String,
}
