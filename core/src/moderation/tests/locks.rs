//! Hidden bytes do not return under another name or by another user.

use bytes::Bytes;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::*;
use crate::Code;
use crate::assets::{Asset, Exposure};
use crate::users;
use crate::workflows::{WorkflowChanges, tag_below};

fn png(shade: u8) -> Bytes {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = RgbImage::from_pixel(8, 8, Rgb([shade, 9, 9]));
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    Bytes::from(bytes.into_inner())
}

async fn upload(core: &TestCore, who: &Caller, name: &str, shade: u8) -> Result<Asset> {
    assets::upload(core, who, name, png(shade)).await
}

/// Publishes an upload as an input of this user.
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
async fn hidden_upload_cannot_be_uploaded_again() {
    let core = TestCore::new().await;
    let (author, other, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let bad = upload(&core, &author, "a.png", 1).await.expect("an upload");
    show(&core, &author, &bad).await.expect("a public input");
    let same = upload(&core, &other, "b.png", 1).await.expect("the same bytes, before the decision");
    show(&core, &other, &same).await.expect("a public input");
    let case = case_of(&core, ReportTarget::Upload(bad.id)).await;
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
    let changes = WorkflowChanges {
        is_private: Some(false),
        thumbnails: Some(vec![same.id]),
        tags: Some(vec![tag_below(1, 1)]),
        ..WorkflowChanges::default()
    };
    assert!(is_locked(workflows::update(&core, &other, draft, changes).await), "published as a cover");
    upload(&core, &other, "c.png", 2).await.expect("other bytes");
    decide(&core, &moderator, case.id, hidden.revision, only(Verdict::Restore)).await.expect("restored");
    assert!(!sees(&core, &bad).await, "to restore it does not publish it");
    show(&core, &author, &bad).await.expect("its author may again");
    assert!(sees(&core, &bad).await);
}

#[actix::test]
async fn hidden_picture_cannot_be_published_by_another_row() {
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
    let case = case_of(&core, ReportTarget::OutputAsset(rows[0].id)).await;
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Delete)).await.expect("deleted");
    for (who, row) in [(&author, &rows[1]), (&other, &rows[2])] {
        assert!(!is_public(&core, ReportTarget::OutputAsset(row.id)).await, "the same picture is still there");
        assert!(is_locked(gallery::set_private(&core, who, &[row.id], false).await));
    }
    assert!(is_locked(upload(&core, &author, "again.png", 3).await), "the output came back as an upload");
}

#[actix::test]
async fn covers_of_a_hidden_workflow_are_locked_unless_another_user_shows_them() {
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
    let case = case_of(&core, ReportTarget::Workflow(post)).await;
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(is_locked(show(&core, &author, &cover).await), "a hidden cover is shown as an input");
    assert!(is_locked(upload(&core, &author, "cover2.png", 4).await));
    assert!(sees(&core, &theirs).await, "a stranger's workflow hid another user's picture");
    // An admin who publishes it unlocks its covers.
    workflows::set_private(&core, &moderator, &[post], false).await.expect("published");
    assert!(!assets::is_locked(&core, &cover.stored.content).await.expect("an answer"));
}

#[actix::test]
async fn file_deleted_before_cleaning_cannot_return_cleaned() {
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
    // As an older release stored it.
    sqlx::query("UPDATE output_assets SET is_clean = false, clean_tries = 0")
        .execute(&core.db)
        .await
        .expect("an update");
    gallery::set_private(&core, &author, &[output.id], false).await.expect("published");
    let case = case_of(&core, ReportTarget::OutputAsset(output.id)).await;
    gallery::delete(&core, &author, &[output.id]).await.expect("its owner was first");
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Delete)).await.expect("deleted");
    for who in [&author, &other] {
        assert!(is_locked(assets::upload(&core, who, "a.png", Bytes::from(whole.clone())).await), "as it was");
        assert!(is_locked(assets::upload(&core, who, "b.png", clean.clone()).await), "as it is when it is clean");
    }
    assert!(assets::is_locked(&core, &content).await.expect("an answer"), "as a worker would make it again");
}

