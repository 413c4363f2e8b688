//! That nothing is passed over, nothing comes twice, and everybody sees their own.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::Connection as _;

use super::numbering::number_all;
use super::*;
use crate::ids::{JobId, UserId};
use crate::testing::TestCore;
use crate::{Caller, Code, Error};

fn event(user: UserId, kind: EventKind, core: &TestCore) -> NewEvent {
    let about = About { job: Some(JobId::new()), ..About::default() };
    NewEvent { kind, user, about, data: "{}".to_owned(), at: core.clock.now() }
}

async fn write_one(core: &TestCore, user: UserId, kind: EventKind) -> NewEvent {
    let new = event(user, kind, core);
    write(&mut core.db.acquire().await.expect("a connection"), std::slice::from_ref(&new)).await.expect("a write");
    new
}

async fn read(core: &TestCore, user: UserId, after: After, limit: i64) -> Page {
    feed(core, &Caller::customer(user), after, &[], limit).await.expect("a page")
}

fn jobs(page: &Page) -> Vec<JobId> {
    page.items.iter().map(|event| event.about.job.expect("a job")).collect()
}

#[actix::test]
async fn what_commits_late_comes_behind_what_was_seen_before() {
    let core = TestCore::new().await;
    let user = UserId::new();
    let mut late = core.db.begin().await.expect("a transaction");
    let first = event(user, EventKind::JobCreated, &core);
    write(&mut late, std::slice::from_ref(&first)).await.expect("a write");
    let second = write_one(&core, user, EventKind::JobCreated).await;
    number_all(&core).await.expect("a round");
    let page = read(&core, user, After::Oldest, 10).await;
    assert_eq!(jobs(&page), [second.about.job.expect("a job")], "what is not committed cannot be seen");
    late.commit().await.expect("a commit");
    number_all(&core).await.expect("a round");
    let next = read(&core, user, After::Position(page.next), 10).await;
    assert_eq!(jobs(&next), [first.about.job.expect("a job")], "a late commit was passed over");
    let none = read(&core, user, After::Position(next.next), 10).await;
    assert!(none.items.is_empty() && none.next == next.next);
}

