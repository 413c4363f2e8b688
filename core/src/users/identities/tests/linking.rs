//! Linking and unlinking providers.

use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;
use serde_json::json;

use crate::testing::TestCore;
use crate::testing::providers::TestProviders;
use crate::users::factory;
use crate::users::tests::{account_of, form, from};
use crate::users::*;

async fn with_providers() -> (TestCore, TestProviders) {
    let now: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
    let providers = TestProviders::start(now).await;
    let core = TestCore::with(crate::Clock::held(now), |settings| providers.configure(settings)).await;
    providers.person(json!({ "sub": "google-1", "email": "else@example.com", "email_verified": true, "name": "Ann" }));
    (core, providers)
}

async fn link(core: &Core, providers: &TestProviders, caller: &Caller, provider: Provider) -> Result<Arc<User>> {
    let started = start_linking(core, caller, provider, &from("10.0.0.1")).await?;
    let back = providers.agree(&started.url);
    let browser = started.browser.expose_secret().to_owned();
    finish_linking(core, caller, provider, LinkCallback { code: back.code, state: back.state, browser }).await
}

async fn customer(core: &Core) -> Caller {
    Caller::customer(factory::user().insert(&core.db).await)
}

fn code<T>(answer: Result<T>) -> &'static str {
    match answer {
        Err(error) => error.code().name(),
        Ok(_) => "fine",
    }
}

#[actix::test]
async fn linked_provider_signs_in_to_the_same_account() {
    let (core, providers) = with_providers().await;
    let session = account_of(&core, &form("ann@example.com"), &from("10.0.0.1")).await.expect("a user");
    let ann = Caller::customer(session.user.id);
    let linked = link(&core, &providers, &ann, Provider::Google).await.expect("a link");
    assert_eq!(linked.providers, [Provider::Google]);
    assert_eq!(linked.email, "ann@example.com", "the address stays");
    let started = start_social(&core, Provider::Google, &from("10.0.0.2")).await.expect("a flow");
    let back = providers.agree(&started.url);
    let returned = SocialCallback {
        code: Some(back.code),
        state: back.state,
        browser: started.browser.expose_secret().to_owned(),
        language: Language::En,
        terms_accepted: false,
        privacy_accepted: false,
    };
    let arrived = finish_social(&core, Provider::Google, returned, &from("10.0.0.2")).await.expect("a sign-in");
    assert!(!arrived.is_new);
    assert_eq!(arrived.session.user.id, session.user.id);
    assert_eq!(code(link(&core, &providers, &ann, Provider::Google).await), "AUTH_IDENTITY_EXISTS");
    let unlinked = unlink(&core, &ann, Provider::Google).await.expect("a password is left");
    assert!(unlinked.providers.is_empty());
    unlink(&core, &ann, Provider::Google).await.expect("a repeated call");
}

#[actix::test]
async fn identity_of_another_user_cannot_be_linked() {
    let (core, providers) = with_providers().await;
    let (ann, bob) = (customer(&core).await, customer(&core).await);
    link(&core, &providers, &ann, Provider::Google).await.expect("a link");
    assert_eq!(code(link(&core, &providers, &bob, Provider::Google).await), "AUTH_IDENTITY_TAKEN");
    assert_eq!(core.database.count("SELECT count(*) FROM user_identities").await, 1);
}

#[actix::test]
async fn flow_is_bound_to_its_purpose_user_and_browser() {
    let (core, providers) = with_providers().await;
    let (ann, bob) = (customer(&core).await, customer(&core).await);
    let begin = async |caller: Option<&Caller>| {
        let origin = from("10.0.0.1");
        let started = match caller {
            Some(caller) => start_linking(&core, caller, Provider::Google, &origin).await.expect("a flow"),
            None => start_social(&core, Provider::Google, &origin).await.expect("a flow"),
        };
        (providers.agree(&started.url), started.browser.expose_secret().to_owned())
    };
    let finish = async |caller: &Caller, back: crate::testing::providers::ProviderCallback, browser: String| {
        let back = LinkCallback { code: back.code, state: back.state, browser };
        code(finish_linking(&core, caller, Provider::Google, back).await)
    };
    let (back, browser) = begin(Some(&ann)).await;
    assert_eq!(finish(&bob, back, browser).await, "AUTH_SOCIAL_EXPIRED", "another user's flow");
    let (back, browser) = begin(None).await;
    assert_eq!(finish(&ann, back, browser).await, "AUTH_SOCIAL_EXPIRED", "a sign-in");
    let (back, _) = begin(Some(&ann)).await;
    let (_, other) = begin(Some(&ann)).await;
    assert_eq!(finish(&ann, back, other).await, "AUTH_SOCIAL_EXPIRED", "another browser");
    let (back, browser) = begin(Some(&ann)).await;
    let returned = SocialCallback {
        code: Some(back.code),
        state: back.state,
        browser,
        language: Language::En,
        terms_accepted: true,
        privacy_accepted: true,
    };
    let crossed = finish_social(&core, Provider::Google, returned, &from("10.0.0.1")).await;
    assert_eq!(code(crossed), "AUTH_SOCIAL_EXPIRED", "linking must not create an account");
}

#[actix::test]
async fn last_way_to_sign_in_cannot_be_removed() {
    let (core, providers) = with_providers().await;
    let ann = customer(&core).await;
    link(&core, &providers, &ann, Provider::Google).await.expect("a link");
    assert_eq!(code(unlink(&core, &ann, Provider::Google).await), "AUTH_LAST_WAY");
    let mine = json!({ "id": "80351110224678912", "username": "ann", "email": "a@example.com", "verified": true });
    providers.person(mine);
    link(&core, &providers, &ann, Provider::Discord).await.expect("a second one");
    let left = unlink(&core, &ann, Provider::Google).await.expect("the other is left");
    assert_eq!(left.providers, [Provider::Discord]);
    assert_eq!(code(unlink(&core, &ann, Provider::Discord).await), "AUTH_LAST_WAY");
    let program = Caller { auth_method: crate::caller::AuthMethod::ApiKey(crate::ids::ApiKeyId::new()), ..ann.clone() };
    assert_eq!(code(unlink(&core, &program, Provider::Discord).await), "SESSION_REQUIRED");
    assert_eq!(code(start_linking(&core, &program, Provider::Google, &from("10.0.0.1")).await), "SESSION_REQUIRED");
    assert_eq!(code(unlink(&core, &Caller::guest(), Provider::Discord).await), "AUTH_LOGIN_REQUIRED");
}

#[actix::test]
async fn terms_version_is_stored_with_the_agreement() {
    let core = TestCore::new().await;
    account_of(&core, &form("ann@example.com"), &from("10.0.0.1")).await.expect("a user");
    let agreed = core
        .database
        .count("SELECT count(*) FROM users WHERE terms_version = '2026-11-21' AND terms_accepted_at = created_at")
        .await;
    assert_eq!((agreed, TERMS_VERSION), (1, "2026-11-21"));
}
