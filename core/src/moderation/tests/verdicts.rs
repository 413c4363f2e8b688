//! Effects of verdicts, and their notifications.

use super::*;
use crate::Code;
use crate::audit;
use crate::list::ListQuery;
use crate::workflows::WorkflowChanges;

async fn publish(core: &TestCore, caller: &Caller, thing: ReportTarget) -> Result<()> {
    match thing {
        ReportTarget::Workflow(id) => workflows::set_private(core, caller, &[id], false).await.map(drop),
        ReportTarget::OutputAsset(id) => gallery::set_private(core, caller, &[id], false).await.map(drop),
        ReportTarget::Comment(id) => comments::edit(core, caller, id, "<p>as if nothing was</p>").await.map(drop),
        ReportTarget::Upload(id) => gallery::keep_input(core, caller, id, false).await.map(drop),
    }
}

#[actix::test]
async fn hidden_post_stays_private_until_an_admin_restores_it() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    for thing in things(&core, &author).await {
        let case = case_of(&core, thing).await;
        let hidden = decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
        assert!(!is_public(&core, thing).await, "{thing:?} is still seen");
        let refused = publish(&core, &author, thing).await;
        assert!(
            matches!(refused, Err(Error::Conflict { code: Code::PostLocked | Code::CommentHidden, .. })),
            "{thing:?}: {refused:?}"
        );
        if let ReportTarget::Workflow(id) = thing {
            let changes = WorkflowChanges { is_private: Some(false), ..WorkflowChanges::default() };
            let by_edit = workflows::update(&core, &author, id, changes).await;
            assert!(matches!(by_edit, Err(Error::Conflict { code: Code::PostLocked, .. })), "{by_edit:?}");
        }
        let restored =
            decide(&core, &moderator, case.id, hidden.revision, only(Verdict::Restore)).await.expect("restored");
        assert_eq!(restored.state, CaseState::Kept);
        publish(&core, &author, thing).await.expect("its author may again");
        assert!(is_public(&core, thing).await, "{thing:?}");
    }
}

#[actix::test]
async fn hidden_comment_is_a_placeholder_for_non_admins() {
    let core = TestCore::new().await;
    let (author, moderator, reader) = (person(&core).await, admin(&core).await, person(&core).await);
    let said = comment(&core, &author).await;
    let case = case_of(&core, ReportTarget::Comment(said)).await;
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await.expect("hidden");
    let for_reader = comments::find(&core, &reader, said).await.expect("a placeholder");
    assert!(for_reader.is_hidden && for_reader.content.is_empty());
    assert_eq!(comments::find(&core, &moderator, said).await.expect("a comment").content, "<p>rude words</p>");
    let liked = comments::react(&core, &reader, said, comments::Reaction::Like).await;
    assert!(matches!(liked, Err(Error::Conflict { code: Code::CommentHidden, .. })));
    let reported = report(&core, &reader, ReportTarget::Comment(said), ReportReason::Spam, "").await;
    assert!(matches!(reported, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn delete_verdict_succeeds_after_the_author_deleted_the_post() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    for thing in things(&core, &author).await {
        let case = case_of(&core, thing).await;
        decide(&core, &moderator, case.id, case.revision, only(Verdict::Delete)).await.expect("deleted");
        assert!(!is_public(&core, thing).await);
        assert_eq!(find(&core, &moderator, case.id).await.expect("a case").now, None, "{thing:?}");
    }
    let post = workflow(&core, &author).await;
    let case = case_of(&core, ReportTarget::Workflow(post)).await;
    workflows::delete(&core, &author, post).await.expect("deleted by its author");
    let hidden = decide(&core, &moderator, case.id, case.revision, only(Verdict::Hide)).await;
    assert!(matches!(hidden, Err(Error::Conflict { code: Code::CaseThingGone, .. })), "{hidden:?}");
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Delete))
        .await
        .expect("deletion of a deleted workflow succeeds");
}

#[actix::test]
async fn second_of_two_concurrent_decisions_conflicts() {
    let core = TestCore::new().await;
    let author = person(&core).await;
    let (one, two) = (admin(&core).await, admin(&core).await);
    let case = case_of(&core, ReportTarget::OutputAsset(picture(&core, &author).await)).await;
    let (kept, hidden) = futures_util::join!(
        decide(&core, &one, case.id, case.revision, only(Verdict::Keep)),
        decide(&core, &two, case.id, case.revision, only(Verdict::Hide)),
    );
    let refused = [kept, hidden].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert!(matches!(refused[..], [Error::Conflict { code: Code::CaseChanged, .. }]), "{refused:?}");
    assert_eq!(log(&core, &one).await.len(), 1, "one decision, one line");
}

#[actix::test]
async fn new_report_makes_the_seen_revision_outdated() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let thing = ReportTarget::Workflow(workflow(&core, &author).await);
    let seen = case_of(&core, thing).await;
    case_of(&core, thing).await;
    let refused = decide(&core, &moderator, seen.id, seen.revision, only(Verdict::Keep)).await;
    assert!(matches!(refused, Err(Error::Conflict { code: Code::CaseChanged, .. })));
}

