//! What a workflow is to others: pictures, tags, likes, counts, lists.

use std::io;

use bytes::Bytes;
use chrono::Duration;
use image::{DynamicImage, ImageFormat};

use super::super::*;
use crate::filter::Nsfw;
use crate::filter::Order;
use crate::ids::JobId;
use crate::notifications::{self, Kind, Others};
use crate::testing::TestCore;
use crate::users::Origin;
use crate::users::factory::user;
use crate::{Code, assets, visits};

async fn customer(core: &TestCore, plan: &str) -> Caller {
    Caller::customer(user().plan(plan).insert(&core.db).await)
}

async fn picture(core: &TestCore, owner: &Caller, side: u32) -> AssetId {
    let mut bytes = io::Cursor::new(Vec::new());
    DynamicImage::new_rgb8(side, 8).write_to(&mut bytes, ImageFormat::Png).expect("an encoded picture");
    assets::upload(core, owner, "a.png", Bytes::from(bytes.into_inner())).await.expect("an asset").id
}

fn names(page: &Page<Workflow>) -> Vec<&str> {
    page.items.iter().map(|workflow| workflow.name.as_str()).collect()
}

fn piece(cursor: Option<&str>, limit: i64) -> Piece<'_> {
    Piece { cursor, limit }
}

/// All pages of a list, two at a time.
macro_rules! walk {
    (|$piece:ident| $list:expr) => {{
        let (mut seen, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let $piece = piece(cursor.as_deref(), 2);
            let page = $list.await.unwrap();
            assert!(page.items.len() <= 2, "more than were asked for");
            seen.extend(page.items.iter().map(|workflow| workflow.name.clone()));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break seen;
            }
        }
    }};
}

