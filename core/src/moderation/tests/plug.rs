//! The plug pulled in the middle of a verdict.

use super::*;
use crate::testing::plug::Plug;

/// All that a moderator can do at once.
fn everything_at_once() -> Decided {
    Decided {
        verdict: Verdict::Hide,
        warning: Some("Stop it".into()),
        ban: Some(Penalty { days: Some(7), reason: "spam".into() }),
    }
}

#[actix::test]
async fn a_verdict_that_is_cut_off_anywhere_has_done_nothing_and_can_be_given_again() {
    let core = TestCore::new().await;
    let plug = Plug::of(&core.database).await;
    let moderator = admin(&core).await;
    for nth in 0..3 {
        let seen = things(&core, &person(&core).await).await[nth];
        let case = case_of(&core, seen).await;
        plug.watch().await;
        decide(&core, &moderator, case.id, case.revision, everything_at_once()).await.expect("a verdict");
        let written = plug.written().await;
        for part in ["moderation_cases", "moderation_decisions", "users", "notifications", "audit_entries"] {
            assert!(written.iter().any(|table| table == part), "{seen:?}: a verdict writes {part}: {written:?}");
        }

        let author = person(&core).await;
        let thing = things(&core, &author).await[nth];
        let case = case_of(&core, thing).await;
        let lines = log(&core, &moderator).await.len();
        let before = plug.everything().await;
        for table in written.iter().map(Some).chain([None]) {
            match table {
                Some(table) => plug.pull_at(table).await,
                None => plug.pull_at_commit_of("moderation_decisions").await,
            }
            let cut = decide(&core, &moderator, case.id, case.revision, everything_at_once()).await;
            plug.mend().await;
            assert!(matches!(cut, Err(Error::Unavailable { .. })), "{thing:?} at {table:?}: {cut:?}");
            assert_eq!(plug.everything().await, before, "{thing:?}: something of it stayed, cut off at {table:?}");
        }
        assert!(is_public(&core, thing).await);
        let below = comments::Below::Post(comments::Post::Workflow(workflow(&core, &moderator).await));
        comments::write(&core, &author, below, "<p>still here</p>").await.expect("nobody was banned");

        decide(&core, &moderator, case.id, case.revision, everything_at_once()).await.expect("the verdict, at last");
        assert!(!is_public(&core, thing).await, "{thing:?}");
        let refused = comments::write(&core, &author, below, "<p>x</p>").await;
        assert!(matches!(refused, Err(Error::Banned { .. })), "{refused:?}");
        assert_eq!(notices(&core, &author).await.len(), 3, "the verdict, the warning and the ban, once each");
        assert_eq!(log(&core, &moderator).await.len(), lines + 1, "one verdict, one line");
        let history = history(&core, &moderator, id(&author)).await.expect("a history");
        assert_eq!(history.len(), 3, "{history:?}");
    }
}
