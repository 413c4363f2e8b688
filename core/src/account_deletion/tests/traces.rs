//! Every stored object and every row of every table is searched for data of an account, an hour after its deletion.

use std::path::Path;

use bytes::Bytes;
use chrono::TimeDelta;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::*;
use crate::assets::{self, FileKey, Quality, life};
use crate::gallery::NewOutputAsset;
use crate::ids::{AssetId, JobId};
use crate::settings::StorageKind;
use crate::testing::TestCore;
use crate::testing::s3::TestStore;
use crate::users::factory;
use crate::{Clock, FILE_OWNERS};

/// Part of all private names and texts of the account.
const SECRET: &str = "my-secret-garden";

fn picture(seed: u32) -> Bytes {
    let [_, red, green, blue] = seed.to_be_bytes();
    let image = RgbImage::from_pixel(40, 30, Rgb([red, green, blue]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, ImageFormat::Png).expect("an encoded picture");
    Bytes::from(bytes.into_inner())
}

/// An output of a job, with a file and a rendition.
async fn output(core: &Core, owner: UserId, job: JobId, seed: u32) -> NewOutputAsset {
    let stored = core.files.store_output(picture(seed)).await.expect("a file");
    let key = FileKey { content: stored.content.clone(), media: stored.media };
    core.files.rendition(&key, Quality::W200).await.expect("a card");
    let position = i32::try_from(seed % 10_000).expect("a place");
    NewOutputAsset {
        job,
        position,
        content: stored.content,
        blur_hash: stored.blur_hash,
        ..gallery::factory::output(owner, core.clock.now())
    }
}

async fn job(core: &Core, owner: UserId, prompt: Option<&str>, status: Status, files: serde_json::Value) -> JobId {
    let (id, version) = (JobId::new(), prompt.is_none().then(uuid::Uuid::now_v7));
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, version_id, prompt_hash, form, seeds, files,
                           extra_data, node_errors, rate, max_run_ms, estimate_ms, created_at)
         VALUES ($1, $2, 0, 0, 'cpu', 'x', 0, $3, $4, $5, $5, $6, $5, $5, 1, 600000, 1000, $7)",
    )
    .bind(id.0)
    .bind(owner.0)
    .bind(version)
    .bind(prompt)
    .bind(json!({ "text": SECRET }))
    .bind(files)
    .bind(core.clock.now())
    .execute(&core.db)
    .await
    .expect("a job");
    if status.is_terminal() {
        jobs::ended::factory::end(&core.db, id, status, core.clock.now()).await;
        sqlx::query("UPDATE ended_jobs SET execute_exception = $2 WHERE id = $1")
            .bind(id.0)
            .bind(json!({ "text": SECRET }))
            .execute(&core.db)
            .await
            .expect("an exception");
    }
    sqlx::query("INSERT INTO job_outputs (job_id, position, node_id, kind, text) VALUES ($1, 99999, '1', 'text', $2)")
        .bind(id.0)
        .bind(SECRET)
        .execute(&core.db)
        .await
        .expect("a text");
    id
}

/// A private workflow with a mini app of two versions.
async fn private_workflow(core: &Core, owner: &Caller) {
    let prompt = json!({ "1": { "class_type": "Text", "inputs": { "text": SECRET } } });
    let user = owner.user.expect("an account");
    let workflow = workflow(user).name(SECRET).description(SECRET).prompt(prompt.clone()).insert(&core.db).await;
    let app = uuid::Uuid::now_v7();
    sqlx::query(
        "INSERT INTO workflow_apis (id, workflow_id, user_id, current_version_id, created_at, updated_at)
         VALUES ($1, $2, $3, $1, now(), now())",
    )
    .bind(app)
    .bind(workflow.id.0)
    .bind(user.0)
    .execute(&core.db)
    .await
    .expect("a mini app");
    for _ in 0..2 {
        sqlx::query(
            "INSERT INTO workflow_api_versions (id, workflow_api_id, template, inputs, outputs, fields, created_at)
             VALUES ($1, $2, $3, $3, $3, '[]', now())",
        )
        .bind(uuid::Uuid::now_v7())
        .bind(app)
        .bind(&prompt)
        .execute(&core.db)
        .await
        .expect("a version");
    }
}

/// A setting and a file of the node editor, and a request for a node.
async fn editor_data(core: &Core, owner: &Caller) {
    let settings = serde_json::Map::from_iter([("Comfy.Note".to_owned(), json!(SECRET))]);
    editor::set_settings(core, owner, &settings).await.expect("a setting");
    let path = editor::EditorPath::parse(&format!("workflows/{SECRET}.json")).expect("a path");
    let content = Bytes::from_static(b"{}");
    editor::write_file(core, owner, &path, &content, editor::WriteMode::Replace).await.expect("a file");
    let wanted = requirements::Requirement::node_class(SECRET);
    requirements::request(core, owner, &wanted).await.expect("a request");
}