#[actix::test]
async fn a_draft_is_published_only_with_a_tag_and_a_picture_and_its_pictures_follow_it() {
    let core = TestCore::new().await;
    let ann = customer(&core, "Pro").await;
    let draft = workflow(ann.user.unwrap()).tags(&[]).thumbnails(&[]).insert(&core.db).await;
    let publish = || update(&core, &ann, draft.id, Changes { is_private: Some(false), ..Changes::default() });
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
    let changes =
        Changes { thumbnails: Some(vec![two, one, two]), tags: Some(vec![tag_below(1, 1)]), ..Changes::default() };
    let changed = update(&core, &ann, draft.id, changes).await.unwrap();
    assert_eq!(changed.cover, Some(two), "a gallery without a cover shows its first picture");
    assert_eq!(thumbnails_of(&core, &[draft.id]).await.unwrap()[&draft.id], [two, one], "each once, in their order");
    assert!(assets::find(&core, &Caller::guest(), one).await.is_err(), "a draft's picture was shown");
    publish().await.unwrap();
    assert!(assets::find(&core, &Caller::guest(), one).await.is_ok(), "a published picture nobody may see");

    let without = Changes { thumbnails: Some(vec![two]), ..Changes::default() };
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
async fn no_way_leads_to_a_published_post_without_a_tag_or_a_picture() {
    let core = TestCore::new().await;
    let ann = customer(&core, "Free").await;
    let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    let is_bare = |done: Result<Workflow>| matches!(done, Err(Error::InvalidFields { .. }));
    let no_tags = Changes { tags: Some(Vec::new()), ..Changes::default() };
    assert!(is_bare(update(&core, &ann, post.id, no_tags).await), "a published post lost its tags");
    let no_pictures = Changes { thumbnails: Some(Vec::new()), ..Changes::default() };
    assert!(is_bare(update(&core, &ann, post.id, no_pictures).await), "a published post lost its pictures");
    assert_eq!(thumbnails_of(&core, &[post.id]).await.unwrap()[&post.id].len(), 1, "half of it was done");

    let shown = picture(&core, &ann, 7).await;
    let new = |thumbnails: Vec<AssetId>, tags: Vec<WorkflowTagId>| NewWorkflow {
        name: "At once".into(),
        description: String::new(),
        translations: Translations::default(),
        graph: NewGraph { ui: Some(serde_json::json!({ "nodes": [] })), prompt: None },
        is_private: false,
        cover: None,
        thumbnails,
        tags,
    };
    assert!(is_bare(create(&core, &ann, new(Vec::new(), vec![tag_below(1, 1)])).await), "made without a picture");
    assert!(is_bare(create(&core, &ann, new(vec![shown], Vec::new())).await), "made without a tag");
    let bob = customer(&core, "Free").await;
    let theft = create(&core, &bob, new(vec![shown], vec![tag_below(1, 1)])).await;
    assert!(matches!(theft, Err(Error::NotFound { .. })), "made with somebody else's picture");
    let made = create(&core, &ann, new(vec![shown], vec![tag_below(1, 1)])).await.expect("a whole post");
    assert_eq!((made.is_private, made.cover), (false, Some(shown)));
    assert!(assets::find(&core, &Caller::guest(), shown).await.is_ok(), "a published picture nobody may see");
}

#[actix::test]
async fn a_published_post_is_hidden_by_plans_with_stealth_mode_and_by_admins_alone() {
    let core = TestCore::new().await;
    for (plan, may) in [("Free", false), ("Basic", false), ("Advanced", false), ("Standard", true), ("Pro", true)] {
        let ann = customer(&core, plan).await;
        let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
        let hidden = set_private(&core, &ann, &[post.id], true).await;
        assert_eq!(hidden.is_ok(), may, "{plan}");
        if let Err(error) = hidden {
            assert_eq!(error.code(), Code::StealthModeRequired);
            let changes = Changes { is_private: Some(true), ..Changes::default() };
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
async fn who_has_not_proven_their_address_publishes_nothing_where_mail_reaches_people() {
    let clock = crate::Clock::held("2026-01-01T00:00:00Z".parse().expect("a time"));
    let core = TestCore::with(clock, |settings| settings.mail.host = Some("127.0.0.1".to_owned())).await;
    let ann = Caller::customer(user().unverified().insert(&core.db).await);
    let draft = workflow(ann.user.unwrap()).insert(&core.db).await;
    let open = Changes { is_private: Some(false), ..Changes::default() };
    let prompt = serde_json::json!({"1": {"class_type": "EmptyImage", "inputs": {}}});
    let graph = NewGraph { ui: None, prompt: Some(prompt) };
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
    let renamed = Changes { name: Some("Mine".into()), ..Changes::default() };
    assert!(update(&core, &ann, draft.id, renamed).await.is_ok(), "a draft is their own to change");
}

#[actix::test]
async fn only_ones_own_pictures_may_be_chosen_and_limits_hold() {
    let core = TestCore::new().await;
    let (ann, bob) = (customer(&core, "Free").await, customer(&core, "Free").await);
    let theirs = picture(&core, &bob, 8).await;
    let permit = users::may_publish(&core, &bob).await.unwrap();
    assets::set_private(&core, &bob, &[theirs], assets::Exposure::Everybody(&permit)).await.unwrap();
    let draft = workflow(ann.user.unwrap()).insert(&core.db).await;
    let change = |changes: Changes| update(&core, &ann, draft.id, changes);
    let stolen = change(Changes { thumbnails: Some(vec![theirs]), ..Changes::default() }).await;
    assert!(matches!(stolen, Err(Error::Forbidden)));
    let gone = change(Changes { cover: Some(Some(AssetId::new())), ..Changes::default() }).await;
    assert!(matches!(gone, Err(Error::NotFound { what: "asset" })));
    let refused = |error: Error, place: &str, text: &str| match error {
        Error::Invalid { field, message } => assert!(field == place && message.contains(text), "{field}: {message}"),
        other => panic!("{other:?}"),
    };
    let six: Vec<WorkflowTagId> = (1..=6).map(|number| tag_below(1, number)).collect();
    let many = change(Changes { tags: Some(six), ..Changes::default() }).await;
    refused(many.unwrap_err(), "workflowTags", "maximum 5 tags allowed");
    let unknown = change(Changes { tags: Some(vec![WorkflowTagId::new()]), ..Changes::default() }).await;
    refused(unknown.unwrap_err(), "workflowTags", "not there");
    let crowd = change(Changes { thumbnails: Some((0..17).map(|_| AssetId::new()).collect()), ..Changes::default() });
    refused(crowd.await.unwrap_err(), "thumbnails", "maximum 16");
    for changes in
        [Changes { is_nsfw: Some(true), ..Changes::default() }, Changes { is_basic: Some(true), ..Changes::default() }]
    {
        assert!(matches!(change(changes).await, Err(Error::Forbidden)), "what is the admins' was changed");
    }
}

#[actix::test]
async fn a_like_is_counted_once_for_each_person_and_never_on_ones_own() {
    let core = TestCore::new().await;
    let (ann, bob, eve) = (customer(&core, "Free").await, customer(&core, "Free").await, customer(&core, "Free").await);
    let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    let toggle = |who: &Caller| {
        let who = who.clone();
        let core = &core;
        async move { toggle_like(core, &who, post.id).await }
    };
    assert_eq!(toggle(&bob).await.unwrap(), Liked { is_liked: true, like_count: 1 });
    assert_eq!(toggle(&eve).await.unwrap(), Liked { is_liked: true, like_count: 2 });
    assert_eq!(toggle(&bob).await.unwrap(), Liked { is_liked: false, like_count: 1 });
    assert_eq!(toggle(&ann).await.unwrap_err().code(), Code::LikeOwn);
    assert!(matches!(toggle(&Caller::guest()).await, Err(Error::LoginRequired)));
    assert_eq!(liked_among(&core, &eve, &[post.id]).await.unwrap().len(), 1);
    assert!(liked_among(&core, &bob, &[post.id]).await.unwrap().is_empty());
    let draft = workflow(ann.user.unwrap()).insert(&core.db).await;
    assert!(matches!(toggle_like(&core, &bob, draft.id).await, Err(Error::NotFound { .. })));

    let theirs = |who: Caller| {
        let (core, eve) = (&core, eve.user.unwrap());
        async move { favourites(core, &who, eve, None, 20).await }
    };
    assert_eq!(theirs(eve.clone()).await.unwrap().items.len(), 1);
    assert!(matches!(theirs(bob.clone()).await, Err(Error::Forbidden)));
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    assert_eq!(theirs(admin.clone()).await.unwrap().items.len(), 1);
    set_private(&core, &admin, &[post.id], true).await.unwrap();
    assert!(theirs(eve.clone()).await.unwrap().items.is_empty(), "a hidden post stays among favourites");
}

#[actix::test]
async fn who_says_what_they_want_may_say_it_twice() {
    let core = TestCore::new().await;
    let (ann, bob) = (customer(&core, "Free").await, customer(&core, "Free").await);
    let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    for (wish, is_liked) in [(Wish::Unlike, false), (Wish::Like, true), (Wish::Like, true), (Wish::Unlike, false)] {
        let liked = like(&core, &bob, post.id, wish).await.unwrap();
        assert_eq!(liked, Liked { is_liked, like_count: i64::from(is_liked) }, "{wish:?}");
        assert_eq!(liked_among(&core, &bob, &[post.id]).await.unwrap().len(), usize::from(is_liked), "{wish:?}");
    }
}

#[actix::test]
async fn two_who_like_at_once_are_both_counted() {
    let core = TestCore::new().await;
    let owner = customer(&core, "Free").await.user.unwrap();
    let post = workflow(owner).published(core.clock.now()).insert(&core.db).await;
    let mut people = Vec::new();
    for _ in 0..6 {
        people.push(customer(&core, "Free").await);
    }
    let likes = people.iter().map(|who| toggle_like(&core, who, post.id));
    let counts: Vec<i64> =
        futures_util::future::join_all(likes).await.into_iter().map(|liked| liked.unwrap().like_count).collect();
    assert_eq!(counts.iter().max(), Some(&6), "{counts:?}");
    assert_eq!(find(&core, &Caller::guest(), post.id).await.unwrap().like_count, 6);
}

#[actix::test]
async fn a_reload_inflates_no_count_and_a_new_day_counts_again() {
    let core = TestCore::new().await;
    let owner = customer(&core, "Free").await;
    let bob = customer(&core, "Free").await;
    let post = workflow(owner.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    let from = |address: &str, agent: &str| Origin {
        address: Some(address.parse().unwrap()),
        user_agent: Some(agent.to_owned()),
    };
    let guest = Caller::guest();
    let look = async |core: &Core| {
        for _ in 0..3 {
            visit(core, &guest, &from("192.0.2.1", "a"), &post, Visit::View).await;
            visit(core, &guest, &from("192.0.2.1", "b"), &post, Visit::View).await;
            visit(core, &guest, &from("192.0.2.2", "a"), &post, Visit::View).await;
            visit(core, &bob, &from("192.0.2.1", "a"), &post, Visit::View).await;
            visit(core, &bob, &from("198.51.100.7", "c"), &post, Visit::Launch).await;
            visit(core, &owner, &from("192.0.2.3", "a"), &post, Visit::View).await;
            visit(core, &guest, &Origin::default(), &post, Visit::View).await;
        }
        settle_visits(core).await.unwrap();
    };
    let counts = async || {
        let now = find(&core, &guest, post.id).await.unwrap();
        (now.view_count, now.launch_count)
    };
    look(&core).await;
    assert_eq!(counts().await, (3, 1), "two browsers at one address are one visitor");
    look(&core).await;
    assert_eq!(counts().await, (3, 1), "a reload was counted");
    look(&core.another("beside")).await;
    assert_eq!(counts().await, (3, 1), "another node counted the same people again");
    core.clock.advance(Duration::days(1));
    look(&core).await;
    assert_eq!(counts().await, (6, 2));
    // Of a mini app what is done counts, each run once, and no click.
    let app = Workflow { workflow_api: Some(WorkflowApiId::new()), ..post.clone() };
    visit(&core, &customer(&core, "Free").await, &from("198.51.100.8", "a"), &app, Visit::Launch).await;
    for job in [JobId::new(), JobId::new(), JobId::new()] {
        note_run(&core, bob.user.unwrap(), owner.user.unwrap(), post.id, job);
        note_run(&core, bob.user.unwrap(), owner.user.unwrap(), post.id, job);
        note_run(&core, owner.user.unwrap(), owner.user.unwrap(), post.id, JobId::new());
    }
    settle_visits(&core).await.unwrap();
    assert_eq!(counts().await, (6, 5));
    core.clock.advance(Duration::days(2));
    visits::forget(&core).await.unwrap();
    let left = core.database.count("SELECT count(*) FROM visits").await;
    let salts = core.database.count("SELECT count(*) FROM visit_salts").await;
    assert_eq!((left, salts), (0, 0), "who came was kept");
}

#[actix::test]
async fn an_owner_hears_of_each_persons_like_once_and_of_round_numbers() {
    let core = TestCore::new().await;
    let owner = customer(&core, "Free").await;
    let post = workflow(owner.user.unwrap()).published(core.clock.now()).counts(8, 98).insert(&core.db).await;
    let (bob, eve) = (customer(&core, "Free").await, customer(&core, "Free").await);
    for who in [&bob, &bob, &bob, &eve] {
        toggle_like(&core, who, post.id).await.unwrap();
    }
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        let origin = Origin { address: Some(address.parse().unwrap()), user_agent: None };
        visit(&core, &Caller::guest(), &origin, &post, Visit::View).await;
    }
    settle_visits(&core).await.unwrap();
    let told = async |kind: Kind| notifications::page(&core, &owner, Some(kind), 0, 10, Order::Oldest).await.unwrap();
    let likes: Vec<Option<UserId>> = told(Kind::Like).await.items.iter().map(|item| item.actor).collect();
    assert_eq!(likes, [bob.user, eve.user], "a change of mind was told again");
    let reached: Vec<_> = told(Kind::Others).await.items.iter().map(|item| (item.others, item.count)).collect();
    assert_eq!(reached, [(Some(Others::Like), Some(10)), (Some(Others::View), Some(100))]);
}

#[actix::test]
async fn every_order_and_filter_gives_each_workflow_once_across_pages() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let ann = UserId::new();
    for (name, published, likes, views) in [("a", 3, 5, 0), ("b", 1, 9, 7), ("c", 2, 5, 8), ("d", 4, 0, 8)] {
        workflow(ann).name(name).published(day(published)).counts(likes, views).insert(&core.db).await;
    }
    workflow(ann).name("n").nsfw().published(day(5)).counts(7, 1).insert(&core.db).await;
    workflow(UserId::new()).name("draft").counts(1, 99).insert(&core.db).await;
    for (sort, hidden, viewed) in [
        (Sort::Newest, "dcba", "ndcba"),
        (Sort::Oldest, "abcd", "abcdn"),
        (Sort::Like, "bcad", "bncad"),
        (Sort::View, "dcba", "dcbna"),
        (Sort::PublishedAt, "dacb", "ndacb"),
    ] {
        assert_eq!(walk!(|piece| published(&core, sort, Nsfw::Hide, piece)).concat(), hidden, "{sort:?}");
        assert_eq!(walk!(|piece| published(&core, sort, Nsfw::View, piece)).concat(), viewed, "{sort:?}");
        assert_eq!(walk!(|piece| published(&core, sort, Nsfw::Only, piece)).concat(), "n", "{sort:?}");
    }
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    let filter = |is_private: Option<bool>, is_nsfw: Option<bool>| Filter { is_private, is_nsfw, ..Filter::default() };
    for (filter, sort, order) in [
        (filter(None, None), Sort::Newest, "draftndcba"),
        (filter(None, None), Sort::View, "draftdcbna"),
        (filter(None, None), Sort::PublishedAt, "ndacbdraft"),
        (filter(Some(false), None), Sort::Oldest, "abcdn"),
        (filter(Some(true), None), Sort::Like, "draft"),
        (filter(None, Some(true)), Sort::Newest, "n"),
        (filter(None, Some(false)), Sort::Like, "bcadraftd"),
    ] {
        assert_eq!(walk!(|piece| all(&core, &admin, &filter, sort, piece)).concat(), order, "{filter:?} {sort:?}");
    }
    let everybody = all(&core, &Caller::customer(ann), &Filter::default(), Sort::Newest, piece(None, 2)).await;
    assert!(matches!(everybody, Err(Error::Forbidden)));
    let foreign = Cursor { sort: Sort::Like, key: 1, id: WorkflowId::new() }.to_string();
    let wrong = published(&core, Sort::View, Nsfw::Hide, piece(Some(&foreign), 2)).await;
    assert!(matches!(wrong, Err(Error::Invalid { .. })), "another list's cursor was taken");
}

#[actix::test]
async fn a_tag_and_its_parent_find_what_is_published_and_nothing_else() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let pro = customer(&core, "Pro").await;
    let ann = pro.user.unwrap();
    let (photo, anime, video) = (tag_below(3, 1), tag_below(3, 3), tag_below(2, 1));
    workflow(ann).name("a").tags(&[photo]).published(day(1)).insert(&core.db).await;
    workflow(ann).name("b").tags(&[anime, photo]).published(day(2)).insert(&core.db).await;
    let hidden = workflow(ann).name("c").tags(&[photo]).insert(&core.db).await;
    workflow(ann).name("n").tags(&[photo]).nsfw().published(day(4)).insert(&core.db).await;
    let d = workflow(ann).name("d").tags(&[video]).published(day(3)).insert(&core.db).await;
    let found = async |tag: WorkflowTagId| walk!(|piece| tagged(&core, tag, Nsfw::Hide, piece)).concat();
    assert_eq!(found(photo).await, "ba");
    assert_eq!(found(anime).await, "b");
    assert_eq!(found(root_tag(3)).await, "ba", "a workflow with two tags below one parent stands there once");
    assert_eq!(walk!(|piece| tagged(&core, photo, Nsfw::View, piece)).concat(), "nba");
    assert_eq!(tags_of(&core, &[d.id]).await.unwrap()[&d.id][0].name, "Text to video");
    set_private(&core, &pro, &[hidden.id], false).await.unwrap();
    assert_eq!(found(photo).await, "bac", "what was published just now is not listed by its date");
    update(&core, &pro, d.id, Changes { tags: Some(vec![anime]), ..Changes::default() }).await.unwrap();
    assert_eq!(found(anime).await, "db");
    assert_eq!(found(root_tag(2)).await, "", "the old tag still finds it");
    set_private(&core, &pro, &[d.id], true).await.unwrap();
    assert_eq!(found(anime).await, "b");
}

#[actix::test]
async fn a_search_finds_names_descriptions_and_tags_in_both_languages() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let ann = UserId::new();
    let post = |name: &str, html: &str, at: i64| workflow(ann).name(name).description(html).published(day(at));
    post("Misty mountains", "<p>Fog over pines</p>", 1).tags(&[tag_below(4, 2)]).insert(&core.db).await;
    post("Pines", "", 2).tags(&[tag_below(3, 1)]).insert(&core.db).await;
    post("인물사진 만들기", "<p>증명사진을 만듭니다</p>", 3).tags(&[tag_below(3, 1)]).insert(&core.db).await;
    workflow(ann).name("Pines in secret").insert(&core.db).await;
    let found = async |text: &str| walk!(|piece| search(&core, text, Nsfw::Hide, piece));
    assert_eq!(found("pine").await, ["Pines", "Misty mountains"], "names come before descriptions");
    assert_eq!(found("MOUNT fog").await, ["Misty mountains"]);
    assert_eq!(found("사진").await, ["인물사진 만들기", "Pines"], "by a part of a word and by a Korean tag");
    assert_eq!(found("landscape").await, ["Misty mountains"]);
    assert_eq!(found("풍경").await, ["Misty mountains"]);
    assert_eq!(found("만듭").await, ["인물사진 만들기"]);
    assert!(found("strong").await.is_empty() && found("' | 1").await.is_empty() && found("").await.is_empty());

    sqlx::query("UPDATE workflows SET search = NULL, search_name = NULL").execute(&core.db).await.unwrap();
    assert!(found("pine").await.is_empty());
    index_wordless(&core).await.unwrap();
    assert_eq!(found("pine").await.len(), 2, "rows of an older version are found after a sweep");
}

#[actix::test]
async fn a_search_finds_the_oldest_after_many_that_it_does_not_find() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let ann = UserId::new();
    let post = |name: &str, html: &str, at: i64| workflow(ann).name(name).description(html).published(day(at));
    post("Old pines", "", 1).insert(&core.db).await;
    post("Hills", "<p>with pines</p>", 2).insert(&core.db).await;
    post("Older than all pines", "<p>pines</p>", 0).nsfw().insert(&core.db).await;
    post("Desert", "<p>sand</p>", 3).insert(&core.db).await;
    sqlx::query(
        "INSERT INTO workflows SELECT (jsonb_populate_record(w, jsonb_build_object(
           'id', gen_random_uuid(), 'published_at', w.published_at + number * INTERVAL '1 minute'))).*
         FROM workflows w, generate_series(1, 2000) number WHERE name = 'Desert'",
    )
    .execute(&core.db)
    .await
    .unwrap();
    post("Valley", "<p>of pines</p>", 9).insert(&core.db).await;
    let found = async |nsfw| walk!(|piece| search(&core, "pine", nsfw, piece));
    assert_eq!(found(Nsfw::Hide).await, ["Old pines", "Valley", "Hills"]);
    assert_eq!(found(Nsfw::View).await, ["Old pines", "Older than all pines", "Valley", "Hills"]);
    let sand = search(&core, "sand", Nsfw::Hide, piece(None, 50)).await.unwrap();
    assert_eq!(sand.items.len(), 50);
    assert!(sand.items.is_sorted_by(|a, b| a.published_at > b.published_at));
}

