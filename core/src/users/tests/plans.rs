//! Plans that admins give.

use chrono::TimeDelta;

use crate::testing::TestCore;
use crate::users::*;

#[actix::test]
async fn given_plan_holds_until_its_end() {
    let core = TestCore::new().await;
    let (system, ann) = (Caller::system(), factory::user().insert(&core.db).await);
    let name = async || plan(&core, ann).await.expect("a plan").name.clone();
    let until = core.clock.now() + TimeDelta::days(7);
    give_plan(&core, &system, ann, "Pro", Some(until)).await.expect("a plan for a week");
    assert_eq!(name().await, "Pro");
    core.clock.advance(TimeDelta::days(6));
    assert_eq!(name().await, "Pro");
    core.clock.advance(TimeDelta::days(1));
    assert_eq!(name().await, "Free", "the own plan holds again");

    give_plan(&core, &system, ann, "Pro", Some(core.clock.now() + TimeDelta::days(7))).await.expect("another week");
    let user = give_plan(&core, &system, ann, "Basic", None).await.expect("a plan of their own");
    assert_eq!((user.own_plan.as_str(), &user.given_plan), ("Basic", &None), "it replaces what was given");
    core.clock.advance(TimeDelta::days(400));
    assert_eq!(name().await, "Basic");

    let kept: Vec<(serde_json::Value, serde_json::Value)> = sqlx::query_as(
        "SELECT before, after FROM audit_entries WHERE action = 'user.plan' AND target_id = $1 ORDER BY id",
    )
    .bind(ann.0)
    .fetch_all(&core.db)
    .await
    .expect("the log");
    let plans: Vec<_> = kept.iter().map(|(before, after)| (before["plan"].clone(), after["plan"].clone())).collect();
    assert_eq!(serde_json::json!(plans), serde_json::json!([["Free", "Pro"], ["Pro", "Pro"], ["Pro", "Basic"]]));
}

#[actix::test]
async fn plan_is_given_by_admins_only_and_must_be_configured() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let past = Some(core.clock.now());
    assert!(matches!(give_plan(&core, &Caller::customer(ann), ann, "Pro", None).await, Err(Error::Forbidden)));
    assert!(matches!(give_plan(&core, &Caller::guest(), ann, "Pro", None).await, Err(Error::LoginRequired)));
    let system = Caller::system();
    for (name, until, field) in [("pro", None, "plan"), ("", None, "plan"), ("Pro", past, "until")] {
        let refused = give_plan(&core, &system, ann, name, until).await;
        assert!(matches!(&refused, Err(Error::Invalid { field: wrong, .. }) if wrong == field), "{name}: {refused:?}");
    }
    assert!(matches!(give_plan(&core, &system, UserId::new(), "Pro", None).await, Err(Error::NotFound { .. })));
    assert!(matches!(give_plan_to(&core, &system, "no@example.com", "Pro", None).await, Err(Error::NotFound { .. })));
    assert_eq!(plan(&core, ann).await.expect("a plan").name, "Free");
}
