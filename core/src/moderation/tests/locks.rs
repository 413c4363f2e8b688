//! Bytes that were hidden do not come back, whatever they are called and whoever brings them.

use bytes::Bytes;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::*;
use crate::Code;
use crate::assets::{Asset, Exposure};
use crate::users;
use crate::workflows::{Changes, tag_below};

fn png(shade: u8) -> Bytes {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = RgbImage::from_pixel(8, 8, Rgb([shade, 9, 9]));
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    Bytes::from(bytes.into_inner())
}

async fn upload(core: &TestCore, who: &Caller, name: &str, shade: u8) -> Result<Asset> {
    assets::upload(core, who, name, png(shade)).await
}

/// Publishes an upload among somebody's inputs.
async fn show(core: &TestCore, who: &Caller, asset: &Asset) -> Result<()> {
    gallery::keep_input(core, who, asset.id, false).await.map(drop)
}

async fn sees(core: &TestCore, asset: &Asset) -> bool {
    let content = &asset.stored.content;
    let shown = assets::may_see_content(core, &Caller::guest(), content).await.expect("an answer");
    shown && !assets::is_locked(core, content).await.expect("an answer")
}

fn is_locked<T: std::fmt::Debug>(refused: Result<T>) -> bool {
    matches!(refused, Err(Error::Conflict { code: Code::ModerationLocked, .. }))
}

#[actix::test]
async fn a_hidden_upload_comes_back_under_no_name_and_by_nobody() {
    let core = TestCore::new().await;
    let (author, other, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let bad = upload(&core, &author, "a.png", 1).await.expect("an upload");
    show(&core, &author, &bad).await.expect("a public input");
    let same = upload(&core, &other, "b.png", 1).await.expect("the same bytes, before anybody knew");
    show(&core, &other, &same).await.expect("a public input");
    let case = case_of(&core, Thing::Upload(bad.id)).await;
    assert_eq!((case.author, case.seen.picture), (id(&author), Some(bad.id.0)));
    let hidden = decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(!sees(&core, &bad).await, "another row shows it");
    for who in [&author, &other] {
        assert!(is_locked(upload(&core, who, "new.png", 1).await), "uploaded again");
    }
    assert!(is_locked(show(&core, &author, &bad).await), "published again");
    assert!(is_locked(show(&core, &other, &same).await), "published again under another id");
    let permit = users::may_publish(&core, &other).await.expect("a permit");
    assert!(is_locked(assets::set_private(&core, &other, &[same.id], Exposure::Everybody(&permit)).await));
    assert!(is_locked(assets::set_portrait(&core, &other, Some(same.id)).await), "shown beside a name");
    let draft = workflows::workflow(id(&other)).insert(&core.db).await.id;
    let changes = Changes {
        is_private: Some(false),
        thumbnails: Some(vec![same.id]),
        tags: Some(vec![tag_below(1, 1)]),
        ..Changes::default()
    };
    assert!(is_locked(workflows::update(&core, &other, draft, changes).await), "published as a cover");
    upload(&core, &other, "c.png", 2).await.expect("other bytes");
    decide(&core, &moderator, case.id, hidden.revision, only(Verdict::Restore)).await.expect("restored");
    assert!(!sees(&core, &bad).await, "to restore it does not publish it");
    show(&core, &author, &bad).await.expect("its author may again");
    assert!(sees(&core, &bad).await);
}

#[actix::test]
async fn a_hidden_picture_is_published_by_no_other_row() {
    let core = TestCore::new().await;
    let (author, other, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let bytes = core.files.storage.put(png(3)).await.expect("a file");
    let mut rows = Vec::new();
    for who in [&author, &author, &other] {
        let mut output = gallery::factory::output(id(who), core.clock.now());
        output.content = bytes.clone();
        rows.push(output.clone());
        gallery::factory::insert(&core.db, &[output]).await;
    }
    gallery::set_private(&core, &author, &[rows[0].id], false).await.expect("published");
    gallery::set_private(&core, &other, &[rows[2].id], false).await.expect("published");
    let case = case_of(&core, Thing::OutputAsset(rows[0].id)).await;
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Delete)).await.expect("deleted");
    for (who, row) in [(&author, &rows[1]), (&other, &rows[2])] {
        assert!(!is_public(&core, Thing::OutputAsset(row.id)).await, "the same picture is still there");
        assert!(is_locked(gallery::set_private(&core, who, &[row.id], false).await));
    }
    assert!(is_locked(upload(&core, &author, "again.png", 3).await), "the output came back as an upload");
}

