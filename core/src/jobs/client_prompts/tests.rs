use chrono::TimeDelta;
use uuid::Uuid;

use super::*;
use crate::testing::TestCore;
use crate::users::factory;

/// A row of `jobs` that waits.
async fn waiting(core: &TestCore, user: UserId, vstart: i64) -> JobId {
    let id = JobId::new();
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, prompt_hash, rate, max_run_ms, estimate_ms,
                           created_at)
         VALUES ($1, $2, 0, 0, 'cpu', 'x', $3, 'hash', 1, 600000, 1000, $4)",
    )
    .bind(id.0)
    .bind(user.0)
    .bind(vstart)
    .bind(core.clock.now())
    .execute(&core.db)
    .await
    .expect("a job");
    id
}

async fn vstart(core: &TestCore, job: JobId) -> i64 {
    let found = sqlx::query_scalar("SELECT vstart FROM jobs WHERE id = $1").bind(job.0).fetch_one(&core.db).await;
    found.expect("a job")
}

#[actix::test]
async fn job_at_the_front_takes_no_place_of_another_user() {
    let core = TestCore::new().await;
    let (ann, bob) = (UserId::new(), UserId::new());
    let own = [waiting(&core, ann, 10).await, waiting(&core, ann, 20).await, waiting(&core, ann, 30).await];
    let other = waiting(&core, bob, 15).await;
    move_to_front(&core, ann, ("cpu", Lane::Interactive), own[2]).await;
    let mut times = Vec::new();
    for job in [own[2], own[0], own[1], other] {
        times.push(vstart(&core, job).await);
    }
    assert_eq!(times, [10, 20, 30, 15], "the user's times are the same, in another order");
}

#[actix::test]
async fn second_submit_of_a_prompt_id_is_refused_while_the_first_is_in_progress() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let call = PromptCall { prompt_id: Some(Uuid::from_u128(7)), ..PromptCall::default() };
    record(&core, ann, JobId::new(), &call, &[]).await.expect("a row whose job is not written yet");
    let second = record(&core, ann, JobId::new(), &call, &[]).await;
    assert!(matches!(second, Err(Error::Invalid { field, .. }) if field == "prompt_id"));
}

#[actix::test]
async fn prompt_ids_are_one_users() {
    let core = TestCore::new().await;
    let (ann, bob) = (factory::user().insert(&core.db).await, factory::user().insert(&core.db).await);
    let call = PromptCall { prompt_id: Some(Uuid::from_u128(7)), ..PromptCall::default() };
    let minute_ago = JobId::new().0.as_u128() - (60_000 << 80);
    record(&core, ann, JobId(Uuid::from_u128(minute_ago)), &call, &[]).await.expect("a row");
    // Its job was never accepted.
    let job = waiting(&core, ann, 1).await;
    record(&core, ann, job, &call, &["9".to_owned()]).await.expect("the row of a lost submit is replaced");
    let again = record(&core, ann, JobId::new(), &call, &[]).await;
    assert!(matches!(again, Err(Error::Invalid { field, .. }) if field == "prompt_id"));
    let theirs = waiting(&core, bob, 2).await;
    record(&core, bob, theirs, &call, &[]).await.expect("another user may choose the same id");
    for (user, expected) in [(ann, job), (bob, theirs)] {
        let caller = Caller::customer(user);
        let found = find_client_prompt(&core, &caller, Uuid::from_u128(7)).await.expect("a prompt");
        assert_eq!((found.job, found.prompt_id), (expected, Uuid::from_u128(7)));
        assert_eq!(find_client_prompt(&core, &caller, expected.0).await.expect("by its job").job, expected);
        assert_eq!(count_active_client_prompts(&core, &caller).await.expect("a count"), 1);
    }
    let foreign = find_client_prompt(&core, &Caller::customer(ann), theirs.0).await;
    assert!(matches!(foreign, Err(Error::NotFound { .. })), "another user's job is told of");
}

#[actix::test]
async fn removed_prompt_is_in_no_list_and_its_job_stays() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let (caller, call) = (Caller::customer(ann), PromptCall::default());
    let (ended, active) = (waiting(&core, ann, 1).await, waiting(&core, ann, 2).await);
    for job in [ended, active] {
        record(&core, ann, job, &call, &[]).await.expect("a row");
    }
    crate::jobs::ended::factory::end(&core.db, ended, Status::Done, core.clock.now() + TimeDelta::seconds(1)).await;
    let filter = ClientPromptFilter::default();
    let listed = async || {
        let ended = ended_client_prompts(&core, &caller, &filter, (0, 10)).await.expect("a list");
        let active = active_client_prompts(&core, &caller, &filter, 10).await.expect("a list");
        let count = count_ended_client_prompts(&core, &caller, &filter).await.expect("a count");
        assert_eq!(usize::try_from(count).expect("a count"), ended.len());
        (ended.len(), active.len())
    };
    assert_eq!(listed().await, (1, 1));
    let stranger = Caller::customer(factory::user().insert(&core.db).await);
    assert_eq!(remove_client_prompts(&core, &stranger, &Removal::All).await.expect("a count"), 0);
    let others = Removal::Some(vec![active.0]);
    assert_eq!(remove_client_prompts(&core, &caller, &others).await.expect("a count"), 0, "it has not ended");
    assert_eq!(remove_client_prompts(&core, &caller, &Removal::All).await.expect("a count"), 1);
    assert_eq!(listed().await, (0, 1));
    let found = find_client_prompt(&core, &caller, ended.0).await.expect("the job");
    assert!(found.is_removed && found.status == Status::Done);
}

