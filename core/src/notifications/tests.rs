use super::*;
use crate::assets;
use crate::ids::{CommentId, OutputAssetId, WorkflowId};
use crate::testing::TestCore;
use crate::users::factory::user;

async fn person(core: &TestCore) -> (UserId, Caller) {
    let id = user().insert(&core.db).await;
    (id, Caller::customer(id))
}

fn about() -> NotificationSubject {
    NotificationSubject::Workflow(WorkflowId::new(), "Lighthouse".to_owned())
}

async fn put(core: &TestCore, to: UserId, actor: Option<UserId>, fact: &NewNotification) -> bool {
    let mut connection = core.db.acquire().await.expect("a connection");
    notify(&mut connection, to, actor, fact, core.clock.now()).await.expect("a box")
}

async fn all(core: &TestCore, caller: &Caller) -> Vec<Notification> {
    page(core, caller, None, 0, 100, NotificationOrder::Newest).await.expect("a page").items
}

#[actix::test]
async fn all_pages_have_consistent_items_for_each_kind() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, _)) = (person(&core).await, person(&core).await);
    for number in 0..25 {
        let comment = NewNotification::Comment {
            about: about(),
            comment: CommentId::new(),
            text: format!("comment {number}"),
            is_answer: false,
        };
        assert!(put(&core, ann, Some(bob), &comment).await);
        if number % 5 == 0 {
            assert!(put(&core, ann, Some(bob), &NewNotification::Like { about: about() }).await);
        }
    }
    let first = page(&core, &caller, None, 0, 20, NotificationOrder::Newest).await.expect("a page");
    assert_eq!((first.items.len(), first.total), (20, 30));
    assert_eq!(first.items[0].content.as_deref(), Some("comment 24"));
    let second = page(&core, &caller, None, 20, 20, NotificationOrder::Newest).await.expect("a page");
    assert_eq!(second.items.len(), 10);
    assert!(second.items.iter().all(|item| !first.items.contains(item)), "an item is on two pages");
    let likes =
        page(&core, &caller, Some(NotificationKind::Like), 0, 3, NotificationOrder::Oldest).await.expect("a page");
    assert_eq!((likes.items.len(), likes.total), (3, 5));
    assert!(likes.items.iter().all(|item| item.kind == NotificationKind::Like && item.actor == Some(bob)));
    assert!(page(&core, &caller, None, 30, 20, NotificationOrder::Newest).await.expect("a page").items.is_empty());
    for (skip, limit) in [(-1, 20), (0, 0), (0, 101)] {
        let page = page(&core, &caller, None, skip, limit, NotificationOrder::Newest).await;
        assert!(matches!(page, Err(Error::Invalid { .. })), "{skip} {limit}");
    }
    let guest = page(&core, &Caller::guest(), None, 0, 20, NotificationOrder::Newest).await;
    assert!(matches!(guest, Err(Error::LoginRequired)));
}

#[actix::test]
async fn repeated_own_and_blocked_notifications_are_dropped() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, _)) = (person(&core).await, person(&core).await);
    let liked = NewNotification::Like { about: about() };
    assert!(put(&core, ann, Some(bob), &liked).await);
    assert!(!put(&core, ann, Some(bob), &liked).await, "the same like");
    assert!(!put(&core, ann, Some(ann), &liked).await, "her own like");
    let reached = |count| NewNotification::Milestone {
        about: NotificationSubject::OutputAsset(OutputAssetId(ann.0)),
        what: MilestoneMetric::View,
        count,
    };
    assert!(put(&core, ann, None, &reached(10)).await);
    assert!(!put(&core, ann, None, &reached(10)).await, "the same milestone");
    assert!(put(&core, ann, None, &reached(100)).await);
    users::block(&core, &caller, bob).await.expect("a block");
    assert!(!put(&core, ann, Some(bob), &NewNotification::Like { about: about() }).await, "a blocked person's like");
    assert_eq!(all(&core, &caller).await.len(), 3);
}

