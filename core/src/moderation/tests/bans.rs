//! Warnings, bans, and the role of admin.

use chrono::TimeDelta;
use serde_json::{Map, json};

use super::*;
use crate::ids::{AssetId, WorkflowApiId};
use crate::users::{self, ContactKind, ContactPoint};
use crate::workflows::{NewGraph, NewWorkflow, WorkflowChanges};
use crate::{Code, jobs, ledger};

fn penalty(days: Option<u32>) -> Penalty {
    Penalty { days, reason: "spam".into() }
}

fn is_banned<T: std::fmt::Debug>(refused: Result<T>) -> bool {
    matches!(refused, Err(Error::Banned { .. }))
}

#[actix::test]
async fn banned_user_can_read_but_not_take_part() {
    let core = TestCore::new().await;
    let (author, moderator, other) = (person(&core).await, admin(&core).await, person(&core).await);
    let (post, foreign) = (workflow(&core, &author).await, workflow(&core, &other).await);
    let draft = workflows::workflow(id(&author)).insert(&core.db).await.id;
    let (shown, liked) = (picture(&core, &author).await, picture(&core, &other).await);
    let (mine, theirs) = (comment(&core, &author).await, comment(&core, &other).await);
    ban(&core, &moderator, id(&author), &penalty(None)).await.expect("a ban");
    let below = comments::CommentParent::Post(comments::Post::Workflow(foreign));
    let edit = WorkflowChanges { name: Some("New".into()), ..WorkflowChanges::default() };
    let new = NewWorkflow {
        name: "x".into(),
        description: String::new(),
        translations: workflows::Translations::default(),
        graph: NewGraph { ui: None, prompt: None },
        is_private: true,
        cover: None,
        thumbnails: Vec::new(),
        tags: Vec::new(),
    };
    let app = WorkflowApiId::new();
    let (form, terms, labels) = (Map::new(), jobs::RunTerms::default(), jobs::JobLabels::default());
    let form = jobs::FormSubmit { app, version: None, form, terms, idempotency_key: None, batch: None, labels };
    let prompt = jobs::PromptSubmit {
        prompt: serde_json::value::to_raw_value(&json!({})).expect("JSON"),
        strict: false,
        files: std::collections::HashMap::new(),
        extra_data: None,
        terms: jobs::RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    let points = vec![ContactPoint { kind: ContactKind::Instagram, value: "spam".into() }];
    for (verb, refused) in [
        ("create", is_banned(workflows::create(&core, &author, new).await)),
        ("copy", is_banned(workflows::copy(&core, &author, foreign, None).await)),
        ("upload", is_banned(assets::upload(&core, &author, "a.png", bytes::Bytes::new()).await)),
        ("show an input", is_banned(gallery::keep_input(&core, &author, AssetId::new(), false).await)),
        ("show an old input", is_banned(gallery::set_inputs_private(&core, &author, &[], false).await)),
        ("make a key", is_banned(users::create_api_key(&core, &author, "ci").await)),
        ("edit", is_banned(workflows::update(&core, &author, post, edit).await)),
        ("publish", is_banned(workflows::set_private(&core, &author, &[draft], false).await)),
        ("like", is_banned(workflows::toggle_like(&core, &author, foreign).await)),
        ("publish a picture", is_banned(gallery::set_private(&core, &author, &[shown], false).await)),
        ("like a picture", is_banned(gallery::toggle_like(&core, &author, liked).await)),
        ("comment", is_banned(comments::write(&core, &author, below, "<p>x</p>").await)),
        ("edit a comment", is_banned(comments::edit(&core, &author, mine, "<p>x</p>").await)),
        ("like a comment", is_banned(comments::react(&core, &author, theirs, comments::Reaction::Like).await)),
        ("run a mini app", is_banned(jobs::submit_form(&core, &author, form).await)),
        ("run a prompt", is_banned(jobs::submit_prompt(&core, &author, prompt).await)),
        ("begin a batch", is_banned(jobs::open_batch(&core, &author, None).await)),
        ("report", is_banned(report(&core, &author, ReportTarget::Workflow(foreign), ReportReason::Spam, "").await)),
        ("change the name", is_banned(users::set_name(&core, &author, "Another").await)),
        ("show a picture beside the name", is_banned(assets::set_portrait(&core, &author, Some(AssetId::new())).await)),
        ("change contact points", is_banned(users::set_contact_points(&core, &author, points).await)),
    ] {
        assert!(refused, "a banned user may {verb}");
    }
    workflows::find(&core, &author, foreign).await.expect("reading goes on");
    notifications::page(&core, &author, None, 0, 10, notifications::NotificationOrder::Newest)
        .await
        .expect("their box");
    assets::set_portrait(&core, &author, None).await.expect("a banned user may delete their own");
    comments::delete(&core, &author, mine).await.expect("a banned user may delete their own");
    gallery::delete(&core, &author, &[shown]).await.expect("a banned user may delete their own");
    workflows::delete(&core, &author, post).await.expect("a banned user may delete their own");
    assert_eq!(ledger::available(&core, id(&author)).await.expect("a balance"), 0, "nothing was held");
}

#[actix::test]
async fn ban_has_a_reason_and_ends_by_time_or_by_an_admin() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let try_it = async || {
        let post = workflow(&core, &person(&core).await).await;
        report(&core, &author, ReportTarget::Workflow(post), ReportReason::Spam, "").await
    };
    let until = core.clock.now() + TimeDelta::days(7);
    ban(&core, &moderator, id(&author), &penalty(Some(7))).await.expect("a ban");
    let Err(error) = try_it().await else { panic!("a banned user may report") };
    assert_eq!((error.code(), error.kind()), (Code::AccountBanned, crate::ErrorKind::Forbidden));
    assert_eq!(error.details(), Some(json!({ "until": until, "reason": "spam" })));
    core.clock.advance(TimeDelta::days(7));
    try_it().await.expect("the ban is over");

    ban(&core, &moderator, id(&author), &penalty(None)).await.expect("a ban for good");
    core.clock.advance(TimeDelta::days(4000));
    assert!(is_banned(try_it().await));
    unban(&core, &moderator, id(&author)).await.expect("lifted");
    try_it().await.expect("the ban was lifted");
    let again = unban(&core, &moderator, id(&author)).await;
    assert!(matches!(again, Err(Error::Conflict { code: Code::NotBanned, .. })));
    let titles: Vec<_> = notices(&core, &author).await.into_iter().filter_map(|notice| notice.title).collect();
    assert_eq!(titles, ["Your account is banned", "Your account is banned", "Your ban was lifted"]);
}

