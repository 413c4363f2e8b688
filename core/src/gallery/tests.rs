mod community;
mod keeping;

use std::net::IpAddr;

use bytes::Bytes;
use chrono::TimeDelta;

use super::factory::{insert, output};
use super::*;
use crate::list::ListQuery;
use crate::testing::TestCore;
use crate::users::RequestOrigin;
use crate::users::factory::user;

pub(in crate::gallery) async fn person(core: &TestCore) -> (UserId, Caller) {
    let id = user().insert(&core.db).await;
    (id, Caller::customer(id))
}

pub(in crate::gallery) async fn outputs(core: &TestCore, owner: UserId, count: usize) -> Vec<OutputAssetId> {
    let new: Vec<_> = (0..count).map(|_| output(owner, core.clock.now())).collect();
    insert(&core.db, &new).await;
    let mut ids: Vec<_> = new.iter().map(|output| output.id).collect();
    ids.sort_by(|a, b| b.cmp(a));
    ids
}

pub(in crate::gallery) fn ids(assets: &[OutputAsset]) -> Vec<OutputAssetId> {
    assets.iter().map(|asset| asset.id).collect()
}

pub(in crate::gallery) fn first<F: Default, S: Default>(limit: i64) -> ListQuery<'static, F, S> {
    ListQuery { limit, ..ListQuery::default() }
}

pub(in crate::gallery) async fn all_mine(core: &TestCore, caller: &Caller) -> Vec<OutputAssetId> {
    ids(&mine(core, caller, first(100)).await.expect("a page").items)
}

pub(in crate::gallery) async fn all_published(core: &TestCore, caller: &Caller) -> Vec<OutputAssetId> {
    ids(&published(core, caller, first(100)).await.expect("a page").items)
}

/// A user whose plan has Stealth Mode.
pub(in crate::gallery) async fn secretive(core: &TestCore) -> (UserId, Caller) {
    let id = user().plan("Pro").insert(&core.db).await;
    (id, Caller::customer(id))
}

pub(in crate::gallery) async fn published_outputs(core: &TestCore, owner: UserId, count: usize) -> Vec<OutputAssetId> {
    let all = outputs(core, owner, count).await;
    set_private(core, &Caller::customer(owner), &all, false).await.expect("a publication");
    all
}

pub(in crate::gallery) fn from(address: &str) -> RequestOrigin {
    RequestOrigin {
        address: Some(address.parse::<IpAddr>().expect("an address")),
        user_agent: Some("a browser".to_owned()),
    }
}

#[actix::test]
async fn stored_output_is_read_unchanged() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let new = output(owner, core.clock.now());
    insert(&core.db, std::slice::from_ref(&new)).await;
    let found = find(&core, &caller, new.id).await.expect("an output");
    assert_eq!(
        (found.content, found.media, found.width, found.ran_ms),
        (new.content, new.media, new.width, new.ran_ms)
    );
    assert_eq!((found.job, found.node_id, found.user_name.as_str()), (new.job, new.node_id, "Ann"));
    assert!(found.is_private);
    assert_eq!(found.expires_at, Some(new.expires_at));
}

#[actix::test]
async fn cursor_continues_after_the_page_before() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let (stranger, _) = person(&core).await;
    let all = outputs(&core, owner, 5).await;
    outputs(&core, stranger, 3).await;
    let page = mine(&core, &caller, first(3)).await.expect("a page");
    assert_eq!(ids(&page.items), all[..3]);
    let rest =
        mine(&core, &caller, ListQuery { cursor: page.next_cursor.as_deref(), ..first(3) }).await.expect("a page");
    assert_eq!(ids(&rest.items), all[3..]);
    assert_eq!(rest.next_cursor, None, "a list that has ended says so");
    assert!(matches!(mine(&core, &Caller::guest(), first(3)).await, Err(Error::LoginRequired)));
}

#[actix::test]
async fn an_output_is_private_until_its_owner_publishes_it() {
    let core = TestCore::new().await;
    let (owner, caller) = secretive(&core).await;
    let (_, stranger) = person(&core).await;
    let id = outputs(&core, owner, 1).await[0];
    let content = find(&core, &caller, id).await.expect("an output").content;
    for (who, sees) in [(&caller, true), (&stranger, false), (&Caller::guest(), false), (&Caller::system(), true)] {
        assert_eq!(find(&core, who, id).await.is_ok(), sees, "{who:?}");
        assert_eq!(may_see_content(&core, who, &content).await.expect("an answer"), sees, "{who:?}");
    }
    assert!(all_published(&core, &stranger).await.is_empty());
    let refused = set_private(&core, &stranger, &[id], false).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })), "only the owner can publish");
    let shown = set_private(&core, &caller, &[id], false).await.expect("a publication");
    assert_eq!(shown[0].expires_at, None, "a published output stays");
    assert_eq!(all_published(&core, &Caller::guest()).await, [id]);
    assert!(may_see_content(&core, &Caller::guest(), &content).await.expect("an answer"));
    set_private(&core, &caller, &[id], true).await.expect("hidden again");
    assert!(find(&core, &stranger, id).await.is_err());
}

#[actix::test]
async fn publishing_several_is_all_or_nothing() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let (stranger, stranger_caller) = person(&core).await;
    let (own, foreign) = (outputs(&core, owner, 2).await, outputs(&core, stranger, 1).await);
    let mixed = [own[0], foreign[0], own[1]];
    assert!(set_private(&core, &caller, &mixed, false).await.is_err());
    assert!(all_published(&core, &stranger_caller).await.is_empty());
    assert_eq!(set_private(&core, &caller, &[own[0], own[0], own[1]], false).await.expect("a publication").len(), 2);
    let many = vec![own[0]; 501];
    assert!(matches!(set_private(&core, &caller, &many, true).await, Err(Error::Invalid { .. })));
}

#[actix::test]
async fn deletion_skips_other_users_outputs_and_can_be_repeated() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let (stranger, _) = person(&core).await;
    let (own, foreign) = (outputs(&core, owner, 2).await, outputs(&core, stranger, 1).await);
    assert_eq!(delete(&core, &caller, &[own[0], foreign[0]]).await.expect("a deletion"), 1);
    assert_eq!(delete(&core, &caller, &[own[0]]).await.expect("a second one"), 0);
    assert_eq!(all_mine(&core, &caller).await, own[1..]);
    assert_eq!(find_all(&core, &foreign).await.expect("outputs").len(), 1);
    assert_eq!(delete(&core, &Caller::system(), &foreign).await.expect("an admin's deletion"), 1);
}

#[actix::test]
async fn private_outputs_expire_and_published_ones_stay() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let all = outputs(&core, owner, 3).await;
    set_private(&core, &caller, &all[..1], false).await.expect("a publication");
    core.clock.advance(TimeDelta::days(30) - TimeDelta::seconds(1));
    assert_eq!(delete_expired(&core).await.expect("a sweep"), 0);
    core.clock.advance(TimeDelta::seconds(2));
    assert_eq!(delete_expired(&core).await.expect("a sweep"), 2);
    assert_eq!(all_mine(&core, &caller).await, all[..1]);
}