#[actix::test]
async fn deleted_notifications_leave_no_gaps_and_do_not_return() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, bobs)) = (person(&core).await, person(&core).await);
    let likes: Vec<NewNotification> = (0..6).map(|_| NewNotification::Like { about: about() }).collect();
    for like in &likes {
        assert!(put(&core, ann, Some(bob), like).await);
    }
    let before: Vec<NotificationId> = all(&core, &caller).await.iter().map(|item| item.id).collect();
    let gone = [before[0], before[3]];
    assert_eq!(delete(&core, &bobs, &gone).await.expect("somebody else's box"), 0);
    assert_eq!(delete(&core, &caller, &gone).await.expect("two"), 2);
    assert_eq!(delete(&core, &caller, &gone).await.expect("nothing more"), 0);
    assert_eq!(unread(&core, &caller).await.expect("a count").of(NotificationKind::Like), 4);
    let ids = async |skip, limit, order| {
        let page = page(&core, &caller, Some(NotificationKind::Like), skip, limit, order).await.expect("a page");
        assert_eq!(page.total, 4);
        page.items.iter().map(|item| item.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(0, 3, NotificationOrder::Newest).await, [before[1], before[2], before[4]]);
    assert_eq!(ids(3, 3, NotificationOrder::Newest).await, [before[5]]);
    assert_eq!(ids(1, 2, NotificationOrder::Oldest).await, [before[4], before[2]]);
    assert!(
        ids(4, 3, NotificationOrder::Newest).await.is_empty() && ids(4, 3, NotificationOrder::Oldest).await.is_empty()
    );

    assert!(!put(&core, ann, Some(bob), &likes[5]).await, "the like that was deleted came back");
    assert!(put(&core, ann, Some(bob), &NewNotification::Like { about: about() }).await);
    assert_eq!(total(&core, &caller, None).await.expect("a total"), 5);
    let many = vec![before[1]; usize::try_from(MAX_PAGE).expect("a size") + 1];
    assert!(matches!(delete(&core, &caller, &many).await, Err(Error::Invalid { .. })));
    assert!(matches!(delete(&core, &Caller::guest(), &gone).await, Err(Error::LoginRequired)));
    forget(&core, ann).await.expect("an empty box");
    assert_eq!(
        core.database.count("SELECT count(*) FROM notifications_told").await,
        0,
        "keys of a deleted user remain"
    );
}

#[actix::test]
async fn concurrent_notifications_get_different_places() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, _)) = (person(&core).await, person(&core).await);
    let facts: Vec<NewNotification> = (0..20).map(|_| NewNotification::Like { about: about() }).collect();
    let puts = facts.iter().map(|fact| put(&core, ann, Some(bob), fact));
    assert!(futures_util::future::join_all(puts).await.into_iter().all(|put| put));
    assert_eq!(all(&core, &caller).await.len(), 20);
}

#[actix::test]
async fn checking_reduces_unread_counts_of_the_callers_box_only() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, stranger)) = (person(&core).await, person(&core).await);
    for _ in 0..3 {
        put(&core, ann, Some(bob), &NewNotification::Like { about: about() }).await;
    }
    put(&core, ann, None, &NewNotification::Milestone { about: about(), what: MilestoneMetric::Launch, count: 10 })
        .await;
    let before = unread(&core, &caller).await.expect("counts");
    assert_eq!((before.all, before.of(NotificationKind::Like), before.of(NotificationKind::Others)), (4, 3, 1));
    let ids: Vec<NotificationId> = all(&core, &caller).await.iter().map(|item| item.id).collect();
    assert_eq!(check(&core, &stranger, &ids).await.expect("nothing"), 0, "a stranger checked her box");
    assert_eq!(check(&core, &caller, &ids[..1]).await.expect("one"), 1);
    assert_eq!(check(&core, &caller, &ids[..1]).await.expect("none"), 0, "checked twice");
    assert_eq!(check_all(&core, &caller, Some(NotificationKind::Like)).await.expect("the likes"), 3);
    assert_eq!(unread(&core, &caller).await.expect("counts").all, 0);
}

