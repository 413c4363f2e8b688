//! Sign-in through Google and Discord.
//!
//! The browser goes to the provider with a state, and returns with a code and a cookie that proves that it is the same
//! browser. Users are identified by the provider's id, never by address. For an address of an existing account, the
//! answer names its way to sign in; accounts are never linked silently. A new user accepts the terms before anything is
//! stored. Their provider profile waits in the flow, because a code works only once.

use secrecy::{ExposeSecret as _, SecretString};

use super::store::{self, Flow};
use crate::database;
use crate::ids::UserId;
use crate::language::Language;
use crate::users::providers::{FlowSecrets, Provider, ProviderProfile};
use crate::users::request_origin::RequestOrigin;
use crate::users::secrets::slowdown;
use crate::users::secrets::tokens::{self, TokenHash};
use crate::users::sessions::{self, NewSession};
use crate::users::{self, check, quota};
use crate::{Code, Core, Error, Result, names};

/// Time limit for signing in at the provider and accepting the terms.
const FLOW: chrono::TimeDelta = chrono::TimeDelta::minutes(15);
/// Per client address.
const STARTS_PER_HOUR: u32 = 200;

/// A started sign-in.
#[derive(Debug)]
pub struct SocialStart {
    /// Where to redirect the browser.
    pub url: String,
    /// The value of the browser's cookie.
    pub browser: SecretString,
}

/// What the browser returns with.
#[derive(Debug)]
pub struct SocialCallback {
    /// The provider's code; `None` if only the terms were missing.
    pub code: Option<SecretString>,
    pub state: String,
    /// The browser's cookie.
    pub browser: String,
    pub language: Language,
    pub terms_accepted: bool,
    pub privacy_accepted: bool,
}

/// A finished sign-in.
#[derive(Debug)]
pub struct SocialSignIn {
    pub session: NewSession,
    /// Whether the account is new.
    pub is_new: bool,
    /// The provider's picture, for a user without one.
    pub picture: Option<String>,
}

/// The configured providers, in a fixed order.
#[must_use]
pub fn providers(core: &Core) -> Vec<Provider> {
    core.users.providers.offered()
}

/// Starts a sign-in.
///
/// # Errors
/// [`Error::NotFound`] for a provider that is not configured; [`Error::Unavailable`] if it does not answer;
/// [`Error::RateLimited`].
pub async fn start_social(core: &Core, provider: Provider, origin: &RequestOrigin) -> Result<SocialStart> {
    start(core, provider, origin, None).await
}

/// Starts a flow: to sign in, or to link the account of `user`.
pub(in crate::users) async fn start(
    core: &Core,
    provider: Provider,
    origin: &RequestOrigin,
    user: Option<UserId>,
) -> Result<SocialStart> {
    if let Some(address) = origin.address {
        quota::take(core, "social", &slowdown::network(address), STARTS_PER_HOUR).await?;
    }
    let ((state, state_hash), (browser, browser_hash)) = (tokens::session(), tokens::session());
    let ((nonce, _), (verifier, _)) = (tokens::session(), tokens::session());
    let secrets =
        FlowSecrets { state: state.expose_secret(), nonce: nonce.expose_secret(), verifier: verifier.expose_secret() };
    let url = core.users.providers.authorization_url(provider, &secrets, &core.clock).await?;
    let flow = Flow { nonce: secrets.nonce.to_owned(), verifier: secrets.verifier.to_owned(), identity: None, user };
    insert_flow(core, provider, &state_hash, &browser_hash, &flow).await?;
    Ok(SocialStart { url, browser })
}