#[actix::test]
async fn prompts_that_never_ran_take_no_place_in_a_history_page() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let (caller, call) = (Caller::customer(ann), PromptCall::default());
    let (done, canceled) = (waiting(&core, ann, 1).await, waiting(&core, ann, 2).await);
    for (job, status) in [(done, Status::Done), (canceled, Status::Canceled)] {
        record(&core, ann, job, &call, &[]).await.expect("a row");
        crate::jobs::ended::factory::end(&core.db, job, status, core.clock.now() + TimeDelta::seconds(1)).await;
    }
    for (without_never_ran, expected, count) in [(true, done, 1), (false, canceled, 2)] {
        let filter = ClientPromptFilter { without_never_ran, ..ClientPromptFilter::default() };
        let page = ended_client_prompts(&core, &caller, &filter, (0, 1)).await.expect("a page");
        assert_eq!(page.iter().map(|prompt| prompt.job).collect::<Vec<_>>(), [expected]);
        assert_eq!(count_ended_client_prompts(&core, &caller, &filter).await.expect("a count"), count);
    }
}

#[actix::test]
async fn graphs_of_the_newest_prompts_are_read_up_to_a_measure() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let text = r#"{"1":{}}"#;
    let query = "INSERT INTO job_prompts (hash, prompt, text, created_at) VALUES ('hash', $1::jsonb, $1, now())";
    sqlx::query(query).bind(text).execute(&core.db).await.expect("a prompt");
    let jobs = [waiting(&core, ann, 1).await, waiting(&core, ann, 2).await, waiting(&core, ann, 3).await];
    for (most, expected) in [(7, 0), (8, 1), (23, 2), (24, 3)] {
        let mut read = store::contents(&core.db, &jobs, most).await.expect("texts");
        assert!(read.iter().all(|(_, prompt, _)| prompt == text));
        read.sort_by_key(|(job, ..)| *job);
        let read: Vec<JobId> = read.into_iter().map(|(job, ..)| job).collect();
        assert_eq!(read, jobs[jobs.len() - expected..], "{most} bytes");
    }
}

#[actix::test]
async fn job_of_another_user_is_told_from_an_unknown_one() {
    let core = TestCore::new().await;
    let (ann, bob) = (UserId::new(), UserId::new());
    let job = waiting(&core, ann, 1).await;
    let of_another =
        async |user: UserId, id: JobId| is_job_of_another(&core, &Caller::customer(user), id).await.expect("an answer");
    assert!(of_another(bob, job).await);
    assert!(!of_another(ann, job).await && !of_another(bob, JobId::new()).await);
    assert!(matches!(is_job_of_another(&core, &Caller::guest(), job).await, Err(Error::LoginRequired)));
}

#[actix::test]
async fn prompt_that_is_to_stop_is_told_from_one_that_runs_on() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let (caller, call) = (Caller::customer(ann), PromptCall::default());
    let (stopping, running) = (waiting(&core, ann, 1).await, waiting(&core, ann, 2).await);
    for job in [stopping, running] {
        record(&core, ann, job, &call, &[]).await.expect("a row");
    }
    let stop = "UPDATE jobs SET cancel_requested = true WHERE id = $1";
    sqlx::query(stop).bind(stopping.0).execute(&core.db).await.expect("a job");
    let active = active_client_prompts(&core, &caller, &ClientPromptFilter::default(), 10).await.expect("a list");
    let listed: Vec<_> = active.iter().map(|prompt| (prompt.job, prompt.is_cancel_requested)).collect();
    assert_eq!(listed, [(running, false), (stopping, true)]);
    for (job, expected) in listed {
        let found = find_client_prompt(&core, &caller, job.0).await.expect("a prompt");
        assert_eq!(found.is_cancel_requested, expected);
    }
    crate::jobs::ended::factory::end(&core.db, stopping, Status::Canceled, core.clock.now() + TimeDelta::seconds(1))
        .await;
    let ended = ended_client_prompts(&core, &caller, &ClientPromptFilter::default(), (0, 1)).await.expect("a list");
    assert_eq!(ended.first().map(|prompt| prompt.is_cancel_requested), Some(false), "it has stopped");
}
