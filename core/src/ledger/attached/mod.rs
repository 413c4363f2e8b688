//! Rows of other rooms that are committed with a movement, and their writers.

use std::any::Any;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;

/// Rows for one writer.
pub type AttachedRows<'a> = &'a [Arc<dyn Any + Send + Sync>];

/// A row of another room, committed in the same transaction as the movement or not at all.
pub struct AttachedRow {
    /// Writes all rows of its kind in a batch with one statement.
    pub writer: &'static dyn AttachedWriter,
    pub row: Arc<dyn Any + Send + Sync>,
}

/// The result of one attached row. A refused row writes nothing, and its movement does not happen.
pub enum AttachedOutcome {
    Done,
    /// The reason, in the writer's own type.
    Refused(Box<dyn Any + Send>),
}

pub trait AttachedWriter: Send + Sync {
    /// Identifies the kind. Rows of one kind are written together, kinds in ascending order.
    fn order(&self) -> u8;

    /// Writes `rows` and returns one outcome for each, in the same order.
    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>>;
}

/// The rows in the type of their writer.
///
/// # Errors
/// [`sqlx::Error::Configuration`] if a row has another type.
pub fn typed_rows<T: 'static>(rows: AttachedRows<'_>) -> sqlx::Result<Vec<&T>> {
    let typed: Option<Vec<&T>> = rows.iter().map(|row| row.downcast_ref::<T>()).collect();
    typed.ok_or_else(|| sqlx::Error::Configuration("an attached row has another type than its writer's".into()))
}

/// The outcome of each row, by the reason for which it was refused.
pub fn outcomes<T, R: Any + Send>(rows: &[&T], mut refused: impl FnMut(&T) -> Option<R>) -> Vec<AttachedOutcome> {
    rows.iter()
        .map(|row| match refused(row) {
            Some(why) => AttachedOutcome::Refused(Box::new(why)),
            None => AttachedOutcome::Done,
        })
        .collect()
}
