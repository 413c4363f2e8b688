//! The search for secrets after the drill: no log and no table may have a number of a card, the digits of its holder,
//! or a key of a provider.

use std::fmt::Write as _;
use std::path::Path;

use sqlx::{AssertSqlSafe, PgPool};

use super::plan::Plan;
use crate::error::{Error, Result};
use crate::payments;

/// The names of all tables, and of materialized views.
const TABLES: &str = "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')";

/// Texts to search for, with names that may be shown.
#[derive(Debug)]
pub struct Secrets(Vec<(String, String)>);

impl Secrets {
    /// The cards of a plan, and the keys of the providers; all of them also as the bytes of a column are shown.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let cards = plan.buyers.iter().enumerate().flat_map(|(number, buyer)| {
            let name = move |place: usize| format!("text {place} of the card of buyer {number}");
            buyer.card.secrets().into_iter().enumerate().map(move |(place, text)| (name(place), text))
        });
        let keys = payments::secrets().into_iter().enumerate();
        let keys = keys.map(|(place, text)| (format!("key {place} of a provider"), text));
        let texts: Vec<(String, String)> = cards.chain(keys).collect();
        let as_bytes = texts.iter().map(|(name, text)| (format!("{name}, as bytes"), hexadecimal(text)));
        let as_bytes: Vec<(String, String)> = as_bytes.collect();
        Self([texts, as_bytes].concat())
    }

    /// The names of those that a text has.
    fn found_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(_, secret)| text.contains(secret.as_str())).map(|(name, _)| name.as_str())
    }

    /// What is in a file, as texts.
    pub fn in_file(&self, file: &Path) -> Result<Vec<String>> {
        let bytes = std::fs::read(file).map_err(Error::doing(&file.display().to_string()))?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(self.found_in(&text).map(|name| format!("{name} is in {}", file.display())).collect())
    }

    /// What is in the rows of all tables, as texts, and the number of rows.
    pub async fn in_tables(&self, db: &PgPool) -> Result<(Vec<String>, usize)> {
        let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(db).await?;
        let (mut found, mut read) = (Vec::new(), 0);
        for table in tables {
            let sql = format!("SELECT t::text FROM {table} t");
            let rows: Vec<Option<String>> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(db).await?;
            read += rows.len();
            let text = rows.into_iter().flatten().collect::<Vec<_>>().join("\n");
            found.extend(self.found_in(&text).map(|name| format!("{name} is in {table}")));
        }
        Ok((found, read))
    }
}

fn hexadecimal(text: &str) -> String {
    text.bytes().fold(String::new(), |mut digits, byte| {
        let _infallible = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::super::plan::QUICK;
    use super::*;

    #[test]
    fn number_is_found_in_every_spelling() {
        let plan = Plan::draw(5, &QUICK);
        let secrets = Secrets::of(&plan);
        let number = &plan.buyers[2].card.number;
        for text in [number.clone(), format!("{number} "), hexadecimal(number), format!("x{}", &number[2..15])] {
            assert!(secrets.found_in(&text).next().is_some(), "{text}");
        }
        // As it is shown to its owner.
        let masked = format!("{}-{}**-****-{}*", &number[..4], &number[4..6], &number[12..15]);
        assert_eq!(secrets.found_in(&masked).next(), None);
    }
}
