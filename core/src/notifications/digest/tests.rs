use super::*;
use crate::ids::{CommentId, WorkflowId};
use crate::notifications::{NewNotice, NewNotification, NotificationOrder, NotificationSettings, NotificationSubject};
use crate::notifications::{check_all, delete_notice, notify, page, publish_notice, set_settings, settings};
use crate::settings::MailTls;
use crate::testing::connection_cutter::ConnectionCutter;
use crate::testing::{TestCore, code_in};
use crate::users::Language;
use crate::users::factory::user;
use crate::{Caller, Code};

async fn person(core: &TestCore, name: &str) -> (UserId, Caller) {
    let id = user().name(name).insert(&core.db).await;
    (id, Caller::customer(id))
}

async fn wants(core: &TestCore, caller: &Caller, mailed: &[NotificationKind]) {
    set_settings(core, caller, NotificationSettings { mailed: mailed.to_vec() }).await.expect("settings");
}

fn comment(text: &str) -> NewNotification {
    let about = NotificationSubject::Workflow(WorkflowId::new(), "Lighthouse".to_owned());
    NewNotification::Comment { about, comment: CommentId::new(), text: text.to_owned(), is_answer: false }
}

async fn put(core: &TestCore, to: UserId, actor: UserId, fact: &NewNotification) {
    let mut connection = core.db.acquire().await.expect("a connection");
    notify(&mut connection, to, Some(actor), fact, core.clock.now()).await.expect("a box");
}

/// All sent mails, without the line breaks of their encoding.
async fn mails(core: &TestCore) -> Vec<String> {
    core.mails().await.into_iter().map(|(_, mail)| mail.replace("=\r\n", "").replace("=3D", "=")).collect()
}

#[actix::test]
async fn unseen_notifications_are_mailed_once_and_at_most_hourly() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, _)) = (person(&core, "Ann").await, person(&core, "Bob").await);
    wants(&core, &caller, &[NotificationKind::Comment]).await;
    put(&core, ann, bob, &comment("Lovely light")).await;
    put(&core, ann, bob, &comment("And <b>calm</b>")).await;
    let about = NotificationSubject::Workflow(WorkflowId::new(), "Lighthouse".to_owned());
    put(&core, ann, bob, &NewNotification::Like { about }).await;
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0, "she may be looking at it right now");
    core.clock.advance(MAIL_AFTER);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 1);
    let sent = mails(&core).await;
    let [letter] = sent.as_slice() else { panic!("{sent:?}") };
    assert!(letter.contains("Subject: 2 new notifications"), "{letter}");
    assert!(letter.contains("Lovely light") && letter.contains("?comment="), "{letter}");
    assert!(letter.contains("&lt;b&gt;calm"), "markup of a comment became markup of the mail: {letter}");
    assert!(!letter.contains("likes"), "likes were not asked for: {letter}");

    put(&core, ann, bob, &comment("One more thing")).await;
    core.clock.advance(MAIL_AFTER);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0, "a second letter within the hour");
    core.clock.advance(MAIL_EVERY);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 1);
    core.clock.advance(MAIL_EVERY);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0, "told twice");
    let sent = mails(&core).await;
    assert_eq!(sent.len(), 2);
    assert!(sent[1].contains("One more thing") && !sent[1].contains("Lovely light"), "{}", sent[1]);
}

#[actix::test]
async fn read_and_unwanted_notifications_are_not_mailed() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, other)) = (person(&core, "Ann").await, person(&core, "Bob").await);
    put(&core, ann, bob, &comment("Before she asked")).await;
    core.clock.advance(MAIL_AFTER);
    wants(&core, &caller, &[NotificationKind::Comment]).await;
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0, "it came before she wanted letters");
    put(&core, ann, bob, &comment("Read at once")).await;
    core.clock.advance(MAIL_AFTER);
    check_all(&core, &caller, None).await.expect("a look");
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0, "she has read it");
    put(&core, bob, ann, &comment("He never asked")).await;
    core.clock.advance(MAIL_EVERY);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0);
    assert!(mails(&core).await.is_empty());
    assert_eq!(page(&core, &other, None, 0, 5, NotificationOrder::Newest).await.expect("a box").total, 1);
}

#[actix::test]
async fn two_nodes_write_one_digest() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, _)) = (person(&core, "Ann").await, person(&core, "Bob").await);
    wants(&core, &caller, &[NotificationKind::Comment]).await;
    put(&core, ann, bob, &comment("Hello")).await;
    core.clock.advance(MAIL_AFTER);
    let others = [core.another("second"), core.another("third")];
    let (first, second, third) = tokio::join!(mail_due(&core), mail_due(&others[0]), mail_due(&others[1]));
    assert_eq!([first, second, third].map(|written| written.expect("a sweep")).iter().sum::<u64>(), 1);
    assert_eq!(mails(&core).await.len(), 1);
}

