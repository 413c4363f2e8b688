//! Tests the generator of communities: counters match the rows, the extremes exist, and a seed is reproducible.

use chrono::{DateTime, Utc};
use verdigraph_core::testing::TestDatabase;
use verdigraph_load::community::{Community, Size, check};

fn community(seed: u64) -> Community {
    let now: DateTime<Utc> = "2026-11-01T12:00:00Z".parse().expect("a time");
    Community { size: Size::SMALL, seed, now }
}

async fn filled(seed: u64) -> TestDatabase {
    let database = TestDatabase::new().await;
    let mut connection = database.db.acquire().await.expect("a connection");
    community(seed).fill(&mut connection).await.expect("a community");
    drop(connection);
    database
}

async fn count(database: &TestDatabase, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(&database.db).await.expect("a number")
}

#[tokio::test]
async fn counters_and_positions_match_the_rows() {
    let database = filled(7).await;
    let mut connection = database.db.acquire().await.expect("a connection");
    for finding in check(&mut connection).await.expect("a check") {
        assert_eq!(finding.broken, 0, "not so: {}", finding.promise);
    }
    let Size { people, workflows, pictures, comments, likes, notifications } = Size::SMALL;
    for (sql, expected) in [
        ("SELECT count(*) FROM users", people),
        ("SELECT count(*) FROM workflows", workflows),
        ("SELECT count(*) FROM output_assets", pictures),
        ("SELECT count(*) FROM comments", comments),
        (
            "SELECT (SELECT count(*) FROM workflow_likes) + (SELECT count(*) FROM output_asset_likes)
                  + (SELECT count(*) FROM comment_likes)",
            likes,
        ),
        ("SELECT count(*) FROM notifications", notifications),
        ("SELECT total FROM notification_boxes WHERE kind = 0 ORDER BY total DESC LIMIT 1", notifications / 6),
        ("SELECT last FROM comment_places ORDER BY last DESC LIMIT 1", comments / 20),
    ] {
        assert_eq!(count(&database, sql).await, i64::from(expected), "{sql}");
    }
    // Keys and indexes are those of the migrations.
    let fresh = TestDatabase::new().await;
    let made = "SELECT string_agg(definition, '; ' ORDER BY definition) FROM (
          SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'public'
          UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace) made";
    let of = async |database: &TestDatabase| -> String {
        sqlx::query_scalar(made).fetch_one(&database.db).await.expect("definitions")
    };
    assert_eq!(of(&database).await, of(&fresh).await);
}

#[tokio::test]
async fn check_finds_violations() {
    let database = filled(8).await;
    let mut connection = database.db.acquire().await.expect("a connection");
    for statement in [
        "UPDATE workflows SET like_count = like_count + 1 WHERE id = (SELECT min(id::text)::uuid FROM workflows)",
        "DELETE FROM output_asset_likes WHERE id = (SELECT min(id::text)::uuid FROM output_asset_likes)",
        "UPDATE comment_places SET last = last + 1 WHERE target_id = (SELECT min(target_id::text)::uuid FROM comment_places)",
        "UPDATE notification_boxes SET total = total - 1 WHERE kind = 3 AND user_id = (SELECT min(id::text)::uuid FROM users)",
    ] {
        sqlx::query(statement).execute(&mut *connection).await.expect("a change");
    }
    let broken: Vec<_> =
        check(&mut connection).await.expect("a check").into_iter().filter(|one| one.broken > 0).collect();
    assert_eq!(broken.iter().map(|one| one.broken).collect::<Vec<_>>(), [1; 4], "{broken:?}");
}

#[tokio::test]
async fn seed_repeats_its_rows() {
    let (one, same, other) = tokio::join!(filled(3), filled(3), filled(4));
    let sum = async |database: &TestDatabase| -> String {
        let sql = "SELECT md5(string_agg(line, ';' ORDER BY line)) FROM (SELECT w::text AS line FROM workflows w
              UNION ALL SELECT c::text FROM comments c UNION ALL SELECT l::text FROM workflow_likes l) lines";
        sqlx::query_scalar(sql).fetch_one(&database.db).await.expect("a sum")
    };
    let (one, same, other) = (sum(&one).await, sum(&same).await, sum(&other).await);
    assert_eq!(one, same);
    assert_ne!(one, other);
}
