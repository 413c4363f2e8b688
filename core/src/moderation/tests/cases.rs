//! Reports, and the queue of cases.

use super::*;
use crate::Code;
use crate::list::ListQuery;
use crate::workflows::WorkflowChanges;

#[actix::test]
async fn reports_of_one_target_share_a_case_with_one_open_report_per_user() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    for thing in things(&core, &author).await {
        let (first, second) = (person(&core).await, person(&core).await);
        let one = report(&core, &first, thing, ReportReason::Spam, "").await.expect("a report");
        let two = report(&core, &second, thing, ReportReason::Sexual, " why ").await.expect("a report");
        let again = report(&core, &first, thing, ReportReason::Hate, "worse").await.expect("a changed report");
        assert_eq!((one.case, one.id), (again.case, again.id), "{thing:?}: a second report changes the first");
        assert_eq!((two.case, two.text.as_str()), (one.case, "why"));
        let detail = find(&core, &moderator, one.case).await.expect("a case");
        assert_eq!((detail.case.open_reports, detail.case.all_reports), (2, 2), "{thing:?}");
        assert_eq!((detail.case.thing, detail.case.author, detail.case.state), (thing, id(&author), CaseState::Open));
        let reasons: Vec<ReportReason> = detail.reports.iter().map(|report| report.reason).collect();
        assert_eq!(reasons, [ReportReason::Sexual, ReportReason::Hate]);
    }
}

#[actix::test]
async fn only_visible_posts_of_others_can_be_reported() {
    let core = TestCore::new().await;
    let (author, stranger) = (person(&core).await, person(&core).await);
    let hidden = workflows::workflow(id(&author)).insert(&core.db).await.id;
    let secret = gallery::factory::output(id(&author), core.clock.now());
    gallery::factory::insert(&core.db, std::slice::from_ref(&secret)).await;
    for thing in [
        ReportTarget::Workflow(hidden),
        ReportTarget::OutputAsset(secret.id),
        ReportTarget::Workflow(WorkflowId::new()),
        ReportTarget::Comment(CommentId::new()),
    ] {
        let refused = report(&core, &stranger, thing, ReportReason::Spam, "").await;
        assert!(matches!(refused, Err(Error::NotFound { .. })), "{thing:?}: {refused:?}");
    }
    for thing in things(&core, &author).await {
        let own = report(&core, &author, thing, ReportReason::Spam, "").await;
        assert!(matches!(own, Err(Error::Refused { code: Code::ReportOwn, .. })), "{thing:?}: {own:?}");
        let guest = report(&core, &Caller::guest(), thing, ReportReason::Spam, "").await;
        assert!(matches!(guest, Err(Error::LoginRequired)));
    }
}

#[actix::test]
async fn report_text_and_rate_are_limited() {
    let core = TestCore::new().await;
    let author = person(&core).await;
    let thing = ReportTarget::Workflow(workflow(&core, &author).await);
    let reporter = person(&core).await;
    for (reason, text, fits) in [
        (ReportReason::Spam, String::new(), true),
        (ReportReason::Other, "  ".to_owned(), false),
        (ReportReason::Other, "가".repeat(MAX_TEXT), true),
        (ReportReason::Spam, "a".repeat(MAX_TEXT + 1), false),
    ] {
        let told = report(&core, &reporter, thing, reason, &text).await;
        assert_eq!(told.is_ok(), fits, "{reason:?} with {} characters: {told:?}", text.chars().count());
    }
    let mut refused = None;
    for _ in 0..40 {
        if let Err(error) = report(&core, &reporter, thing, ReportReason::Spam, "").await {
            refused = Some(error);
            break;
        }
    }
    assert!(matches!(refused, Some(Error::RateLimited { .. })), "{refused:?}");
}

#[actix::test]
async fn snapshot_survives_an_edit_by_the_author() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let post = workflow(&core, &author).await;
    let case = case_of(&core, ReportTarget::Workflow(post)).await;
    let changes = WorkflowChanges { name: Some("Harmless".into()), ..WorkflowChanges::default() };
    workflows::update(&core, &author, post, changes).await.expect("an edit");
    let detail = find(&core, &moderator, case.id).await.expect("a case");
    assert_eq!(detail.reports[0].seen.title, "A cat");
    assert_eq!(detail.case.seen.title, "A cat");
    assert_eq!(detail.now.expect("it is there").title, "Harmless");
    workflows::delete(&core, &author, post).await.expect("deleted");
    let detail = find(&core, &moderator, case.id).await.expect("a case");
    assert_eq!((detail.now, detail.case.seen.title.as_str()), (None, "A cat"));
}

#[actix::test]
async fn queue_is_filtered_and_paged() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let [post, shown, said] = things(&core, &author).await;
    for thing in [post, shown, said] {
        case_of(&core, thing).await;
        core.clock.advance(chrono::TimeDelta::minutes(1));
    }
    for _ in 0..2 {
        report(&core, &person(&core).await, post, ReportReason::Spam, "").await.expect("a report");
    }
    core.clock.advance(chrono::TimeDelta::minutes(1));
    report(&core, &person(&core).await, said, ReportReason::Spam, "").await.expect("a report");
    let first = |filter| ListQuery::at(filter, None, 1).sorted(CaseOrder::Newest);
    let list = async |filter, sort| {
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let page = cases(&core, &moderator, ListQuery::at(filter, cursor.as_deref(), 1).sorted(sort))
                .await
                .expect("a page");
            found.extend(page.items.iter().map(|case| case.thing));
            cursor = page.next_cursor;
            if cursor.is_none() {
                return found;
            }
        }
    };
    let open = CaseFilter { state: Some(CaseState::Open), ..CaseFilter::default() };
    assert_eq!(list(open, CaseOrder::Newest).await, [said, post, shown], "the last report first");
    assert_eq!(list(open, CaseOrder::MostReported).await, [post, said, shown]);
    assert_eq!(
        list(CaseFilter { kind: Some(ReportTargetKind::OutputAsset), ..open }, CaseOrder::Newest).await,
        [shown]
    );
    assert!(list(CaseFilter { state: Some(CaseState::Hidden), ..open }, CaseOrder::Newest).await.is_empty());
    assert!(cases(&core, &moderator, ListQuery { cursor: Some("nonsense"), ..first(open) }).await.is_err());
    let other = cases(&core, &moderator, first(open)).await.expect("a page").next_cursor;
    let most = ListQuery::at(open, other.as_deref(), 1).sorted(CaseOrder::MostReported);
    assert!(cases(&core, &moderator, most).await.is_err(), "another order's cursor");
    for (who, guest) in [(Caller::guest(), true), (author, false)] {
        let refused = cases(&core, &who, first(open)).await;
        assert!(refused.is_err() && matches!(refused, Err(Error::LoginRequired)) == guest);
    }
}

#[actix::test]
async fn report_after_a_decision_reopens_the_case() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let thing = ReportTarget::Workflow(workflow(&core, &author).await);
    let case = case_of(&core, thing).await;
    let kept = decide(&core, &moderator, case.id, case.revision, only(Verdict::Keep)).await.expect("kept");
    assert_eq!((kept.state, kept.open_reports), (CaseState::Kept, 0));
    let again = case_of(&core, thing).await;
    assert_eq!((again.id, again.state), (case.id, CaseState::Open));
    assert_eq!((again.open_reports, again.all_reports), (1, 2));
}
