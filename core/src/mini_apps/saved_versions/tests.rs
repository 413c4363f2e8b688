//! The list of versions on a real database.

use super::*;
use crate::Error;
use crate::ids::{UserId, WorkflowApiVersionId};
use crate::mini_apps::tests::{described, saved};
use crate::mini_apps::{NewMiniApp, delete, save};
use crate::testing::TestCore;

fn ids(page: &Page<SavedVersion>) -> Vec<WorkflowApiVersionId> {
    page.items.iter().map(|version| version.id).collect()
}

#[actix::test]
async fn versions_are_paged_newest_first_and_one_is_current() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let owner = Caller::customer(ada);
    let (first, old) = saved(&core, ada).await;
    let mut expected = vec![first.version];
    for input in ["width", "height"] {
        let (inputs, outputs) = described(&old, &[("2", input)], &["10"]);
        let new = NewMiniApp { workflow: first.workflow.id, inputs, outputs };
        expected.insert(0, save(&core, &owner, &old, new).await.unwrap().version);
    }
    saved(&core, ada).await;

    let page = async |cursor: Option<&str>, limit| {
        saved_versions(&core, &owner, first.id, ListQuery::at((), cursor, limit)).await.map(|(_, page)| page)
    };
    let all = page(None, 10).await.unwrap();
    assert_eq!((ids(&all), &all.next_cursor), (expected.clone(), &None), "the versions of this app alone");
    assert_eq!(all.items.iter().map(|version| version.is_current).collect::<Vec<_>>(), [true, false, false]);
    let start = page(None, 2).await.unwrap();
    assert_eq!(ids(&start), expected[..2]);
    let end = page(start.next_cursor.as_deref(), 2).await.unwrap();
    assert_eq!((ids(&end), end.next_cursor), (expected[2..].to_vec(), None));
    assert!(matches!(page(Some("x"), 2).await, Err(Error::Invalid { .. })));
}

#[actix::test]
async fn versions_are_listed_for_the_owner_and_admins_until_the_app_is_deleted() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (owner, stranger) = (Caller::customer(ada), Caller::customer(UserId::new()));
    let admin = Caller { admin: true, ..stranger.clone() };
    let (app, _) = saved(&core, ada).await;
    let list = async |caller: &Caller| saved_versions(&core, caller, app.id, ListQuery::at((), None, 10)).await;
    crate::workflows::set_private(&core, &owner, &[app.workflow.id], false).await.unwrap();
    for caller in [&owner, &admin] {
        let (workflow, page) = list(caller).await.unwrap();
        assert_eq!((workflow.id, ids(&page)), (app.workflow.id, vec![app.version]));
    }
    assert!(matches!(list(&Caller::guest()).await, Err(Error::LoginRequired)));
    let refused = list(&stranger).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })), "a stranger reads the history of a published app");
    delete(&core, &owner, app.id).await.unwrap();
    assert!(matches!(list(&owner).await, Err(Error::NotFound { .. })));
}
