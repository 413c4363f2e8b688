//! The rules: functions from a source to complaints, each with tests.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;
use super::{GROUND, ROOMS};

/// Files other than `store.rs` and `store/` that may name a room's tables, and why.
const OTHER_HOMES: [(&str, &str); 2] = [
    ("core/src/jobs/flight/attached.rs", "rows of jobs that are written inside the ledger's transaction"),
    ("core/src/users/factory.rs", "test data"),
];

/// Maximum lines of a file; split longer files.
const FILE_LINES: usize = 450;
/// Maximum lines of a room, including SQL and tests; longer rooms need sub-rooms, which are counted separately.
const ROOM_LINES: usize = 2500;
/// Maximum duration of a sleep in tests.
const LONGEST_NAP_MS: u64 = 200;

/// The room of each table.
#[derive(Default)]
pub struct Tables(BTreeMap<String, String>);

impl Tables {
    /// Adds the tables that a migration of `room` creates.
    pub fn learn(&mut self, room: &str, migration: &str) {
        let words: Vec<&str> = migration.split_whitespace().collect();
        for (at, pair) in words.windows(2).enumerate() {
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            let makes = pair[0] == "TABLE" && before.is_some_and(|word| ["CREATE", "UNLOGGED"].contains(word));
            if makes {
                self.0.insert(pair[1].trim_end_matches('(').to_owned(), room.to_owned());
            }
        }
    }
}

fn rank(room: &str) -> Option<usize> {
    ROOMS.iter().position(|known| *known == room)
}

/// Paths that begin with `start`, as segments; groups in braces are expanded.
pub fn paths(code: &str, start: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(start) {
        let goes_on = |c: char| c.is_alphanumeric() || ['_', '$', ':'].contains(&c);
        if !code[..at].ends_with(goes_on) {
            open(&code[at + start.len()..], Vec::new(), &mut found);
        }
    }
    found
}

fn open(rest: &str, before: Vec<String>, found: &mut Vec<Vec<String>>) {
    let rest = rest.trim_start();
    if let Some(group) = rest.strip_prefix('{') {
        let mut depth = 0;
        let mut from = 0;
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    open(&group[from..at], before.clone(), found);
                    from = at + 1;
                    if c == '}' {
                        return;
                    }
                }
                _ => {}
            }
        }
        return;
    }
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let mut path = before;
    if end == 0 {
        if !path.is_empty() {
            found.push(path);
        }
        return;
    }
    path.push(rest[..end].to_owned());
    match rest[end..].strip_prefix("::") {
        Some(more) => open(more, path, found),
        None => found.push(path),
    }
}

/// Rooms call downwards, through `mod.rs`; the core knows neither HTTP nor workers, and workers do not know HTTP.
pub fn imports(source: &Source) -> Vec<String> {
    let mut complaints = Vec::new();
    let (start, own) = match source.room() {
        Some(room) => ("crate::", room),
        None => ("verdigraph_core::", ""),
    };
    let in_crate_root = own == "lib" || own == "testing";
    for path in paths(&source.code, start) {
        let Some(other) = path.first().filter(|name| rank(name).is_some() && *name != own) else { continue };
        let shown = path.join("::");
        if rank(own).is_some_and(|own| rank(other).is_some_and(|other| other > own)) {
            complaints.push(format!("{}: {shown}: `{other}` stands above `{own}`", source.path));
        }
        if GROUND.contains(&own) && !in_crate_root {
            complaints.push(format!("{}: {shown}: `{own}` stands below all rooms", source.path));
        }
        let through_front =
            path.get(1).is_none_or(|next| path.len() == 2 || next == "factory" || next.starts_with(char::is_uppercase));
        if !through_front {
            complaints.push(format!("{}: {shown}: call `{other}` through its mod.rs", source.path));
        }
    }
    let strangers: &[&str] = match source.path.split('/').next() {
        Some("agent") => &["verdigraph_core", "verdigraph_workers", "verdigraph_http", "actix", "sqlx"],
        Some("core") => &["verdigraph_agent", "verdigraph_workers", "verdigraph_http", "actix_web"],
        Some("workers" | "scripted") => &["verdigraph_http"],
        _ => &[],
    };
    for stranger in strangers {
        if source.code.contains(stranger) {
            complaints.push(format!("{}: must not know {stranger}", source.path));
        }
    }
    complaints
}

