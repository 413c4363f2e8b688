mod plans;
mod recovery;
mod revocations;

use chrono::TimeDelta;
use secrecy::{ExposeSecret, SecretString};

use super::*;
use crate::caller::AuthMethod;
use crate::ids::ApiKeyId;
use crate::testing::TestCore;
use crate::{Clock, Code};

pub(in crate::users) fn secret(text: &str) -> SecretString {
    SecretString::from(text.to_owned())
}

pub(in crate::users) fn form(email: &str) -> SignUp {
    SignUp {
        email: email.to_owned(),
        password: secret("correct horse"),
        name: "Ann".to_owned(),
        language: Language::Ko,
        terms_accepted: true,
        privacy_accepted: true,
    }
}

pub(in crate::users) fn from(address: &str) -> RequestOrigin {
    RequestOrigin { address: Some(address.parse().expect("an address")), user_agent: Some("Firefox\n".to_owned()) }
}

pub(in crate::users) async fn signed_up(core: &Core, email: &str) -> NewSession {
    account_of(core, &form(email), &from("10.0.0.1")).await.expect("a user")
}

/// Signs up without SMTP: the account is created at once.
pub(in crate::users) async fn account_of(core: &Core, form: &SignUp, origin: &RequestOrigin) -> Result<NewSession> {
    Ok(sign_up(core, form, origin).await?.session().expect("an account at once"))
}

pub(in crate::users) async fn caller(core: &Core, session: &NewSession) -> Caller {
    by_session(core, session.token.expose_secret()).await.expect("an answer").expect("a session").caller.clone()
}

#[actix::test]
async fn new_user_is_signed_in_until_sign_out() {
    let core = TestCore::new().await;
    let session = signed_up(&core, " Ann@Example.com ").await;
    assert_eq!((session.user.email.as_str(), session.user.own_plan.as_str()), ("ann@example.com", "Free"));
    assert_eq!(session.user.language, Language::Ko);
    assert_eq!(session.user.roles(), ["Customer"]);
    let tag = session.user.name_tag();
    assert!(tag.len() == 5 && tag.starts_with('#'), "{tag}");
    let token = session.token.expose_secret();
    let known = by_session(&core, token).await.expect("an answer").expect("a session");
    assert_eq!(
        known.caller,
        Caller { user: Some(session.user.id), admin: false, auth_method: AuthMethod::Session, trace: None }
    );
    sign_out(&core, token).await.expect("a sign-out");
    assert!(by_session(&core, token).await.expect("an answer").is_none(), "the cached session was removed");
    sign_out(&core, token).await.expect("a second sign-out");
}

#[actix::test]
async fn secrets_are_not_stored_in_the_database() {
    let core = TestCore::new().await;
    let session = signed_up(&core, "ann@example.com").await;
    let key = create_api_key(&core, &caller(&core, &session).await, "ci").await.expect("a key");
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT users::text FROM users UNION ALL SELECT sessions::text FROM sessions UNION ALL SELECT api_keys::text FROM api_keys",
    )
    .fetch_all(&core.db)
    .await
    .expect("all rows");
    assert_eq!(rows.len(), 3);
    for row in rows {
        for text in ["correct horse", session.token.expose_secret(), key.key.expose_secret()] {
            assert!(!row.contains(text), "a secret is in {row}");
        }
    }
}

#[actix::test]
async fn address_has_one_account_in_any_spelling() {
    let core = TestCore::new().await;
    signed_up(&core, "ann@example.com").await;
    let again = sign_up(&core, &form("ANN@example.com"), &RequestOrigin::default()).await;
    assert!(matches!(again, Err(Error::AuthAlreadyEmail)));
    let attempt = || async { sign_up(&core, &form("bo@example.com"), &RequestOrigin::default()).await };
    let (one, other) = tokio::join!(attempt(), attempt());
    assert_eq!(
        [&one, &other].iter().filter(|made| made.is_ok()).count(),
        1,
        "only one of two concurrent sign-ups succeeds"
    );
    assert!([one, other].into_iter().any(|made| matches!(made, Err(Error::AuthAlreadyEmail))));
}

#[actix::test]
async fn sign_up_requires_the_terms() {
    let core = TestCore::new().await;
    for (terms_accepted, privacy_accepted) in [(false, true), (true, false), (false, false)] {
        let form = SignUp { terms_accepted, privacy_accepted, ..form("ann@example.com") };
        assert!(matches!(sign_up(&core, &form, &RequestOrigin::default()).await, Err(Error::AuthTermsRequired)));
    }
}

