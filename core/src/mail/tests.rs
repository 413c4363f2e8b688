use chrono::{DateTime, TimeDelta};

use super::*;
use crate::database;
use crate::language::Language;
use crate::testing::TestCore;
use crate::testing::connection_cutter::ConnectionCutter;
use crate::testing::smtp::TestSmtp;

async fn with_smtp(smtp: &TestSmtp) -> TestCore {
    let port = smtp.start().await;
    TestCore::with(crate::Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), |settings| {
        TestSmtp::configure(settings, port);
        settings.mail.attempts = 3;
        settings.server.base_url = Some("https://verdigraph.example".to_owned());
    })
    .await
}

fn letter(language: Language) -> Email {
    let content = Content::VerifyEmail { name: "<b>Ann</b>".to_owned(), proof: Uuid::now_v7(), hours: 48 };
    Email { to: "ann@example.com".to_owned(), language, content }
}

async fn queued(core: &Core, letter: &Email) {
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    queue(core, &mut tx, letter).await.expect("a place");
    tx.commit().await.expect("a commit");
}

fn code_in(mail: &str) -> SecretString {
    SecretString::from(crate::testing::code_in(mail).expect("a code in the mail"))
}

#[actix::test]
async fn mail_is_sent_once_with_a_code_for_its_proof() {
    let smtp = TestSmtp::default();
    let core = with_smtp(&smtp).await;
    let letter = letter(Language::En);
    queued(&core, &letter).await;
    assert_eq!(deliver_due(&core).await.expect("a delivery"), 1);
    assert_eq!(deliver_due(&core).await.expect("nothing"), 0);
    let mails = smtp.mails.lock().expect("the mails").clone();
    let [mail] = mails.as_slice() else { panic!("one mail and not {}", mails.len()) };
    for line in ["To: ann@example.com", "Subject: Confirm your e-mail address", "Auto-Submitted: auto-generated"] {
        assert!(mail.contains(line), "{line}: {mail}");
    }
    assert!(mail.contains("https://verdigraph.example/verify-email#code"));
    assert!(mail.contains("multipart/alternative") && mail.contains("text/plain") && mail.contains("text/html"));
    let code = code_in(mail);
    assert_eq!(proof_of(&core, &code).await.expect("an answer"), letter.content.proof());
    assert_eq!(proof_of(&core, &SecretString::from("guess")).await.expect("an answer"), None);
    let rows: Vec<String> =
        sqlx::query_scalar("SELECT mails::text FROM mails UNION ALL SELECT mail_codes::text FROM mail_codes")
            .fetch_all(&core.db)
            .await
            .expect("all rows");
    use secrecy::ExposeSecret as _;
    assert!(rows.iter().all(|row| !row.contains(code.expose_secret())), "the database contains the code");
}

#[actix::test]
async fn refused_mail_is_retried_until_its_attempts_are_used_up() {
    let smtp = TestSmtp::default();
    let core = with_smtp(&smtp).await;
    *smtp.refusal.lock().expect("the refusal") = Some("451 come back later");
    queued(&core, &letter(Language::En)).await;
    for _ in 0..3 {
        assert_eq!(deliver_due(&core).await.expect("a try"), 1);
        assert_eq!(deliver_due(&core).await.expect("nothing is due yet"), 0);
        core.clock.advance(TimeDelta::hours(7));
    }
    assert_eq!(deliver_due(&core).await.expect("given up"), 0);
    let failed = core.database.count("SELECT count(*) FROM mails WHERE NOT is_sent AND failure LIKE '%451%'").await;
    assert_eq!(failed, 1, "the operator can see why");

    queued(&core, &letter(Language::En)).await;
    assert_eq!(deliver_due(&core).await.expect("a try"), 1);
    *smtp.refusal.lock().expect("the refusal") = None;
    core.clock.advance(TimeDelta::minutes(3));
    assert_eq!(deliver_due(&core).await.expect("a second try"), 1);
    assert_eq!(smtp.mails.lock().expect("the mails").len(), 1, "an unavailable server loses no mail");
}

