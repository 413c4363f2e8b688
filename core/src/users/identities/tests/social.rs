//! Sign-in through mocks of Google and Discord.

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::ExposeSecret;
use serde_json::json;

use crate::testing::TestCore;
use crate::testing::providers::{ProviderCallback, TestProviders, TokenFault};
use crate::users::tests::{caller, form, from, secret, signed_up};
use crate::users::*;

async fn with_providers() -> (TestCore, TestProviders) {
    let now: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
    let providers = TestProviders::start(now).await;
    let core = TestCore::with(crate::Clock::held(now), |settings| providers.configure(settings)).await;
    providers.person(json!({
        "sub": "google-1", "email": "Ann@example.com", "email_verified": true, "name": "Ann Lee",
        "picture": format!("{}/picture.png", providers.url),
    }));
    (core, providers)
}

fn discord(id: &str, email: &str) -> serde_json::Value {
    json!({ "id": id, "username": "ann_lee", "global_name": "Ann", "avatar": "abc123", "email": email, "verified": true })
}

/// Goes to the provider, agrees there, and returns.
async fn agree(core: &Core, providers: &TestProviders, provider: Provider) -> (ProviderCallback, String) {
    let started = start_social(core, provider, &from("10.0.0.1")).await.expect("a flow");
    (providers.agree(&started.url), started.browser.expose_secret().to_owned())
}

fn returned(back: ProviderCallback, browser: &str) -> SocialCallback {
    SocialCallback {
        code: Some(back.code),
        state: back.state,
        browser: browser.to_owned(),
        language: Language::Ko,
        terms_accepted: true,
        privacy_accepted: true,
    }
}

async fn sign_in_with(core: &Core, providers: &TestProviders, provider: Provider) -> Result<SocialSignIn> {
    let (back, browser) = agree(core, providers, provider).await;
    finish_social(core, provider, returned(back, &browser), &from("10.0.0.1")).await
}

fn code<T>(answer: &Result<T>) -> &'static str {
    match answer {
        Err(error) => error.code().name(),
        Ok(_) => "fine",
    }
}

#[actix::test]
async fn google_sign_in_creates_a_user_and_finds_them_again() {
    let (core, providers) = with_providers().await;
    assert_eq!(crate::users::providers(&core), Provider::ALL);
    let first = sign_in_with(&core, &providers, Provider::Google).await.expect("a sign-in");
    let user = &first.session.user;
    assert!(first.is_new && user.email_verified && !user.has_password);
    assert_eq!((user.email.as_str(), user.name.as_str(), user.language), ("ann@example.com", "Ann Lee", Language::Ko));
    assert_eq!(user.providers, [Provider::Google]);
    assert!(first.picture.is_some_and(|url| url.ends_with("/picture.png")));
    assert!(core.mails().await.is_empty(), "an address verified by Google needs no mail");
    // The address changed at Google; the user is identified by id.
    providers.person(json!({ "sub": "google-1", "email": "new@example.com", "email_verified": "true" }));
    let again = sign_in_with(&core, &providers, Provider::Google).await.expect("a sign-in");
    assert!(!again.is_new);
    assert_eq!(again.session.user.id, user.id);
    assert_eq!(core.database.count("SELECT count(*) FROM users").await, 1);
}

#[actix::test]
async fn discord_sign_in_creates_a_user() {
    let (core, providers) = with_providers().await;
    providers.person(discord("80351110224678912", "ann@example.com"));
    let arrived = sign_in_with(&core, &providers, Provider::Discord).await.expect("a sign-in");
    assert!(arrived.is_new && arrived.session.user.email_verified);
    let picture = format!("{}/avatars/80351110224678912/abc123.png?size=256", providers.url);
    assert_eq!(arrived.picture, Some(picture));
    assert_eq!(arrived.session.user.providers, [Provider::Discord]);
}

#[actix::test]
async fn invalid_id_tokens_are_refused() {
    let (core, providers) = with_providers().await;
    for tamper in [
        TokenFault::Nonce,
        TokenFault::NoNonce,
        TokenFault::Audience,
        TokenFault::Issuer,
        TokenFault::Expired,
        TokenFault::Future,
        TokenFault::Party,
        TokenFault::AlgNone,
        TokenFault::AlgHmac,
        TokenFault::Forged,
        TokenFault::UnknownKey,
        TokenFault::Changed,
    ] {
        providers.tamper(tamper);
        let answer = sign_in_with(&core, &providers, Provider::Google).await;
        assert_eq!(code(&answer), "AUTH_SOCIAL_REFUSED", "{tamper:?}");
    }
    assert_eq!(core.database.count("SELECT count(*) FROM users").await, 0);
    providers.tamper(TokenFault::Nothing);
    sign_in_with(&core, &providers, Provider::Google).await.expect("a valid token");
}