#[actix::test]
async fn wrong_password_and_unknown_address_get_the_same_error() {
    let core = TestCore::new().await;
    signed_up(&core, "ann@example.com").await;
    for (email, password) in
        [("ann@example.com", "wrong horse"), ("nobody@example.com", "correct horse"), ("no address", "correct horse")]
    {
        let refused = sign_in(&core, email, &secret(password), &from("10.0.0.2")).await;
        assert!(matches!(refused, Err(Error::AuthWrongCredentials)), "{email}: {refused:?}");
    }
    let session =
        sign_in(&core, "Ann@Example.com", &secret("correct horse"), &from("10.0.0.2")).await.expect("a session");
    assert!(by_session(&core, session.token.expose_secret()).await.expect("an answer").is_some());
}

#[actix::test]
async fn wrong_passwords_delay_an_account_until_the_correct_one() {
    let core = TestCore::new().await;
    signed_up(&core, "ann@example.com").await;
    let attempt = |address: &'static str, password: &'static str| {
        let core = &core;
        async move { sign_in(core, "ann@example.com", &secret(password), &from(address)).await }
    };
    for guess in 0..6 {
        let refused = attempt("10.1.0.1", "wrong horse").await;
        assert!(matches!(refused, Err(Error::AuthWrongCredentials)), "guess {guess}: {refused:?}");
    }
    // The correct password does not help during a delay.
    let refused = attempt("10.1.0.1", "correct horse").await;
    assert!(matches!(refused, Err(Error::RateLimited { retry_after_seconds: 2 })), "{refused:?}");
    attempt("10.1.0.2", "correct horse").await.expect("the owner is not locked out at another address");
    core.clock.advance(TimeDelta::seconds(2));
    assert!(matches!(attempt("10.1.0.1", "wrong horse").await, Err(Error::AuthWrongCredentials)));
    let refused = attempt("10.1.0.1", "wrong horse").await;
    assert!(matches!(refused, Err(Error::RateLimited { retry_after_seconds: 4 })), "the delay doubles: {refused:?}");
    core.clock.advance(TimeDelta::seconds(4));
    assert!(attempt("10.1.0.1", "correct horse").await.is_ok());
    for guess in 10..15 {
        let refused = attempt("10.1.0.1", "wrong horse").await;
        assert!(matches!(refused, Err(Error::AuthWrongCredentials)), "the count was not reset: {guess}: {refused:?}");
    }
}

#[actix::test]
async fn sign_ups_with_known_addresses_are_counted() {
    let core = TestCore::with(Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), |settings| {
        settings.sign_in.sign_ups_per_address_per_hour = 3;
    })
    .await;
    signed_up(&core, "ann@example.com").await;
    let ask = || async { sign_up(&core, &form("ann@example.com"), &from("10.0.0.1")).await };
    for _ in 0..2 {
        assert!(matches!(ask().await, Err(Error::AuthAlreadyEmail)));
    }
    assert!(matches!(ask().await, Err(Error::RateLimited { .. })), "the fourth question of an hour");
}

#[actix::test]
async fn owner_is_notified_of_a_sign_up_once_a_day() {
    let core = TestCore::new().await;
    // In English, because the tests read the mails.
    let english = SignUp { language: Language::En, ..form("ann@example.com") };
    account_of(&core, &english, &from("10.0.0.1")).await.expect("a user");
    let notices = async || {
        let mails = core.mails().await.into_iter();
        mails
            .filter(|(to, mail)| to == "ann@example.com" && mail.contains("Subject: You have an account already"))
            .count()
    };
    // From many networks, so that their limits do not apply.
    let ask = |number: u32| {
        let origin = from(&format!("10.7.{number}.1"));
        let core = &core;
        async move { sign_up(core, &form("Ann@Example.com"), &origin).await }
    };
    assert_eq!(notices().await, 0);
    for number in 1..=4 {
        assert!(matches!(ask(number).await, Err(Error::AuthAlreadyEmail)), "{number}");
    }
    assert_eq!(notices().await, 1, "one mail a day");
    for number in 5..=6 {
        assert!(matches!(ask(number).await, Err(Error::RateLimited { .. })), "the sixth for this address: {number}");
    }
    core.clock.advance(TimeDelta::hours(25));
    assert!(matches!(ask(7).await, Err(Error::AuthAlreadyEmail)));
    assert_eq!(notices().await, 2);
    sqlx::query("UPDATE users SET disabled_at = now()").execute(&core.db).await.expect("a change");
    core.clock.advance(TimeDelta::hours(25));
    assert!(matches!(ask(8).await, Err(Error::AuthAlreadyEmail)));
    assert_eq!(notices().await, 2, "the owner of a disabled account gets no mail");
}

