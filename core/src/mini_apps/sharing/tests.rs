use super::*;
use crate::database;
use crate::list::ListQuery;
use crate::mini_apps::tests::saved;
use crate::mini_apps::{MiniApp, compiled, delete, find};
use crate::notifications::{NotificationKind, NotificationOrder};
use crate::testing::TestCore;
use crate::users::Language;
use crate::users::factory::user;
use crate::workflows::lock_tx;

/// Ann's app on a private workflow.
struct Scene {
    core: TestCore,
    ann: Caller,
    app: MiniApp,
}

impl Scene {
    async fn new() -> Self {
        let core = TestCore::new().await;
        let ann = user().insert(&core.db).await;
        let (app, _) = saved(&core, ann).await;
        Self { core, ann: Caller::customer(ann), app }
    }

    /// A user and the user's address.
    async fn person(&self) -> (Caller, String) {
        let id = user().insert(&self.core.db).await;
        (Caller::customer(id), self.address(id).await)
    }

    async fn address(&self, id: UserId) -> String {
        users::find(&self.core, id).await.expect("a person").email.clone()
    }

    async fn share(&self, email: &str) -> Result<Share> {
        share(&self.core, &self.ann, self.app.id, email).await
    }

    async fn runs(&self, who: &Caller) -> bool {
        match compiled(&self.core, who, self.app.id).await {
            Ok(app) => app.id == self.app.id,
            Err(Error::NotFound { .. }) => false,
            Err(error) => panic!("{error}"),
        }
    }

    async fn boxed(&self, who: &Caller) -> Vec<notifications::Notification> {
        let page =
            notifications::page(&self.core, who, Some(NotificationKind::Notice), 0, 10, NotificationOrder::Oldest)
                .await;
        page.expect("a box").items
    }
}

