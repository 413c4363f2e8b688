//! Connecting and disconnecting providers.

use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;
use serde_json::json;

use crate::testing::TestCore;
use crate::testing::vendors::Vendors;
use crate::users::factory;
use crate::users::tests::{account_of, form, from};
use crate::users::*;

async fn with_vendors() -> (TestCore, Vendors) {
    let now: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
    let vendors = Vendors::start(now).await;
    let core = TestCore::with(crate::Clock::held(now), |settings| vendors.configure(settings)).await;
    vendors.person(json!({ "sub": "google-1", "email": "else@example.com", "email_verified": true, "name": "Ann" }));
    (core, vendors)
}

async fn link(core: &Core, vendors: &Vendors, caller: &Caller, provider: Provider) -> Result<Arc<User>> {
    let started = start_linking(core, caller, provider, &from("10.0.0.1")).await?;
    let back = vendors.agree(&started.url);
    let browser = started.browser.expose_secret().to_owned();
    finish_linking(core, caller, provider, LinkReturn { code: back.code, state: back.state, browser }).await
}

async fn somebody(core: &Core) -> Caller {
    Caller::customer(factory::user().insert(&core.db).await)
}

fn code<T>(answer: Result<T>) -> &'static str {
    match answer {
        Err(error) => error.code().name(),
        Ok(_) => "fine",
    }
}

#[actix::test]
async fn a_connected_provider_leads_into_the_same_account() {
    let (core, vendors) = with_vendors().await;
    let session = account_of(&core, &form("ann@example.com"), &from("10.0.0.1")).await.expect("a person");
    let ann = Caller::customer(session.user.id);
    let linked = link(&core, &vendors, &ann, Provider::Google).await.expect("a connection");
    assert_eq!(linked.providers, [Provider::Google]);
    assert_eq!(linked.email, "ann@example.com", "the address stays");
    let started = start_social(&core, Provider::Google, &from("10.0.0.2")).await.expect("a way in");
    let back = vendors.agree(&started.url);
    let returned = Returned {
        code: Some(back.code),
        state: back.state,
        browser: started.browser.expose_secret().to_owned(),
        language: Language::En,
        terms_accepted: false,
        privacy_accepted: false,
    };
    let arrived = finish_social(&core, Provider::Google, returned, &from("10.0.0.2")).await.expect("somebody");
    assert!(!arrived.is_new);
    assert_eq!(arrived.session.user.id, session.user.id);
    assert_eq!(code(link(&core, &vendors, &ann, Provider::Google).await), "AUTH_IDENTITY_EXISTS");
    let apart = unlink(&core, &ann, Provider::Google).await.expect("a password is left");
    assert!(apart.providers.is_empty());
    unlink(&core, &ann, Provider::Google).await.expect("harmless when repeated");
}

#[actix::test]
async fn an_account_that_signs_somebody_else_in_is_not_taken_from_them() {
    let (core, vendors) = with_vendors().await;
    let (ann, bob) = (somebody(&core).await, somebody(&core).await);
    link(&core, &vendors, &ann, Provider::Google).await.expect("a connection");
    assert_eq!(code(link(&core, &vendors, &bob, Provider::Google).await), "AUTH_IDENTITY_TAKEN");
    assert_eq!(core.database.count("SELECT count(*) FROM user_identities").await, 1);
}

#[actix::test]
async fn a_way_that_was_begun_for_one_purpose_or_person_ends_for_no_other() {
    let (core, vendors) = with_vendors().await;
    let (ann, bob) = (somebody(&core).await, somebody(&core).await);
    let begin = async |caller: Option<&Caller>| {
        let origin = from("10.0.0.1");
        let started = match caller {
            Some(caller) => start_linking(&core, caller, Provider::Google, &origin).await.expect("a way"),
            None => start_social(&core, Provider::Google, &origin).await.expect("a way"),
        };
        (vendors.agree(&started.url), started.browser.expose_secret().to_owned())
    };
    let finish = async |caller: &Caller, back: crate::testing::vendors::Back, browser: String| {
        let back = LinkReturn { code: back.code, state: back.state, browser };
        code(finish_linking(&core, caller, Provider::Google, back).await)
    };
    let (back, browser) = begin(Some(&ann)).await;
    assert_eq!(finish(&bob, back, browser).await, "AUTH_SOCIAL_EXPIRED", "somebody else's");
    let (back, browser) = begin(None).await;
    assert_eq!(finish(&ann, back, browser).await, "AUTH_SOCIAL_EXPIRED", "a sign-in");
    let (back, _) = begin(Some(&ann)).await;
    let (_, other) = begin(Some(&ann)).await;
    assert_eq!(finish(&ann, back, other).await, "AUTH_SOCIAL_EXPIRED", "another browser");
    let (back, browser) = begin(Some(&ann)).await;
    let returned = Returned {
        code: Some(back.code),
        state: back.state,
        browser,
        language: Language::En,
        terms_accepted: true,
        privacy_accepted: true,
    };
    let crossed = finish_social(&core, Provider::Google, returned, &from("10.0.0.1")).await;
    assert_eq!(code(crossed), "AUTH_SOCIAL_EXPIRED", "connecting makes no account");
}

#[actix::test]
async fn the_last_way_in_stays() {
    let (core, vendors) = with_vendors().await;
    let ann = somebody(&core).await;
    link(&core, &vendors, &ann, Provider::Google).await.expect("a connection");
    assert_eq!(code(unlink(&core, &ann, Provider::Google).await), "AUTH_LAST_WAY");
    let mine = json!({ "id": "80351110224678912", "username": "ann", "email": "a@example.com", "verified": true });
    vendors.person(mine);
    link(&core, &vendors, &ann, Provider::Discord).await.expect("a second one");
    let left = unlink(&core, &ann, Provider::Google).await.expect("the other is left");
    assert_eq!(left.providers, [Provider::Discord]);
    assert_eq!(code(unlink(&core, &ann, Provider::Discord).await), "AUTH_LAST_WAY");
    let program = Caller { via: crate::caller::Via::ApiKey(crate::ids::ApiKeyId::new()), ..ann.clone() };
    assert_eq!(code(unlink(&core, &program, Provider::Discord).await), "SESSION_REQUIRED");
    assert_eq!(code(start_linking(&core, &program, Provider::Google, &from("10.0.0.1")).await), "SESSION_REQUIRED");
    assert_eq!(code(unlink(&core, &Caller::guest(), Provider::Discord).await), "AUTH_LOGIN_REQUIRED");
}

#[actix::test]
async fn an_agreement_is_kept_with_its_version() {
    let core = TestCore::new().await;
    account_of(&core, &form("ann@example.com"), &from("10.0.0.1")).await.expect("a person");
    let agreed = core
        .database
        .count("SELECT count(*) FROM users WHERE terms_version = '2026-11-21' AND terms_accepted_at = created_at")
        .await;
    assert_eq!((agreed, TERMS_VERSION), (1, "2026-11-21"));
}
