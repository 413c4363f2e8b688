//! Reads the statements that the server sends to PostgreSQL for a request, with parameters, from the database's log.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::time::Duration;

use sqlx::PgConnection;

use crate::error::{Error, Result};
use crate::platform::Database;

/// How often a request is repeated. Statements of sweeps do not appear in all runs.
const RUNS: usize = 4;
const LOG_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_EVERY: Duration = Duration::from_millis(20);

/// A statement with its parameters in text format; `None` is NULL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub text: String,
    pub parameters: Vec<Option<String>>,
}

/// Reads the log of a database that logs every statement. Finish with [`Recorder::end`].
pub struct Recorder<'d> {
    database: &'d Database,
    connection: PgConnection,
}

impl<'d> Recorder<'d> {
    /// Makes all sessions of the database log their statements.
    pub async fn begin(database: &'d Database) -> Result<Self> {
        let mut recorder = Self { database, connection: database.connect().await? };
        recorder.switch("ALTER SYSTEM SET log_min_duration_statement = 0", "0").await?;
        Ok(recorder)
    }

    /// The statements that the warm server runs for a request.
    pub async fn record(&mut self, mut ask: impl AsyncFnMut() -> Result<()>) -> Result<Vec<Statement>> {
        // The first requests fill caches.
        for _ in 0..RUNS {
            ask().await?;
        }
        let mut runs = Vec::with_capacity(RUNS);
        for _ in 0..RUNS {
            let mut log = std::fs::File::open(self.database.log()?)?;
            log.seek(SeekFrom::End(0))?;
            ask().await?;
            let mut text = Vec::new();
            log.read_to_end(&mut text)?;
            runs.push(statements(&String::from_utf8_lossy(&text)));
        }
        Ok(common(runs))
    }

    /// Disables logging.
    pub async fn end(mut self) -> Result<()> {
        self.switch("ALTER SYSTEM RESET log_min_duration_statement", "-1").await
    }

    /// Sets the option and waits until sessions use it.
    async fn switch(&mut self, statement: &'static str, value: &str) -> Result<()> {
        sqlx::raw_sql(statement).execute(&mut self.connection).await?;
        sqlx::raw_sql("SELECT pg_reload_conf()").execute(&mut self.connection).await?;
        let heard = async {
            loop {
                let now: String =
                    sqlx::query_scalar("SHOW log_min_duration_statement").fetch_one(&mut self.connection).await?;
                if now == value {
                    return Ok(());
                }
                tokio::time::sleep(POLL_EVERY).await;
            }
        };
        let waited = tokio::time::timeout(LOG_TIMEOUT, heard).await;
        waited.map_err(|_| Error::Other("the database did not apply a setting in time".to_owned()))?
    }
}

/// The statements of the last run that all runs contain.
fn common(mut runs: Vec<Vec<Statement>>) -> Vec<Statement> {
    let mut last = runs.pop().unwrap_or_default();
    last.retain(|statement| runs.iter().all(|run| run.iter().any(|other| other.text == statement.text)));
    last
}

/// Parses a part of a log with the prefix `%m [%p] `.
fn statements(log: &str) -> Vec<Statement> {
    let mut entries: Vec<(&str, &str, String)> = Vec::new();
    for line in log.lines() {
        match (entry(line), entries.last_mut()) {
            (Some((process, word, text)), _) => entries.push((process, word, text.to_owned())),
            (None, Some((_, _, text))) => {
                text.push('\n');
                text.push_str(line.strip_prefix('\t').unwrap_or(line));
            }
            (None, None) => {}
        }
    }
    let mut found: Vec<(&str, Statement)> = Vec::new();
    for (process, word, text) in &entries {
        match *word {
            "LOG" => found.extend(executed(text).map(|text| (*process, Statement { text, parameters: Vec::new() }))),
            "DETAIL" => {
                if let Some((of, statement)) = found.last_mut()
                    && of == process
                    && statement.parameters.is_empty()
                {
                    statement.parameters = parameters(text);
                }
            }
            _ => {}
        }
    }
    found.into_iter().map(|(_, statement)| statement).collect()
}

/// Process, severity and text of an entry's first line.
fn entry(line: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = line.split_once(" [")?;
    if !before.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (process, rest) = rest.split_once("] ")?;
    let (word, text) = rest.split_once(":  ")?;
    word.bytes().all(|byte| byte.is_ascii_uppercase()).then_some((process, word, text))
}

/// The statement of `duration: 0.1 ms  execute name: SELECT …`.
fn executed(text: &str) -> Option<String> {
    let (_, rest) = text.strip_prefix("duration: ")?.split_once(" ms  ")?;
    let rest = rest.strip_prefix("execute ")?;
    Some(rest.split_once(": ")?.1.to_owned())
}

/// The values of `Parameters: $1 = 'it''s', $2 = NULL`.
fn parameters(text: &str) -> Vec<Option<String>> {
    let Some((word, mut rest)) = text.split_once(": ") else { return Vec::new() };
    if !word.eq_ignore_ascii_case("parameters") {
        return Vec::new();
    }
    let mut values = Vec::new();
    while let Some((_, value)) = rest.split_once(" = ") {
        let Some(mut quoted) = value.strip_prefix('\'') else {
            values.push(None);
            rest = value.strip_prefix("NULL").unwrap_or(value);
            continue;
        };
        let mut text = String::new();
        loop {
            let Some((piece, after)) = quoted.split_once('\'') else { return values };
            text.push_str(piece);
            match after.strip_prefix('\'') {
                Some(more) => {
                    text.push('\'');
                    quoted = more;
                }
                None => {
                    rest = after;
                    break;
                }
            }
        }
        values.push(Some(text));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "2026-11-21 10:00:00.123 UTC [77] LOG:  duration: 0.012 ms  bind sqlx_s_1: SELECT 1
2026-11-21 10:00:00.123 UTC [77] LOG:  duration: 0.045 ms  execute sqlx_s_1: SELECT id
\tFROM things WHERE a = $1 AND b = $2
2026-11-21 10:00:00.123 UTC [77] DETAIL:  Parameters: $1 = 'it''s = {1,2}, $9', $2 = NULL
2026-11-21 10:00:00.124 UTC [78] LOG:  duration: 0.045 ms  statement: BEGIN
2026-11-21 10:00:00.125 UTC [78] LOG:  duration: 0.045 ms  execute sqlx_s_9: SELECT now()
";

    #[test]
    fn statements_are_parsed_with_parameters() {
        let found = statements(LOG);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].text, "SELECT id\nFROM things WHERE a = $1 AND b = $2");
        assert_eq!(found[0].parameters, [Some("it's = {1,2}, $9".to_owned()), None]);
        assert_eq!((found[1].text.as_str(), found[1].parameters.len()), ("SELECT now()", 0));
    }

    #[test]
    fn statement_of_a_single_run_is_dropped() {
        let statement = |text: &str| Statement { text: text.to_owned(), parameters: Vec::new() };
        let runs = vec![vec![statement("a"), statement("sweep")], vec![statement("a"), statement("b")]];
        assert_eq!(common(runs), [statement("a")]);
    }
}