#[actix::test]
async fn distributed_guesses_delay_others_but_not_the_owner() {
    let core = TestCore::with(Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), |settings| {
        settings.sign_in.free_attempts_per_account_everywhere = 10;
        settings.sign_in.max_delay_everywhere_seconds = 8;
    })
    .await;
    signed_up(&core, "ann@example.com").await;
    let attempt = |address: String, password: &'static str| {
        let core = &core;
        async move { sign_in(core, "ann@example.com", &secret(password), &from(&address)).await }
    };
    attempt("10.2.0.1".to_owned(), "correct horse").await.expect("the owner at home");
    let mut longest = 0;
    for guess in 0..40 {
        match attempt(format!("10.3.0.{guess}"), "wrong horse").await {
            Err(Error::AuthWrongCredentials) => {}
            Err(Error::RateLimited { retry_after_seconds }) => {
                longest = longest.max(retry_after_seconds);
                core.clock.advance(TimeDelta::seconds(i64::try_from(retry_after_seconds).expect("seconds")));
            }
            other => panic!("guess {guess}: {other:?}"),
        }
    }
    assert_eq!(longest, 8, "guesses from everywhere are slowed, up to the limit");
    assert!(attempt("10.3.1.1".to_owned(), "wrong horse").await.is_err());
    attempt("10.2.0.1".to_owned(), "correct horse").await.expect("the owner at home is not slowed");
}

