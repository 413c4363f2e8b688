use super::*;
use crate::audit::{self, Action};
use crate::notifications::{self, Notification};
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::{Caller, Result, assets, comments, gallery, workflows};

mod bans;
mod cases;
mod interrupted;
mod locks;
mod verdicts;

async fn person(core: &TestCore) -> Caller {
    Caller::customer(user().insert(&core.db).await)
}

async fn admin(core: &TestCore) -> Caller {
    Caller { admin: true, ..Caller::customer(user().admin().insert(&core.db).await) }
}

fn id(caller: &Caller) -> UserId {
    caller.user.expect("somebody")
}

/// A published workflow of this user.
async fn workflow(core: &TestCore, author: &Caller) -> WorkflowId {
    workflows::workflow(id(author)).published(core.clock.now()).name("A cat").insert(&core.db).await.id
}

/// A published picture of this user.
async fn picture(core: &TestCore, author: &Caller) -> OutputAssetId {
    let output = gallery::factory::output(id(author), core.clock.now());
    gallery::factory::insert(&core.db, std::slice::from_ref(&output)).await;
    gallery::set_private(core, author, &[output.id], false).await.expect("a published picture");
    output.id
}

/// A comment of this user on another user's workflow.
async fn comment(core: &TestCore, author: &Caller) -> CommentId {
    let post = workflow(core, &person(core).await).await;
    let below = comments::CommentParent::Post(comments::Post::Workflow(post));
    comments::write(core, author, below, "<p>rude words</p>").await.expect("a comment").id
}

/// One post of each kind.
async fn things(core: &TestCore, author: &Caller) -> [ReportTarget; 3] {
    [
        ReportTarget::Workflow(workflow(core, author).await),
        ReportTarget::OutputAsset(picture(core, author).await),
        ReportTarget::Comment(comment(core, author).await),
    ]
}

/// Reports the target as a new user; returns the case.
async fn case_of(core: &TestCore, thing: ReportTarget) -> Case {
    let report = report(core, &person(core).await, thing, ReportReason::Hate, "look").await.expect("a report");
    store::cases::find(&core.db, report.case).await.expect("a row").expect("a case")
}

fn only(verdict: Verdict) -> CaseDecision {
    CaseDecision { verdict, warning: None, ban: None }
}

/// The notices in the user's box, oldest first.
async fn notices(core: &TestCore, caller: &Caller) -> Vec<Notification> {
    let order = notifications::NotificationOrder::Oldest;
    let kind = Some(notifications::NotificationKind::Notice);
    notifications::page(core, caller, kind, 0, 100, order).await.expect("a box").items
}

/// Whether a guest finds it.
async fn is_public(core: &TestCore, thing: ReportTarget) -> bool {
    let guest = Caller::guest();
    match thing {
        ReportTarget::Workflow(id) => workflows::find(core, &guest, id).await.is_ok(),
        ReportTarget::OutputAsset(id) => gallery::find(core, &guest, id).await.is_ok(),
        ReportTarget::Comment(id) => comments::find(core, &guest, id).await.is_ok_and(|comment| !comment.is_hidden),
        ReportTarget::Upload(id) => assets::find(core, &guest, id).await.is_ok(),
    }
}

async fn log(core: &TestCore, moderator: &Caller) -> Vec<Action> {
    let lines = audit::entries(core, moderator, audit::AuditFilter::default(), None, 100).await.expect("the log");
    lines.into_iter().map(|line| line.act.action).collect()
}
