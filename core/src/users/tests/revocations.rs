//! What is revoked on one node is revoked on all, also where they share nothing but the database.

use std::time::Duration;

use super::*;
use crate::users::store::revocations;

/// How soon another node must have heard of it: it reads each two seconds, and a slow machine takes longer.
const HEARD_WITHIN: Duration = Duration::from_secs(20);

/// How many revocations were written.
async fn written(core: &Core) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM user_revocations").fetch_one(&core.db).await.expect("a count")
}

#[actix::test]
async fn without_redis_too_another_node_hears_within_seconds_what_was_revoked() {
    let core = TestCore::new().await;
    let other = core.another_without_redis("two");
    let (session, script) = (signed_up(&core, "ann@example.com").await, signed_up(&core, "bo@example.com").await);
    let owner = caller(&core, &script).await;
    let made = create_api_key(&core, &owner, "ci").await.expect("a key");
    let (token, key) = (session.token.expose_secret(), made.key.expose_secret());
    let mut stream = Presence::of(&other, Proof::Session(token)).await.expect("an answer").expect("a session");
    by_api_key(&other, key).await.expect("a key that works");

    sign_out(&core, token).await.expect("a sign-out");
    revoke_api_key(&core, &owner, made.api_key.id).await.expect("a revocation");
    let remembered = Duration::from_secs(core.settings.sessions.cache_seconds);
    assert!(remembered > 2 * HEARD_WITHIN, "the key is forgotten by itself, and this shows nothing");
    let began = std::time::Instant::now();
    tokio::time::timeout(HEARD_WITHIN, stream.ended()).await.expect("the stream ends with its session");
    assert!(by_session(&other, token).await.expect("an answer").is_none());
    while by_api_key(&other, key).await.is_ok() {
        assert!(began.elapsed() < HEARD_WITHIN, "a revoked key works on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[actix::test]
async fn what_is_committed_after_a_look_is_found_at_the_next_whenever_it_began() {
    let core = TestCore::new().await;
    let (early, late) = (UserId::new(), UserId::new());
    let users = |news: &revocations::News| news.rows.iter().map(|(_, user)| *user).collect::<Vec<_>>();
    let mut slow = core.db.begin().await.expect("a transaction");
    revocations::insert(&mut slow, late).await.expect("a row");
    let mut quick = core.db.begin().await.expect("a transaction");
    revocations::insert(&mut quick, early).await.expect("a row");
    quick.commit().await.expect("a commit");
    let first = revocations::since(&core.db, 0).await.expect("a look");
    assert_eq!(users(&first), [early]);
    slow.commit().await.expect("a commit");
    let second = revocations::since(&core.db, first.next).await.expect("a look");
    assert!(users(&second).contains(&late), "it was written first and committed last");
    let third = revocations::since(&core.db, second.next).await.expect("a look");
    assert!(third.next >= second.next && third.rows.iter().all(|row| second.rows.contains(row)), "nothing is new");
}

#[actix::test]
async fn whatever_changes_somebody_is_written_for_nodes_that_do_not_hear_of_it() {
    let core = TestCore::new().await;
    let session = signed_up(&core, "ann@example.com").await;
    let owner = caller(&core, &session).await;
    let key = create_api_key(&core, &owner, "ci").await.expect("a key");
    let token = session.token.expose_secret();
    assert_eq!(written(&core).await, 0);
    set_name(&core, &owner, "Anna").await.expect("a name");
    set_language(&core, &owner, Language::En).await.expect("a language");
    revoke_api_key(&core, &owner, key.api_key.id).await.expect("a revocation");
    revoke_other_sessions(&core, &owner, token).await.expect("an end");
    let (old, new) = (secret("correct horse"), secret("battery staple"));
    change_password(&core, &owner, token, Some(&old), &new).await.expect("a password");
    set_admin(&core, &Caller::system(), session.user.id, true).await.expect("a role");
    assert_eq!(written(&core).await, 6);
    let other = sign_in(&core, "ann@example.com", &new, &from("10.0.0.1")).await.expect("a session");
    let known = sessions(&core, &owner, Some(token)).await.expect("a list");
    let theirs = known.iter().find(|session| !session.is_current).expect("the new one");
    revoke_session(&core, &owner, theirs.id).await.expect("an end");
    sign_out(&core, other.token.expose_secret()).await.expect("it was over");
    sign_out(&core, token).await.expect("a sign-out");
    assert_eq!(written(&core).await, 8, "what changes nothing is not written");

    assert_eq!(forget_revocations(&core).await.expect("a round"), 0, "other nodes may not have read them");
    let aged = "UPDATE user_revocations SET at = at - interval '2 hours'";
    sqlx::query(aged).execute(&core.db).await.expect("two hours");
    assert_eq!(forget_revocations(&core).await.expect("a round"), 8);
}