/// Finishes a sign-in: finds the user, or creates one.
///
/// # Errors
/// `AUTH_SOCIAL_EXPIRED` for a flow of another browser, or one that is finished or expired; `AUTH_SOCIAL_REFUSED` if
/// the provider refuses the code or gives an unexpected answer; `AUTH_SOCIAL_EMAIL` if it confirms no address;
/// [`Error::AuthTermsRequired`] for a new user, who may retry with the same state and without a code;
/// [`Error::AuthAlreadyEmail`], [`Error::AuthLinkedGoogle`] and [`Error::AuthLinkedDiscord`] for the address of an
/// account; [`Error::AuthDisabled`]; [`Error::Unavailable`].
pub async fn finish_social(
    core: &Core,
    provider: Provider,
    callback: SocialCallback,
    origin: &RequestOrigin,
) -> Result<SocialSignIn> {
    let now = core.clock.now();
    let Flow { nonce, verifier, identity, .. } =
        take_flow(core, provider, &callback.state, &callback.browser, None).await?;
    let mut profile = match (identity, &callback.code) {
        (Some(profile), _) => profile,
        (None, Some(code)) => {
            core.users.providers.fetch_profile(provider, code, &nonce, &verifier, &core.clock).await?
        }
        (None, None) => return Err(Error::invalid("code", "is missing")),
    };
    profile.email = check::email(&profile.email).map_err(|message| Error::invalid("email", message))?;
    if let Some((id, is_disabled)) = store::use_identity(&core.db, &profile, now).await? {
        if is_disabled {
            return Err(Error::AuthDisabled);
        }
        let user = users::find(core, id).await?;
        let picture = profile.picture.filter(|_| user.profile.is_none());
        return Ok(SocialSignIn { session: sessions::begin(core, user, origin).await?, is_new: false, picture });
    }
    if let Some(known) = users::store::credentials(&core.db, &profile.email).await? {
        return Err(sessions::address_in_use(&known));
    }
    if !(callback.terms_accepted && callback.privacy_accepted) {
        let flow = Flow { nonce, verifier, identity: Some(profile), user: None };
        let (Some(state), Some(browser)) = (tokens::hash_of(&callback.state), tokens::hash_of(&callback.browser))
        else {
            return Err(expired());
        };
        insert_flow(core, provider, &state, &browser, &flow).await?;
        return Err(Error::AuthTermsRequired);
    }
    let session = create_user(core, &profile, callback.language, origin).await?;
    Ok(SocialSignIn { session, is_new: true, picture: profile.picture })
}

/// Takes the flow that this browser started: to sign in, or to link the account of `user`.
///
/// # Errors
/// `AUTH_SOCIAL_EXPIRED` for any other.
pub(in crate::users) async fn take_flow(
    core: &Core,
    provider: Provider,
    state: &str,
    browser: &str,
    user: Option<UserId>,
) -> Result<Flow> {
    let (Some(state), Some(browser)) = (tokens::hash_of(state), tokens::hash_of(browser)) else {
        return Err(expired());
    };
    let flow = store::take_flow(&core.db, provider, &state, &browser, user, core.clock.now()).await?;
    flow.ok_or_else(expired)
}

/// Creates a user from a provider's profile.
async fn create_user(
    core: &Core,
    profile: &ProviderProfile,
    language: Language,
    origin: &RequestOrigin,
) -> Result<NewSession> {
    users::sign_up::count_sign_up(core, origin).await?;
    let now = core.clock.now();
    let name = name(profile);
    let new = users::store::NewUser {
        email: &profile.email,
        name: &name,
        password_hash: None,
        language,
        plan: core.settings.first_plan().map_or("Free", |plan| plan.name.as_str()),
        email_verified: true,
        now,
    };
    let mut tx = database::begin(&core.db).await?;
    let id = users::store::insert(&mut tx, &new).await?;
    store::insert(&mut tx, id, profile, now).await?;
    tx.commit().await?;
    sessions::begin(core, users::find(core, id).await?, origin).await
}

async fn insert_flow(
    core: &Core,
    provider: Provider,
    state: &TokenHash,
    browser: &TokenHash,
    flow: &Flow,
) -> Result<()> {
    let now = core.clock.now();
    Ok(store::insert_flow(&core.db, provider, state, browser, flow, now, now + FLOW).await?)
}

/// A name for a new user: the provider's, shortened, else the local part of the address.
fn name(profile: &ProviderProfile) -> String {
    let cut = |text: &str| {
        let kept: String = names::composed(text.trim()).chars().filter(|c| !names::is_hidden(*c)).take(20).collect();
        check::name(&kept).ok()
    };
    let local = profile.email.split('@').next().unwrap_or_default();
    profile.name.as_deref().and_then(cut).or_else(|| cut(local)).unwrap_or_else(|| "Newcomer".to_owned())
}

/// The flow does not exist for this browser.
fn expired() -> Error {
    Error::refused(Code::AuthSocialExpired, "this sign-in took too long, or began in another browser; begin again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provider_name_becomes_a_valid_user_name() {
        let named = |name: Option<&str>, email: &str| {
            let email = email.to_owned();
            let name = name.map(str::to_owned);
            super::name(&ProviderProfile {
                provider: Provider::Google,
                subject: "1".to_owned(),
                email,
                name,
                picture: None,
            })
        };
        assert_eq!(named(Some("  Ann Lee "), "ann@example.com"), "Ann Lee");
        assert_eq!(named(Some(&"x".repeat(50)), "ann@example.com"), "x".repeat(20));
        assert_eq!(named(Some("김"), "ann@example.com"), "ann");
        assert_eq!(named(None, "a@example.com"), "Newcomer");
        assert_eq!(named(Some("\u{0}\u{7}ab"), "a@example.com"), "ab");
    }
}