#[actix::test]
async fn pictures_of_a_hidden_text_are_locked_and_restored_with_it() {
    let core = TestCore::new().await;
    let (author, victim, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let bad = upload(&core, &author, "bad.png", 21).await.expect("an upload");
    let taken = upload(&core, &author, "taken.png", 22).await.expect("an upload");
    let theirs = upload(&core, &victim, "mine.png", 22).await.expect("the victim's own");
    show(&core, &victim, &theirs).await.expect("a public input");
    let html: String =
        [&bad, &taken].map(|asset| format!("<p>look</p><img src=\"/media/raw/{}\">", asset.key())).concat();
    let post = workflows::workflow(id(&victim)).published(core.clock.now()).insert(&core.db).await.id;
    let below = comments::CommentParent::Post(comments::Post::Workflow(post));
    let comment = comments::write(&core, &author, below, &html).await.expect("a comment").id;
    let case = case_of(&core, ReportTarget::Comment(comment)).await;
    let hidden = decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(!sees(&core, &bad).await, "the comment is hidden and its picture is not");
    assert!(sees(&core, &theirs).await, "a picture was deleted with another user's comment that shows it");
    assert!(is_locked(upload(&core, &author, "again.png", 21).await), "it came back");
    assert!(is_locked(comments::write(&core, &author, below, &html).await), "it was said again");
    decide(&core, &moderator, case.id, hidden.revision, only(Verdict::Restore)).await.expect("restored");
    assert!(sees(&core, &bad).await, "the comment is back without its picture");

    let draft = workflows::workflow(id(&author)).insert(&core.db).await.id;
    let changes =
        || WorkflowChanges { description: Some(html.clone()), is_private: Some(false), ..WorkflowChanges::default() };
    workflows::update(&core, &author, draft, changes()).await.expect("a post");
    let case = case_of(&core, ReportTarget::Workflow(draft)).await;
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(!sees(&core, &bad).await, "the post is hidden and the picture in its description is not");
    // With another graph: that of the hidden post is locked as well.
    let prompt = serde_json::json!({ "1": { "class_type": "SaveImage", "inputs": {} } });
    let other = workflows::workflow(id(&author)).prompt(prompt).insert(&core.db).await.id;
    assert!(is_locked(workflows::update(&core, &author, other, changes()).await), "published in another description");
    assert!(sees(&core, &theirs).await);
}

/// One picture in files with different bytes: re-encoded, with an opaque alpha channel, and in other lossless formats.
fn saved_again(shade: u8) -> Vec<(&'static str, Bytes)> {
    let image = RgbImage::from_fn(40, 30, |x, y| Rgb([shade, (x * 6) as u8, (y * 8) as u8]));
    let plain = DynamicImage::ImageRgb8(image);
    let write = |image: &DynamicImage, format: ImageFormat| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).expect("a picture");
        Bytes::from(bytes.into_inner())
    };
    let mut packed = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut packed, CompressionType::Best, FilterType::NoFilter);
    plain.write_with_encoder(encoder).expect("a picture");
    let alpha = DynamicImage::ImageRgba8(plain.to_rgba8());
    let deep = DynamicImage::ImageRgb16(plain.to_rgb16());
    vec![
        ("first.png", write(&plain, ImageFormat::Png)),
        ("packed.png", packed.into()),
        ("alpha.png", write(&alpha, ImageFormat::Png)),
        ("deep.png", write(&deep, ImageFormat::Png)),
        ("other.webp", write(&plain, ImageFormat::WebP)),
        ("other.bmp", write(&plain, ImageFormat::Bmp)),
    ]
}