#[actix::test]
async fn ban_with_a_verdict_is_atomic() {
    let core = TestCore::new().await;
    let (moderator, chief) = (admin(&core).await, admin(&core).await);
    let post = workflow(&core, &chief).await;
    let case = case_of(&core, ReportTarget::Workflow(post)).await;
    let harsh = CaseDecision { ban: Some(penalty(Some(1))), ..only(Verdict::Delete) };
    let refused = decide(&core, &moderator, case.id, case.revision, harsh.clone()).await;
    assert!(matches!(refused, Err(Error::Conflict { code: Code::BanAdmin, .. })), "{refused:?}");
    workflows::find(&core, &Caller::guest(), post).await.expect("the decision was rolled back");
    let author = person(&core).await;
    let case = case_of(&core, ReportTarget::Workflow(workflow(&core, &author).await)).await;
    decide(&core, &moderator, case.id, case.revision, harsh).await.expect("decided");
    assert!(users::find(&core, id(&author)).await.expect("a person").ban_at(core.clock.now()).is_some());
}

#[actix::test]
async fn bans_need_a_known_length_a_reason_and_an_admin() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    for (days, reason, fits) in [
        (Some(1), "why", true),
        (Some(30), "why", true),
        (Some(2), "why", false),
        (None, " ", false),
        (None, "why", true),
    ] {
        let penalty = Penalty { days, reason: reason.into() };
        assert_eq!(ban(&core, &moderator, id(&author), &penalty).await.is_ok(), fits, "{penalty:?}");
    }
    let long = "a".repeat(MAX_WORDS + 1);
    assert!(matches!(warn(&core, &moderator, id(&author), &long).await, Err(Error::Invalid { .. })));
    assert!(matches!(warn(&core, &moderator, UserId::new(), "hey").await, Err(Error::NotFound { .. })));
    warn(&core, &moderator, id(&author), "hey").await.expect("a warning");
    assert!(matches!(ban(&core, &author, id(&moderator), &penalty(None)).await, Err(Error::Forbidden)));
    assert!(matches!(unban(&core, &author, id(&author)).await, Err(Error::Forbidden)));
    assert!(matches!(warn(&core, &author, id(&moderator), "hey").await, Err(Error::Forbidden)));
    assert!(matches!(history(&core, &author, id(&moderator)).await, Err(Error::Forbidden)));
}

