//! Signing in through stand-ins of Google and Discord.

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::ExposeSecret;
use serde_json::json;

use crate::testing::TestCore;
use crate::testing::vendors::{Back, Tamper, Vendors};
use crate::users::tests::{caller, form, from, secret, signed_up};
use crate::users::*;

async fn with_vendors() -> (TestCore, Vendors) {
    let now: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
    let vendors = Vendors::start(now).await;
    let core = TestCore::with(crate::Clock::held(now), |settings| vendors.configure(settings)).await;
    vendors.person(json!({
        "sub": "google-1", "email": "Ann@example.com", "email_verified": true, "name": "Ann Lee",
        "picture": format!("{}/picture.png", vendors.url),
    }));
    (core, vendors)
}

fn discord(id: &str, email: &str) -> serde_json::Value {
    json!({ "id": id, "username": "ann_lee", "global_name": "Ann", "avatar": "abc123", "email": email, "verified": true })
}

/// Leaves for the provider, agrees there, and comes back.
async fn agreed(core: &Core, vendors: &Vendors, provider: Provider) -> (Back, String) {
    let started = start_social(core, provider, &from("10.0.0.1")).await.expect("a way in");
    (vendors.agree(&started.url), started.browser.expose_secret().to_owned())
}

fn returned(back: Back, browser: &str) -> Returned {
    Returned {
        code: Some(back.code),
        state: back.state,
        browser: browser.to_owned(),
        language: Language::Ko,
        terms_accepted: true,
        privacy_accepted: true,
    }
}

async fn arrive(core: &Core, vendors: &Vendors, provider: Provider) -> Result<Arrived> {
    let (back, browser) = agreed(core, vendors, provider).await;
    finish_social(core, provider, returned(back, &browser), &from("10.0.0.1")).await
}

fn code<T>(answer: &Result<T>) -> &'static str {
    match answer {
        Err(error) => error.code().name(),
        Ok(_) => "fine",
    }
}

#[actix::test]
async fn somebody_new_joins_through_google_and_is_the_same_person_the_next_time() {
    let (core, vendors) = with_vendors().await;
    assert_eq!(providers(&core), Provider::ALL);
    let first = arrive(&core, &vendors, Provider::Google).await.expect("somebody");
    let user = &first.session.user;
    assert!(first.is_new && user.email_verified && !user.has_password);
    assert_eq!((user.email.as_str(), user.name.as_str(), user.language), ("ann@example.com", "Ann Lee", Language::Ko));
    assert_eq!(user.providers, [Provider::Google]);
    assert!(first.picture.is_some_and(|url| url.ends_with("/picture.png")));
    assert!(core.mails().await.is_empty(), "an address that Google has proven needs no letter");
    // The address changed at Google; the person is known by their id.
    vendors.person(json!({ "sub": "google-1", "email": "new@example.com", "email_verified": "true" }));
    let again = arrive(&core, &vendors, Provider::Google).await.expect("somebody");
    assert!(!again.is_new);
    assert_eq!(again.session.user.id, user.id);
    assert_eq!(core.database.count("SELECT count(*) FROM users").await, 1);
}

#[actix::test]
async fn somebody_joins_through_discord() {
    let (core, vendors) = with_vendors().await;
    vendors.person(discord("80351110224678912", "ann@example.com"));
    let arrived = arrive(&core, &vendors, Provider::Discord).await.expect("somebody");
    assert!(arrived.is_new && arrived.session.user.email_verified);
    let picture = format!("{}/avatars/80351110224678912/abc123.png?size=256", vendors.url);
    assert_eq!(arrived.picture, Some(picture));
    assert_eq!(arrived.session.user.providers, [Provider::Discord]);
}

#[actix::test]
async fn an_id_token_with_anything_wrong_about_it_lets_nobody_in() {
    let (core, vendors) = with_vendors().await;
    for tamper in [
        Tamper::Nonce,
        Tamper::NoNonce,
        Tamper::Audience,
        Tamper::Issuer,
        Tamper::Expired,
        Tamper::Future,
        Tamper::Party,
        Tamper::AlgNone,
        Tamper::AlgHmac,
        Tamper::Forged,
        Tamper::UnknownKey,
        Tamper::Changed,
    ] {
        vendors.tamper(tamper);
        let answer = arrive(&core, &vendors, Provider::Google).await;
        assert_eq!(code(&answer), "AUTH_SOCIAL_REFUSED", "{tamper:?}");
    }
    assert_eq!(core.database.count("SELECT count(*) FROM users").await, 0);
    vendors.tamper(Tamper::Nothing);
    arrive(&core, &vendors, Provider::Google).await.expect("the same with nothing wrong");
}