/// A table is written by its room only, and read by its room and higher ones, in their stores.
pub fn sql(source: &Source, tables: &Tables) -> Vec<String> {
    let mut complaints = Vec::new();
    let is_test = source.path.contains("/tests") || source.path.ends_with("/factory.rs");
    if is_test {
        return complaints;
    }
    let file = source.path.rsplit('/').next().unwrap_or_default();
    let is_home = file == "store.rs"
        || source.path.contains("/store/")
        || OTHER_HOMES.iter().any(|(path, _)| *path == source.path);
    for (writes, table) in source.strings.iter().flat_map(|text| named_tables(text)) {
        let Some(owner) = tables.0.get(&table) else { continue };
        let own = source.room().unwrap_or("");
        if !is_home && source.live_has_strings() {
            complaints.push(format!("{}: names the table {table} outside a store", source.path));
        } else if writes && own != owner {
            complaints.push(format!("{}: writes {table}, which belongs to `{owner}`", source.path));
        } else if own != owner && rank(own) < rank(owner) {
            complaints.push(format!("{}: reads {table} of `{owner}`, which stands above", source.path));
        }
    }
    complaints
}

/// Tables that a statement names, and whether it writes them.
fn named_tables(text: &str) -> Vec<(bool, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = |back: usize| at.checked_sub(back).and_then(|i| words.get(i)).copied().unwrap_or("");
        let Some(name) = words.get(at + 1) else { continue };
        let name = name.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_')).to_owned();
        match *word {
            // Lowercase keywords may be English words elsewhere.
            "into" if before(1).ends_with("insert") => found.push((true, name)),
            "from" if before(1).ends_with("delete") => found.push((true, name)),
            "INTO" if before(1).ends_with("INSERT") => found.push((true, name)),
            "UPDATE" if before(1) != "FOR" && before(1) != "DO" => found.push((true, name)),
            "FROM" => found.push((before(1).ends_with("DELETE"), name)),
            "JOIN" => found.push((false, name)),
            _ => {}
        }
    }
    found
}

impl Source {
    /// Whether there are strings before the tests at the end of the file.
    fn live_has_strings(&self) -> bool {
        self.live.contains("\"\"")
    }
}

/// Wall-clock time comes from `Clock`, so that tests can control it. (`Instant` only measures durations.)
pub fn clock(source: &Source) -> Vec<String> {
    // The built-in worker is another program and uses the machine's clock, like ComfyUI.
    let elsewhere = ["core/src/clock.rs", "workers/src/cpu/", "scripted/src/"];
    if elsewhere.iter().any(|start| source.path.starts_with(start)) {
        return Vec::new();
    }
    found(source, &source.live, &["Utc::now", "Local::now", "SystemTime::now"], "reads the clock")
}

/// Only the settings read the environment.
pub fn environment(source: &Source) -> Vec<String> {
    if source.path.starts_with("core/src/settings/") {
        return Vec::new();
    }
    found(source, &source.live, &["env::var", "env::vars", "env::set_var"], "reads the environment")
}

/// Lints are not silenced without a reason, and there are no TODOs.
pub fn words(source: &Source) -> Vec<String> {
    let mut complaints = found(source, &source.code, &["#[allow(", "#![allow(", "todo!(", "unimplemented!("], "has");
    let lists = source.comments.split(|c: char| !c.is_alphanumeric());
    for word in lists.filter(|word| ["TODO", "FIXME", "XXX", "HACK"].contains(word)) {
        complaints.push(format!("{}: has a {word}", source.path));
    }
    complaints
}

/// Tests wait for events instead of sleeping.
pub fn naps(source: &Source) -> Vec<String> {
    let tests = &source.code[source.live.len()..];
    let naps = tests.match_indices("sleep(").filter_map(|(at, start)| {
        let (unit, rest) = tests[at + start.len()..].split_once('(')?;
        let unit = unit.trim().rsplit("::").next()?;
        let count: u64 = rest.split_once(')')?.0.replace('_', "").trim().parse().ok()?;
        let millis = match unit {
            "from_millis" => count,
            "from_secs" => count * 1000,
            _ => return None,
        };
        (millis > LONGEST_NAP_MS).then(|| format!("{}: sleeps for {millis} ms in a test", source.path))
    });
    naps.collect()
}

/// Limits the length of files.
pub fn length(source: &Source) -> Vec<String> {
    match source.lines < FILE_LINES {
        true => Vec::new(),
        false => vec![format!("{}: has {} lines, fewer than {FILE_LINES} are meant", source.path, source.lines)],
    }
}