#[actix::test]
async fn interrupted_digest_is_written_completely_later() {
    let core = TestCore::new().await;
    let cutter = ConnectionCutter::of(&core.database).await;
    let ((ann, caller), (bob, other)) = (person(&core, "Ann").await, person(&core, "Bob").await);
    wants(&core, &other, &[NotificationKind::Comment]).await;
    put(&core, bob, ann, &comment("The first of all")).await;
    core.clock.advance(MAIL_AFTER);
    cutter.record_writes().await;
    assert_eq!(mail_due(&core).await.expect("a sweep"), 1);
    let written = cutter.written_tables().await;
    assert_eq!(written, ["mails", "notification_settings", "notifications"]);

    wants(&core, &caller, &[NotificationKind::Comment]).await;
    for text in ["Lovely light", "And calm"] {
        put(&core, ann, bob, &comment(text)).await;
    }
    core.clock.advance(MAIL_AFTER);
    let before = cutter.fingerprint().await;
    for table in written.iter().map(Some).chain([None]) {
        match table {
            Some(table) => cutter.cut_at_write(table).await,
            None => cutter.cut_at_commit("mails").await,
        }
        let cut = mail_due(&core).await;
        cutter.restore().await;
        assert!(matches!(cut, Err(Error::Unavailable { .. })), "at {table:?}: {cut:?}");
        assert_eq!(cutter.fingerprint().await, before, "half a letter, cut off at {table:?}");
    }
    assert_eq!(mail_due(&core).await.expect("a sweep"), 1);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0);
    let sent = mails(&core).await;
    let [_, letter] = sent.as_slice() else { panic!("{sent:?}") };
    assert!(letter.contains("Lovely light") && letter.contains("And calm"), "{letter}");
}

#[actix::test]
async fn unsubscribe_link_ends_digests_and_is_in_the_mail_headers() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, _)) = (person(&core, "Ann").await, person(&core, "Bob").await);
    wants(&core, &caller, &[NotificationKind::Comment, NotificationKind::Like]).await;
    put(&core, ann, bob, &comment("Hello")).await;
    core.clock.advance(MAIL_AFTER);
    mail_due(&core).await.expect("a sweep");
    let letter = mails(&core).await.remove(0);
    let code = code_in(&letter).expect("a link");
    assert!(letter.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{letter}");
    assert!(letter.contains(&format!("/api/public/unsubscribe/one-click?code={code}>")), "{letter}");
    for wrong in ["", "nonsense", &code[..42]] {
        let refused = unsubscribe(&core, &SecretString::from(wrong)).await;
        assert!(matches!(refused, Err(Error::Refused { code: Code::UnsubscribeLinkInvalid, .. })), "{wrong}");
    }
    assert_eq!(settings(&core, &caller).await.expect("settings").mailed.len(), 2);
    for _ in 0..2 {
        unsubscribe(&core, &SecretString::from(code.as_str())).await.expect("no more letters");
    }
    assert!(settings(&core, &caller).await.expect("settings").mailed.is_empty());
    put(&core, ann, bob, &comment("Anybody there?")).await;
    core.clock.advance(MAIL_EVERY);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0);
}

#[actix::test]
async fn unread_notices_are_mailed_in_the_users_language() {
    let core = TestCore::new().await;
    let (ann, caller) = person(&core, "Ann").await;
    let admin = Caller { admin: true, ..Caller::customer(user().admin().insert(&core.db).await) };
    let new = |title: &str| NewNotice {
        title_en: title.to_owned(),
        title_ko: "점검 안내".to_owned(),
        content_en: "<p>We are <strong>away</strong> on Sunday.</p>".to_owned(),
        content_ko: "<p>일요일에 점검합니다.</p>".to_owned(),
    };
    publish_notice(&core, &admin, new("Too early")).await.expect("a notice");
    wants(&core, &caller, &[NotificationKind::Notice]).await;
    publish_notice(&core, &admin, new("Maintenance")).await.expect("a notice");
    let gone = publish_notice(&core, &admin, new("Taken back")).await.expect("a notice");
    delete_notice(&core, &admin, gone.id).await.expect("a second thought");
    core.clock.advance(MAIL_AFTER);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 1);
    let letter = mails(&core).await.remove(0);
    assert!(letter.contains("Subject: 1 new notification\r\n"), "{letter}");
    assert!(letter.contains("Maintenance") && letter.contains("We are away on Sunday."), "{letter}");
    assert!(!letter.contains("Taken back") && !letter.contains("Too early"), "{letter}");
    users::set_language(&core, &caller, Language::Ko).await.expect("a language");
    publish_notice(&core, &admin, new("Maintenance")).await.expect("a notice");
    core.clock.advance(MAIL_EVERY);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 1);
    let [_, korean] = core.mails().await.try_into().expect("two letters");
    assert!(korean.1.contains("Content-Language: ko"), "{ann}");
}

#[actix::test]
async fn unconfirmed_address_gets_no_digests() {
    let core = TestCore::with(crate::Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), |settings| {
        settings.mail.host = Some("127.0.0.1".to_owned());
        settings.mail.tls = MailTls::None;
    })
    .await;
    let ann = user().unverified().insert(&core.db).await;
    let (caller, (bob, _)) = (Caller::customer(ann), person(&core, "Bob").await);
    wants(&core, &caller, &[NotificationKind::Comment]).await;
    put(&core, ann, bob, &comment("Hello")).await;
    core.clock.advance(MAIL_AFTER);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 0);
    assert_eq!(core.database.count("SELECT count(*) FROM mails").await, 0);
    let admin = Caller { admin: true, ..Caller::customer(user().admin().insert(&core.db).await) };
    users::confirm(&core, &admin, &format!("{ann}@example.com")).await.expect("confirmed by an operator");
    core.clock.advance(MAIL_EVERY);
    assert_eq!(mail_due(&core).await.expect("a sweep"), 1, "the mail held for the verification is sent");
}