#[actix::test]
async fn shared_app_can_be_run_without_its_graph_until_unshared() {
    let scene = Scene::new().await;
    let [old, _] = crate::mini_apps::tests::definitions();
    let ((bob, address), (eve, _)) = (scene.person().await, scene.person().await);
    assert!(!scene.runs(&bob).await);
    let given = scene.share(&format!("  {} ", address.to_uppercase())).await.expect("a share");
    assert_eq!(Some(given.user.id), bob.user);
    assert!(scene.runs(&bob).await, "shared, and not to be run");
    assert!(!scene.runs(&eve).await && !scene.runs(&Caller::guest()).await, "shared with everybody");

    let (seen, health) = find(&scene.core, &bob, &old, scene.app.id).await.expect("its documentation");
    assert_eq!((seen.inputs, &seen.rjsf, &seen.outputs), (None, &scene.app.rjsf, &scene.app.outputs));
    assert!(health.ok);
    assert!(workflows::find(&scene.core, &bob, scene.app.workflow.id).await.is_err(), "the post is seen");
    assert!(matches!(delete(&scene.core, &bob, scene.app.id).await, Err(Error::NotFound { .. })));

    let listed = shares(&scene.core, &scene.ann, scene.app.id).await.expect("shares");
    assert_eq!(listed.iter().map(|share| share.id).collect::<Vec<_>>(), [given.id]);
    assert!(matches!(shares(&scene.core, &bob, scene.app.id).await, Err(Error::NotFound { .. })));
    assert!(matches!(unshare(&scene.core, &eve, given.id).await, Err(Error::NotFound { what: "share" })));
    unshare(&scene.core, &scene.ann, given.id).await.expect("it is taken back");
    assert!(!scene.runs(&bob).await, "taken back, and still to be run");
    assert!(matches!(unshare(&scene.core, &scene.ann, given.id).await, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn receiver_gets_one_notification_and_one_mail() {
    let scene = Scene::new().await;
    let (bob, address) = scene.person().await;
    users::set_language(&scene.core, &bob, Language::Ko).await.expect("a language");
    let given = scene.share(&address).await.expect("a share");
    let told = scene.boxed(&bob).await;
    assert_eq!(told[0].title.as_deref(), Some("앱을 공유받았습니다"));
    let content = told[0].content.clone().unwrap_or_default();
    assert!(content.contains(&format!("/easy-app/{}", scene.app.id)), "it leads nowhere: {content}");
    users::set_language(&scene.core, &bob, Language::En).await.expect("another language");
    assert_eq!(scene.boxed(&bob).await[0].title.as_deref(), Some("An app was shared with you"));
    let mails = scene.core.mails().await;
    let [(to, mail)] = mails.as_slice() else { panic!("one letter, and not {}", mails.len()) };
    assert_eq!((to, mail.contains(&scene.app.id.to_string())), (&address, true), "{mail}");

    // The digest does not repeat what the mail about the share said.
    let every = notifications::NotificationSettings { mailed: NotificationKind::ALL.to_vec() };
    notifications::set_settings(&scene.core, &bob, every).await.expect("settings");
    scene.core.clock.advance(notifications::MAIL_AFTER * 2);
    assert_eq!(notifications::mail_due(&scene.core).await.expect("letters"), 0);

    unshare(&scene.core, &bob, given.id).await.expect("one may give back what one was given");
    assert!(!scene.runs(&bob).await);
}

#[actix::test]
async fn each_refused_share_has_its_own_code() {
    let scene = Scene::new().await;
    let (bob, address) = scene.person().await;
    let own = scene.address(scene.ann.user.expect("Ann")).await;
    let code = async |email: &str| scene.share(email).await.expect_err("a refusal").code();
    assert_eq!(code("no address").await, Code::ValidationFailed);
    assert_eq!(code("unknown@example.com").await, Code::ShareUserUnknown);
    assert_eq!(code(&own).await, Code::ShareWithYourself);
    let stranger = share(&scene.core, &bob, scene.app.id, &address).await;
    assert!(matches!(stranger, Err(Error::NotFound { what: "workflow api" })), "{stranger:?}");

    users::block(&scene.core, &bob, scene.ann.user.expect("Ann")).await.expect("a block");
    assert_eq!(code(&address).await, Code::ShareUserUnknown, "a user who blocked the owner is not found");
    users::unblock(&scene.core, &bob, scene.ann.user.expect("Ann")).await.expect("no block");
    scene.share(&address).await.expect("a share");
    assert_eq!(code(&address).await, Code::SharedAlready);
    assert_eq!(scene.boxed(&bob).await.len(), 1, "what was refused was told");

    let query = "INSERT INTO workflow_api_shares (id, workflow_api_id, user_id, created_at)
                 SELECT gen_random_uuid(), $1, gen_random_uuid(), now() FROM generate_series(2, $2)";
    let full = sqlx::query(query).bind(scene.app.id.0).bind(i32::try_from(MAX_SHARES).expect("a number"));
    full.execute(&scene.core.db).await.expect("rows");
    let (_, late) = scene.person().await;
    assert_eq!(code(&late).await, Code::ShareLimit);
    for _ in 0..TRIES_PER_HOUR {
        drop(scene.share("unknown@example.com").await);
    }
    assert_eq!(code("unknown@example.com").await, Code::RateLimited, "attempts are not limited");
}

#[actix::test]
async fn hidden_app_is_not_shared() {
    let scene = Scene::new().await;
    let (bob, address) = scene.person().await;
    scene.share(&address).await.expect("a share");
    let mut tx = database::begin(&scene.core.db).await.expect("a transaction");
    let hidden = lock_tx(&mut tx, &Caller::system(), scene.app.workflow.id, scene.core.clock.now()).await;
    hidden.expect("a lock").expect("a workflow");
    tx.commit().await.expect("a commit");
    let [old, _] = crate::mini_apps::tests::definitions();
    assert!(!scene.runs(&bob).await);
    assert!(find(&scene.core, &bob, &old, scene.app.id).await.is_err());
    assert!(shared_with(&scene.core, &bob, ListQuery::at((), None, 10)).await.expect("a list").items.is_empty());
    assert!(scene.runs(&scene.ann).await, "its owner mends it");
}

#[actix::test]
async fn shares_are_paged_and_deleted_with_the_app_or_either_user() {
    let scene = Scene::new().await;
    let (bob, address) = scene.person().await;
    let ann = scene.ann.user.expect("Ann");
    let mut apps = vec![scene.app.id];
    scene.share(&address).await.expect("a share");
    for _ in 0..2 {
        let (app, _) = saved(&scene.core, ann).await;
        share(&scene.core, &scene.ann, app.id, &address).await.expect("a share");
        apps.push(app.id);
    }
    apps.reverse();
    let page = async |cursor: Option<&str>, limit| {
        let page = shared_with(&scene.core, &bob, ListQuery::at((), cursor, limit)).await.expect("a page");
        (page.items.into_iter().map(|item| item.app).collect::<Vec<_>>(), page.next_cursor)
    };
    let (first, next) = page(None, 2).await;
    assert_eq!(first, apps[..2]);
    assert_eq!(page(next.as_deref(), 2).await, (apps[2..].to_vec(), None));
    assert!(matches!(
        shared_with(&scene.core, &bob, ListQuery::at((), Some("x"), 2)).await,
        Err(Error::Invalid { .. })
    ));
    users::block(&scene.core, &bob, ann).await.expect("a block");
    assert!(page(None, 10).await.0.is_empty(), "a blocked user is listed");
    users::unblock(&scene.core, &bob, ann).await.expect("no block");

    delete(&scene.core, &scene.ann, apps[0]).await.expect("it is deleted");
    assert_eq!(page(None, 10).await.0, apps[1..]);
    let rows = async || {
        sqlx::query_scalar::<_, i64>("SELECT count(*) FROM workflow_api_shares")
            .fetch_one(&scene.core.db)
            .await
            .expect("a count")
    };
    assert_eq!(rows().await, 2);
    workflows::delete(&scene.core, &scene.ann, scene.app.workflow.id).await.expect("it is deleted");
    assert_eq!(page(None, 10).await.0, apps[1..2]);
    assert_eq!(forget_shares_of_deleted(&scene.core).await.expect("upkeep"), 1);
    let (carol, other) = scene.person().await;
    share(&scene.core, &scene.ann, apps[1], &other).await.expect("a share");
    forget_shares(&scene.core, carol.user.expect("Carol")).await.expect("she leaves");
    assert_eq!(rows().await, 1, "more went than what was hers");
    forget_shares(&scene.core, ann).await.expect("Ann leaves");
    assert_eq!(rows().await, 0);
}