#[actix::test]
async fn covers_of_a_hidden_workflow_are_locked_unless_somebody_else_shows_them() {
    let core = TestCore::new().await;
    let (author, victim, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let cover = upload(&core, &author, "cover.png", 4).await.expect("an upload");
    let taken = upload(&core, &author, "taken.png", 5).await.expect("an upload");
    let theirs = upload(&core, &victim, "mine.png", 5).await.expect("the victim's own");
    show(&core, &victim, &theirs).await.expect("a public input");
    let post = workflows::workflow(id(&author))
        .published(core.clock.now())
        .thumbnails(&[cover.id, taken.id])
        .insert(&core.db)
        .await
        .id;
    let case = case_of(&core, Thing::Workflow(post)).await;
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(is_locked(show(&core, &author, &cover).await), "a hidden cover is shown as an input");
    assert!(is_locked(upload(&core, &author, "cover2.png", 4).await));
    assert!(sees(&core, &theirs).await, "a stranger's workflow took away what somebody else shows");
    // An admin who publishes it frees what stands on it.
    workflows::set_private(&core, &moderator, &[post], false).await.expect("published");
    assert!(!assets::is_locked(&core, &cover.stored.content).await.expect("an answer"));
}

#[actix::test]
async fn what_was_deleted_before_it_was_cleaned_does_not_come_back_clean() {
    let core = TestCore::new().await;
    let (author, other, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let whole = {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 1, 1);
        encoder.add_text_chunk("prompt".into(), "a secret prompt".into()).expect("a text");
        encoder.write_header().expect("a head").write_image_data(&[7]).expect("a pixel");
        file
    };
    let clean = {
        let mut file = Vec::new();
        let encoder = png::Encoder::new(&mut file, 1, 1);
        encoder.write_header().expect("a head").write_image_data(&[7]).expect("a pixel");
        Bytes::from(file)
    };
    let content = core.files.storage.put(whole.clone().into()).await.expect("a file");
    let mut output = gallery::factory::output(id(&author), core.clock.now());
    output.content = content.clone();
    gallery::factory::insert(&core.db, &[output.clone()]).await;
    // As the release before left it.
    sqlx::query("UPDATE output_assets SET is_clean = false, clean_tries = 0")
        .execute(&core.db)
        .await
        .expect("an update");
    gallery::set_private(&core, &author, &[output.id], false).await.expect("published");
    let case = case_of(&core, Thing::OutputAsset(output.id)).await;
    gallery::delete(&core, &author, &[output.id]).await.expect("its owner was first");
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Delete)).await.expect("deleted");
    for who in [&author, &other] {
        assert!(is_locked(assets::upload(&core, who, "a.png", Bytes::from(whole.clone())).await), "as it was");
        assert!(is_locked(assets::upload(&core, who, "b.png", clean.clone()).await), "as it is when it is clean");
    }
    assert!(assets::is_locked(&core, &content).await.expect("an answer"), "as a worker would make it again");
}

#[actix::test]
async fn the_pictures_of_a_hidden_text_go_with_it_and_come_back_with_a_comment() {
    let core = TestCore::new().await;
    let (author, victim, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let bad = upload(&core, &author, "bad.png", 21).await.expect("an upload");
    let taken = upload(&core, &author, "taken.png", 22).await.expect("an upload");
    let theirs = upload(&core, &victim, "mine.png", 22).await.expect("the victim's own");
    show(&core, &victim, &theirs).await.expect("a public input");
    let html: String =
        [&bad, &taken].map(|asset| format!("<p>look</p><img src=\"/media/raw/{}\">", asset.key())).concat();
    let post = workflows::workflow(id(&victim)).published(core.clock.now()).insert(&core.db).await.id;
    let below = comments::Below::Post(comments::Post::Workflow(post));
    let comment = comments::write(&core, &author, below, &html).await.expect("a comment").id;
    let case = case_of(&core, Thing::Comment(comment)).await;
    let hidden = decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(!sees(&core, &bad).await, "the comment is hidden and its picture is not");
    assert!(sees(&core, &theirs).await, "somebody else's picture went with a comment that shows it too");
    assert!(is_locked(upload(&core, &author, "again.png", 21).await), "it came back");
    assert!(is_locked(comments::write(&core, &author, below, &html).await), "it was said again");
    decide(&core, &moderator, case.id, hidden.revision, only(Verdict::Restore)).await.expect("restored");
    assert!(sees(&core, &bad).await, "the comment is back without its picture");

    let draft = workflows::workflow(id(&author)).insert(&core.db).await.id;
    let changes = || Changes { description: Some(html.clone()), is_private: Some(false), ..Changes::default() };
    workflows::update(&core, &author, draft, changes()).await.expect("a post");
    let case = case_of(&core, Thing::Workflow(draft)).await;
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(!sees(&core, &bad).await, "the post is hidden and the picture in its description is not");
    let other = workflows::workflow(id(&author)).insert(&core.db).await.id;
    assert!(is_locked(workflows::update(&core, &author, other, changes()).await), "published in another description");
    assert!(sees(&core, &theirs).await);
}