#[actix::test]
async fn impossible_verdict_changes_nothing() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let thing = ReportTarget::Workflow(workflow(&core, &author).await);
    let case = case_of(&core, thing).await;
    let refused = decide(&core, &moderator, case.id, case.revision, only(Verdict::Restore)).await;
    assert!(matches!(refused, Err(Error::Conflict { code: Code::CaseState, .. })), "{refused:?}");
    for (who, guest) in [(Caller::guest(), true), (author, false)] {
        let refused = decide(&core, &who, case.id, case.revision, only(Verdict::Delete)).await;
        assert!(refused.is_err() && matches!(refused, Err(Error::LoginRequired)) == guest);
    }
    assert!(is_public(&core, thing).await);
    assert!(log(&core, &moderator).await.is_empty(), "a refused decision is not logged");
}

#[actix::test]
async fn reporters_and_author_are_notified_in_their_current_language() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    crate::users::set_language(&core, &author, crate::language::Language::Ko).await.expect("Korean");
    let post = workflow(&core, &author).await;
    let (one, two) = (person(&core).await, person(&core).await);
    for reporter in [&one, &two] {
        report(&core, reporter, ReportTarget::Workflow(post), ReportReason::Spam, "").await.expect("a report");
    }
    let page = cases(&core, &moderator, ListQuery { limit: 1, ..ListQuery::default() }).await.expect("a page");
    let case = &page.items[0];
    let warned = CaseDecision { warning: Some("<b>Stop</b>\nplease".into()), ..only(Verdict::Hide) };
    decide(&core, &moderator, case.id, case.revision, warned).await.expect("decided");
    for reporter in [&one, &two] {
        let told = notices(&core, reporter).await;
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].title.as_deref(), Some("We have looked at your report"));
        assert_eq!(told[0].actor, None, "the moderator is not named");
    }
    let told = notices(&core, &author).await;
    let titles: Vec<_> = told.iter().map(|notice| notice.title.clone().unwrap_or_default()).collect();
    assert_eq!(titles, ["게시물이 숨김 처리되었습니다", "운영자의 경고"]);
    assert_eq!(told[0].workflow, Some(post));
    assert_eq!(told[1].content.as_deref(), Some("<p>&lt;b&gt;Stop&lt;/b&gt;</p><p>please</p>"));
    for (who, language, title) in [
        (&author, crate::language::Language::En, "Your post was hidden"),
        (&one, crate::language::Language::Ko, "신고를 검토했습니다"),
    ] {
        crate::users::set_language(&core, who, language).await.expect("another language");
        assert_eq!(notices(&core, who).await[0].title.as_deref(), Some(title), "it stays in the earlier language");
    }
    let history = history(&core, &moderator, id(&author)).await.expect("a history");
    let kinds: Vec<DecisionKind> = history.iter().map(|decision| decision.kind).collect();
    assert_eq!(kinds, [DecisionKind::Warn, DecisionKind::Hide]);
}

#[actix::test]
async fn keeping_a_post_notifies_only_its_reporters() {
    let core = TestCore::new().await;
    let (author, moderator, reporter) = (person(&core).await, admin(&core).await, person(&core).await);
    let thing = ReportTarget::OutputAsset(picture(&core, &author).await);
    report(&core, &reporter, thing, ReportReason::Spam, "").await.expect("a report");
    let page = cases(&core, &moderator, ListQuery { limit: 1, ..ListQuery::default() }).await.expect("a page");
    let case = &page.items[0];
    decide(&core, &moderator, case.id, case.revision, only(Verdict::Keep)).await.expect("kept");
    assert_eq!((notices(&core, &reporter).await.len(), notices(&core, &author).await.len()), (1, 0));
    assert!(is_public(&core, thing).await);
}

#[actix::test]
async fn admin_actions_outside_of_cases_are_audited() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let (post, shown, said) =
        (workflow(&core, &author).await, picture(&core, &author).await, comment(&core, &author).await);
    workflows::update(&core, &moderator, post, WorkflowChanges { is_nsfw: Some(true), ..WorkflowChanges::default() })
        .await
        .expect("marked");
    workflows::set_private(&core, &moderator, &[post], true).await.expect("hidden");
    workflows::delete(&core, &moderator, post).await.expect("deleted");
    gallery::set_nsfw(&core, &moderator, &[shown], true).await.expect("marked");
    gallery::set_private(&core, &moderator, &[shown], true).await.expect("hidden");
    gallery::delete(&core, &moderator, &[shown]).await.expect("deleted");
    comments::delete(&core, &moderator, said).await.expect("deleted");
    let mut done = log(&core, &moderator).await;
    done.reverse();
    assert_eq!(
        done,
        [
            Action::WorkflowUpdate,
            Action::WorkflowUpdate,
            Action::WorkflowDelete,
            Action::OutputAssetUpdate,
            Action::OutputAssetUpdate,
            Action::OutputAssetDelete,
            Action::CommentDelete,
        ]
    );
    let lines = audit::entries(&core, &moderator, audit::AuditFilter::default(), None, 100).await.expect("the log");
    assert!(lines.iter().all(|line| line.act.person == Some(id(&author))), "the owner is recorded");
    assert_eq!((&lines[6].act.before["isNsfw"], &lines[6].act.after["isNsfw"]), (&false.into(), &true.into()));
    assert!(lines[6].act.after.get("name").is_none(), "unchanged fields are not repeated");
    let own = workflow(&core, &moderator).await;
    workflows::delete(&core, &moderator, own).await.expect("their own");
    assert_eq!(log(&core, &moderator).await.len(), 7, "acts on their own things are not logged");
}
