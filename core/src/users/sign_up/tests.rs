//! Sign-up with SMTP.

use chrono::TimeDelta;
use secrecy::SecretString;

use super::*;
use crate::Clock;
use crate::testing::TestCore;
use crate::testing::smtp::TestSmtp;
use crate::users::tests::{form, from, secret};
use crate::users::{find, sign_in};

async fn with_mail(smtp: &TestSmtp) -> TestCore {
    let port = smtp.start().await;
    let clock = Clock::held("2026-01-01T00:00:00Z".parse().expect("a time"));
    TestCore::with(clock, |settings| TestSmtp::configure(settings, port)).await
}

async fn pending(core: &Core, email: &str) -> PendingSignUp {
    let form = SignUp { language: Language::En, ..form(email) };
    match sign_up(core, &form, &from("10.0.0.1")).await.expect("a sign-up") {
        SignUpOutcome::CodeSent(pending) => pending,
        SignUpOutcome::Account(_) => panic!("an account exists before its address is verified"),
    }
}

/// The code of the last mail to this address.
async fn mailed_code(core: &TestCore, smtp: &TestSmtp, email: &str) -> Option<String> {
    core.mails().await;
    let mail = smtp.mails_to(email).pop()?;
    let subject = mail.lines().find_map(|line| line.strip_prefix("Subject: "))?.to_owned();
    subject.strip_suffix(" is your Verdigraph code").map(str::to_owned)
}

fn refusal<T: std::fmt::Debug>(answer: Result<T>) -> Code {
    answer.expect_err("a refusal").code()
}

async fn users(core: &Core) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM users").fetch_one(&core.db).await.expect("a count")
}

#[actix::test]
async fn mailed_code_creates_the_verified_account_once() {
    let smtp = TestSmtp::default();
    let core = with_mail(&smtp).await;
    let begun = pending(&core, " Ann@Example.com ").await;
    assert_eq!((begun.email.as_str(), users(&core).await), ("ann@example.com", 0));
    let early = sign_in(&core, "ann@example.com", &form("").password, &from("10.0.0.2")).await;
    assert_eq!(refusal(early), Code::AuthWrongCredentials);
    let code = mailed_code(&core, &smtp, "ann@example.com").await.expect("a code");
    assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
    // As typed on a phone.
    let typed = SecretString::from(format!(" {} {}", &code[..3], &code[3..]));
    let session = finish_sign_up(&core, begun.id, &typed, &from("10.0.0.1")).await.expect("an account");
    assert!(session.user.email_verified && session.user.has_password);
    assert_eq!(session.user.language, Language::En);
    assert_eq!(refusal(finish_sign_up(&core, begun.id, &typed, &from("10.0.0.1")).await), Code::AuthCodeExpired);
    sign_in(&core, "ann@example.com", &form("").password, &from("10.0.0.2")).await.expect("a sign-in");
    assert!(find(&core, session.user.id).await.expect("a user").email_verified);
}

#[actix::test]
async fn known_and_new_addresses_get_the_same_answer() {
    let smtp = TestSmtp::default();
    let core = with_mail(&smtp).await;
    let ann = crate::users::factory::user().insert(&core.db).await;
    let email = find(&core, ann).await.expect("a user").email.clone();
    let (known, new) = (pending(&core, &email).await, pending(&core, "bo@example.com").await);
    assert_eq!((known.email.as_str(), known.expires_at), (email.as_str(), new.expires_at));
    assert_eq!(mailed_code(&core, &smtp, &email).await, None);
    let [mail] = smtp.mails_to(&email).try_into().expect("one mail");
    assert!(mail.contains("Subject: You have an account already"), "{mail}");
    for guess in ["000000", "123456", "", "12345", "abcdef"] {
        for begun in [&known, &new] {
            let answer = finish_sign_up(&core, begun.id, &secret(guess), &from("10.0.0.1")).await;
            assert_eq!(refusal(answer), Code::AuthCodeWrong, "{guess:?}");
        }
    }
    for begun in [&known, &new] {
        let answer = finish_sign_up(&core, begun.id, &secret("654321"), &from("10.0.0.1")).await;
        assert_eq!(refusal(answer), Code::AuthCodeExpired, "five attempts are allowed");
    }
    assert_eq!(users(&core).await, 1);
}

#[actix::test]
async fn code_is_bound_to_its_sign_up_and_expires() {
    let smtp = TestSmtp::default();
    let core = with_mail(&smtp).await;
    let (first, other) = (pending(&core, "ann@example.com").await, pending(&core, "bo@example.com").await);
    let code = secret(&mailed_code(&core, &smtp, "ann@example.com").await.expect("a code"));
    assert_eq!(refusal(finish_sign_up(&core, other.id, &code, &from("10.0.0.1")).await), Code::AuthCodeWrong);
    assert_eq!(refusal(finish_sign_up(&core, Uuid::new_v4(), &code, &from("10.0.0.1")).await), Code::AuthCodeExpired);
    core.clock.advance(TimeDelta::minutes(i64::from(CODE_MINUTES)));
    assert_eq!(refusal(finish_sign_up(&core, first.id, &code, &from("10.0.0.1")).await), Code::AuthCodeExpired);
    pending(&core, "cy@example.com").await;
    assert_eq!(delete_expired_sign_ups(&core).await.expect("a count"), 2, "the third sign-up has not expired");
    assert_eq!(delete_expired_sign_ups(&core).await.expect("a count"), 0);
}

#[actix::test]
async fn two_sign_ups_of_one_address_create_one_account() {
    let smtp = TestSmtp::default();
    let core = with_mail(&smtp).await;
    let first = pending(&core, "ann@example.com").await;
    let code = secret(&mailed_code(&core, &smtp, "ann@example.com").await.expect("a code"));
    let second = pending(&core, "ann@example.com").await;
    let other = secret(&mailed_code(&core, &smtp, "ann@example.com").await.expect("another code"));
    finish_sign_up(&core, first.id, &code, &from("10.0.0.1")).await.expect("an account");
    assert_eq!(refusal(finish_sign_up(&core, second.id, &other, &from("10.0.0.1")).await), Code::AuthAlreadyEmail);
    assert_eq!(users(&core).await, 1);
}
