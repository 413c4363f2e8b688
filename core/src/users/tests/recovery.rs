//! Password recovery, password changes and account deletion.

use chrono::TimeDelta;
use secrecy::ExposeSecret;

use crate::Code;
use crate::caller::AuthMethod;
use crate::ids::ApiKeyId;
use crate::testing::TestCore;
use crate::users::tests::{account_of, caller, form, from, secret};
use crate::users::*;

async fn english(core: &Core, email: &str) -> NewSession {
    let form = SignUp { language: Language::En, ..form(email) };
    account_of(core, &form, &from("10.0.0.1")).await.expect("a user")
}

async fn is_live(core: &Core, session: &NewSession) -> bool {
    by_session(core, session.token.expose_secret()).await.expect("an answer").is_some()
}

#[actix::test]
async fn link_resets_the_password_and_ends_all_sessions() {
    let core = TestCore::new().await;
    let old = english(&core, "ann@example.com").await;
    forgot_password(&core, " Ann@Example.com ", &from("10.0.0.9")).await.expect("a mail");
    let code = secret(&core.code_for("ann@example.com").await);
    assert!(is_live(&core, &old).await, "a recovery request changes nothing");
    let short = reset_password(&core, &code, &secret("short"), &RequestOrigin::default()).await;
    assert!(matches!(short, Err(Error::Invalid { .. })));
    let new =
        reset_password(&core, &code, &secret("battery staple"), &RequestOrigin::default()).await.expect("a session");
    assert!(is_live(&core, &new).await && !is_live(&core, &old).await);
    assert!(new.user.email_verified, "the link verifies the address");
    let again = reset_password(&core, &code, &secret("another one"), &RequestOrigin::default()).await;
    assert!(matches!(again, Err(Error::Refused { code: Code::AuthLinkInvalid, .. })), "a link works once");
    let refused = sign_in(&core, "ann@example.com", &secret("correct horse"), &from("10.0.0.1")).await;
    assert!(matches!(refused, Err(Error::AuthWrongCredentials)));
    sign_in(&core, "ann@example.com", &secret("battery staple"), &from("10.0.0.1")).await.expect("a session");
    let mails = core.mails().await;
    assert!(mails.last().is_some_and(|(_, mail)| mail.contains("Your password was changed")), "the owner is notified");
}

#[actix::test]
async fn link_expires_after_an_hour_or_the_use_of_another() {
    let core = TestCore::new().await;
    english(&core, "ann@example.com").await;
    let mut codes = Vec::new();
    for _ in 0..2 {
        forgot_password(&core, "ann@example.com", &from("10.0.0.9")).await.expect("a mail");
        codes.push(secret(&core.code_for("ann@example.com").await));
    }
    reset_password(&core, &codes[0], &secret("battery staple"), &RequestOrigin::default()).await.expect("a session");
    let other = reset_password(&core, &codes[1], &secret("battery staple"), &RequestOrigin::default()).await;
    assert!(matches!(other, Err(Error::Refused { code: Code::AuthLinkInvalid, .. })));
    forgot_password(&core, "ann@example.com", &from("10.0.0.9")).await.expect("a mail");
    let late = secret(&core.code_for("ann@example.com").await);
    core.clock.advance(TimeDelta::minutes(60));
    let late = reset_password(&core, &late, &secret("battery staple"), &RequestOrigin::default()).await;
    assert!(matches!(late, Err(Error::Refused { code: Code::AuthLinkInvalid, .. })));
}

#[actix::test]
async fn unknown_address_gets_the_same_answer_and_no_mail() {
    let core = TestCore::new().await;
    english(&core, "ann@example.com").await;
    let before = core.mails().await.len();
    for round in 0..6 {
        for email in ["nobody@example.com", "ann@example.com"] {
            let answer = forgot_password(&core, email, &from(&format!("10.9.{round}.1"))).await;
            if round < 5 {
                answer.expect("an answer");
            } else {
                assert!(matches!(answer, Err(Error::RateLimited { .. })), "{email} is counted: {answer:?}");
            }
        }
    }
    let mails = core.mails().await;
    assert_eq!(mails.len() - before, 5);
    assert!(mails.iter().all(|(to, _)| to == "ann@example.com"));
    assert!(matches!(
        forgot_password(&core, "no address", &RequestOrigin::default()).await,
        Err(Error::Invalid { .. })
    ));
}

#[actix::test]
async fn recovery_mails_are_limited_per_network() {
    let core = TestCore::new().await;
    for number in 0..20 {
        forgot_password(&core, &format!("p{number}@example.com"), &from("10.0.0.9")).await.expect("an answer");
    }
    let refused = forgot_password(&core, "one-more@example.com", &from("10.0.0.9")).await;
    assert!(matches!(refused, Err(Error::RateLimited { .. })), "{refused:?}");
}

