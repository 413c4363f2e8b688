//! People and their API keys.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::assets::AssetView;
use super::credits::BalanceView;

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
    /// A picture's address at a sign-in provider; always `null` for people who sign in with a password.
    pub social_profile: Option<String>,
    pub credits: BalanceView,
    pub created_at: DateTime<Utc>,
}

/// A plan that somebody has.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionView {
    #[schema(example = "Free")]
    pub name: String,
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
