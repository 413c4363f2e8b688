//! The environment variables that Verdigraph reads.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Variables with a short name, and their keys.
const SHORT_NAMES: [(&str, &str); 4] =
    [("PORT", "server.port"), ("DATA", "data.folder"), ("DATABASE_URL", "database.url"), ("REDIS_URL", "redis.url")];

/// Environment variables, of the process or of a test.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// The variables of this process that are valid Unicode.
    #[must_use]
    pub fn of_process() -> Self {
        Self(std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?))).collect())
    }

    /// Only these variables.
    pub fn of<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self(variables.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect())
    }

    /// The value of a variable, if it is not empty.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The folders in `PATH`.
    #[must_use]
    pub fn program_folders(&self) -> Vec<PathBuf> {
        self.get("PATH").map(|path| std::env::split_paths(path).collect()).unwrap_or_default()
    }

    pub(super) fn config_file(&self) -> Option<PathBuf> {
        self.get("VERDIGRAPH_CONFIG").map(PathBuf::from)
    }

    /// The variable for `section.key` and its value. The long name wins over the short one.
    pub(super) fn setting(&self, section: &str, key: &str) -> Option<(String, &str)> {
        let long = format!("VERDIGRAPH_{}_{}", section.to_uppercase(), key.to_uppercase());
        if let Some(value) = self.get(&long) {
            return Some((long, value));
        }
        let path = format!("{section}.{key}");
        let (short, _) = SHORT_NAMES.iter().find(|(_, set)| *set == path)?;
        Some(((*short).to_owned(), self.get(short)?))
    }
}
