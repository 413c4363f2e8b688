//! Rows of other rooms that are committed with a movement, and their writers.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use futures_util::FutureExt as _;
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

/// A row of a kind that is rare, so that each is written with statements of its own.
pub trait RareRow: Any + Send + Sync {
    /// Why a row is refused.
    type Refusal: Any + Send;

    /// Writes it, or nothing if it is refused.
    fn write<'a>(&'a self, connection: &'a mut PgConnection) -> BoxFuture<'a, sqlx::Result<Option<Self::Refusal>>>;
}

/// Writes the rows of a rare kind one after another.
pub struct RareRowWriter<T> {
    order: u8,
    kind: PhantomData<fn() -> T>,
}

impl<T> RareRowWriter<T> {
    /// With the [`AttachedWriter::order`] of the kind.
    #[must_use]
    pub const fn new(order: u8) -> Self {
        Self { order, kind: PhantomData }
    }
}

impl<T: RareRow> AttachedWriter for RareRowWriter<T> {
    fn order(&self) -> u8 {
        self.order
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        async move {
            let mut outcomes = Vec::with_capacity(rows.len());
            for row in typed_rows::<T>(rows)? {
                outcomes.push(outcome(row.write(&mut *connection).await?));
            }
            Ok(outcomes)
        }
        .boxed()
    }
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
    rows.iter().map(|row| outcome(refused(row))).collect()
}

fn outcome<R: Any + Send>(refused: Option<R>) -> AttachedOutcome {
    refused.map_or(AttachedOutcome::Done, |why| AttachedOutcome::Refused(Box::new(why)))
}
