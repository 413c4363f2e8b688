//! Lists of jobs by their labels, in the queue and after their end.

use super::*;
use crate::Caller;
use crate::ids::{JobId, UserId};
use crate::jobs::tests::TestJob;
use crate::jobs::{JobFilter, Status, count, ended, find, list};
use crate::testing::TestCore;

fn labels(pairs: &[(&str, &str)]) -> JobLabels {
    JobLabels::new("labels", map(pairs)).expect("valid labels")
}

async fn labelled(core: &TestCore, user: UserId, pairs: &[(&str, &str)]) -> JobId {
    let job = TestJob { user, ..TestJob::default() }.insert(core).await;
    sqlx::query("UPDATE jobs SET labels = $2 WHERE id = $1")
        .bind(job.0)
        .bind(labels(pairs).to_value())
        .execute(&core.db)
        .await
        .expect("labels");
    job
}

#[actix::test]
async fn own_jobs_are_listed_by_all_given_labels_before_and_after_their_end() {
    let core = TestCore::new().await;
    let (ann, bob) = (UserId::new(), UserId::new());
    let both = labelled(&core, ann, &[("client", "acme"), ("run", "1")]).await;
    let one = labelled(&core, ann, &[("client", "acme")]).await;
    let other = labelled(&core, ann, &[("client", "acme2"), ("run", "client=acme")]).await;
    labelled(&core, bob, &[("client", "acme")]).await;
    TestJob { user: ann, ..TestJob::default() }.insert(&core).await;
    let listed = async |pairs: &[(&str, &str)]| {
        let filter = JobFilter { labels: Some(labels(pairs)), ..JobFilter::default() };
        let caller = Caller::customer(ann);
        let found = list(&core, &caller, &filter, None, 10).await.expect("a list");
        let counted = count(&core, &caller, &filter).await.expect("a count");
        assert_eq!(usize::try_from(counted).expect("a count"), found.len());
        found.into_iter().map(|job| job.id).collect::<Vec<_>>()
    };
    for is_over in [false, true] {
        if is_over {
            for job in [both, other] {
                ended::factory::end(&core.db, job, Status::Done, core.clock.now()).await;
            }
        }
        assert_eq!(listed(&[("client", "acme")]).await, [one, both]);
        assert_eq!(listed(&[("client", "acme"), ("run", "1")]).await, [both]);
        assert_eq!(listed(&[("run", "client=acme")]).await, [other]);
        assert!(listed(&[("client", "acm")]).await.is_empty(), "only whole values match");
    }
    let found = find(&core, &Caller::customer(ann), both).await.expect("a job");
    assert_eq!(found.labels, labels(&[("client", "acme"), ("run", "1")]), "labels stay when the job ends");
}

#[actix::test]
async fn rare_label_is_found_by_the_index_among_many_jobs() {
    let core = TestCore::new().await;
    let user = UserId::new();
    sqlx::query(
        "INSERT INTO ended_jobs (id, user_id, status, lane, pool, attempt, withdrawn, prompt_hash, strict, estimate_ms,
                                 created_at, ended_at, labels)
         SELECT gen_random_uuid(), $1, 4, 1, 'cpu', 1, 0, 'p', false, 1000, now(), now(),
                jsonb_build_object('client', 'acme', 'run', n::text)
         FROM generate_series(1, 20000) n",
    )
    .bind(user.0)
    .execute(&core.db)
    .await
    .expect("ended jobs");
    sqlx::query("VACUUM ANALYZE ended_jobs").execute(&core.db).await.expect("statistics");
    let plan: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
        "EXPLAIN SELECT id FROM all_jobs WHERE labels IS NOT NULL
         AND job_label_keys(user_id, labels) @> ARRAY['{user} run=7'] AND user_id = '{user}' ORDER BY id DESC LIMIT 20"
    )))
    .fetch_all(&core.db)
    .await
    .expect("a plan");
    assert!(plan.iter().any(|line| line.contains("Bitmap Index Scan") && line.contains("label_keys")), "{plan:#?}");
    let filter = JobFilter { labels: Some(labels(&[("run", "7")])), ..JobFilter::default() };
    assert_eq!(list(&core, &Caller::customer(user), &filter, None, 10).await.expect("a list").len(), 1);
}

fn map(labels: &[(&str, &str)]) -> BTreeMap<String, String> {
    labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn labels_within_the_limits_are_accepted() {
    let (key, value) = ("k".repeat(MAX_KEY), "값".repeat(MAX_VALUE));
    for pairs in [vec![], vec![("client", "acme"), ("A.b-c_9", "")], vec![(key.as_str(), value.as_str())]] {
        let read = JobLabels::new("labels", map(&pairs)).expect("valid labels");
        assert_eq!(JobLabels::from_value(read.to_value()), read, "they are stored as they are");
    }
    assert_eq!(JobLabels::default().to_value(), None);
}

#[test]
fn labels_outside_the_limits_are_refused_by_their_field() {
    let (key, value) = ("k".repeat(MAX_KEY + 1), "v".repeat(MAX_VALUE + 1));
    let many: Vec<String> = (0..=MAX_LABELS).map(|number| number.to_string()).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|key| (key.as_str(), "")).collect();
    for pairs in [
        vec![("", "a")],
        vec![(key.as_str(), "a")],
        vec![("a b", "c")],
        vec![("키", "c")],
        vec![("a", value.as_str())],
        vec![("a", "b\nc")],
        vec![("a", "\0")],
        many,
    ] {
        let read = JobLabels::new("metadata", map(&pairs));
        assert!(matches!(&read, Err(Error::Invalid { field, .. }) if field == "metadata"), "{pairs:?}: {read:?}");
    }
}

#[test]
fn filter_has_one_to_three_labels() {
    let filter = JobLabels::parse_filter("label", "run=a=b").expect("a filter");
    assert_eq!(filter.into_map(), map(&[("run", "a=b")]), "only the first sign separates");
    for text in ["run", "=a", ""] {
        assert!(JobLabels::parse_filter("label", text).is_err(), "{text}");
    }
    assert!(JobLabels::filter("label", map(&[])).is_err());
    let four = map(&[("a", ""), ("b", ""), ("c", ""), ("d", "")]);
    assert!(JobLabels::filter("label", four).is_err());
}
