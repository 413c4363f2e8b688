use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::caller::Trace;
use crate::database;
use crate::testing::TestCore;

fn admin(id: UserId) -> Caller {
    Caller { admin: true, ..Caller::customer(id) }
}

async fn write(core: &TestCore, by: &Caller, act: Act) {
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    let right = by.must_be_admin().expect("an admin");
    record(&mut tx, right, act, core.clock.now()).await.expect("a line");
    tx.commit().await.expect("a commit");
}

#[actix::test]
async fn entry_has_admin_action_target_and_request() {
    let core = TestCore::new().await;
    let (id, person, thing) = (UserId::new(), UserId::new(), Uuid::now_v7());
    let trace = Trace { request_id: "request-1".into(), address: "192.0.2.7".parse().ok() };
    let act = Act::new(Action::UserBan, thing).of(person).before(json!({ "a": 1 })).after(json!({ "a": 2 }));
    write(&core, &admin(id).with_trace(trace), act.clone()).await;
    let lines = entries(&core, &admin(id), AuditFilter::default(), None, 10).await.expect("the log");
    assert_eq!(lines.len(), 1);
    assert_eq!((lines[0].admin, &lines[0].act), (Some(id), &act));
    assert_eq!((lines[0].request_id.as_deref(), lines[0].address.as_deref()), (Some("request-1"), Some("192.0.2.7")));
}

#[actix::test]
async fn each_filter_excludes_other_entries() {
    let core = TestCore::new().await;
    let (ann, bo, person, thing) = (UserId::new(), UserId::new(), UserId::new(), Uuid::now_v7());
    write(&core, &admin(ann), Act::new(Action::WorkflowDelete, thing).of(person)).await;
    let between = core.clock.now() + chrono::TimeDelta::hours(1);
    core.clock.advance(chrono::TimeDelta::hours(2));
    write(&core, &admin(bo), Act::new(Action::UserWarn, person).of(person)).await;
    let count = async |filter: AuditFilter| {
        let lines = entries(&core, &admin(ann), filter, None, 10).await.expect("the log");
        lines.into_iter().map(|line| line.act.action).collect::<Vec<_>>()
    };
    let all = AuditFilter::default();
    assert_eq!(count(all).await, [Action::UserWarn, Action::WorkflowDelete], "newest first");
    assert_eq!(count(AuditFilter { admin: Some(ann), ..all }).await, [Action::WorkflowDelete]);
    assert_eq!(count(AuditFilter { action: Some(Action::UserWarn), ..all }).await, [Action::UserWarn]);
    assert_eq!(count(AuditFilter { target: Some(thing), ..all }).await, [Action::WorkflowDelete]);
    assert_eq!(count(AuditFilter { target: Some(person.0), ..all }).await.len(), 2, "a person's things too");
    assert_eq!(count(AuditFilter { from: Some(between), ..all }).await, [Action::UserWarn]);
    assert_eq!(count(AuditFilter { to: Some(between), ..all }).await, [Action::WorkflowDelete]);
}

#[actix::test]
async fn log_is_paged_and_for_admins_only() {
    let core = TestCore::new().await;
    let by = admin(UserId::new());
    for _ in 0..3 {
        write(&core, &by, Act::new(Action::NoticeDelete, Uuid::now_v7())).await;
    }
    let first = entries(&core, &by, AuditFilter::default(), None, 2).await.expect("a page");
    let rest = entries(&core, &by, AuditFilter::default(), Some(first[1].id), 2).await.expect("a page");
    assert_eq!((first.len(), rest.len()), (2, 1));
    for (who, login) in [(Caller::guest(), true), (Caller::customer(UserId::new()), false)] {
        let refused = entries(&core, &who, AuditFilter::default(), None, 2).await;
        assert!(matches!(refused, Err(Error::LoginRequired)) == login && refused.is_err());
    }
}

#[actix::test]
async fn only_admins_actions_on_others_targets_are_recorded() {
    let core = TestCore::new().await;
    let (owner, other) = (UserId::new(), UserId::new());
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    for (who, written) in [(Caller::customer(owner), 0), (admin(owner), 0), (Caller::system(), 0), (admin(other), 1)] {
        let by = who.authority_over(owner).expect("a right");
        let thing = Uuid::now_v7();
        record_if_admin(&mut tx, by, Act::new(Action::CommentDelete, thing).of(owner), core.clock.now())
            .await
            .expect("written or not");
        let lines: i64 = sqlx::query_scalar("SELECT count(*) FROM audit_entries WHERE target_id = $1")
            .bind(thing)
            .fetch_one(&mut *tx)
            .await
            .expect("a count");
        assert_eq!(lines, written, "{who:?}");
    }
    assert!(matches!(Caller::customer(other).authority_over(owner), Err(Error::Forbidden)));
    assert!(matches!(Caller::guest().authority_over(owner), Err(Error::LoginRequired)));
}

#[test]
fn action_names_are_noun_and_verb_and_round_trip() {
    for action in Action::ALL {
        let name = action.name();
        assert_eq!(name.split('.').filter(|part| !part.is_empty()).count(), 2, "{name}");
        assert_eq!(name.parse::<Action>().expect("its own name"), action);
    }
    assert!("workflow.eat".parse::<Action>().is_err());
}

#[test]
fn only_changed_fields_and_the_name_before_are_kept() {
    let [was, is] = changed(json!({ "a": 1, "b": "x" }), json!({ "a": 1, "b": "y" }));
    assert_eq!((was, is), (json!({ "b": "x" }), json!({ "b": "y" })));
    let [was, is] = changed(json!({ "name": "Spring", "b": 1 }), json!({ "name": "Spring", "b": 2 }));
    assert_eq!((was, is), (json!({ "name": "Spring", "b": 1 }), json!({ "b": 2 })));
}