#[actix::test]
async fn guesses_from_one_address_are_delayed_for_any_account() {
    let core = TestCore::new().await;
    let mut refused_at = None;
    for guess in 0..30 {
        let email = format!("person{guess}@example.com");
        match sign_in(&core, &email, &secret("correct horse"), &from("10.2.0.1")).await {
            Err(Error::AuthWrongCredentials) => {}
            Err(Error::RateLimited { .. }) => {
                refused_at = Some(guess);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(refused_at, Some(21), "twenty are free, the next one starts the delay");
    let elsewhere = sign_in(&core, "x@example.com", &secret("correct horse"), &from("10.2.0.2")).await;
    assert!(matches!(elsewhere, Err(Error::AuthWrongCredentials)), "other addresses are not slowed");
}

#[actix::test]
async fn session_is_extended_by_use_and_expires_without() {
    let core = TestCore::new().await;
    let session = signed_up(&core, "ann@example.com").await;
    let token = session.token.expose_secret();
    for _ in 0..3 {
        core.clock.advance(TimeDelta::days(20));
        core.users.clear();
        assert!(by_session(&core, token).await.expect("an answer").is_some(), "used every 20 of 30 days");
    }
    core.clock.advance(TimeDelta::days(30));
    assert!(by_session(&core, token).await.expect("an answer").is_none(), "a cached session expires too");
}

#[actix::test]
async fn users_can_list_and_end_only_their_own_sessions() {
    let core = TestCore::new().await;
    let (ann, bo) = (signed_up(&core, "ann@example.com").await, signed_up(&core, "bo@example.com").await);
    let (ann_calls, bo_calls) = (caller(&core, &ann).await, caller(&core, &bo).await);
    let list = sessions(&core, &ann_calls, None).await.expect("a list");
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].user_agent.as_deref(), Some("Firefox"), "control characters are left out");
    let theirs = revoke_session(&core, &bo_calls, list[0].id).await;
    assert!(matches!(theirs, Err(Error::NotFound { .. })));
    assert!(by_session(&core, ann.token.expose_secret()).await.expect("an answer").is_some());
    revoke_session(&core, &ann_calls, list[0].id).await.expect("an end");
    assert!(by_session(&core, ann.token.expose_secret()).await.expect("an answer").is_none());
}

#[actix::test]
async fn key_works_until_revoked_and_cached_key_needs_no_database() {
    let core = TestCore::new().await;
    let owner = Caller::customer(factory::user().insert(&core.db).await);
    let new = create_api_key(&core, &owner, " ci ").await.expect("a key");
    let key = new.key.expose_secret();
    assert!(key.starts_with("vg_") && key.len() == 46, "{key}");
    assert_eq!((new.api_key.name.as_str(), new.api_key.prefix.as_str()), ("ci", &key[..11]));
    let known = by_api_key(&core, key).await.expect("the owner");
    assert_eq!(known.caller, Caller { auth_method: AuthMethod::ApiKey(new.api_key.id), ..owner.clone() });
    let closed = core.core.with_pool(core.database.pool());
    closed.db.close().await;
    assert!(by_api_key(&closed, key).await.is_ok(), "a cached key must not need the database");
    revoke_api_key(&core, &owner, new.api_key.id).await.expect("a revocation");
    revoke_api_key(&core, &owner, new.api_key.id).await.expect("a second one");
    assert!(matches!(by_api_key(&core, key).await, Err(Error::ApiKeyInvalid)));
    let list = api_keys(&core, &owner).await.expect("a list");
    assert_eq!(list.iter().map(|key| key.revoked_at.is_some()).collect::<Vec<_>>(), [true]);
}

#[actix::test]
async fn last_use_of_a_key_is_recorded_in_the_background() {
    let core = TestCore::new().await;
    let owner = Caller::customer(factory::user().insert(&core.db).await);
    let new = create_api_key(&core, &owner, "ci").await.expect("a key");
    by_api_key(&core, new.key.expose_secret()).await.expect("the owner");
    let recorded = async {
        loop {
            let list = api_keys(&core, &owner).await.expect("a list");
            if let Some(at) = list[0].last_used_at {
                return at;
            }
            tokio::task::yield_now().await;
        }
    };
    let at = tokio::time::timeout(std::time::Duration::from_secs(20), recorded).await.expect("a record in time");
    assert_eq!(at, core.clock.now());
}

#[actix::test]
async fn invalid_keys_are_refused() {
    let core = TestCore::new().await;
    let session = signed_up(&core, "ann@example.com").await;
    let long = format!("vg_{}", "x".repeat(100_000));
    for key in ["", "vg_", "vg_x", session.token.expose_secret(), &long] {
        assert!(matches!(by_api_key(&core, key).await, Err(Error::ApiKeyInvalid)), "{key:.20}");
    }
    let owner = caller(&core, &session).await;
    let key = create_api_key(&core, &owner, "ci").await.expect("a key");
    assert!(by_session(&core, key.key.expose_secret()).await.expect("an answer").is_none(), "a key is not a session");
}

#[actix::test]
async fn number_of_valid_keys_is_limited() {
    let core = TestCore::new().await;
    let owner = Caller::customer(factory::user().insert(&core.db).await);
    let mut last = ApiKeyId::new();
    for number in 0..20 {
        last = create_api_key(&core, &owner, &format!("key {number}")).await.expect("a key").api_key.id;
    }
    let refused = create_api_key(&core, &owner, "one too many").await;
    assert!(matches!(refused, Err(Error::Conflict { code: Code::ApiKeyLimit, .. })), "{refused:?}");
    revoke_api_key(&core, &owner, last).await.expect("a revocation");
    create_api_key(&core, &owner, "in its place").await.expect("revoked keys do not count");
}

#[actix::test]
async fn key_cannot_create_keys_and_others_cannot_revoke_it() {
    let core = TestCore::new().await;
    let owner = Caller::customer(factory::user().insert(&core.db).await);
    let stranger = Caller::customer(factory::user().insert(&core.db).await);
    let new = create_api_key(&core, &owner, "ci").await.expect("a key");
    let program = by_api_key(&core, new.key.expose_secret()).await.expect("the owner").caller.clone();
    assert!(matches!(create_api_key(&core, &program, "more").await, Err(Error::SessionRequired)));
    assert!(matches!(revoke_api_key(&core, &program, new.api_key.id).await, Err(Error::SessionRequired)));
    assert!(matches!(revoke_session(&core, &program, uuid::Uuid::now_v7()).await, Err(Error::SessionRequired)));
    assert!(matches!(revoke_other_sessions(&core, &program, "x").await, Err(Error::SessionRequired)));
    assert!(matches!(revoke_api_key(&core, &stranger, new.api_key.id).await, Err(Error::NotFound { .. })));
    assert!(matches!(create_api_key(&core, &Caller::guest(), "x").await, Err(Error::LoginRequired)));
    for name in ["", "   ", "a\u{7}b", &"x".repeat(51)] {
        assert!(matches!(create_api_key(&core, &owner, name).await, Err(Error::Invalid { .. })), "{name:?}");
    }
}

#[actix::test]
async fn promotion_takes_effect_at_once_and_requires_an_admin() {
    let core = TestCore::new().await;
    let session = signed_up(&core, "ann@example.com").await;
    let customer = caller(&core, &session).await;
    assert!(matches!(promote(&core, &customer, "ann@example.com").await, Err(Error::Forbidden)));
    let user = promote(&core, &Caller::system(), "Ann@example.com").await.expect("a promotion");
    assert_eq!(user.roles(), ["Customer", "Admin"]);
    assert!(caller(&core, &session).await.admin, "the cached session was updated");
    let unknown = promote(&core, &Caller::system(), "nobody@example.com").await;
    assert!(matches!(unknown, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn change_on_another_node_invalidates_the_cache() {
    let core = TestCore::new().await;
    let session = signed_up(&core, "ann@example.com").await;
    assert!(!caller(&core, &session).await.admin);
    let mut connection = core.db.acquire().await.expect("a connection");
    let promoted = store::bans::set_admin(&mut connection, session.user.id, true).await;
    assert_eq!(promoted.expect("a promotion in the database only"), Some(true));
    assert!(!caller(&core, &session).await.admin, "the cache is still used");
    core.shared.publish("users", session.user.id.to_string().into()).await;
    let invalidated = async {
        while !caller(&core, &session).await.admin {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), invalidated).await.expect("the message is handled");
}

#[actix::test]
async fn row_read_before_a_change_is_not_cached_after_it() {
    let core = TestCore::new().await;
    let id = factory::user().insert(&core.db).await;
    let generation = core.users.generation();
    let stale = Arc::new(store::find(&core.db, &[id]).await.expect("a row").pop().expect("a user"));
    store::set_name(&core.db, &WritePermit::for_tests(), id, "Bo").await.expect("a change");
    user_cache::invalidate(&core, id).await;
    core.users.insert_user(&stale, generation);
    assert_eq!(find(&core, id).await.expect("a user").name, "Bo");
}

#[actix::test]
async fn users_of_the_same_name_have_different_tags() {
    let core = TestCore::new().await;
    let ids = [factory::user().insert(&core.db).await, factory::user().name("Bo").insert(&core.db).await];
    let renamed = set_name(&core, &Caller::customer(ids[1]), " Ann ").await.expect("a name");
    let first = find(&core, ids[0]).await.expect("a user");
    assert_eq!(renamed.name, first.name);
    assert_ne!(renamed.tag, first.tag, "users of the same name have different tags");
    assert!(matches!(set_name(&core, &Caller::customer(ids[0]), "A").await, Err(Error::Invalid { .. })));
    assert!(matches!(set_name(&core, &Caller::guest(), "Ann").await, Err(Error::LoginRequired)));
    let korean = set_language(&core, &Caller::customer(ids[0]), Language::Ko).await.expect("a language");
    assert_eq!(korean.language.tag(), "ko");
}

#[actix::test]
async fn disabled_account_is_refused_by_every_credential() {
    let core = TestCore::new().await;
    let session = signed_up(&core, "ann@example.com").await;
    let key = create_api_key(&core, &caller(&core, &session).await, "ci").await.expect("a key");
    sqlx::query("UPDATE users SET disabled_at = now()").execute(&core.db).await.expect("a change");
    user_cache::invalidate(&core, session.user.id).await;
    assert!(by_session(&core, session.token.expose_secret()).await.expect("an answer").is_none());
    assert!(matches!(by_api_key(&core, key.key.expose_secret()).await, Err(Error::ApiKeyInvalid)));
    let refused = sign_in(&core, "ann@example.com", &secret("correct horse"), &RequestOrigin::default()).await;
    assert!(matches!(refused, Err(Error::AuthDisabled)));
    let guessed = sign_in(&core, "ann@example.com", &secret("wrong horse"), &RequestOrigin::default()).await;
    assert!(matches!(guessed, Err(Error::AuthWrongCredentials)), "only the owner learns that it is disabled");
}