/// Limits the length of rooms and sub-rooms.
pub fn size(sources: &[Source]) -> Vec<String> {
    let fronts: BTreeSet<&str> = sources.iter().filter_map(|source| source.path.strip_suffix("/mod.rs")).collect();
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources {
        *lines.entry(home(&source.path, &fronts)).or_default() += source.lines;
    }
    let large = lines.into_iter().filter(|(_, lines)| *lines > ROOM_LINES);
    large.map(|(room, lines)| format!("{room}: has {lines} lines of its own, more than {ROOM_LINES}")).collect()
}

/// The innermost room of a file: a folder with a `mod.rs`, except for stores and tests.
fn home<'a>(path: &'a str, fronts: &BTreeSet<&str>) -> &'a str {
    let is_inside =
        |folder: &str| ["/store", "/tests"].iter().any(|name| format!("{folder}/").contains(&format!("{name}/")));
    let mut folder = path;
    while let Some((outer, _)) = folder.rsplit_once('/') {
        folder = outer;
        if fronts.contains(folder) && !is_inside(folder) {
            return folder;
        }
    }
    path.strip_suffix(".rs").unwrap_or(path)
}

fn found(source: &Source, text: &str, patterns: &[&str], what: &str) -> Vec<String> {
    let hits = patterns.iter().filter(|pattern| text.contains(**pattern));
    hits.map(|pattern| format!("{}: {what}: {pattern}", source.path)).collect()
}

mod can_fail {
    use super::*;

    fn complaints(path: &str, text: &str, rule: fn(&Source) -> Vec<String>) -> usize {
        rule(&Source::read(path, text)).len()
    }

    #[test]
    fn forbidden_imports_are_found() {
        let bad = [
            ("core/src/users/mod.rs", "use crate::jobs;"),
            ("core/src/users/mod.rs", "use crate::{Core, jobs::Status};"),
            ("core/src/users/mod.rs", "fn f() { crate::jobs::submit(); }"),
            ("core/src/jobs/mod.rs", "use crate::users::store::find;"),
            ("core/src/jobs/mod.rs", "use crate::{ledger::{book::Book}};"),
            ("core/src/settings/mod.rs", "use crate::users::User;"),
            ("core/src/jobs/mod.rs", "use verdigraph_workers::comfy;"),
            ("workers/src/lib.rs", "use verdigraph_http::app;"),
            ("http/src/routes/jobs.rs", "use verdigraph_core::jobs::store::claim;"),
        ];
        for (path, text) in bad {
            assert!(complaints(path, text, imports) > 0, "{path}: {text}");
        }
        let good = [
            ("core/src/jobs/mod.rs", "use crate::{Core, users::{self, User}, ledger::LedgerPost};"),
            ("core/src/jobs/mod.rs", "fn f() { crate::users::plan(); let x = crate::fleet::OutputKind::Images; }"),
            ("core/src/jobs/tests.rs", "use crate::users::factory::user;"),
            ("core/src/jobs/actor.rs", "use crate::jobs::store::claim;"),
            ("core/src/lib.rs", "pub fn f() { crate::users::UserCache::new(); }"),
            ("core/src/users/mod.rs", "// crate::jobs\nlet a = \"crate::jobs\";"),
        ];
        for (path, text) in good {
            assert_eq!(complaints(path, text, imports), 0, "{path}: {text}");
        }
    }

    #[test]
    fn sql_outside_of_stores_is_found() {
        let mut tables = Tables::default();
        tables.learn("users", "CREATE TABLE users (\n id uuid\n);");
        tables.learn("jobs", "CREATE TABLE jobs (id uuid);");
        tables.learn("users", "CREATE UNLOGGED TABLE visitors (id uuid);");
        let count = |path: &str, text: &str| sql(&Source::read(path, text), &tables).len();
        let bad = [
            ("core/src/users/mod.rs", "query(\"SELECT 1 FROM users\");"),
            ("core/src/jobs/store.rs", "query(\"UPDATE users SET a = 1\");"),
            ("core/src/jobs/store/claim.rs", "query(r#\"INSERT INTO users (id) VALUES (1)\"#);"),
            ("core/src/jobs/store.rs", "query(\"DELETE FROM users\");"),
            ("core/src/jobs/store.rs", "query(\"DELETE FROM visitors\");"),
            ("core/src/jobs/store.rs", "query(\"delete from users\");"),
            ("core/src/users/mod.rs", "query(\"insert into users (id) values (1)\");"),
            ("core/src/users/store.rs", "query(\"SELECT 1 FROM users JOIN jobs ON true\");"),
            ("http/src/routes/jobs.rs", "query(\"SELECT 1 FROM jobs\");"),
            ("http/src/store.rs", "query(\"SELECT 1 FROM jobs\");"),
        ];
        for (path, text) in bad {
            assert!(count(path, text) > 0, "{path}: {text}");
        }
        let good = [
            ("core/src/users/store.rs", "query(\"UPDATE users SET a = 1\");"),
            ("core/src/jobs/store.rs", "query(\"SELECT 1 FROM jobs j JOIN users u ON true FOR UPDATE\");"),
            ("core/src/jobs/mod.rs", "let text = \"a job comes FROM somewhere\";"),
            ("core/src/users/tests.rs", "query(\"DELETE FROM jobs\");"),
        ];
        for (path, text) in good {
            assert_eq!(count(path, text), 0, "{path}: {text}");
        }
    }

