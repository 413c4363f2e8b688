//! Rows into a table, as PostgreSQL's `COPY` reads them.

use std::fmt::{Arguments, Write as _};

use sqlx::PgConnection;
use sqlx::postgres::PgCopyIn;

use crate::error::Result;

/// Sent at once.
const PIECE: usize = 1 << 20;

/// A table that is being filled. Nothing of it is there before [`Filling::end`].
pub(super) struct Filling<'c> {
    copy: PgCopyIn<&'c mut PgConnection>,
    text: String,
}

impl<'c> Filling<'c> {
    /// Begins with these columns of a table.
    pub async fn begin(connection: &'c mut PgConnection, table: &str, columns: &str) -> Result<Self> {
        let copy = connection.copy_in_raw(&format!("COPY {table} ({columns}) FROM STDIN")).await?;
        Ok(Self { copy, text: String::with_capacity(PIECE + 4096) })
    }

    /// Adds a row: its cells in text form, with a tab between two of them; `\N` is NULL.
    pub fn row(&mut self, cells: Arguments<'_>) {
        let _infallible = self.text.write_fmt(cells);
        self.text.push('\n');
    }

    /// Sends what has gathered, where it is worth it. Call it now and then.
    pub async fn flow(&mut self) -> Result<()> {
        if self.text.len() >= PIECE {
            self.copy.send(self.text.as_bytes()).await?;
            self.text.clear();
        }
        Ok(())
    }

    /// Sends the rest; the rows are there then.
    pub async fn end(mut self) -> Result<u64> {
        self.copy.send(self.text.as_bytes()).await?;
        Ok(self.copy.finish().await?)
    }
}

/// A cell that may be NULL.
pub(super) struct Maybe<T>(pub Option<T>);

impl<T: std::fmt::Display> std::fmt::Display for Maybe<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("\\N"),
        }
    }
}

/// A time, from microseconds since 1970.
pub(super) struct Time(pub i64);

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = chrono::DateTime::from_timestamp_micros(self.0).unwrap_or_default();
        write!(f, "{}", at.format("%Y-%m-%d %H:%M:%S%.6f+00"))
    }
}