async fn prompt(core: &Core, hash: &str, owners: &[UserId]) {
    sqlx::query("INSERT INTO job_prompts (hash, prompt, created_at) VALUES ($1, $2, now())")
        .bind(hash)
        .bind(json!({ "1": { "class_type": "Text", "inputs": { "text": format!("{SECRET} {hash}") } } }))
        .execute(&core.db)
        .await
        .expect("a prompt");
    for owner in owners {
        sqlx::query("INSERT INTO job_prompt_owners (user_id, hash) VALUES ($1, $2)")
            .bind(owner.0)
            .bind(hash)
            .execute(&core.db)
            .await
            .expect("an owner of the prompt");
    }
}

async fn an_hour(core: &TestCore) {
    for _ in 0..60 {
        core.clock.advance(TimeDelta::minutes(1));
        while life::sweep(core, FILE_OWNERS).await.expect("a sweep") != life::SweepOutcome::default() {}
    }
}

/// All rows of all tables that contain this text, as `table: row`.
async fn rows_with(core: &Core, text: &str) -> Vec<String> {
    let tables: Vec<String> = sqlx::query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
        .fetch_all(&core.db)
        .await
        .expect("tables");
    let mut found = Vec::new();
    for table in tables {
        let sql = format!("SELECT '{table}: ' || t::text FROM \"{table}\" t WHERE position($1 IN t::text) > 0");
        let rows: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(sql)).bind(text).fetch_all(&core.db).await.expect("rows");
        found.extend(rows);
    }
    found
}

/// The names of all stored objects.
async fn stored_names(core: &Core) -> Vec<String> {
    match core.settings.storage.kind {
        StorageKind::Local => names_below(&core.settings.storage_folder()),
        StorageKind::S3 => core.files.storage.names().await,
    }
}

/// The names of all files below a folder.
fn names_below(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => names.extend(names_below(&path)),
            false => names.push(path.file_name().expect("a name").to_string_lossy().into_owned()),
        }
    }
    names
}

#[actix::test]
async fn no_private_data_is_left_in_a_folder_and_tables_an_hour_after_the_deletion() {
    nothing_private_is_left(&TestCore::new().await).await;
}

#[actix::test]
async fn no_private_data_is_left_in_an_s3_store_an_hour_after_the_deletion() {
    let store = TestStore::start().await;
    let core = TestCore::with(Clock::held(TestCore::start_of_time()), |settings| store.configure(settings)).await;
    nothing_private_is_left(&core).await;
    assert!(!core.settings.storage_folder().exists(), "files were stored in a folder");
}