#[actix::test]
async fn an_address_that_the_provider_has_not_confirmed_is_nobodys() {
    let (core, vendors) = with_vendors().await;
    for person in [
        json!({ "sub": "1", "email": "ann@example.com", "email_verified": false }),
        json!({ "sub": "1", "email": "ann@example.com" }),
        json!({ "sub": "1", "email_verified": true }),
    ] {
        vendors.person(person.clone());
        assert_eq!(code(&arrive(&core, &vendors, Provider::Google).await), "AUTH_SOCIAL_EMAIL", "{person}");
    }
    for person in [
        json!({ "id": "1", "username": "ann", "email": "ann@example.com", "verified": false }),
        json!({ "id": "1", "username": "ann", "email": null, "verified": true }),
    ] {
        vendors.person(person.clone());
        assert_eq!(code(&arrive(&core, &vendors, Provider::Discord).await), "AUTH_SOCIAL_EMAIL", "{person}");
    }
    vendors.person(json!({ "id": "../../evil", "username": "x", "email": "ann@example.com", "verified": true }));
    assert_eq!(code(&arrive(&core, &vendors, Provider::Discord).await), "AUTH_SOCIAL_REFUSED");
}

#[actix::test]
async fn a_way_back_is_taken_once_in_time_and_by_the_browser_that_left() {
    let (core, vendors) = with_vendors().await;
    let (back, browser) = agreed(&core, &vendors, Provider::Google).await;
    let (other_back, other_browser) = agreed(&core, &vendors, Provider::Google).await;
    let finish = |provider: Provider, back: Back, browser: String| {
        let core = &core;
        async move { finish_social(core, provider, returned(back, &browser), &Origin::default()).await }
    };
    let stolen = finish(Provider::Google, back.clone(), other_browser.clone()).await;
    assert_eq!(code(&stolen), "AUTH_SOCIAL_EXPIRED", "another browser");
    let crossed = finish(Provider::Discord, back.clone(), browser.clone()).await;
    assert_eq!(code(&crossed), "AUTH_SOCIAL_EXPIRED", "another provider");
    let forged = Back { state: "guess".to_owned(), ..back.clone() };
    assert_eq!(code(&finish(Provider::Google, forged, browser.clone()).await), "AUTH_SOCIAL_EXPIRED");
    finish(Provider::Google, back.clone(), browser.clone()).await.expect("the browser that left");
    assert_eq!(code(&finish(Provider::Google, back.clone(), browser).await), "AUTH_SOCIAL_EXPIRED", "a second time");
    // A code that was used belongs to its own sign-in, and works once.
    let replayed = Back { code: back.code, ..other_back.clone() };
    let answer = finish(Provider::Google, replayed, other_browser.clone()).await;
    assert_eq!(code(&answer), "AUTH_SOCIAL_REFUSED");
    let (late, browser) = agreed(&core, &vendors, Provider::Google).await;
    core.clock.advance(TimeDelta::minutes(15));
    assert_eq!(code(&finish(Provider::Google, late, browser).await), "AUTH_SOCIAL_EXPIRED", "too late");
}

#[actix::test]
async fn a_code_for_one_sign_in_is_worth_nothing_in_another() {
    let (core, vendors) = with_vendors().await;
    let (mine, browser) = agreed(&core, &vendors, Provider::Google).await;
    let (theirs, _) = agreed(&core, &vendors, Provider::Google).await;
    // Somebody puts their own fresh code into my way back: its verifier is another one.
    let injected = Back { code: theirs.code, ..mine };
    let answer = finish_social(&core, Provider::Google, returned(injected, &browser), &Origin::default()).await;
    assert_eq!(code(&answer), "AUTH_SOCIAL_REFUSED");
}

#[actix::test]
async fn nobody_joins_through_others_without_the_terms_and_agreeing_needs_no_second_code() {
    let (core, vendors) = with_vendors().await;
    let (back, browser) = agreed(&core, &vendors, Provider::Google).await;
    let unsure = Returned { privacy_accepted: false, ..returned(back.clone(), &browser) };
    let answer = finish_social(&core, Provider::Google, unsure, &Origin::default()).await;
    assert!(matches!(answer, Err(Error::AuthTermsRequired)));
    assert_eq!(core.database.count("SELECT count(*) FROM users").await, 0);
    let sure = Returned { code: None, ..returned(back, &browser) };
    let arrived = finish_social(&core, Provider::Google, sure, &Origin::default()).await.expect("somebody");
    assert!(arrived.is_new);
    // Who is known already has agreed before.
    let (back, browser) = agreed(&core, &vendors, Provider::Google).await;
    let known = Returned { terms_accepted: false, privacy_accepted: false, ..returned(back, &browser) };
    finish_social(&core, Provider::Google, known, &Origin::default()).await.expect("the same person");
}

