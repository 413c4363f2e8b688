use super::*;
use crate::notifications::{NotificationKind, NotificationOrder};
use crate::testing::TestCore;
use crate::users::factory::user;

async fn person(core: &TestCore) -> (UserId, Caller) {
    let id = user().insert(&core.db).await;
    (id, Caller::customer(id))
}

/// A published workflow of Ann, her id, and her as a caller.
async fn post(core: &TestCore) -> (Post, UserId, Caller) {
    let (ann, caller) = person(core).await;
    let id = workflows::workflow(ann).published(core.clock.now()).insert(&core.db).await.id;
    (Post::Workflow(id), ann, caller)
}

async fn say(core: &TestCore, caller: &Caller, below: CommentParent, text: &str) -> Comment {
    write(core, caller, below, &format!("<p>{text}</p>")).await.expect("a comment")
}

async fn texts(core: &TestCore, caller: &Caller, below: CommentParent, number: i64) -> Vec<String> {
    let page = page(core, caller, below, number, 10).await.expect("a page");
    page.items.iter().map(|comment| html::text(&comment.content)).collect()
}

async fn notifications_of(core: &TestCore, caller: &Caller) -> Vec<(Option<String>, bool)> {
    let page = notifications::page(core, caller, Some(NotificationKind::Comment), 0, 100, NotificationOrder::Oldest)
        .await
        .expect("a page");
    page.items.into_iter().map(|item| (item.content, item.is_answer)).collect()
}

#[actix::test]
async fn comments_are_listed_newest_first_and_replies_oldest_first() {
    let core = TestCore::new().await;
    let (post, _, ann) = post(&core).await;
    let (_, bob) = person(&core).await;
    for number in 1..=12 {
        say(&core, &bob, CommentParent::Post(post), &format!("comment {number}")).await;
    }
    let first = texts(&core, &Caller::guest(), CommentParent::Post(post), 1).await;
    assert_eq!((first.len(), first[0].as_str(), first[9].as_str()), (10, "comment 12", "comment 3"));
    assert_eq!(texts(&core, &ann, CommentParent::Post(post), 2).await, ["comment 2", "comment 1"]);
    assert!(texts(&core, &ann, CommentParent::Post(post), 3).await.is_empty());
    assert!(texts(&core, &ann, CommentParent::Post(post), i64::MAX).await.is_empty());

    let parent = say(&core, &bob, CommentParent::Post(post), "ask me").await;
    let first = say(&core, &ann, CommentParent::Comment(parent.id), "what?").await;
    let second = say(&core, &bob, CommentParent::Comment(first.id), "anything").await;
    assert_eq!((first.parent, second.parent), (Some(parent.id), Some(parent.id)), "answers stand one level deep");
    assert_eq!(texts(&core, &bob, CommentParent::Comment(parent.id), 1).await, ["what?", "anything"]);
    let page = page(&core, &bob, CommentParent::Post(post), 1, 10).await.expect("a page");
    assert_eq!((page.items[0].reply_count, page.places, page.comment_count), (2, 13, 15), "replies count");
}

#[actix::test]
async fn deleted_comment_stays_as_placeholder_only_with_replies() {
    let core = TestCore::new().await;
    let (post, _, ann) = post(&core).await;
    let (_, bob) = person(&core).await;
    let asked = say(&core, &bob, CommentParent::Post(post), "question").await;
    let lonely = say(&core, &bob, CommentParent::Post(post), "no reply").await;
    let answer = say(&core, &ann, CommentParent::Comment(asked.id), "answer").await;
    delete(&core, &bob, asked.id).await.expect("deleted");
    delete(&core, &bob, lonely.id).await.expect("deleted");
    assert!(matches!(delete(&core, &bob, asked.id).await, Err(Error::NotFound { .. })), "deleted twice");
    let left = page(&core, &bob, CommentParent::Post(post), 1, 10).await.expect("a page");
    assert_eq!(left.items.len(), 1);
    assert_eq!((left.items[0].user, left.items[0].content.as_str(), left.items[0].reply_count), (None, "", 1));
    assert_eq!(left.comment_count, 1, "the reply below the placeholder counts");
    let closed = write(&core, &ann, CommentParent::Comment(asked.id), "<p>too late</p>").await;
    assert!(matches!(closed, Err(Error::NotFound { .. })), "a deleted comment was answered");
    delete(&core, &ann, answer.id).await.expect("deleted");
    assert!(page(&core, &bob, CommentParent::Post(post), 1, 10).await.expect("a page").items.is_empty());
}