#[actix::test]
async fn last_admin_and_own_role_cannot_be_removed() {
    let core = TestCore::new().await;
    let (one, two) = (admin(&core).await, admin(&core).await);
    let own = users::set_admin(&core, &one, id(&one), false).await;
    assert!(matches!(own, Err(Error::Conflict { code: Code::RoleOwn, .. })));
    let (first, second) = futures_util::join!(
        users::set_admin(&core, &one, id(&two), false),
        users::set_admin(&core, &two, id(&one), false),
    );
    let left = if first.is_ok() { &one } else { &two };
    let refused = [first, second].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert!(matches!(refused[..], [Error::Conflict { code: Code::LastAdmin, .. }]), "{refused:?}");
    let author = person(&core).await;
    ban(&core, left, id(&author), &penalty(None)).await.expect("a ban");
    let promoted = users::set_admin(&core, left, id(&author), true).await.expect("an admin");
    assert!(promoted.is_admin && promoted.ban.is_none(), "an admin is banned no longer");
}

#[actix::test]
async fn only_one_of_two_admins_can_remove_the_other() {
    let core = TestCore::new().await;
    // With other admins, so that the rule about the last one does not apply.
    let (one, two, third) = (admin(&core).await, admin(&core).await, admin(&core).await);
    for _ in 0..10 {
        let (first, second) = futures_util::join!(
            users::set_admin(&core, &one, id(&two), false),
            users::set_admin(&core, &two, id(&one), false),
        );
        let is_admin = async |who: &Caller| users::find(&core, id(who)).await.expect("a person").is_admin;
        assert!(is_admin(&one).await != is_admin(&two).await, "{first:?} {second:?}");
        let refused = [first, second].into_iter().filter_map(Result::err).collect::<Vec<_>>();
        assert!(matches!(refused[..], [Error::Forbidden]), "{refused:?}");
        for who in [&one, &two] {
            users::set_admin(&core, &third, id(who), true).await.expect("an admin again");
        }
    }
    // A removed admin cannot make new ones.
    users::set_admin(&core, &third, id(&two), false).await.expect("taken");
    let author = person(&core).await;
    assert!(matches!(users::set_admin(&core, &two, id(&author), true).await, Err(Error::Forbidden)));
}

#[actix::test]
async fn users_are_found_by_name_prefix_address_and_id() {
    let core = TestCore::new().await;
    let moderator = admin(&core).await;
    let ann = user().name("Ann_50%").insert(&core.db).await;
    let other = user().name("Annabel").insert(&core.db).await;
    let found = async |word: &str| {
        let people = users::people(&core, &moderator, word, None, 10).await.expect("people");
        people.into_iter().map(|person| person.id).collect::<Vec<_>>()
    };
    assert_eq!(found("ann_").await, [ann], "wildcards are matched literally");
    assert_eq!(found("ANNA").await, [other]);
    assert_eq!(found(&ann.to_string()).await, [ann]);
    assert_eq!(found(&format!("{other}@exam")).await, [other]);
    assert_eq!(found("").await, [other, ann, id(&moderator)]);
    assert!(found("nobody").await.is_empty());
    let refused = users::people(&core, &person(&core).await, "", None, 10).await;
    assert!(matches!(refused, Err(Error::Forbidden)));
}
