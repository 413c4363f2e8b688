//! Revocations reach all nodes, even if they share only the database.

use std::time::Duration;

use super::*;
use crate::database;
use crate::users::store::revocations;

/// Time until another node must know: it polls every two seconds, and a slow machine takes longer.
const DEADLINE: Duration = Duration::from_secs(20);

/// The number of written revocations.
async fn revocation_count(core: &Core) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM user_revocations").fetch_one(&core.db).await.expect("a count")
}

#[actix::test]
async fn without_redis_revocations_reach_other_nodes_within_seconds() {
    let core = TestCore::new().await;
    let other = core.another_without_redis("two");
    let (session, script) = (signed_up(&core, "ann@example.com").await, signed_up(&core, "bo@example.com").await);
    let owner = caller(&core, &script).await;
    let made = create_api_key(&core, &owner, "ci").await.expect("a key");
    let (token, key) = (session.token.expose_secret(), made.key.expose_secret());
    let mut stream = AuthWatch::start(&other, Credential::Session(token)).await.expect("an answer").expect("a session");
    by_api_key(&other, key).await.expect("a key that works");

    sign_out(&core, token).await.expect("a sign-out");
    revoke_api_key(&core, &owner, made.api_key.id).await.expect("a revocation");
    let cached_for = Duration::from_secs(core.settings.sessions.cache_seconds);
    assert!(cached_for > 2 * DEADLINE, "the cache entry would expire by itself");
    let began = std::time::Instant::now();
    tokio::time::timeout(DEADLINE, stream.ended()).await.expect("the stream ends with its session");
    assert!(by_session(&other, token).await.expect("an answer").is_none());
    while by_api_key(&other, key).await.is_ok() {
        assert!(began.elapsed() < DEADLINE, "a revoked key still works");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[actix::test]
async fn revocation_committed_after_a_poll_is_found_by_the_next() {
    let core = TestCore::new().await;
    let (early, late) = (UserId::new(), UserId::new());
    let users = |polled: &revocations::NewRevocations| polled.rows.iter().map(|(_, user)| *user).collect::<Vec<_>>();
    let mut slow = database::begin(&core.db).await.expect("a transaction");
    revocations::insert(&mut slow, late).await.expect("a row");
    let mut quick = database::begin(&core.db).await.expect("a transaction");
    revocations::insert(&mut quick, early).await.expect("a row");
    quick.commit().await.expect("a commit");
    let first = revocations::since(&core.db, 0).await.expect("a poll");
    assert_eq!(users(&first), [early]);
    slow.commit().await.expect("a commit");
    let second = revocations::since(&core.db, first.next).await.expect("a poll");
    assert!(users(&second).contains(&late), "the row was written first and committed last");
    let third = revocations::since(&core.db, second.next).await.expect("a poll");
    assert!(third.next >= second.next && third.rows.iter().all(|row| second.rows.contains(row)), "no row is new");
}

#[actix::test]
async fn every_change_of_a_user_writes_a_revocation() {
    let core = TestCore::new().await;
    let session = signed_up(&core, "ann@example.com").await;
    let owner = caller(&core, &session).await;
    let key = create_api_key(&core, &owner, "ci").await.expect("a key");
    let token = session.token.expose_secret();
    assert_eq!(revocation_count(&core).await, 0);
    set_name(&core, &owner, "Anna").await.expect("a name");
    set_language(&core, &owner, Language::En).await.expect("a language");
    revoke_api_key(&core, &owner, key.api_key.id).await.expect("a revocation");
    revoke_other_sessions(&core, &owner, token).await.expect("an end");
    let (old, new) = (secret("correct horse"), secret("battery staple"));
    change_password(&core, &owner, token, Some(&old), &new).await.expect("a password");
    set_admin(&core, &Caller::system(), session.user.id, true).await.expect("a role");
    assert_eq!(revocation_count(&core).await, 6);
    let other = sign_in(&core, "ann@example.com", &new, &from("10.0.0.1")).await.expect("a session");
    let known = sessions(&core, &owner, Some(token)).await.expect("a list");
    let theirs = known.iter().find(|session| !session.is_current).expect("the new one");
    revoke_session(&core, &owner, theirs.id).await.expect("an end");
    sign_out(&core, other.token.expose_secret()).await.expect("a second end");
    sign_out(&core, token).await.expect("a sign-out");
    assert_eq!(revocation_count(&core).await, 8, "a call without a change writes nothing");

    assert_eq!(delete_old_revocations(&core).await.expect("a round"), 0, "other nodes may not have read them");
    let aged = "UPDATE user_revocations SET at = at - interval '2 hours'";
    sqlx::query(aged).execute(&core.db).await.expect("two hours");
    assert_eq!(delete_old_revocations(&core).await.expect("a round"), 8);
}