#[actix::test]
async fn authors_edit_and_the_authors_of_posts_and_admins_delete() {
    let core = TestCore::new().await;
    let (post, _, ann) = post(&core).await;
    let ((_, bob), (_, eve)) = (person(&core).await, person(&core).await);
    let admin = Caller { admin: true, ..Caller::customer(user().admin().insert(&core.db).await) };
    let comment = say(&core, &bob, CommentParent::Post(post), "mine").await;
    for other in [&eve, &ann, &admin] {
        assert!(matches!(edit(&core, other, comment.id, "<p>theirs</p>").await, Err(Error::Forbidden)));
    }
    assert!(matches!(delete(&core, &eve, comment.id).await, Err(Error::Forbidden)));
    assert!(matches!(delete(&core, &Caller::guest(), comment.id).await, Err(Error::LoginRequired)));
    let edited = edit(&core, &bob, comment.id, "<p>better<script>x</script></p>").await.expect("edited");
    assert_eq!((edited.content.as_str(), edited.edited_at.is_some()), ("<p>better</p>", true));
    delete(&core, &ann, comment.id).await.expect("below her own post");
    let second = say(&core, &bob, CommentParent::Post(post), "again").await;
    delete(&core, &admin, second.id).await.expect("an admin's");
    let refused = write(&core, &bob, CommentParent::Post(post), "<p> </p>").await;
    assert!(matches!(refused, Err(Error::Invalid { .. })));
    let last = say(&core, &bob, CommentParent::Post(post), "left over").await;
    let Post::Workflow(id) = post else { panic!("a workflow") };
    workflows::delete(&core, &ann, id).await.expect("deleted");
    assert!(matches!(delete(&core, &bob, last.id).await, Err(Error::NotFound { .. })));
    delete(&core, &admin, last.id).await.expect("an admin's, whatever became of the post");
}

#[actix::test]
async fn repeated_reaction_is_removed_and_the_other_one_replaces_it() {
    let core = TestCore::new().await;
    let (post, _, _) = post(&core).await;
    let ((_, bob), (_, eve)) = (person(&core).await, person(&core).await);
    let comment = say(&core, &bob, CommentParent::Post(post), "like me").await;
    assert!(matches!(react(&core, &bob, comment.id, Reaction::Like).await, Err(Error::Forbidden)), "her own");
    let counts = |comment: Comment| (comment.like_count, comment.dislike_count, comment.reaction);
    let react =
        async |caller: &Caller, reaction| counts(react(&core, caller, comment.id, reaction).await.expect("counts"));
    assert_eq!(react(&eve, Reaction::Like).await, (1, 0, Some(Reaction::Like)));
    assert_eq!(react(&eve, Reaction::Dislike).await, (0, 1, Some(Reaction::Dislike)));
    assert_eq!(react(&eve, Reaction::Dislike).await, (0, 0, None));
    let both = futures_util::future::join_all((0..6).map(|_| react(&eve, Reaction::Like))).await;
    assert_eq!(both.len(), 6);
    let (likes, dislikes, _) = counts(store::find_for(&core.db, comment.id, None).await.expect("a row").expect("it"));
    assert_eq!((likes, dislikes), (0, 0), "six presses at once are three pairs");
}

#[actix::test]
async fn authors_of_post_and_comment_are_notified_once() {
    let core = TestCore::new().await;
    let (post, _, ann) = post(&core).await;
    let ((_, bob), (_, eve)) = (person(&core).await, person(&core).await);
    let comment = say(&core, &bob, CommentParent::Post(post), "nice").await;
    say(&core, &eve, CommentParent::Comment(comment.id), "indeed").await;
    say(&core, &ann, CommentParent::Comment(comment.id), "thanks").await;
    let own = say(&core, &ann, CommentParent::Post(post), "by the way").await;
    say(&core, &bob, CommentParent::Comment(own.id), "yes?").await;
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        notifications_of(&core, &ann).await,
        [(text("nice"), false), (text("indeed"), false), (text("yes?"), true)]
    );
    assert_eq!(notifications_of(&core, &bob).await, [(text("indeed"), true), (text("thanks"), true)]);
    assert!(notifications_of(&core, &eve).await.is_empty());
}

