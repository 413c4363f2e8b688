//! Writes rows with PostgreSQL's `COPY`.

use std::fmt::{Arguments, Write as _};

use sqlx::PgConnection;
use sqlx::postgres::PgCopyIn;

use crate::error::Result;

/// Bytes sent at once.
const PIECE: usize = 1 << 20;

/// A `COPY` into one table. Rows become visible with [`CopyWriter::end`].
pub(super) struct CopyWriter<'c> {
    copy: PgCopyIn<&'c mut PgConnection>,
    text: String,
}

impl<'c> CopyWriter<'c> {
    pub async fn begin(connection: &'c mut PgConnection, table: &str, columns: &str) -> Result<Self> {
        let copy = connection.copy_in_raw(&format!("COPY {table} ({columns}) FROM STDIN")).await?;
        Ok(Self { copy, text: String::with_capacity(PIECE + 4096) })
    }

    /// Adds a row: cells in text format, separated by tabs; `\N` is NULL.
    pub fn row(&mut self, cells: Arguments<'_>) {
        let _infallible = self.text.write_fmt(cells);
        self.text.push('\n');
    }

    /// Sends buffered rows if there are enough. Call it regularly.
    pub async fn flow(&mut self) -> Result<()> {
        if self.text.len() >= PIECE {
            self.copy.send(self.text.as_bytes()).await?;
            self.text.clear();
        }
        Ok(())
    }

    /// Sends the remaining rows and completes the copy.
    pub async fn end(mut self) -> Result<u64> {
        self.copy.send(self.text.as_bytes()).await?;
        Ok(self.copy.finish().await?)
    }
}

/// A nullable cell.
pub(super) struct Nullable<T>(pub Option<T>);

impl<T: std::fmt::Display> std::fmt::Display for Nullable<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("\\N"),
        }
    }
}

/// A timestamp, in microseconds since 1970.
pub(super) struct Time(pub i64);

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = chrono::DateTime::from_timestamp_micros(self.0).unwrap_or_default();
        write!(f, "{}", at.format("%Y-%m-%d %H:%M:%S%.6f+00"))
    }
}