#[actix::test]
async fn unconfirmed_address_of_a_provider_is_refused() {
    let (core, providers) = with_providers().await;
    for person in [
        json!({ "sub": "1", "email": "ann@example.com", "email_verified": false }),
        json!({ "sub": "1", "email": "ann@example.com" }),
        json!({ "sub": "1", "email_verified": true }),
    ] {
        providers.person(person.clone());
        assert_eq!(code(&sign_in_with(&core, &providers, Provider::Google).await), "AUTH_SOCIAL_EMAIL", "{person}");
    }
    for person in [
        json!({ "id": "1", "username": "ann", "email": "ann@example.com", "verified": false }),
        json!({ "id": "1", "username": "ann", "email": null, "verified": true }),
    ] {
        providers.person(person.clone());
        assert_eq!(code(&sign_in_with(&core, &providers, Provider::Discord).await), "AUTH_SOCIAL_EMAIL", "{person}");
    }
    providers.person(json!({ "id": "../../evil", "username": "x", "email": "ann@example.com", "verified": true }));
    assert_eq!(code(&sign_in_with(&core, &providers, Provider::Discord).await), "AUTH_SOCIAL_REFUSED");
}

#[actix::test]
async fn flow_is_finished_once_in_time_and_by_its_browser() {
    let (core, providers) = with_providers().await;
    let (back, browser) = agree(&core, &providers, Provider::Google).await;
    let (other_back, other_browser) = agree(&core, &providers, Provider::Google).await;
    let finish = |provider: Provider, back: ProviderCallback, browser: String| {
        let core = &core;
        async move { finish_social(core, provider, returned(back, &browser), &RequestOrigin::default()).await }
    };
    let stolen = finish(Provider::Google, back.clone(), other_browser.clone()).await;
    assert_eq!(code(&stolen), "AUTH_SOCIAL_EXPIRED", "another browser");
    let crossed = finish(Provider::Discord, back.clone(), browser.clone()).await;
    assert_eq!(code(&crossed), "AUTH_SOCIAL_EXPIRED", "another provider");
    let forged = ProviderCallback { state: "guess".to_owned(), ..back.clone() };
    assert_eq!(code(&finish(Provider::Google, forged, browser.clone()).await), "AUTH_SOCIAL_EXPIRED");
    finish(Provider::Google, back.clone(), browser.clone()).await.expect("the browser of the flow");
    assert_eq!(code(&finish(Provider::Google, back.clone(), browser).await), "AUTH_SOCIAL_EXPIRED", "a second time");
    // A used code belongs to its own flow, and works once.
    let replayed = ProviderCallback { code: back.code, ..other_back.clone() };
    let answer = finish(Provider::Google, replayed, other_browser.clone()).await;
    assert_eq!(code(&answer), "AUTH_SOCIAL_REFUSED");
    let (late, browser) = agree(&core, &providers, Provider::Google).await;
    core.clock.advance(TimeDelta::minutes(15));
    assert_eq!(code(&finish(Provider::Google, late, browser).await), "AUTH_SOCIAL_EXPIRED", "too late");
}

#[actix::test]
async fn code_of_another_flow_is_refused() {
    let (core, providers) = with_providers().await;
    let (mine, browser) = agree(&core, &providers, Provider::Google).await;
    let (theirs, _) = agree(&core, &providers, Provider::Google).await;
    // An attacker injects their own fresh code into the flow: its verifier differs.
    let injected = ProviderCallback { code: theirs.code, ..mine };
    let answer = finish_social(&core, Provider::Google, returned(injected, &browser), &RequestOrigin::default()).await;
    assert_eq!(code(&answer), "AUTH_SOCIAL_REFUSED");
}

#[actix::test]
async fn social_sign_up_requires_the_terms_and_can_be_retried_without_a_code() {
    let (core, providers) = with_providers().await;
    let (back, browser) = agree(&core, &providers, Provider::Google).await;
    let unsure = SocialCallback { privacy_accepted: false, ..returned(back.clone(), &browser) };
    let answer = finish_social(&core, Provider::Google, unsure, &RequestOrigin::default()).await;
    assert!(matches!(answer, Err(Error::AuthTermsRequired)));
    assert_eq!(core.database.count("SELECT count(*) FROM users").await, 0);
    let sure = SocialCallback { code: None, ..returned(back, &browser) };
    let arrived = finish_social(&core, Provider::Google, sure, &RequestOrigin::default()).await.expect("a sign-in");
    assert!(arrived.is_new);
    // An existing user has agreed before.
    let (back, browser) = agree(&core, &providers, Provider::Google).await;
    let known = SocialCallback { terms_accepted: false, privacy_accepted: false, ..returned(back, &browser) };
    finish_social(&core, Provider::Google, known, &RequestOrigin::default()).await.expect("the existing user");
}