/// Deletes an account with fifty private and fifty published pictures.
async fn nothing_private_is_left(core: &TestCore) {
    let (ann, bo) = (factory::user().insert(&core.db).await, factory::user().name("Bo").insert(&core.db).await);
    let caller = Caller::customer(ann);
    prompt(core, &"a".repeat(64), &[ann]).await;
    prompt(core, &"b".repeat(64), &[ann, bo]).await;
    let (mut private, mut public) = (Vec::new(), Vec::new());
    let done = job(core, ann, Some(&"a".repeat(64)), Status::Done, json!({ "x": { "name": SECRET } })).await;
    job(core, ann, None, Status::ExecuteError, json!({})).await;
    job(core, bo, Some(&"b".repeat(64)), Status::Done, json!({})).await;
    for seed in 0..100 {
        let made = output(core, ann, done, seed).await;
        gallery::factory::insert(&core.db, std::slice::from_ref(&made)).await;
        if seed < 50 { private.push(made) } else { public.push(made) }
    }
    let shown: Vec<_> = public.iter().map(|made| made.id).collect();
    gallery::set_private(core, &caller, &shown, false).await.expect("a publication");
    let mut uploads = Vec::new();
    for seed in 20_000..20_010 {
        let asset = assets::upload(core, &caller, &format!("{SECRET}-{seed}.png"), picture(seed)).await;
        uploads.push(asset.expect("an upload"));
    }
    assets::set_portrait(core, &caller, Some(uploads[0].id)).await.expect("a portrait");
    gallery::keep_input(core, &caller, uploads[1].id, false).await.expect("an input");
    let cover = workflow(ann).published(core.clock.now()).insert(&core.db).await;
    sqlx::query("UPDATE workflows SET cover_asset_id = $2 WHERE id = $1")
        .bind(cover.id.0)
        .bind(uploads[2].id.0)
        .execute(&core.db)
        .await
        .expect("a cover");
    for _ in 0..3 {
        private_workflow(core, &caller).await;
    }
    editor_data(core, &caller).await;
    let same = output(core, bo, JobId::new(), 7).await;
    gallery::factory::insert(&core.db, std::slice::from_ref(&same)).await;
    assert_eq!(same.content, private[7].content, "another account has made the same picture");

    delete_account(core, &caller, &DeletionProof::Name("Ann".to_owned())).await.expect("a deletion");
    assert_eq!(delete_data(core).await.expect("a run"), 1);
    an_hour(core).await;

    let names = stored_names(core).await;
    for (number, made) in private.iter().enumerate().filter(|(number, _)| *number != 7) {
        assert!(!names.contains(&made.content.0), "the bytes of private picture {number} are still there");
        let rows = rows_with(core, &made.content.0).await;
        assert!(rows.is_empty(), "rows refer to private picture {number}: {rows:?}");
    }
    for upload in uploads.iter().filter(|upload| upload.id != uploads[2].id) {
        assert!(!names.contains(&upload.stored.content.0), "the bytes of {} are still there", upload.name);
    }
    let rows = rows_with(core, SECRET).await;
    let left = |row: &&String| !row.contains(&"b".repeat(64)) && !row.contains(&uploads[2].name) && !is_bos(row, bo);
    let rows: Vec<_> = rows.iter().filter(left).collect();
    assert!(rows.is_empty(), "rows contain private text: {rows:?}");
    for made in public.iter().chain([&same]) {
        assert!(names.contains(&made.content.0), "a published picture, or one of another account, is gone");
        assert!(core.files.storage.get(&made.content).await.is_ok());
    }
    assert!(names.contains(&uploads[2].stored.content.0), "the cover of a published workflow is gone");
    let prompts: Vec<String> = sqlx::query_scalar("SELECT hash FROM job_prompts").fetch_all(&core.db).await.expect("");
    assert_eq!(prompts, ["b".repeat(64)], "only the prompt of the other account stays");
    let graphs: Vec<uuid::Uuid> =
        sqlx::query_scalar("SELECT workflow_id FROM workflow_versions").fetch_all(&core.db).await.expect("graphs");
    assert_eq!(graphs, [cover.id.0], "only the graph of the published workflow stays");
    let jobs: i64 = sqlx::query_scalar("SELECT count(*) FROM all_jobs WHERE user_id = $1")
        .bind(ann.0)
        .fetch_one(&core.db)
        .await
        .expect("a count");
    assert_eq!(jobs, 2, "the rows of jobs stay for the accounting");
}

/// Whether the row belongs to a job of Bo's or its text output.
fn is_bos(row: &str, bo: UserId) -> bool {
    row.contains(&bo.to_string()) || row.starts_with("job_outputs")
}

#[actix::test]
async fn files_of_deleted_and_expired_outputs_are_deleted_within_the_hour() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let deleted = output(&core, ann, JobId::new(), 1).await;
    let expired = output(&core, ann, JobId::new(), 2).await;
    let kept = output(&core, ann, JobId::new(), 3).await;
    let kept = NewOutputAsset { expires_at: core.clock.now() + TimeDelta::days(90), ..kept };
    gallery::factory::insert(&core.db, &[deleted.clone(), expired.clone(), kept.clone()]).await;
    gallery::delete(&core, &Caller::customer(ann), &[deleted.id]).await.expect("a deletion");
    an_hour(&core).await;
    let names = names_below(&core.settings.storage_folder());
    assert!(!names.contains(&deleted.content.0), "the file of the deleted output is still there");
    assert!(names.contains(&expired.content.0), "it has not expired yet");
    core.clock.advance(TimeDelta::days(30));
    assert_eq!(gallery::delete_expired(&core).await.expect("a sweep"), 1);
    an_hour(&core).await;
    let names = names_below(&core.settings.storage_folder());
    assert!(!names.contains(&expired.content.0), "the file of the expired output is still there");
    assert_eq!(names.iter().filter(|name| **name == kept.content.0).count(), 2, "the file and its card");
}

#[actix::test]
async fn unfinished_job_keeps_its_input_files() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let caller = Caller::customer(ann);
    let asset = assets::upload(&core, &caller, "a.png", picture(9)).await.expect("an upload");
    let content = asset.stored.content.clone();
    let files = json!({ AssetId::new().to_string(): { "content": content, "name": "vg.png" } });
    let waiting = job(&core, ann, None, Status::Pending, files).await;
    assets::delete(&core, ann, &[asset.id]).await.expect("a deletion");
    an_hour(&core).await;
    assert!(core.files.storage.get(&content).await.is_ok(), "the job would miss its input");
    jobs::ended::factory::end(&core.db, waiting, Status::Done, core.clock.now()).await;
    an_hour(&core).await;
    assert!(core.files.storage.get(&content).await.is_err(), "the file was not deleted after the job");
}