    #[test]
    fn clocks_environments_and_forbidden_words_are_found() {
        assert_eq!(complaints("core/src/jobs/mod.rs", "let now = Utc::now();", clock), 1);
        assert_eq!(complaints("core/src/clock.rs", "let now = Utc::now();", clock), 0);
        assert_eq!(complaints("core/src/jobs/mod.rs", "#[cfg(test)]\nmod tests { fn f() { Utc::now(); } }", clock), 0);
        assert_eq!(complaints("core/src/jobs/mod.rs", "let a = std::env::var(\"A\");", environment), 1);
        assert_eq!(complaints("core/src/settings/mod.rs", "let a = std::env::vars();", environment), 0);
        for text in
            ["#[allow(dead_code)]", "#![allow(warnings)]", "fn f() { todo!() }", "// TODO: later", "/* FIXME */"]
        {
            assert_eq!(complaints("core/src/jobs/mod.rs", text, words), 1, "{text}");
        }
        assert_eq!(complaints("core/src/jobs/mod.rs", "let a = \"TODO\"; #[expect(x, reason = \"y\")]", words), 0);
    }

    #[test]
    fn long_sleeps_in_tests_are_found() {
        let inside = |text: &str| format!("fn f() {{}}\n#[cfg(test)]\nmod tests {{ async fn g() {{ {text} }} }}");
        for text in [
            "tokio::time::sleep(Duration::from_secs(4)).await;",
            "sleep(Duration::from_millis(201)).await;",
            "std::thread::sleep(std::time::Duration::from_millis(1_000));",
        ] {
            assert_eq!(complaints("http/tests/api/streams.rs", text, naps), 1, "{text}");
            assert_eq!(complaints("core/src/mail/mod.rs", &inside(text), naps), 1, "{text}");
            assert_eq!(complaints("core/src/mail/mod.rs", text, naps), 0, "{text}: no test");
        }
        for text in ["sleep(Duration::from_millis(200)).await;", "sleep(pause).await; f(Duration::from_secs(9));"] {
            assert_eq!(complaints("http/tests/api/streams.rs", text, naps), 0, "{text}");
        }
    }

    #[test]
    fn long_files_and_rooms_are_found() {
        assert_eq!(complaints("http/src/lib.rs", &"\n".repeat(450), length), 1);
        assert_eq!(complaints("http/src/lib.rs", &"\n".repeat(449), length), 0);
        let files = |paths: &[(&str, usize)]| -> Vec<Source> {
            paths.iter().map(|(path, lines)| Source::read(path, &"\n".repeat(*lines))).collect()
        };
        let room = [("core/src/jobs/mod.rs", 1000), ("core/src/jobs/store/mod.rs", 1000)];
        for more in ["core/src/jobs/submit.rs", "core/src/jobs/tests/mod.rs", "core/src/jobs/tests/queue/mod.rs"] {
            assert_eq!(size(&files(&[room[0], room[1], (more, 500)])).len(), 0, "{more}");
            assert_eq!(size(&files(&[room[0], room[1], (more, 501)])).len(), 1, "{more}");
        }
        let inside = [("core/src/jobs/queue/mod.rs", 400), ("core/src/jobs/queue/store.rs", 300)];
        assert_eq!(size(&files(&[room[0], room[1], inside[0], inside[1]])).len(), 0, "a sub-room is counted by itself");
        let large = files(&[room[0], room[1], inside[0], ("core/src/jobs/queue/tests/mod.rs", 2101)]);
        let found = size(&large);
        assert!(found.len() == 1 && found[0].starts_with("core/src/jobs/queue: "), "{found:?}");
    }
}
