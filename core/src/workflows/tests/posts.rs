//! Publishing, its permissions, and pictures of published workflows.

use super::super::*;
use super::{customer, picture};
use crate::Code;
use crate::assets;
use crate::testing::TestCore;
use crate::users::factory::user;

#[actix::test]
async fn publishing_needs_tag_and_picture_and_makes_pictures_public() {
    let core = TestCore::new().await;
    let ann = customer(&core, "Pro").await;
    let draft = workflow(ann.user.unwrap()).tags(&[]).thumbnails(&[]).insert(&core.db).await;
    let publish =
        || update(&core, &ann, draft.id, WorkflowChanges { is_private: Some(false), ..WorkflowChanges::default() });
    match publish().await {
        Err(Error::InvalidFields { fields }) => {
            assert_eq!(
                fields.iter().map(|field| field.field.as_str()).collect::<Vec<_>>(),
                ["workflowTags", "thumbnails"]
            );
            assert_eq!(fields[0].message, "please select at least one tag");
        }
        other => panic!("a bare draft was published: {other:?}"),
    }
    let (one, two) = (picture(&core, &ann, 8).await, picture(&core, &ann, 9).await);
    let changes = WorkflowChanges {
        thumbnails: Some(vec![two, one, two]),
        tags: Some(vec![tag_below(1, 1)]),
        ..WorkflowChanges::default()
    };
    let changed = update(&core, &ann, draft.id, changes).await.unwrap();
    assert_eq!(changed.cover, Some(two), "a gallery without a cover shows its first picture");
    assert_eq!(thumbnails_of(&core, &[draft.id]).await.unwrap()[&draft.id], [two, one], "each once, in their order");
    assert!(assets::find(&core, &Caller::guest(), one).await.is_err(), "a draft's picture was shown");
    publish().await.unwrap();
    assert!(assets::find(&core, &Caller::guest(), one).await.is_ok(), "a published picture is not public");

    let without = WorkflowChanges { thumbnails: Some(vec![two]), ..WorkflowChanges::default() };
    update(&core, &ann, draft.id, without).await.unwrap();
    assert!(assets::find(&core, &Caller::guest(), one).await.is_err(), "what was taken away is still shown");
    let again = workflow(ann.user.unwrap()).thumbnails(&[two]).insert(&core.db).await;
    set_private(&core, &ann, &[again.id], false).await.unwrap();
    delete(&core, &ann, draft.id).await.unwrap();
    assert!(assets::find(&core, &Caller::guest(), two).await.is_ok(), "another post still shows this picture");
    delete(&core, &ann, again.id).await.unwrap();
    assert!(assets::find(&core, &Caller::guest(), two).await.is_err());
}

#[actix::test]
async fn published_post_always_has_a_tag_and_a_picture() {
    let core = TestCore::new().await;
    let ann = customer(&core, "Free").await;
    let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    let is_bare = |done: Result<Workflow>| matches!(done, Err(Error::InvalidFields { .. }));
    let no_tags = WorkflowChanges { tags: Some(Vec::new()), ..WorkflowChanges::default() };
    assert!(is_bare(update(&core, &ann, post.id, no_tags).await), "a published post lost its tags");
    let no_pictures = WorkflowChanges { thumbnails: Some(Vec::new()), ..WorkflowChanges::default() };
    assert!(is_bare(update(&core, &ann, post.id, no_pictures).await), "a published post lost its pictures");
    assert_eq!(thumbnails_of(&core, &[post.id]).await.unwrap()[&post.id].len(), 1, "half of it was done");

    let shown = picture(&core, &ann, 7).await;
    let new = |thumbnails: Vec<AssetId>, tags: Vec<WorkflowTagId>| NewWorkflow {
        name: "At once".into(),
        description: String::new(),
        translations: Translations::default(),
        graph: NewGraph { ui: Some(crate::graph::JsonText::of(&serde_json::json!({ "nodes": [] }))), prompt: None },
        is_private: false,
        cover: None,
        thumbnails,
        tags,
    };
    assert!(is_bare(create(&core, &ann, new(Vec::new(), vec![tag_below(1, 1)])).await), "made without a picture");
    assert!(is_bare(create(&core, &ann, new(vec![shown], Vec::new())).await), "made without a tag");
    let bob = customer(&core, "Free").await;
    let theft = create(&core, &bob, new(vec![shown], vec![tag_below(1, 1)])).await;
    assert!(matches!(theft, Err(Error::NotFound { .. })), "made with another user's picture");
    let made = create(&core, &ann, new(vec![shown], vec![tag_below(1, 1)])).await.expect("a whole post");
    assert_eq!((made.is_private, made.cover), (false, Some(shown)));
    assert!(assets::find(&core, &Caller::guest(), shown).await.is_ok(), "a published picture is not public");
}

