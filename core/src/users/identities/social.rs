//! Signing in through Google and Discord.
//!
//! A browser leaves with a state, comes back with a code, and shows by a cookie that it is the one that left. Whom the
//! provider tells is known by the provider's id, never by address: an address that belongs to an account already is
//! told where it signs in, and nothing is linked silently. Whoever comes for the first time agrees to the terms before
//! anything is kept; what the provider told waits for them in the flow, because a code works once.

use secrecy::{ExposeSecret as _, SecretString};

use super::store::{self, Flow};
use crate::ids::UserId;
use crate::language::Language;
use crate::users::origin::Origin;
use crate::users::providers::{Provider, Secrets, Told};
use crate::users::secrets::slowdown;
use crate::users::secrets::tokens::{self, TokenHash};
use crate::users::sessions::{self, NewSession};
use crate::users::{self, check, quota};
use crate::{Code, Core, Error, Result, names};

/// How long somebody may take at the provider, or with the terms.
const FLOW: chrono::TimeDelta = chrono::TimeDelta::minutes(15);
/// Ways to a provider that one address may begin in an hour.
const STARTS_PER_HOUR: u32 = 200;

/// A sign-in that has begun.
#[derive(Debug)]
pub struct Started {
    /// Where the browser goes.
    pub url: String,
    /// What it shows when it comes back: for a cookie of its own.
    pub browser: SecretString,
}

/// What a browser comes back with.
#[derive(Debug)]
pub struct Returned {
    /// The provider's code; `None` where only the terms were missing.
    pub code: Option<SecretString>,
    pub state: String,
    /// The browser's cookie.
    pub browser: String,
    pub language: Language,
    pub terms_accepted: bool,
    pub privacy_accepted: bool,
}

/// Somebody who came back.
#[derive(Debug)]
pub struct Arrived {
    pub session: NewSession,
    /// Whether they are new here.
    pub is_new: bool,
    /// Where the provider has a picture of them, for somebody who has none here.
    pub picture: Option<String>,
}

/// The providers at which people may sign in, in a fixed order.
#[must_use]
pub fn providers(core: &Core) -> Vec<Provider> {
    core.users.providers.offered()
}

/// Begins a sign-in.
///
/// # Errors
/// [`Error::NotFound`] for a provider that is not configured; [`Error::Unavailable`] for one that does not answer;
/// [`Error::RateLimited`].
pub async fn start_social(core: &Core, provider: Provider, origin: &Origin) -> Result<Started> {
    start(core, provider, origin, None).await
}

/// Begins a way to a provider: to sign in, or for `user` to connect their account.
pub(in crate::users) async fn start(
    core: &Core,
    provider: Provider,
    origin: &Origin,
    user: Option<UserId>,
) -> Result<Started> {
    if let Some(address) = origin.address {
        quota::take(core, "social", &slowdown::network(address), STARTS_PER_HOUR).await?;
    }
    let ((state, state_hash), (browser, browser_hash)) = (tokens::session(), tokens::session());
    let ((nonce, _), (verifier, _)) = (tokens::session(), tokens::session());
    let secrets =
        Secrets { state: state.expose_secret(), nonce: nonce.expose_secret(), verifier: verifier.expose_secret() };
    let url = core.users.providers.way_in(provider, &secrets, &core.clock).await?;
    let flow = Flow { nonce: secrets.nonce.to_owned(), verifier: secrets.verifier.to_owned(), identity: None, user };
    keep(core, provider, &state_hash, &browser_hash, &flow).await?;
    Ok(Started { url, browser })
}