#[actix::test]
async fn mail_to_an_unknown_address_is_given_up_at_once() {
    let smtp = TestSmtp::default();
    let core = with_smtp(&smtp).await;
    *smtp.refusal.lock().expect("the refusal") = Some("550 nobody here");
    queued(&core, &letter(Language::En)).await;
    deliver_due(&core).await.expect("a try");
    core.clock.advance(TimeDelta::days(2));
    assert_eq!(deliver_due(&core).await.expect("nothing"), 0);
}

#[actix::test]
async fn mail_of_a_dead_sender_is_sent_by_another_node() {
    let smtp = TestSmtp::default();
    let core = with_smtp(&smtp).await;
    queued(&core, &letter(Language::En)).await;
    let now = core.clock.now();
    let taken = store::claim(&core.db, now, now + TimeDelta::minutes(5), 8).await.expect("a mail in hand");
    assert_eq!(taken.len(), 1);
    assert_eq!(deliver_due(&core.another("other")).await.expect("nothing"), 0, "the mail is leased");
    core.clock.advance(TimeDelta::minutes(5));
    assert_eq!(deliver_due(&core.another("other")).await.expect("a delivery"), 1);
    assert_eq!(smtp.mails.lock().expect("the mails").len(), 1);
}

#[actix::test]
async fn mail_whose_delivery_was_not_recorded_is_sent_again_with_the_same_message_id() {
    let smtp = TestSmtp::default();
    let core = with_smtp(&smtp).await;
    let cutter = ConnectionCutter::of(&core.database).await;
    let content = Content::Digest { name: "Ann".to_owned(), proof: Uuid::now_v7(), total: 8, news: every_item("Bob") };
    queued(&core, &Email { content, ..letter(Language::En) }).await;
    for (place, left) in [("mail_codes", 0), ("mails(ended_at)", 1)] {
        cutter.cut_at_write(place).await;
        assert!(matches!(deliver_due(&core).await, Err(Error::Unavailable { .. })), "{place}");
        cutter.restore().await;
        assert_eq!(smtp.mails.lock().expect("the mails").len(), left, "{place}");
        let other = core.another("other");
        assert_eq!(deliver_due(&other).await.expect("nothing"), 0, "{place}: the mail is leased");
        core.clock.advance(TimeDelta::minutes(5));
    }
    assert_eq!(deliver_due(&core.another("other")).await.expect("a delivery"), 1);
    core.clock.advance(TimeDelta::days(2));
    assert_eq!(deliver_due(&core).await.expect("nothing"), 0, "it is recorded now");
    let mails = smtp.mails.lock().expect("the mails").clone();
    let names: Vec<_> = mails.iter().map(|mail| mail.lines().find(|line| line.starts_with("Message-ID: "))).collect();
    let [Some(first), Some(second)] = names.as_slice() else { panic!("{names:?}") };
    assert_eq!(first, second, "mail programs show one of the two");
    assert_eq!(core.database.count("SELECT count(*) FROM mails WHERE is_sent").await, 1);
}

#[actix::test]
async fn rolled_back_mail_is_not_sent_and_a_full_outbox_refuses_mail() {
    let core = TestCore::with(crate::Clock::System, |settings| settings.mail.max_waiting = 2).await;
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    queue(&core, &mut tx, &letter(Language::En)).await.expect("a place");
    tx.rollback().await.expect("a change of mind");
    assert_eq!(deliver_due(&core).await.expect("nothing"), 0);
    queued(&core, &letter(Language::En)).await;
    queued(&core, &letter(Language::En)).await;
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    assert!(matches!(queue(&core, &mut tx, &letter(Language::En)).await, Err(Error::Unavailable { .. })));
}

#[actix::test]
async fn without_a_server_mail_goes_to_private_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let core = TestCore::new().await;
    assert!(!core.mail.uses_smtp());
    queued(&core, &letter(Language::En)).await;
    deliver_due(&core).await.expect("a delivery");
    let folder = core.settings.mail_folder();
    let files: Vec<_> = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    let [file] = files.as_slice() else { panic!("{files:?}") };
    assert_eq!(std::fs::metadata(file).expect("a file").permissions().mode() & 0o777, 0o600);
    let mail = std::fs::read_to_string(file).expect("a mail");
    assert!(proof_of(&core, &code_in(&mail)).await.expect("an answer").is_some());
}

