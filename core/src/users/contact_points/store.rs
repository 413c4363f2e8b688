//! SQL of contact points.

use sqlx::{PgConnection, PgPool};

use super::contact_point::{ContactKind, ContactPoint};
use crate::database;
use crate::ids::UserId;
use crate::users::gate::WritePermit;

pub(in crate::users) async fn of_user(db: &PgPool, user: UserId) -> sqlx::Result<Vec<ContactPoint>> {
    let rows =
        sqlx::query!("SELECT kind, value FROM user_contact_points WHERE user_id = $1 ORDER BY position, kind", user.0)
            .fetch_all(db)
            .await?;
    let point = |(kind, value): (String, String)| Some(ContactPoint { kind: ContactKind::from_word(&kind)?, value });
    Ok(rows.into_iter().filter_map(|row| point((row.kind, row.value))).collect())
}

/// Replaces all contact points.
pub(in crate::users) async fn replace(
    db: &PgPool,
    _: &WritePermit,
    user: UserId,
    points: &[ContactPoint],
) -> sqlx::Result<()> {
    let kinds: Vec<String> = points.iter().map(|point| point.kind.word().to_owned()).collect();
    let values: Vec<String> = points.iter().map(|point| point.value.clone()).collect();
    let positions: Vec<i16> = (0..).take(points.len()).collect();
    let mut tx = database::begin(db).await?;
    // The row lock serializes concurrent changes: the later one wins as a whole.
    sqlx::query!("SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE", user.0).fetch_optional(&mut *tx).await?;
    sqlx::query!("DELETE FROM user_contact_points WHERE user_id = $1", user.0).execute(&mut *tx).await?;
    sqlx::query!(
        "INSERT INTO user_contact_points (user_id, kind, value, position)
         SELECT $1, * FROM UNNEST($2::text[], $3::text[], $4::smallint[])",
        user.0,
        &kinds,
        &values,
        &positions
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await
}

pub(in crate::users) async fn delete_all(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM user_contact_points WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}