#[actix::test]
async fn notice_reaches_every_user_once_in_their_language_until_it_is_deleted() {
    let core = TestCore::new().await;
    let (_, caller) = person(&core).await;
    let admin = Caller { admin: true, ..Caller::customer(user().admin().insert(&core.db).await) };
    let new = NewNotice {
        title_en: "Maintenance".to_owned(),
        title_ko: "점검".to_owned(),
        content_en: "<p>Tonight<script>alert(1)</script></p>".to_owned(),
        content_ko: "<p>오늘 밤</p>".to_owned(),
    };
    assert!(matches!(publish_notice(&core, &caller, new.clone()).await, Err(Error::Forbidden)));
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::DynamicImage::new_rgb8(9, 8);
    image.write_to(&mut bytes, image::ImageFormat::Png).expect("an encoded picture");
    let picture = bytes::Bytes::from(bytes.into_inner());
    let picture = assets::upload(&core, &admin, "a.png", picture).await.expect("an upload");
    let pictured = format!("{}<img src=\"/media/raw/{}\">", new.content_ko, picture.key());
    let new = NewNotice { content_ko: pictured, ..new };
    let notice = publish_notice(&core, &admin, new.clone()).await.expect("a notice");
    let sees = assets::may_see_content(&core, &Caller::guest(), &picture.stored.content).await;
    assert!(sees.expect("an answer"), "the notice hides its picture");
    let (first, again) = tokio::join!(all(&core, &caller), all(&core, &caller));
    assert_eq!((first.len(), again.len()), (1, 1), "two tabs bring it once");
    assert_eq!(first[0].title.as_deref(), Some("Maintenance"));
    assert_eq!(first[0].content.as_deref(), Some("<p>Tonight</p>"));
    users::set_language(&core, &caller, users::Language::Ko).await.expect("Korean");
    assert_eq!(all(&core, &caller).await[0].title.as_deref(), Some("점검"));
    assert_eq!(unread(&core, &caller).await.expect("counts").of(NotificationKind::Notice), 1);

    let (_, newcomer) = person(&core).await;
    assert!(all(&core, &newcomer).await.is_empty(), "a new user gets an older notice");
    delete_notice(&core, &admin, notice.id).await.expect("taken back");
    assert!(all(&core, &caller).await.is_empty());
    assert_eq!(unread(&core, &caller).await.expect("counts").all, 0, "the badge still counts the deleted notice");
    assert!(matches!(delete_notice(&core, &admin, notice.id).await, Err(Error::NotFound { .. })));
    for empty in
        [NewNotice { title_en: " ".to_owned(), ..new.clone() }, NewNotice { content_ko: "<p></p>".to_owned(), ..new }]
    {
        let refused = publish_notice(&core, &admin, empty).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    }
}

#[actix::test]
async fn open_page_hears_of_its_own_new_notifications_only() {
    let core = TestCore::new().await;
    let ((ann, caller), (bob, other)) = (person(&core).await, person(&core).await);
    let (mut hers, mut his) = (subscribe(&core, &caller).expect("hers"), subscribe(&core, &other).expect("his"));
    put(&core, ann, Some(bob), &NewNotification::Like { about: about() }).await;
    announce(&core, ann).await;
    let heard = tokio::time::timeout(std::time::Duration::from_secs(30), hers.next()).await.expect("in time");
    assert!(heard.is_some());
    let silence = tokio::time::timeout(std::time::Duration::from_millis(20), his.next()).await;
    assert!(silence.is_err(), "a stranger heard of it");
    assert!(subscribe(&core, &Caller::guest()).is_err());
}

#[actix::test]
async fn mail_settings_are_empty_by_default() {
    let core = TestCore::new().await;
    let (_, caller) = person(&core).await;
    assert!(settings(&core, &caller).await.expect("settings").mailed.is_empty());
    let asked = NotificationSettings {
        mailed: vec![NotificationKind::Notice, NotificationKind::Comment, NotificationKind::Notice],
    };
    let kept = set_settings(&core, &caller, asked).await.expect("settings");
    assert_eq!(kept.mailed, [NotificationKind::Comment, NotificationKind::Notice]);
    assert_eq!(settings(&core, &caller).await.expect("settings"), kept);
}

#[test]
fn milestone_is_the_highest_power_of_ten_passed() {
    for (before, after, expected) in
        [(0, 9, None), (9, 10, Some(10)), (10, 11, None), (5, 1500, Some(1000)), (999, 1000, Some(1000)), (7, 7, None)]
    {
        assert_eq!(MilestoneMetric::milestone(before, after), expected, "{before} {after}");
    }
}
