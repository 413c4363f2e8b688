//! Reports, and the queue of cases that they make.

use super::*;
use crate::Code;
use crate::workflows::Changes;

#[actix::test]
async fn many_reports_of_one_thing_are_one_case_and_each_person_has_one_open_report() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    for thing in things(&core, &author).await {
        let (first, second) = (person(&core).await, person(&core).await);
        let one = report(&core, &first, thing, Reason::Spam, "").await.expect("a report");
        let two = report(&core, &second, thing, Reason::Sexual, " why ").await.expect("a report");
        let again = report(&core, &first, thing, Reason::Hate, "worse").await.expect("a changed report");
        assert_eq!((one.case, one.id), (again.case, again.id), "{thing:?}: a second report changes the first");
        assert_eq!((two.case, two.text.as_str()), (one.case, "why"));
        let detail = find(&core, &moderator, one.case).await.expect("a case");
        assert_eq!((detail.case.open_reports, detail.case.all_reports), (2, 2), "{thing:?}");
        assert_eq!((detail.case.thing, detail.case.author, detail.case.state), (thing, id(&author), State::Open));
        let reasons: Vec<Reason> = detail.reports.iter().map(|report| report.reason).collect();
        assert_eq!(reasons, [Reason::Sexual, Reason::Hate]);
    }
}

#[actix::test]
async fn only_what_one_may_see_and_does_not_own_is_reported() {
    let core = TestCore::new().await;
    let (author, stranger) = (person(&core).await, person(&core).await);
    let hidden = workflows::workflow(id(&author)).insert(&core.db).await.id;
    let secret = gallery::factory::output(id(&author), core.clock.now());
    gallery::factory::insert(&core.db, std::slice::from_ref(&secret)).await;
    for thing in [
        Thing::Workflow(hidden),
        Thing::OutputAsset(secret.id),
        Thing::Workflow(WorkflowId::new()),
        Thing::Comment(CommentId::new()),
    ] {
        let refused = report(&core, &stranger, thing, Reason::Spam, "").await;
        assert!(matches!(refused, Err(Error::NotFound { .. })), "{thing:?}: {refused:?}");
    }
    for thing in things(&core, &author).await {
        let own = report(&core, &author, thing, Reason::Spam, "").await;
        assert!(matches!(own, Err(Error::Refused { code: Code::ReportOwn, .. })), "{thing:?}: {own:?}");
        let guest = report(&core, &Caller::guest(), thing, Reason::Spam, "").await;
        assert!(matches!(guest, Err(Error::LoginRequired)));
    }
}

#[actix::test]
async fn a_report_says_why_within_its_length_and_not_too_often() {
    let core = TestCore::new().await;
    let author = person(&core).await;
    let thing = Thing::Workflow(workflow(&core, &author).await);
    let reporter = person(&core).await;
    for (reason, text, fits) in [
        (Reason::Spam, String::new(), true),
        (Reason::Other, "  ".to_owned(), false),
        (Reason::Other, "가".repeat(MAX_TEXT), true),
        (Reason::Spam, "a".repeat(MAX_TEXT + 1), false),
    ] {
        let told = report(&core, &reporter, thing, reason, &text).await;
        assert_eq!(told.is_ok(), fits, "{reason:?} with {} characters: {told:?}", text.chars().count());
    }
    let mut refused = None;
    for _ in 0..40 {
        if let Err(error) = report(&core, &reporter, thing, Reason::Spam, "").await {
            refused = Some(error);
            break;
        }
    }
    assert!(matches!(refused, Some(Error::RateLimited { .. })), "{refused:?}");
}

#[actix::test]
async fn an_edit_hides_nothing_from_the_moderators() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let post = workflow(&core, &author).await;
    let case = case_of(&core, Thing::Workflow(post)).await;
    let changes = Changes { name: Some("Harmless".into()), ..Changes::default() };
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
async fn the_queue_is_cut_by_state_and_kind_and_goes_on_where_it_stopped() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let [post, shown, said] = things(&core, &author).await;
    for thing in [post, shown, said] {
        case_of(&core, thing).await;
        core.clock.advance(chrono::TimeDelta::minutes(1));
    }
    for _ in 0..2 {
        report(&core, &person(&core).await, post, Reason::Spam, "").await.expect("a report");
    }
    core.clock.advance(chrono::TimeDelta::minutes(1));
    report(&core, &person(&core).await, said, Reason::Spam, "").await.expect("a report");
    let list = async |filter: Filter| {
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let page = cases(&core, &moderator, filter, cursor.as_deref(), 1).await.expect("a page");
            found.extend(page.items.iter().map(|case| case.thing));
            cursor = page.next_cursor;
            if cursor.is_none() {
                return found;
            }
        }
    };
    let open = Filter { state: Some(State::Open), ..Filter::default() };
    assert_eq!(list(open).await, [said, post, shown], "the last report first");
    assert_eq!(list(Filter { order: Order::MostReported, ..open }).await, [post, said, shown]);
    assert_eq!(list(Filter { kind: Some(Kind::OutputAsset), ..open }).await, [shown]);
    assert!(list(Filter { state: Some(State::Hidden), ..open }).await.is_empty());
    assert!(cases(&core, &moderator, open, Some("nonsense"), 1).await.is_err());
    let other = cases(&core, &moderator, open, None, 1).await.expect("a page").next_cursor;
    let most = Filter { order: Order::MostReported, ..open };
    assert!(cases(&core, &moderator, most, other.as_deref(), 1).await.is_err(), "another order's cursor");
    for (who, guest) in [(Caller::guest(), true), (author, false)] {
        let refused = cases(&core, &who, open, None, 1).await;
        assert!(refused.is_err() && matches!(refused, Err(Error::LoginRequired)) == guest);
    }
}

#[actix::test]
async fn a_report_after_a_decision_opens_the_case_anew() {
    let core = TestCore::new().await;
    let (author, moderator) = (person(&core).await, admin(&core).await);
    let thing = Thing::Workflow(workflow(&core, &author).await);
    let case = case_of(&core, thing).await;
    let kept = decide(&core, &moderator, case.id, case.revision, only(Verdict::Keep)).await.expect("kept");
    assert_eq!((kept.state, kept.open_reports), (State::Kept, 0));
    let again = case_of(&core, thing).await;
    assert_eq!((again.id, again.state), (case.id, State::Open));
    assert_eq!((again.open_reports, again.all_reports), (1, 2));
}
