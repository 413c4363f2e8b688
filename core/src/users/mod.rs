//! Users: sign-up, sign-in (with a password, or through Google and Discord), verified addresses, password recovery,
//! sessions, API keys.
//!
//! Tokens and keys are random and stored only as hashes. The user of a token is cached for a short time, so that most
//! requests need no database query. A change invalidates the caches of all nodes at once.

mod api_keys;
mod auth_watch;
mod ban;
mod bans;
mod blocks;
mod chat;
mod check;
mod contact_points;
mod deletion;
mod directory;
mod gate;
mod house;
mod identities;
mod plans;
mod profile;
mod proofs;
mod providers;
mod quota;
mod recovery;
mod request_origin;
mod roles;
mod secrets;
mod sessions;
mod sign_up;
mod stealth_mode;
mod store;
mod user;
mod user_cache;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub use api_keys::api_key::ApiKey;
pub use api_keys::{NewApiKey, api_keys, by_api_key, create_api_key, revoke_api_key};
pub use auth_watch::{AuthWatch, Credential};
pub use ban::Ban;
pub use bans::{ban_tx, lift_ban_tx};
pub use blocks::{Block, MAX_BLOCKS, block, blocked_among, blocks, has_blocked, unblock};
pub use chat::{ChatMember, chat_member};
pub use contact_points::contact_point::{ContactKind, ContactPoint};
pub use contact_points::{contact_points, set_contact_points};
pub use deletion::{DeletionProof, authorize_export, delete, deleted_users, mark_cleaned_up};
pub use directory::filter::PeopleFilter;
pub use directory::filtered::{count, counts, filtered, public_counts};
pub use directory::people::{MAX_PEOPLE, people, session_count, sightings, similar};
pub use directory::sighting::Sighting;
pub use gate::{PublishPermit, WritePermit, may_publish, may_take_part};
pub use house::house;
pub use identities::linking::{LinkCallback, finish_linking, start_linking, unlink};
pub use identities::social::{SocialCallback, SocialSignIn, SocialStart, finish_social, providers, start_social};
pub use plans::{
    PlanDays, add_plan_days_tx, first_plan, give_plan, give_plan_to, plan, plan_of, plan_with_allowance,
    rank_without_subscription, set_subscription_plan_tx,
};
pub use profile::{set_ceilings, set_language, set_name, set_profile};
pub use proofs::verification::{can_be_mailed, confirm, confirm_account, resend_verification, verify_email};
pub use providers::Provider;
pub use quota::{take as take_quota, take_from as take_quota_from};
pub use recovery::{change_password, forgot_password, reset_password};
pub use request_origin::RequestOrigin;
pub use roles::{promote, set_admin};
pub use secrets::tokens::xsrf_token;
pub use sessions::session::Session;
pub use sessions::{NewSession, by_session, revoke_other_sessions, revoke_session, sessions, sign_in, sign_out};
pub use sign_up::form::{SignUp, TERMS_VERSION};
pub use sign_up::{PendingSignUp, SignUpOutcome, delete_expired_sign_ups, finish_sign_up, sign_up};
pub use stealth_mode::StealthMode;
pub use user::{Ceilings, DELETED_NAME, GivenPlan, User};
pub use user_cache::{AuthenticatedUser, UserCache, delete_old_revocations};

pub use crate::language::Language;

use crate::ids::UserId;
use crate::{Caller, Core, Error, Result};

/// # Errors
/// [`Error::NotFound`] if there is none.
pub async fn find(core: &Core, id: UserId) -> Result<Arc<User>> {
    if let Some(user) = core.users.by_id(id) {
        return Ok(user);
    }
    read(core, &[id]).await?.pop().ok_or(Error::NotFound { what: "user" })
}

/// Existing users by id. Users that are not cached are read in one query.
pub async fn find_all(core: &Core, ids: &[UserId]) -> Result<HashMap<UserId, Arc<User>>> {
    let mut found: Vec<Arc<User>> = ids.iter().filter_map(|id| core.users.by_id(*id)).collect();
    let known: HashSet<UserId> = found.iter().map(|user| user.id).collect();
    let unknown: Vec<UserId> = ids.iter().copied().filter(|id| !known.contains(id)).collect();
    if !unknown.is_empty() {
        found.extend(read(core, &unknown).await?);
    }
    Ok(found.into_iter().map(|user| (user.id, user)).collect())
}

/// The user with this address, if it is verified or this installation verifies none; `field` names the
/// field of the address.
///
/// # Errors
/// [`Error::Invalid`] for an invalid address.
pub async fn by_email(core: &Core, field: &str, text: &str) -> Result<Option<Arc<User>>> {
    let email = check::email(text).map_err(|message| Error::invalid(field, message))?;
    let Some(id) = store::by_email(&core.db, &email).await? else { return Ok(None) };
    let found = read(core, &[id]).await?.pop();
    Ok(found.filter(|user| can_be_mailed(core, user)))
}

/// Reads users, and caches them unless the cache was invalidated in the meantime.
async fn read(core: &Core, ids: &[UserId]) -> Result<Vec<Arc<User>>> {
    let before = core.users.generation();
    let users: Vec<Arc<User>> = store::find(&core.db, ids).await?.into_iter().map(Arc::new).collect();
    for user in &users {
        core.users.insert_user(user, before);
    }
    Ok(users)
}

/// The signed-in user.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn current(core: &Core, caller: &Caller) -> Result<Arc<User>> {
    match find(core, caller.signed_in()?).await {
        Err(Error::NotFound { .. }) => Err(Error::LoginRequired),
        other => other,
    }
}

/// Whether there are no users yet, apart from the platform itself.
pub async fn is_empty(core: &Core) -> Result<bool> {
    Ok(store::is_empty(&core.db).await?)
}

/// Invalidates this user on all nodes. Call it after committing a transaction with [`ban_tx`] or [`lift_ban_tx`], which
/// have recorded the revocation for nodes that miss this message.
pub async fn invalidate(core: &Core, id: UserId) {
    user_cache::invalidate(core, id).await;
}

#[cfg(feature = "testing")]
pub mod factory;

#[cfg(test)]
mod tests;
