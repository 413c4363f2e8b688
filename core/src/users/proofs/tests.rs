//! Verification of addresses.

use chrono::TimeDelta;

use crate::Code;
use crate::settings::MailTls;
use crate::testing::TestCore;
use crate::users::tests::{account_of, caller, form, from, secret};
use crate::users::*;

/// A core with an SMTP server that is unreachable.
async fn with_server() -> TestCore {
    TestCore::with(crate::Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), |settings| {
        settings.mail.host = Some("127.0.0.1".to_owned());
        settings.mail.port = 1;
        settings.mail.tls = MailTls::None;
    })
    .await
}

fn english(email: &str) -> SignUp {
    SignUp { language: Language::En, ..form(email) }
}

fn is_invalid<T>(answer: &Result<T>) -> bool {
    matches!(answer, Err(Error::Refused { code: Code::AuthLinkInvalid, .. }))
}

#[actix::test]
async fn link_verifies_its_address_once_and_before_it_expires() {
    let core = TestCore::new().await;
    let session = account_of(&core, &english("ann@example.com"), &RequestOrigin::default()).await.expect("a user");
    assert!(!session.user.email_verified && session.user.has_password);
    let code = secret(&core.code_for("ann@example.com").await);
    assert!(is_invalid(&verify_email(&core, &secret("nonsense")).await));
    verify_email(&core, &code).await.expect("a verification");
    assert!(find(&core, session.user.id).await.expect("a user").email_verified, "the cached user was updated");
    assert!(is_invalid(&verify_email(&core, &code).await), "a link works once");

    let late = account_of(&core, &english("bo@example.com"), &RequestOrigin::default()).await.expect("a user");
    let code = secret(&core.code_for("bo@example.com").await);
    core.clock.advance(TimeDelta::hours(48));
    assert!(is_invalid(&verify_email(&core, &code).await));
    assert!(!find(&core, late.user.id).await.expect("a user").email_verified);
}

#[actix::test]
async fn verification_link_cannot_reset_the_password() {
    let core = TestCore::new().await;
    account_of(&core, &english("ann@example.com"), &RequestOrigin::default()).await.expect("a user");
    let code = secret(&core.code_for("ann@example.com").await);
    assert!(is_invalid(&reset_password(&core, &code, &secret("a new password"), &RequestOrigin::default()).await));
    verify_email(&core, &code).await.expect("the link still verifies the address");
}

#[actix::test]
async fn verification_mails_can_be_resent_up_to_a_limit() {
    let core = TestCore::new().await;
    let session = account_of(&core, &english("ann@example.com"), &RequestOrigin::default()).await.expect("a user");
    let ann = caller(&core, &session).await;
    let first = secret(&core.code_for("ann@example.com").await);
    for _ in 0..5 {
        resend_verification(&core, &ann).await.expect("a mail");
    }
    let refused = resend_verification(&core, &ann).await;
    assert!(matches!(refused, Err(Error::RateLimited { retry_after_seconds: 1..=3600 })), "{refused:?}");
    assert_eq!(core.mails().await.len(), 6);
    verify_email(&core, &first).await.expect("earlier links are still valid");
    core.clock.advance(TimeDelta::hours(1));
    resend_verification(&core, &ann).await.expect("nothing to do");
    assert_eq!(core.mails().await.len(), 6, "a verified user gets no more mails");
    assert!(matches!(resend_verification(&core, &Caller::guest()).await, Err(Error::LoginRequired)));
}

#[actix::test]
async fn with_smtp_only_verified_users_can_publish() {
    let core = with_server().await;
    let proven = factory::user().insert(&core.db).await;
    let unproven = factory::user().unverified().insert(&core.db).await;
    may_publish(&core, &Caller::customer(proven)).await.map(drop).expect("a proven address");
    let refused = may_publish(&core, &Caller::customer(unproven)).await;
    assert!(matches!(refused, Err(Error::Refused { code: Code::AuthEmailUnverified, .. })), "{refused:?}");
    may_publish(&core, &Caller { admin: true, ..Caller::customer(unproven) }).await.map(drop).expect("an operator");
    assert!(matches!(may_publish(&core, &Caller::guest()).await, Err(Error::LoginRequired)));
    let silent = TestCore::new().await;
    let unproven = factory::user().unverified().insert(&silent.db).await;
    may_publish(&silent, &Caller::customer(unproven)).await.map(drop).expect("without SMTP no verification is needed");
}

#[actix::test]
async fn too_many_sign_ups_from_one_network_are_refused() {
    let core =
        TestCore::with(crate::Clock::System, |settings| settings.sign_in.sign_ups_per_address_per_hour = 2).await;
    let attempt = |email: &'static str, address: &'static str| {
        let core = &core;
        async move { account_of(core, &form(email), &from(address)).await }
    };
    attempt("a@example.com", "10.0.0.1").await.expect("a user");
    attempt("b@example.com", "10.0.0.1").await.expect("a user");
    assert!(matches!(attempt("c@example.com", "10.0.0.1").await, Err(Error::RateLimited { .. })));
    attempt("c@example.com", "10.0.0.2").await.expect("a user of another address");
}