#[actix::test]
async fn mails_of_a_deleted_user_are_gone_after_a_day() {
    let core = TestCore::new().await;
    let deleted = Content::AccountDeleted { name: "Grete".to_owned() };
    queued(&core, &Email { content: deleted, ..letter(Language::En) }).await;
    queued(&core, &letter(Language::En)).await;
    deliver_due(&core).await.expect("a delivery");
    let told = core.database.count("SELECT count(*) FROM mails WHERE letter::text LIKE '%Grete%'").await;
    assert_eq!(told, 0, "the outbox keeps the mail to a deleted user");
    assert_eq!(core.database.count("SELECT count(*) FROM mails").await, 1, "other mails are kept for a while");

    let folder = core.settings.mail_folder();
    let files = || std::fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path());
    std::fs::write(folder.join("notes.txt"), "the operator's").expect("a file");
    let letters: Vec<_> = files().filter(|path| path.extension().is_some_and(|is| is == "eml")).collect();
    assert_eq!(letters.len(), 2);
    // Files have the machine's time, not the test's.
    let written = std::fs::metadata(&letters[0]).and_then(|facts| facts.modified()).expect("a time");
    let written = chrono::DateTime::<chrono::Utc>::from(written);
    core.mail.clear_folder(written - TimeDelta::hours(1)).await.expect("a look");
    assert_eq!(files().count(), 3, "mails were deleted too early");
    core.mail.clear_folder(written + TimeDelta::hours(1)).await.expect("a look");
    assert_eq!(
        files().collect::<Vec<_>>(),
        [folder.join("notes.txt")],
        "old mails remain, or other files were deleted"
    );
}

/// One item of each kind, for a workflow and for a picture, by a user of this name.
fn every_item(name: &str) -> Vec<DigestItem> {
    use DigestEvent::{Answered, Commented, Liked, Notice, ReachedLaunches, ReachedLikes, ReachedViews, Request};
    let happenings = [Commented, Answered, Liked, ReachedViews, ReachedLikes, ReachedLaunches, Notice, Request];
    let news = |(place, happening): (usize, DigestEvent)| DigestItem {
        happening,
        actor: Some(name.to_owned()).filter(|_| place != 2),
        title: Some(name.to_owned()).filter(|_| place != 1),
        count: Some(1000),
        quote: Some(name.to_owned()),
        workflow: Some(Uuid::now_v7()).filter(|_| place != 1),
        picture: Some(Uuid::now_v7()).filter(|_| place == 1),
        comment: Some(Uuid::now_v7()).filter(|_| place < 2),
    };
    happenings.into_iter().enumerate().map(news).collect()
}

/// A receipt of an item with this name.
fn receipt(item: &str) -> Receipt {
    Receipt {
        order: Uuid::nil(),
        paid_at: DateTime::UNIX_EPOCH,
        item: item.to_owned(),
        period: None,
        credits: 10_000,
        bonus_credits: 0,
        list_price: "₩9,900".to_owned(),
        amount: "₩9,900".to_owned(),
        card: Some("1234".to_owned()),
        provider: "Toss".to_owned(),
    }
}

fn part() -> ReceiptRefund {
    ReceiptRefund { at: DateTime::UNIX_EPOCH + TimeDelta::days(1), amount: "₩900".to_owned(), credits: 1_000 }
}

