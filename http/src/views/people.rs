//! Users as admins see them.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::settings::Plan;
use verdigraph_core::users::{Sighting, User};

use super::assets::AssetView;
use super::moderation::DecisionView;
use super::users::{BanView, UserCard};
use crate::openapi::ToSchema;

/// A user with fields that only admins see.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// Distinguishes users of the same name: `#1234`.
    pub name_tag: String,
    pub email: String,
    pub email_verified: bool,
    /// `en` or `ko`.
    pub language: &'static str,
    /// `Customer`, and `Admin` for admins.
    pub roles: Vec<&'static str>,
    /// The plan in effect.
    pub plan: String,
    /// The end of a plan that was given for a time.
    pub plan_until: Option<DateTime<Utc>>,
    /// The plan that holds after it.
    pub own_plan: String,
    pub profile: Option<AssetView>,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Sign-in providers: `Google`, `Discord`.
    pub sign_in_with: Vec<&'static str>,
    /// The current ban.
    pub ban: Option<BanView>,
    pub created_at: DateTime<Utc>,
}

impl PersonView {
    /// The view at this time, with the profile picture. `plans` are those of the settings.
    #[must_use]
    pub fn new(user: &User, profile: Option<AssetView>, plans: &[Plan], now: DateTime<Utc>) -> Self {
        Self {
            id: user.id.0,
            name: user.name.clone(),
            name_tag: user.name_tag(),
            email: user.email.clone(),
            email_verified: user.email_verified,
            language: user.language.tag(),
            roles: user.roles().to_vec(),
            plan: user.plan_at(plans, now).to_owned(),
            plan_until: user.given_plan_in_effect_at(plans, now).map(|given| given.until),
            own_plan: user.own_plan.clone(),
            profile,
            has_password: user.has_password,
            sign_in_with: user.providers.iter().map(|provider| provider.word()).collect(),
            ban: user.ban_at(now).map(BanView::from),
            created_at: user.created_at,
        }
    }
}

/// A user with credits, sessions and moderation history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonDetailView {
    #[serde(flatten)]
    pub person: PersonView,
    /// Credits available for the next job.
    pub credits: i64,
    /// Number of sessions.
    pub session_count: i64,
    /// Decisions about the user and their content, newest first.
    pub history: Vec<DecisionView>,
}

/// A user's session, with the IP address that it started at.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SightingView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub user: Option<UserCard>,
    pub address: Option<String>,
    /// The user agent.
    pub user_agent: Option<String>,
    pub created_at: DateTime<Utc>,
    /// To ten minutes.
    pub last_seen_at: DateTime<Utc>,
}

impl SightingView {
    /// The view, with the user.
    #[must_use]
    pub fn new(seen: Sighting, user: Option<UserCard>) -> Self {
        Self {
            id: seen.id,
            user,
            address: seen.address,
            user_agent: seen.user_agent,
            created_at: seen.created_at,
            last_seen_at: seen.last_seen_at,
        }
    }
}
