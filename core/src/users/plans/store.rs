//! SQL of users' plans.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::days::UserPlans;
use crate::ids::UserId;
use crate::users::user::GivenPlan;

/// Locks the user until the transaction ends; `None` if there is no such user.
pub(super) async fn lock(connection: &mut PgConnection, id: UserId) -> sqlx::Result<Option<UserPlans>> {
    let row = sqlx::query!(
        "SELECT plan, given_plan, given_plan_until, subscription_plan FROM users WHERE id = $1 AND disabled_at IS NULL FOR UPDATE",
        id.0
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| {
        let given = row.given_plan.zip(row.given_plan_until);
        UserPlans {
            own: row.plan,
            subscribed: row.subscription_plan,
            given: given.map(|(plan, until)| GivenPlan { plan, until }),
        }
    }))
}

/// Sets the user's own plan, or the given one where it has an end.
pub(super) async fn give(
    connection: &mut PgConnection,
    id: UserId,
    plan: &str,
    until: Option<DateTime<Utc>>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE users
         SET plan = CASE WHEN $3::timestamptz IS NULL THEN $2 ELSE plan END,
             given_plan = CASE WHEN $3 IS NULL THEN NULL ELSE $2 END,
             given_plan_until = $3
         WHERE id = $1",
        id.0,
        plan,
        until,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn set_subscription_plan(
    connection: &mut PgConnection,
    id: UserId,
    plan: Option<&str>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE users SET subscription_plan = $2 WHERE id = $1", id.0, plan).execute(connection).await?;
    Ok(())
}