#[actix::test]
async fn a_reader_gets_each_event_once_while_several_write_and_several_number() {
    const EACH: usize = 60;
    let core = TestCore::new().await;
    let user = UserId::new();
    let writer = async |number: usize| {
        let mut written = Vec::new();
        for turn in 0..EACH {
            let mut tx = core.db.begin().await.expect("a transaction");
            let some: Vec<_> = (0..=turn % 3).map(|_| event(user, EventKind::JobCreated, &core)).collect();
            write(&mut tx, &some).await.expect("a write");
            if (turn + number).is_multiple_of(4) {
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
            if (turn + number).is_multiple_of(7) {
                tx.rollback().await.expect("a rollback");
                continue;
            }
            tx.commit().await.expect("a commit");
            written.extend(some.iter().map(|event| event.about.job.expect("a job")));
        }
        written
    };
    let numberer = async || {
        for _ in 0..200 {
            number_all(&core).await.expect("a round");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    let reader = async || {
        let (mut after, mut seen) = (0, Vec::new());
        let mut empty = 0;
        while empty < 40 {
            let page = read(&core, user, After::Position(after), 7).await;
            assert!(page.items.is_sorted_by(|one, next| one.position < next.position));
            empty = if page.items.is_empty() { empty + 1 } else { 0 };
            seen.extend(jobs(&page));
            after = page.next;
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        seen
    };
    let (one, two, three, (), (), _) = tokio::join!(writer(0), writer(1), writer(2), numberer(), numberer(), reader());
    number_all(&core).await.expect("a round");
    let (mut after, mut seen) = (0, Vec::new());
    loop {
        let page = read(&core, user, After::Position(after), 50).await;
        if page.items.is_empty() {
            break;
        }
        seen.extend(jobs(&page));
        after = page.next;
    }
    let written: HashSet<JobId> = [one, two, three].concat().into_iter().collect();
    assert_eq!(seen.len(), written.len(), "an event came twice, or was lost");
    assert_eq!(seen.into_iter().collect::<HashSet<_>>(), written);
    let (last, _) = store::head(&core.db).await.expect("a head");
    assert_eq!(usize::try_from(last).expect("a count"), written.len(), "positions have gaps");
}

#[actix::test]
async fn a_feed_has_the_callers_events_alone_and_of_the_kinds_that_were_asked_for() {
    let core = TestCore::new().await;
    let (user, other) = (UserId::new(), UserId::new());
    for (whose, kind) in [
        (user, EventKind::JobCreated),
        (other, EventKind::JobDone),
        (user, EventKind::JobStarted),
        (user, EventKind::JobDone),
        (other, EventKind::JobDone),
    ] {
        write_one(&core, whose, kind).await;
    }
    number_all(&core).await.expect("a round");
    let kinds = |page: &Page| page.items.iter().map(|event| event.kind).collect::<Vec<_>>();
    let all = read(&core, user, After::Oldest, 10).await;
    assert_eq!(kinds(&all), [EventKind::JobCreated, EventKind::JobStarted, EventKind::JobDone]);
    let them = Caller::customer(user);
    let done = feed(&core, &them, After::Oldest, &[EventKind::JobDone], 10).await.expect("a page");
    assert_eq!(kinds(&done), [EventKind::JobDone]);
    assert_eq!(done.next, all.next, "a cursor goes over what was not asked for");
    let first = read(&core, user, After::Oldest, 1).await;
    assert_eq!(kinds(&read(&core, user, After::Position(first.next), 10).await), kinds(&all)[1..]);
    assert!(read(&core, user, After::Latest, 10).await.items.is_empty());
    for (limit, after) in [(0, After::Oldest), (MAX_PAGE + 1, After::Oldest)] {
        assert!(matches!(feed(&core, &them, after, &[], limit).await, Err(Error::Invalid { .. })), "{limit}");
    }
    assert!(matches!(feed(&core, &Caller::guest(), After::Oldest, &[], 1).await, Err(Error::LoginRequired)));
    let ahead = feed(&core, &them, After::Position(all.next + 1), &[], 1).await;
    assert!(matches!(ahead, Err(Error::Refused { code: Code::EventsCursorAhead, .. })));
    for word in ["", "-1", "x", "1.5", "99999999999999999999", "00000000000000000001"] {
        assert!(word.parse::<After>().is_err(), "{word}");
    }
}

#[actix::test]
async fn who_waits_hears_of_an_event_and_nobody_of_others() {
    let core = TestCore::new().await;
    let (user, other) = (UserId::new(), UserId::new());
    let them = Caller::customer(user);
    let waiting = wait(&core, &them, After::Latest, &[], 10, Duration::from_secs(20));
    let happens = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        write_one(&core, other, EventKind::JobDone).await;
        number_all(&core).await.expect("a round");
        tokio::time::sleep(Duration::from_millis(50)).await;
        let new = write_one(&core, user, EventKind::JobDone).await;
        number_all(&core).await.expect("a round");
        new
    };
    let began = tokio::time::Instant::now();
    let (page, new) = tokio::join!(waiting, happens);
    assert_eq!(jobs(&page.expect("a page")), [new.about.job.expect("a job")]);
    assert!(began.elapsed() < Duration::from_secs(4), "the word did not arrive: the rows were looked at by themselves");
    let none = wait(&core, &them, After::Latest, &[], 10, Duration::from_millis(50)).await.expect("a page");
    assert!(none.items.is_empty());
}

#[actix::test]
async fn months_that_are_over_go_and_a_cursor_before_them_is_told_so() {
    let core = TestCore::new().await;
    let user = UserId::new();
    look_after_months(&core).await.expect("a round");
    let now = LOG.now(&core.db).await.expect("a time");
    let old = Month::of(now).earlier(3);
    LOG.make(&core.db, old).await.expect("a month");
    let put = async |position: i64, id: uuid::Uuid| {
        sqlx::query(
            "INSERT INTO events (position, created_at, id, user_id, kind, data) VALUES ($1, now(), $2, $3, 2, '{}')",
        )
        .bind(position)
        .bind(id)
        .bind(user.0)
        .execute(&core.db)
        .await
        .expect("an event");
    };
    put(1, old.least_id()).await;
    put(2, Month::of(now).earlier(30).least_id()).await;
    put(3, crate::ids::EventId::new().0).await;
    sqlx::query("UPDATE events_head SET last = 3").execute(&core.db).await.expect("a head");
    assert_eq!(look_after_months(&core).await.expect("a round"), 2, "a month, and an event that had none");
    let page = read(&core, user, After::Oldest, 10).await;
    assert_eq!(page.items.iter().map(|event| event.position).collect::<Vec<_>>(), [3]);
    let gone = feed(&core, &Caller::customer(user), After::Position(1), &[], 10).await;
    assert!(matches!(gone, Err(Error::Refused { code: Code::EventsForgotten, .. })));
    assert!(read(&core, user, After::Position(2), 10).await.items.len() == 1, "nothing behind it is gone");
    assert_eq!(look_after_months(&core).await.expect("a round"), 0);
}

#[actix::test]
async fn who_numbers_waits_for_whoever_numbers_and_sees_what_they_did() {
    let core = TestCore::new().await;
    let user = UserId::new();
    let mut other = core.db.acquire().await.expect("a connection").detach();
    let mut tx = other.begin().await.expect("a transaction");
    let last = store::lock_head(&mut tx).await.expect("the head");
    write_one(&core, user, EventKind::JobCreated).await;
    let number = number_all(&core);
    let finish = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let numbered = store::number(&mut tx, last, 10).await.expect("a round");
        assert_eq!(numbered.count, 1);
        tx.commit().await.expect("a commit");
        write_one(&core, user, EventKind::JobStarted).await;
    };
    let (numbered, ()) = tokio::join!(number, finish);
    number_all(&core).await.expect("a round");
    numbered.expect("a round");
    let page = read(&core, user, After::Oldest, 10).await;
    assert_eq!(page.items.iter().map(|event| event.position).collect::<Vec<_>>(), [1, 2], "a place was given twice");
}