#[test]
fn receipts_have_the_facts_of_their_order() {
    let text =
        |content: &Content, language| layout::text(&templates::render(content, language, "https://v.example", None));
    let paid = Content::PaymentReceipt { name: "Ann".to_owned(), receipt: Box::new(receipt("Ten thousand")) };
    let english = text(&paid, Language::En);
    for line in [
        "You have paid ₩9,900. Thank you.",
        "Order number: 00000000-0000-0000-0000-000000000000",
        "Date of payment: 1970.01.01 00:00 (UTC)",
        "Item: Ten thousand",
        "Credits: 10,000",
        "List price: ₩9,900",
        "Paid with: card ending 1234 (Toss)",
        "https://v.example/account?tab=orders&order=00000000-0000-0000-0000-000000000000",
    ] {
        assert!(english.contains(line), "{line}: {english}");
    }
    let korean = text(&paid, Language::Ko);
    assert!(korean.contains("정가: ₩9,900") && korean.contains("1234로 끝나는 카드"), "{korean}");
    let with_bonus = Box::new(Receipt { bonus_credits: 1_000, ..receipt("Ten thousand") });
    let paid = Content::PaymentReceipt { name: "Ann".to_owned(), receipt: with_bonus };
    let english = text(&paid, Language::En);
    assert!(english.contains("Credits: 10,000 + 1,000 bonus"), "{english}");
    let korean = text(&paid, Language::Ko);
    assert!(korean.contains("크레딧: 10,000 + 보너스 1,000"), "{korean}");

    let period = ReceiptPeriod {
        plan: "Basic".to_owned(),
        from: DateTime::UNIX_EPOCH,
        until: DateTime::UNIX_EPOCH + TimeDelta::days(31),
        is_change: false,
    };
    let plan = Receipt { period: Some(period), card: None, ..receipt("Basic") };
    let refunded = Content::RefundReceipt { name: "Ann".to_owned(), receipt: Box::new(plan), refund: part() };
    let english = text(&refunded, Language::En);
    for line in [
        "₩900 of your order were given back.",
        "Date of the refund: 1970.01.02 00:00 (UTC)",
        "Credits taken back: 1,000",
        "Item: Basic (plan Basic, 1970.01.01 to 1970.02.01)",
        "Amount paid: ₩9,900",
        "Paid with: Toss",
    ] {
        assert!(english.contains(line), "{line}: {english}");
    }
    assert!(text(&refunded, Language::Ko).contains("Basic 요금제, 1970.01.01~1970.02.01"));
}

#[test]
fn every_mail_exists_in_both_languages_and_escapes_names() {
    let (name, proof) = ("<b>Ann</b>&\"".to_owned(), Uuid::now_v7());
    let contents = [
        Content::VerifyEmail { name: name.clone(), proof, hours: 48 },
        Content::ResetPassword { name: name.clone(), proof, minutes: 60 },
        Content::PasswordChanged { name: name.clone() },
        Content::SignUpTried { name: name.clone(), provider: None },
        Content::SignUpTried { name: name.clone(), provider: Some("Google".to_owned()) },
        Content::AccountDeleted { name: name.clone() },
        Content::AppShared { name: name.clone(), by: name.clone(), app: name.clone(), id: proof },
        Content::AppBroken { name: name.clone(), app: name.clone(), workflow: proof, lacking: vec![name.clone()] },
        Content::WebhookDisabled {
            name: name.clone(),
            webhook: name.clone(),
            is_gone: true,
            page: "/account".to_owned(),
        },
        Content::CreditsExpire { name: name.clone(), credits: 12_500, at: DateTime::UNIX_EPOCH },
        Content::PaymentFailed { name: name.clone(), plan: "Basic".into(), next_try: Some(DateTime::UNIX_EPOCH) },
        Content::PaymentFailed { name: name.clone(), plan: "Basic".into(), next_try: None },
        Content::PaymentReceipt { name: name.clone(), receipt: Box::new(receipt(&name)) },
        Content::RefundReceipt { name: name.clone(), receipt: Box::new(receipt(&name)), refund: part() },
        Content::Digest { name: name.clone(), proof, total: 12, news: every_item(&name) },
    ];
    let code = SecretString::from("secret-code");
    for content in contents {
        let [english, korean] = [Language::En, Language::Ko]
            .map(|language| templates::render(&content, language, "https://v.example", Some(&code)));
        assert_ne!(english.subject, korean.subject);
        assert!(korean.subject.chars().any(|c| ('가'..='힣').contains(&c)), "{}", korean.subject);
        for (words, language) in [(english, Language::En), (korean, Language::Ko)] {
            let (text, html) = (layout::text(&words), layout::html(&words, language));
            assert_eq!(content.proof().is_some(), text.contains("#code=secret-code"), "{text}");
            assert_eq!(content.proof().is_some(), html.contains("#code=secret-code"), "{html}");
            assert!(!html.contains("<b>Ann") && html.contains("&lt;b&gt;Ann&lt;/b&gt;&amp;&quot;"), "{html}");
            assert!(!html.contains("src=") && !html.contains("<link"), "a mail loads no resources: {html}");
        }
    }
}
