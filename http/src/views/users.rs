//! Users and their API keys.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::ids::UserId;
use verdigraph_core::settings::{Plan, Settings};
use verdigraph_core::users::{self, Ban, Session};

use super::assets::AssetView;
use super::credits::BalanceView;
use crate::openapi::ToSchema;

/// The signed-in user.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// Distinguishes users of the same name: `#1234`.
    pub name_tag: String,
    pub email: String,
    /// `en` or `ko`.
    pub language: String,
    /// `Customer`, and `Admin` for admins.
    pub roles: Vec<String>,
    /// The first one's name is the plan.
    pub subscriptions: Vec<SubscriptionView>,
    pub profile: Option<AssetView>,
    /// Always `null`: sign-in providers' pictures are copied to `profile`, because pages load no foreign pictures.
    pub social_profile: Option<String>,
    pub credits: BalanceView,
    /// Whether the user has confirmed the address.
    pub email_verified: bool,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Sign-in providers: `Google`, `Discord`.
    pub sign_in_with: Vec<String>,
    /// The current ban.
    pub ban: Option<BanView>,
    pub created_at: DateTime<Utc>,
}

/// A ban: the user can read but not take part.
#[derive(Debug, Serialize, ToSchema)]
pub struct BanView {
    pub since: DateTime<Utc>,
    /// `null` for a permanent ban.
    pub until: Option<DateTime<Utc>>,
    /// The reason shown to the user.
    pub reason: String,
}

impl From<&Ban> for BanView {
    fn from(ban: &Ban) -> Self {
        Self { since: ban.since, until: ban.until, reason: ban.reason.clone() }
    }
}

/// A user's plan.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionView {
    #[schema(example = "Free")]
    pub name: String,
}

/// A session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The user agent.
    pub user_agent: Option<String>,
    /// The IP address that the session started at.
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
    /// To ten minutes.
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// Whether it is the current session.
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

/// A plan's limits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanView {
    #[schema(example = "Free")]
    pub name: String,
    /// Credits granted every month.
    pub monthly_credits: i64,
    /// Share of the workers relative to other waiting users.
    pub weight: u32,
    /// The pools that its jobs may use, preferred ones first.
    pub pools: Vec<PoolView>,
    /// Longest run time of a job.
    pub max_run_seconds: u64,
    /// Most jobs that may be pending or running.
    pub max_queued_jobs: u64,
    /// Most bytes of uploads.
    pub storage_bytes: u64,
    /// Whether published content may become private again (Stealth Mode).
    pub stealth_mode: bool,
}

/// A user's plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionPlanView {
    #[serde(flatten)]
    pub plan: PlanView,
    /// The end of a plan that was given for a time.
    pub until: Option<DateTime<Utc>>,
    /// The plan that holds after it.
    pub next_plan: Option<String>,
}

/// A pool of workers with one price.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoolView {
    pub name: String,
    /// The name shown to users.
    pub title: String,
    /// Class of the machines.
    #[schema(example = "24 GB")]
    pub gpu: String,
    pub credits_per_second: i64,
}

impl PlanView {
    /// The view, with the pools of these settings.
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

/// A user's public card.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserCard {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    pub profile: Option<AssetView>,
    pub social_profile: Option<String>,
    /// Whether the account was deleted; `name` is a placeholder then, which pages show in their language.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub is_deleted: bool,
}

impl UserCard {
    /// A card.
    #[must_use]
    pub fn new(id: UserId, name: String, profile: Option<AssetView>) -> Self {
        let is_deleted = name == users::DELETED_NAME;
        Self { id: id.0, name, profile, social_profile: None, is_deleted }
    }
}

/// A blocked user.
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
    /// The key's first characters, to recognize it by.
    pub prefix: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A new API key.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewApiKeyView {
    #[serde(flatten)]
    pub api_key: ApiKeyView,
    /// The whole key. It is shown only once.
    pub key: String,
}