#[actix::test]
async fn hiding_a_published_post_needs_stealth_mode_or_an_admin() {
    let core = TestCore::new().await;
    for (plan, may) in [("Free", false), ("Basic", false), ("Standard", true), ("Advanced", true), ("Pro", true)] {
        let ann = customer(&core, plan).await;
        let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
        let hidden = set_private(&core, &ann, &[post.id], true).await;
        assert_eq!(hidden.is_ok(), may, "{plan}");
        if let Err(error) = hidden {
            assert_eq!(error.code(), Code::StealthModeRequired);
            assert!(error.to_string().ends_with("the plans Standard, Advanced and Pro have"), "{error}");
            let changes = WorkflowChanges { is_private: Some(true), ..WorkflowChanges::default() };
            assert!(update(&core, &ann, post.id, changes).await.is_err(), "{plan} found another way");
            let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
            assert!(set_private(&core, &admin, &[post.id], true).await.is_ok());
        }
    }
    let ann = customer(&core, "Free").await;
    let draft = workflow(ann.user.unwrap()).insert(&core.db).await;
    assert!(set_private(&core, &ann, &[draft.id], true).await.is_ok(), "a draft is private on every plan");
}

#[actix::test]
async fn publishing_needs_a_verified_address_where_mail_is_configured() {
    let clock = crate::Clock::held("2026-01-01T00:00:00Z".parse().expect("a time"));
    let core = TestCore::with(clock, |settings| settings.mail.host = Some("127.0.0.1".to_owned())).await;
    let ann = Caller::customer(user().unverified().insert(&core.db).await);
    let draft = workflow(ann.user.unwrap()).insert(&core.db).await;
    let open = WorkflowChanges { is_private: Some(false), ..WorkflowChanges::default() };
    let prompt = serde_json::json!({"1": {"class_type": "EmptyImage", "inputs": {}}});
    let graph = NewGraph { ui: None, prompt: Some(crate::graph::JsonText::of(&prompt)) };
    let new = NewWorkflow {
        name: "At once".into(),
        description: String::new(),
        translations: Translations::default(),
        graph,
        is_private: false,
        cover: None,
        thumbnails: Vec::new(),
        tags: Vec::new(),
    };
    for refused in [
        set_private(&core, &ann, &[draft.id], false).await.map(drop),
        update(&core, &ann, draft.id, open).await.map(drop),
        create(&core, &ann, new).await.map(drop),
    ] {
        assert_eq!(refused.unwrap_err().code(), Code::AuthEmailUnverified);
    }
    let renamed = WorkflowChanges { name: Some("Mine".into()), ..WorkflowChanges::default() };
    assert!(update(&core, &ann, draft.id, renamed).await.is_ok(), "a draft is their own to change");
}

#[actix::test]
async fn pictures_of_others_and_too_many_are_refused() {
    let core = TestCore::new().await;
    let (ann, bob) = (customer(&core, "Free").await, customer(&core, "Free").await);
    let theirs = picture(&core, &bob, 8).await;
    let permit = users::may_publish(&core, &bob).await.unwrap();
    assets::set_private(&core, &bob, &[theirs], assets::Exposure::Everybody(&permit)).await.unwrap();
    let draft = workflow(ann.user.unwrap()).insert(&core.db).await;
    let change = |changes: WorkflowChanges| update(&core, &ann, draft.id, changes);
    let stolen = change(WorkflowChanges { thumbnails: Some(vec![theirs]), ..WorkflowChanges::default() }).await;
    assert!(matches!(stolen, Err(Error::Forbidden)));
    let gone = change(WorkflowChanges { cover: Some(Some(AssetId::new())), ..WorkflowChanges::default() }).await;
    assert!(matches!(gone, Err(Error::NotFound { what: "asset" })));
    let refused = |error: Error, place: &str, text: &str| match error {
        Error::Invalid { field, message } => assert!(field == place && message.contains(text), "{field}: {message}"),
        other => panic!("{other:?}"),
    };
    let six: Vec<WorkflowTagId> = (1..=6).map(|number| tag_below(1, number)).collect();
    let many = change(WorkflowChanges { tags: Some(six), ..WorkflowChanges::default() }).await;
    refused(many.unwrap_err(), "workflowTags", "maximum 5 tags allowed");
    let unknown =
        change(WorkflowChanges { tags: Some(vec![WorkflowTagId::new()]), ..WorkflowChanges::default() }).await;
    refused(unknown.unwrap_err(), "workflowTags", "not there");
    let crowd = change(WorkflowChanges {
        thumbnails: Some((0..17).map(|_| AssetId::new()).collect()),
        ..WorkflowChanges::default()
    });
    refused(crowd.await.unwrap_err(), "thumbnails", "maximum 16");
    for changes in [
        WorkflowChanges { is_nsfw: Some(true), ..WorkflowChanges::default() },
        WorkflowChanges { is_basic: Some(true), ..WorkflowChanges::default() },
    ] {
        assert!(matches!(change(changes).await, Err(Error::Forbidden)), "what is the admins' was changed");
    }
}