#[actix::test]
async fn other_files_with_the_pixels_of_a_hidden_picture_are_locked() {
    let core = TestCore::new().await;
    let (author, other, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let files = saved_again(40);
    let bad = assets::upload(&core, &author, files[0].0, files[0].1.clone()).await.expect("an upload");
    show(&core, &author, &bad).await.expect("a public input");
    let before = assets::upload(&core, &other, files[1].0, files[1].1.clone()).await.expect("saved again before");
    assert_ne!(before.stored.content, bad.stored.content, "these are other bytes");
    show(&core, &other, &before).await.expect("a public input");
    // A job's output: its pixels are not recorded before it is published.
    let mut output = gallery::factory::output(id(&author), core.clock.now());
    output.content = core.files.storage.put(files[2].1.clone()).await.expect("a file");
    gallery::factory::insert(&core.db, &[output.clone()]).await;
    let case = case_of(&core, ReportTarget::Upload(bad.id)).await;
    let hidden = decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(!sees(&core, &before).await, "a copy in other bytes is still shown");
    for (name, bytes) in &files {
        for who in [&author, &other] {
            assert!(is_locked(assets::upload(&core, who, name, bytes.clone()).await), "{name} came back");
        }
    }
    assert!(is_locked(show(&core, &other, &before).await), "published again");
    assert!(is_locked(gallery::set_private(&core, &author, &[output.id], false).await), "an output was published");
    let (name, near) = saved_again(41).swap_remove(1);
    assets::upload(&core, &author, name, near).await.expect("another picture");
    decide(&core, &moderator, case.id, hidden.revision, only(Verdict::Restore)).await.expect("restored");
    for (name, bytes) in files {
        assets::upload(&core, &author, name, bytes).await.expect(name);
    }
}

#[actix::test]
async fn hidden_workflow_does_not_lock_pixels_that_another_user_shows() {
    let core = TestCore::new().await;
    let (author, victim, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let files = saved_again(60);
    let theirs = assets::upload(&core, &victim, files[0].0, files[0].1.clone()).await.expect("the victim's own");
    show(&core, &victim, &theirs).await.expect("a public input");
    let taken = assets::upload(&core, &author, files[1].0, files[1].1.clone()).await.expect("saved again");
    let post = workflows::workflow(id(&author)).published(core.clock.now()).thumbnails(&[taken.id]);
    let post = post.insert(&core.db).await.id;
    let case = case_of(&core, ReportTarget::Workflow(post)).await;
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    assert!(sees(&core, &theirs).await, "a stranger's workflow hid another user's picture");
}

#[actix::test]
async fn copies_of_a_hidden_workflow_stay_locked_with_any_cover() {
    let core = TestCore::new().await;
    let (author, other, moderator) = (person(&core).await, person(&core).await, admin(&core).await);
    let bad = workflows::workflow(id(&author)).published(core.clock.now()).insert(&core.db).await.id;
    let theirs = workflows::copy(&core, &other, bad, None).await.expect("a copy from before").id;
    let case = case_of(&core, ReportTarget::Workflow(bad)).await;
    let hidden = decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    let own = workflows::copy(&core, &author, bad, Some("Another name")).await.expect("a private copy").id;
    let again = workflows::copy(&core, &author, own, None).await.expect("a copy of the copy").id;
    let publish = async |who: &Caller, id, shade| {
        let cover = upload(&core, who, "cover.png", shade).await.expect("another cover");
        let changes = WorkflowChanges {
            is_private: Some(false),
            thumbnails: Some(vec![cover.id]),
            tags: Some(vec![tag_below(1, 1)]),
            ..WorkflowChanges::default()
        };
        workflows::update(&core, who, id, changes).await
    };
    let is_refused = |answer: Result<_>| matches!(answer, Err(Error::Conflict { code: Code::PostLocked, .. }));
    for (who, id, shade) in [(&author, own, 70), (&author, again, 71), (&other, theirs, 72)] {
        assert!(is_refused(publish(who, id, shade).await), "a copy was published");
    }
    // Created from the file of the graph instead of copied.
    let graph = workflows::graph(&core, &workflows::find(&core, &author, bad).await.unwrap()).await.unwrap();
    let new = |is_private, thumbnails: Vec<crate::ids::AssetId>| workflows::NewWorkflow {
        name: "From a file".into(),
        description: String::new(),
        translations: workflows::Translations::default(),
        graph: workflows::NewGraph {
            ui: graph.ui.clone(),
            prompt: graph.prompt.as_deref().map(crate::graph::JsonText::of),
        },
        is_private,
        cover: None,
        thumbnails,
        tags: vec![tag_below(1, 1)],
    };
    let typed = workflows::create(&core, &author, new(true, Vec::new())).await.expect("a draft").id;
    let cover = upload(&core, &author, "cover.png", 77).await.expect("another cover").id;
    assert!(is_refused(workflows::create(&core, &author, new(false, vec![cover])).await), "published at once");
    assert!(is_refused(publish(&author, typed, 73).await), "the same graph was published");
    decide(&core, &moderator, case.id, hidden.revision, only(Verdict::Restore)).await.expect("restored");
    for (who, id, shade) in [(&author, own, 74), (&author, typed, 75), (&other, theirs, 76)] {
        publish(who, id, shade).await.expect("free again");
    }
}