#[actix::test]
async fn an_address_says_where_its_account_signs_in_and_nothing_is_linked_silently() {
    let (core, vendors) = with_vendors().await;
    let google = arrive(&core, &vendors, Provider::Google).await.expect("somebody");
    let password = secret("correct horse");
    let nowhere = Origin::default();
    let by_password = || sign_in(&core, "ann@example.com", &password, &nowhere);
    assert_eq!(code(&by_password().await), "AUTH_LINKED_GOOGLE");
    assert_eq!(code(&sign_up(&core, &form("ann@example.com"), &Origin::default()).await), "AUTH_LINKED_GOOGLE");
    vendors.person(discord("7", "ann@example.com"));
    assert_eq!(code(&arrive(&core, &vendors, Provider::Discord).await), "AUTH_LINKED_GOOGLE");

    vendors.person(discord("8", "bo@example.com"));
    arrive(&core, &vendors, Provider::Discord).await.expect("somebody");
    assert_eq!(code(&sign_up(&core, &form("bo@example.com"), &Origin::default()).await), "AUTH_LINKED_DISCORD");
    vendors.person(json!({ "sub": "google-2", "email": "bo@example.com", "email_verified": true }));
    assert_eq!(code(&arrive(&core, &vendors, Provider::Google).await), "AUTH_LINKED_DISCORD");

    signed_up(&core, "cy@example.com").await;
    vendors.person(json!({ "sub": "google-3", "email": "cy@example.com", "email_verified": true }));
    assert_eq!(code(&arrive(&core, &vendors, Provider::Google).await), "AUTH_ALREADY_EMAIL");
    assert_eq!(core.database.count("SELECT count(*) FROM user_identities").await, 2);

    // A password of their own makes both ways work.
    let ann = caller(&core, &google.session).await;
    let token = google.session.token.expose_secret();
    change_password(&core, &ann, token, None, &password).await.expect("a first password");
    assert_eq!(by_password().await.expect("a session").user.id, google.session.user.id);
    assert_eq!(code(&sign_up(&core, &form("ann@example.com"), &Origin::default()).await), "AUTH_ALREADY_EMAIL");
}

#[actix::test]
async fn keys_are_kept_and_asked_for_again_when_they_change() {
    let (core, vendors) = with_vendors().await;
    arrive(&core, &vendors, Provider::Google).await.expect("somebody");
    arrive(&core, &vendors, Provider::Google).await.expect("somebody");
    assert_eq!(vendors.asked_keys(), 1);
    vendors.rotate("key-2");
    assert_eq!(code(&arrive(&core, &vendors, Provider::Google).await), "AUTH_SOCIAL_REFUSED", "asked a moment ago");
    core.clock.advance(TimeDelta::seconds(31));
    arrive(&core, &vendors, Provider::Google).await.expect("the new key");
    assert_eq!(vendors.asked_keys(), 2);
}

#[actix::test]
async fn a_provider_that_is_away_asks_for_patience() {
    let (core, vendors) = with_vendors().await;
    vendors.set_down(true);
    let answer = start_social(&core, Provider::Google, &Origin::default()).await;
    assert!(matches!(answer, Err(Error::Unavailable { .. })));
    let started = start_social(&core, Provider::Discord, &Origin::default()).await.expect("a way in");
    let back = vendors.agree(&started.url);
    let answer = returned(back, started.browser.expose_secret());
    let answer = finish_social(&core, Provider::Discord, answer, &Origin::default()).await;
    assert!(matches!(answer, Err(Error::Unavailable { .. })));
    let plain = TestCore::new().await;
    assert!(providers(&plain).is_empty());
    assert!(matches!(start_social(&plain, Provider::Google, &Origin::default()).await, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn a_disabled_account_gets_in_through_nobody_and_one_that_left_comes_back_as_somebody_new() {
    let (core, vendors) = with_vendors().await;
    let first = arrive(&core, &vendors, Provider::Google).await.expect("somebody");
    sqlx::query("UPDATE users SET disabled_at = now()").execute(&core.db).await.expect("a change");
    assert_eq!(code(&arrive(&core, &vendors, Provider::Google).await), "AUTH_DISABLED");
    sqlx::query("UPDATE users SET disabled_at = NULL").execute(&core.db).await.expect("a change");
    let ann = Caller::customer(first.session.user.id);
    let wrong = delete(&core, &ann, &Farewell::Name("Bo".to_owned())).await;
    assert!(matches!(wrong, Err(Error::Invalid { .. })));
    delete(&core, &ann, &Farewell::Name("Ann Lee".to_owned())).await.expect("a farewell");
    let again = arrive(&core, &vendors, Provider::Google).await.expect("somebody");
    assert!(again.is_new && again.session.user.id != first.session.user.id);
}