/// Ends a sign-in: finds the person, or makes one.
///
/// # Errors
/// `AUTH_SOCIAL_EXPIRED` for a way that this browser did not begin, has ended already or that took too long;
/// `AUTH_SOCIAL_REFUSED` where the provider refuses the code or tells something else than was asked for;
/// `AUTH_SOCIAL_EMAIL` where it confirms no address; [`Error::AuthTermsRequired`] for somebody new, who may come again
/// with the same state and without a code; [`Error::AuthAlreadyEmail`], [`Error::AuthLinkedGoogle`] and
/// [`Error::AuthLinkedDiscord`] where the address belongs to an account; [`Error::AuthDisabled`];
/// [`Error::Unavailable`].
pub async fn finish_social(core: &Core, provider: Provider, back: Returned, origin: &Origin) -> Result<Arrived> {
    let now = core.clock.now();
    let Flow { nonce, verifier, identity, .. } = take(core, provider, &back.state, &back.browser, None).await?;
    let mut told = match (identity, &back.code) {
        (Some(told), _) => told,
        (None, Some(code)) => core.users.providers.told(provider, code, &nonce, &verifier, &core.clock).await?,
        (None, None) => return Err(Error::invalid("code", "is missing")),
    };
    told.email = check::email(&told.email).map_err(|message| Error::invalid("email", message))?;
    if let Some((id, is_disabled)) = store::use_identity(&core.db, &told, now).await? {
        if is_disabled {
            return Err(Error::AuthDisabled);
        }
        let user = users::find(core, id).await?;
        let picture = told.picture.filter(|_| user.profile.is_none());
        return Ok(Arrived { session: sessions::begin(core, user, origin).await?, is_new: false, picture });
    }
    if let Some(known) = users::store::credentials(&core.db, &told.email).await? {
        return Err(sessions::taken(&known));
    }
    if !(back.terms_accepted && back.privacy_accepted) {
        let flow = Flow { nonce, verifier, identity: Some(told), user: None };
        let (Some(state), Some(browser)) = (tokens::presented(&back.state), tokens::presented(&back.browser)) else {
            return Err(expired());
        };
        keep(core, provider, &state, &browser, &flow).await?;
        return Err(Error::AuthTermsRequired);
    }
    let session = join(core, &told, back.language, origin).await?;
    Ok(Arrived { session, is_new: true, picture: told.picture })
}

/// Takes the way that this browser began: to sign in, or for `user` to connect their account.
///
/// # Errors
/// `AUTH_SOCIAL_EXPIRED` for any other.
pub(in crate::users) async fn take(
    core: &Core,
    provider: Provider,
    state: &str,
    browser: &str,
    user: Option<UserId>,
) -> Result<Flow> {
    let (Some(state), Some(browser)) = (tokens::presented(state), tokens::presented(browser)) else {
        return Err(expired());
    };
    let flow = store::take_flow(&core.db, provider, &state, &browser, user, core.clock.now()).await?;
    flow.ok_or_else(expired)
}

/// Makes a person of whom the provider told.
async fn join(core: &Core, told: &Told, language: Language, origin: &Origin) -> Result<NewSession> {
    users::sign_up::count_sign_up(core, origin).await?;
    let now = core.clock.now();
    let name = name(told);
    let new = users::store::NewUser {
        email: &told.email,
        name: &name,
        password_hash: None,
        language,
        plan: core.settings.first_plan().map_or("Free", |plan| plan.name.as_str()),
        email_verified: true,
        now,
    };
    let mut tx = core.db.begin().await?;
    let id = users::store::insert(&mut tx, &new).await?;
    store::insert(&mut tx, id, told, now).await?;
    tx.commit().await?;
    sessions::begin(core, users::find(core, id).await?, origin).await
}

async fn keep(core: &Core, provider: Provider, state: &TokenHash, browser: &TokenHash, flow: &Flow) -> Result<()> {
    let now = core.clock.now();
    Ok(store::insert_flow(&core.db, provider, state, browser, flow, now, now + FLOW).await?)
}

/// A name for somebody new: the provider's, cut to our length, else the beginning of the address.
fn name(told: &Told) -> String {
    let cut = |text: &str| {
        let kept: String = names::composed(text.trim()).chars().filter(|c| !names::is_hidden(*c)).take(20).collect();
        check::name(&kept).ok()
    };
    let local = told.email.split('@').next().unwrap_or_default();
    told.name.as_deref().and_then(cut).or_else(|| cut(local)).unwrap_or_else(|| "Newcomer".to_owned())
}

/// The way back is not one that this browser may take.
fn expired() -> Error {
    Error::refused(Code::AuthSocialExpired, "this sign-in took too long, or began in another browser; begin again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_provider_calls_somebody_becomes_a_name_of_ours() {
        let named = |name: Option<&str>, email: &str| {
            let email = email.to_owned();
            let name = name.map(str::to_owned);
            super::name(&Told { provider: Provider::Google, subject: "1".to_owned(), email, name, picture: None })
        };
        assert_eq!(named(Some("  Ann Lee "), "ann@example.com"), "Ann Lee");
        assert_eq!(named(Some(&"x".repeat(50)), "ann@example.com"), "x".repeat(20));
        assert_eq!(named(Some("김"), "ann@example.com"), "ann");
        assert_eq!(named(None, "a@example.com"), "Newcomer");
        assert_eq!(named(Some("\u{0}\u{7}ab"), "a@example.com"), "ab");
    }
}