#[actix::test]
async fn profiles_and_basic_workflows_list_what_they_should() {
    let core = TestCore::new().await;
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    let ann = UserId::new();
    let post = workflow(ann).name("open").published(core.clock.now()).insert(&core.db).await;
    let draft = workflow(ann).name("draft").insert(&core.db).await;
    assert_eq!(names(&published_by(&core, ann, Nsfw::View, piece(None, 9)).await.unwrap()), ["open"]);
    let own = Caller::customer(ann);
    assert_eq!(names(&unpublished_by(&core, &own, ann, piece(None, 9)).await.unwrap()), ["draft"]);
    assert_eq!(names(&unpublished_by(&core, &admin, ann, piece(None, 9)).await.unwrap()), ["draft"]);
    let stranger = Caller::customer(UserId::new());
    assert!(matches!(unpublished_by(&core, &stranger, ann, piece(None, 9)).await, Err(Error::Forbidden)));

    let edited = find(&core, &own, post.id).await.unwrap().edited_at;
    core.clock.advance(Duration::hours(1));
    for id in [post.id, draft.id] {
        update(&core, &admin, id, Changes { is_basic: Some(true), ..Changes::default() }).await.unwrap();
    }
    assert_eq!(names(&basic(&core, piece(None, 9)).await.unwrap()), ["open"], "a draft is in no public list");
    assert_eq!(find(&core, &own, post.id).await.unwrap().edited_at, edited, "choosing it is no edit of it");
    update(&core, &admin, post.id, Changes { is_basic: Some(false), ..Changes::default() }).await.unwrap();
    assert!(basic(&core, piece(None, 9)).await.unwrap().items.is_empty());
    let seen = named(&core, &stranger, &[draft.id, post.id]).await.unwrap();
    assert_eq!(seen.iter().map(|workflow| workflow.id).collect::<Vec<_>>(), [post.id]);
}