#[actix::test]
async fn password_reset_of_an_unverified_account_revokes_its_keys() {
    let core = TestCore::new().await;
    let thief = english(&core, "victim@example.com").await;
    let key = create_api_key(&core, &caller(&core, &thief).await, "later").await.expect("a key");
    by_api_key(&core, key.key.expose_secret()).await.expect("the key works");
    forgot_password(&core, "victim@example.com", &from("10.0.0.9")).await.expect("a mail");
    let code = secret(&core.code_for("victim@example.com").await);
    let owner =
        reset_password(&core, &code, &secret("battery staple"), &RequestOrigin::default()).await.expect("a session");
    assert!(matches!(by_api_key(&core, key.key.expose_secret()).await, Err(Error::ApiKeyInvalid)));
    // A user with a verified address keeps their API keys.
    let key = create_api_key(&core, &caller(&core, &owner).await, "ci").await.expect("a key");
    forgot_password(&core, "victim@example.com", &from("10.0.0.9")).await.expect("a mail");
    let code = secret(&core.code_for("victim@example.com").await);
    reset_password(&core, &code, &secret("battery staples"), &RequestOrigin::default()).await.expect("a session");
    by_api_key(&core, key.key.expose_secret()).await.expect("the key still works");
}

#[actix::test]
async fn password_change_requires_the_old_one_and_ends_other_sessions() {
    let core = TestCore::new().await;
    let here = english(&core, "ann@example.com").await;
    let elsewhere = sign_in(&core, "ann@example.com", &secret("correct horse"), &from("10.0.0.2")).await.expect("one");
    let (ann, token) = (caller(&core, &here).await, here.token.expose_secret());
    for wrong in [None, Some(secret("wrong horse"))] {
        let refused = change_password(&core, &ann, token, wrong.as_ref(), &secret("battery staple")).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    }
    let current = secret("correct horse");
    let key = Caller { auth_method: AuthMethod::ApiKey(ApiKeyId::new()), ..ann.clone() };
    let refused = change_password(&core, &key, token, Some(&current), &secret("battery staple")).await;
    assert!(matches!(refused, Err(Error::SessionRequired)), "a leaked key must not take over the account");
    change_password(&core, &ann, token, Some(&current), &secret("battery staple")).await.expect("a change");
    assert!(is_live(&core, &here).await && !is_live(&core, &elsewhere).await);
    sign_in(&core, "ann@example.com", &secret("battery staple"), &from("10.0.0.1")).await.expect("a session");
}

#[actix::test]
async fn wrong_current_passwords_are_delayed() {
    let core = TestCore::new().await;
    let session = english(&core, "ann@example.com").await;
    let ann = caller(&core, &session).await;
    let mut last = Ok(());
    for _ in 0..8 {
        last = change_password(&core, &ann, "x", Some(&secret("wrong horse")), &secret("battery staple")).await;
    }
    assert!(matches!(last, Err(Error::RateLimited { .. })), "{last:?}");
}

#[actix::test]
async fn other_sessions_end_and_the_current_one_is_marked() {
    let core = TestCore::new().await;
    let here = english(&core, "ann@example.com").await;
    let elsewhere = sign_in(&core, "ann@example.com", &secret("correct horse"), &from("10.0.0.2")).await.expect("one");
    let ann = caller(&core, &here).await;
    let list = sessions(&core, &ann, Some(here.token.expose_secret())).await.expect("a list");
    assert_eq!(list.len(), 2);
    assert_eq!(list.iter().filter(|session| session.is_current).count(), 1);
    assert_eq!(revoke_other_sessions(&core, &ann, here.token.expose_secret()).await.expect("an end"), 1);
    assert!(is_live(&core, &here).await && !is_live(&core, &elsewhere).await);
}

#[actix::test]
async fn deleted_account_is_gone_and_its_address_free() {
    let core = TestCore::new().await;
    let session = english(&core, "ann@example.com").await;
    let ann = caller(&core, &session).await;
    let key = create_api_key(&core, &ann, "ci").await.expect("a key");
    let point = ContactPoint { kind: ContactKind::Email, value: "ann@home.example".to_owned() };
    set_contact_points(&core, &ann, vec![point]).await.expect("a contact point");
    for wrong in [DeletionProof::Name("Ann".to_owned()), DeletionProof::Password(secret("wrong horse"))] {
        assert!(matches!(delete(&core, &ann, &wrong).await, Err(Error::Invalid { .. })), "{wrong:?}");
    }
    delete(&core, &ann, &DeletionProof::Password(secret("correct horse"))).await.expect("a deletion");
    assert!(!is_live(&core, &session).await);
    assert!(matches!(by_api_key(&core, key.key.expose_secret()).await, Err(Error::ApiKeyInvalid)));
    let refused = sign_in(&core, "ann@example.com", &secret("correct horse"), &from("10.0.0.1")).await;
    assert!(matches!(refused, Err(Error::AuthWrongCredentials)));
    let row: String = sqlx::query_scalar("SELECT users::text FROM users").fetch_one(&core.db).await.expect("a row");
    assert!(!row.contains("ann@example.com") && !row.contains("Ann,"), "{row}");
    assert_eq!(find(&core, session.user.id).await.expect("an author").name, "Deleted user");
    assert!(contact_points(&core, session.user.id).await.expect("a list").is_empty(), "the contact points are deleted");
    let mails = core.mails().await;
    assert!(mails.iter().any(|(to, mail)| to == "ann@example.com" && mail.contains("Your account is deleted")));
    let again = english(&core, "ann@example.com").await;
    assert_ne!(again.user.id, session.user.id);
    delete(&core, &caller(&core, &again).await, &DeletionProof::Password(secret("correct horse")))
        .await
        .expect("another");
}