#[actix::test]
async fn known_address_names_its_provider_and_is_not_linked() {
    let (core, providers) = with_providers().await;
    let google = sign_in_with(&core, &providers, Provider::Google).await.expect("a sign-in");
    let password = secret("correct horse");
    let nowhere = RequestOrigin::default();
    let by_password = || sign_in(&core, "ann@example.com", &password, &nowhere);
    assert_eq!(code(&by_password().await), "AUTH_LINKED_GOOGLE");
    assert_eq!(code(&sign_up(&core, &form("ann@example.com"), &RequestOrigin::default()).await), "AUTH_LINKED_GOOGLE");
    providers.person(discord("7", "ann@example.com"));
    assert_eq!(code(&sign_in_with(&core, &providers, Provider::Discord).await), "AUTH_LINKED_GOOGLE");

    providers.person(discord("8", "bo@example.com"));
    sign_in_with(&core, &providers, Provider::Discord).await.expect("a sign-in");
    assert_eq!(code(&sign_up(&core, &form("bo@example.com"), &RequestOrigin::default()).await), "AUTH_LINKED_DISCORD");
    providers.person(json!({ "sub": "google-2", "email": "bo@example.com", "email_verified": true }));
    assert_eq!(code(&sign_in_with(&core, &providers, Provider::Google).await), "AUTH_LINKED_DISCORD");

    signed_up(&core, "cy@example.com").await;
    providers.person(json!({ "sub": "google-3", "email": "cy@example.com", "email_verified": true }));
    assert_eq!(code(&sign_in_with(&core, &providers, Provider::Google).await), "AUTH_ALREADY_EMAIL");
    assert_eq!(core.database.count("SELECT count(*) FROM user_identities").await, 2);

    // A password makes both ways possible.
    let ann = caller(&core, &google.session).await;
    let token = google.session.token.expose_secret();
    change_password(&core, &ann, token, None, &password).await.expect("a first password");
    assert_eq!(by_password().await.expect("a session").user.id, google.session.user.id);
    assert_eq!(code(&sign_up(&core, &form("ann@example.com"), &RequestOrigin::default()).await), "AUTH_ALREADY_EMAIL");
}

#[actix::test]
async fn google_keys_are_cached_and_fetched_again_when_they_change() {
    let (core, providers) = with_providers().await;
    sign_in_with(&core, &providers, Provider::Google).await.expect("a sign-in");
    sign_in_with(&core, &providers, Provider::Google).await.expect("a sign-in");
    assert_eq!(providers.asked_keys(), 1);
    providers.rotate("key-2");
    assert_eq!(
        code(&sign_in_with(&core, &providers, Provider::Google).await),
        "AUTH_SOCIAL_REFUSED",
        "fetched a moment ago"
    );
    core.clock.advance(TimeDelta::seconds(31));
    sign_in_with(&core, &providers, Provider::Google).await.expect("the new key");
    assert_eq!(providers.asked_keys(), 2);
}

#[actix::test]
async fn unavailable_provider_gives_a_retryable_error() {
    let (core, providers) = with_providers().await;
    providers.set_down(true);
    let answer = start_social(&core, Provider::Google, &RequestOrigin::default()).await;
    assert!(matches!(answer, Err(Error::Unavailable { .. })));
    let started = start_social(&core, Provider::Discord, &RequestOrigin::default()).await.expect("a flow");
    let back = providers.agree(&started.url);
    let answer = returned(back, started.browser.expose_secret());
    let answer = finish_social(&core, Provider::Discord, answer, &RequestOrigin::default()).await;
    assert!(matches!(answer, Err(Error::Unavailable { .. })));
    let plain = TestCore::new().await;
    assert!(crate::users::providers(&plain).is_empty());
    assert!(matches!(
        start_social(&plain, Provider::Google, &RequestOrigin::default()).await,
        Err(Error::NotFound { .. })
    ));
}

#[actix::test]
async fn disabled_account_is_refused_and_deleted_user_starts_over() {
    let (core, providers) = with_providers().await;
    let first = sign_in_with(&core, &providers, Provider::Google).await.expect("a sign-in");
    sqlx::query("UPDATE users SET disabled_at = now()").execute(&core.db).await.expect("a change");
    assert_eq!(code(&sign_in_with(&core, &providers, Provider::Google).await), "AUTH_DISABLED");
    sqlx::query("UPDATE users SET disabled_at = NULL").execute(&core.db).await.expect("a change");
    let ann = Caller::customer(first.session.user.id);
    let wrong = delete(&core, &ann, &DeletionProof::Name("Bo".to_owned())).await;
    assert!(matches!(wrong, Err(Error::Invalid { .. })));
    delete(&core, &ann, &DeletionProof::Name("Ann Lee".to_owned())).await.expect("a deletion");
    let again = sign_in_with(&core, &providers, Provider::Google).await.expect("a sign-in");
    assert!(again.is_new && again.session.user.id != first.session.user.id);
}