#[actix::test]
async fn blocked_user_cannot_comment_and_is_not_listed() {
    let core = TestCore::new().await;
    let (post, ann_id, ann) = post(&core).await;
    let ((bob_id, bob), (_, eve)) = (person(&core).await, person(&core).await);
    let old = say(&core, &bob, CommentParent::Post(post), "before").await;
    let hers = say(&core, &eve, CommentParent::Post(post), "hello").await;
    users::block(&core, &ann, bob_id).await.expect("a block");
    assert!(matches!(write(&core, &bob, CommentParent::Post(post), "<p>hm</p>").await, Err(Error::Forbidden)));
    assert!(matches!(write(&core, &bob, CommentParent::Comment(hers.id), "<p>hm</p>").await, Err(Error::Forbidden)));
    assert_eq!(texts(&core, &ann, CommentParent::Post(post), 1).await, ["hello"], "she still reads him");
    assert_eq!(texts(&core, &eve, CommentParent::Post(post), 1).await, ["hello", "before"]);
    users::unblock(&core, &ann, bob_id).await.expect("no block");
    say(&core, &bob, CommentParent::Comment(old.id), "after").await;
    assert!(users::block(&core, &ann, ann_id).await.is_err(), "blocked herself");
}

#[actix::test]
async fn private_posts_take_no_comments_from_others() {
    let core = TestCore::new().await;
    // Hiding a published picture needs a plan with Stealth Mode.
    let ann = user().plan("Pro").insert(&core.db).await;
    let (caller, (_, bob)) = (Caller::customer(ann), person(&core).await);
    let hidden = Post::Workflow(workflows::workflow(ann).insert(&core.db).await.id);
    let picture = gallery::factory::output(ann, core.clock.now());
    gallery::factory::insert(&core.db, std::slice::from_ref(&picture)).await;
    let private = Post::OutputAsset(picture.id);
    for (who, post) in [(&bob, hidden), (&bob, private)] {
        assert!(matches!(write(&core, who, CommentParent::Post(post), "<p>x</p>").await, Err(Error::NotFound { .. })));
        assert!(matches!(page(&core, who, CommentParent::Post(post), 1, 10).await, Err(Error::NotFound { .. })));
    }
    let own = write(&core, &caller, CommentParent::Post(private), "<p>x</p>").await;
    assert!(matches!(own, Err(Error::Forbidden)), "a private picture has no comments");
    gallery::set_private(&core, &caller, &[picture.id], false).await.expect("published");
    let comment = say(&core, &bob, CommentParent::Post(private), "seen").await;
    gallery::set_private(&core, &caller, &[picture.id], true).await.expect("hidden again");
    assert!(matches!(edit(&core, &bob, comment.id, "<p>y</p>").await, Err(Error::NotFound { .. })));
    assert!(matches!(page(&core, &bob, CommentParent::Comment(comment.id), 1, 10).await, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn comments_are_rate_limited_per_user() {
    let start = "2026-01-01T00:00:00Z".parse().expect("a time");
    let core =
        TestCore::with(crate::Clock::held(start), |settings| settings.limits.comments_per_account_per_hour = 2).await;
    let (post, _, ann) = post(&core).await;
    let (_, bob) = person(&core).await;
    for _ in 0..2 {
        say(&core, &bob, CommentParent::Post(post), "again").await;
    }
    let refused = write(&core, &bob, CommentParent::Post(post), "<p>and again</p>").await;
    assert!(matches!(refused, Err(Error::RateLimited { .. })), "{refused:?}");
    say(&core, &ann, CommentParent::Post(post), "please").await;
    core.clock.advance(chrono::TimeDelta::hours(1));
    say(&core, &bob, CommentParent::Post(post), "an hour later").await;
}

#[actix::test]
async fn picture_in_a_comment_is_public_while_the_comment_shows_it() {
    let core = TestCore::new().await;
    let (post, _, ann) = post(&core).await;
    let (_, bob) = person(&core).await;
    let mut uploads = Vec::new();
    for side in [9, 10] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let image = image::DynamicImage::new_rgb8(side, 8);
        image.write_to(&mut bytes, image::ImageFormat::Png).expect("an encoded picture");
        uploads.push(assets::upload(&core, &bob, "a.png", bytes::Bytes::from(bytes.into_inner())).await.expect("one"));
    }
    let [first, second] = &uploads[..] else { panic!("two uploads") };
    let shows = |asset: &assets::Asset| format!("<p>look</p><img src=\"/media/raw/{}\">", asset.key());
    let sees = async |asset: &assets::Asset| {
        assets::may_see_content(&core, &Caller::guest(), &asset.stored.content).await.expect("an answer")
    };
    let comment = write(&core, &bob, CommentParent::Post(post), &shows(first)).await.expect("a comment");
    assert!(sees(first).await, "the comment hides its picture");
    assert!(!sees(second).await, "a picture is shown that no comment shows");
    edit(&core, &bob, comment.id, &shows(second)).await.expect("an edit");
    assert!(!sees(first).await && sees(second).await, "the picture did not follow the words");
    // The author of the post may delete it.
    delete(&core, &ann, comment.id).await.expect("a deletion");
    assert!(!sees(second).await, "the picture of a deleted comment is still shown");
}
