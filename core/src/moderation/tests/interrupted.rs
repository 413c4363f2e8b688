//! Interrupted decisions.

use super::*;
use crate::testing::connection_cutter::ConnectionCutter;

fn full_decision() -> CaseDecision {
    CaseDecision {
        verdict: Verdict::Hide,
        warning: Some("Stop it".into()),
        ban: Some(Penalty { days: Some(7), reason: "spam".into() }),
    }
}

#[actix::test]
async fn interrupted_decision_changes_nothing_and_can_be_repeated() {
    let core = TestCore::new().await;
    let cutter = ConnectionCutter::of(&core.database).await;
    let moderator = admin(&core).await;
    for nth in 0..3 {
        let seen = things(&core, &person(&core).await).await[nth];
        let case = case_of(&core, seen).await;
        cutter.record_writes().await;
        decide(&core, &moderator, case.id, case.revision, full_decision()).await.expect("a verdict");
        let written = cutter.written_tables().await;
        for part in ["moderation_cases", "moderation_decisions", "users", "notifications", "audit_entries"] {
            assert!(written.iter().any(|table| table == part), "{seen:?}: a verdict writes {part}: {written:?}");
        }

        let author = person(&core).await;
        let thing = things(&core, &author).await[nth];
        let case = case_of(&core, thing).await;
        let lines = log(&core, &moderator).await.len();
        let before = cutter.fingerprint().await;
        for table in written.iter().map(Some).chain([None]) {
            match table {
                Some(table) => cutter.cut_at_write(table).await,
                None => cutter.cut_at_commit("moderation_decisions").await,
            }
            let cut = decide(&core, &moderator, case.id, case.revision, full_decision()).await;
            cutter.restore().await;
            assert!(matches!(cut, Err(Error::Unavailable { .. })), "{thing:?} at {table:?}: {cut:?}");
            assert_eq!(cutter.fingerprint().await, before, "{thing:?}: something of it stayed, cut off at {table:?}");
        }
        assert!(is_public(&core, thing).await);
        let below = comments::CommentParent::Post(comments::Post::Workflow(workflow(&core, &moderator).await));
        comments::write(&core, &author, below, "<p>still here</p>").await.expect("nobody was banned");

        decide(&core, &moderator, case.id, case.revision, full_decision()).await.expect("the verdict, at last");
        assert!(!is_public(&core, thing).await, "{thing:?}");
        let refused = comments::write(&core, &author, below, "<p>x</p>").await;
        assert!(matches!(refused, Err(Error::Banned { .. })), "{refused:?}");
        assert_eq!(notices(&core, &author).await.len(), 3, "the verdict, the warning and the ban, once each");
        assert_eq!(log(&core, &moderator).await.len(), lines + 1, "one verdict, one line");
        let history = history(&core, &moderator, id(&author)).await.expect("a history");
        assert_eq!(history.len(), 3, "{history:?}");
    }
}
