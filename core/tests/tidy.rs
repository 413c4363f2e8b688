//! House rules that the compiler does not check: direction of imports, places of SQL, clock and environment, and
//! forbidden words. A change of a list in this file is a design change: give the reason.

#[path = "tidy/circles.rs"]
mod circles;
#[path = "tidy/language.rs"]
mod language;
#[path = "tidy/picture.rs"]
mod picture;
#[path = "tidy/rules.rs"]
mod rules;
#[path = "tidy/source.rs"]
mod source;

use std::path::{Path, PathBuf};

use rules::{Tables, clock, environment, imports, length, naps, size, sql, words};
use source::Source;
use verdigraph_core::Code;

/// Rooms, lowest first: a room calls only earlier ones. `mail` is below `users`, because sign-up and lost passwords
/// send mail; it knows addresses and texts, but no users. `notifications` is below posts, which notify their authors.
/// `visits` counts for all posts and notifies of milestones; the counters belong to the posts. `audit` is at the
/// bottom, because every room with admin actions writes to it. `moderation` is above everything that can be reported.
/// `sitemap` reads a view of several rooms. `account_deletion` concerns every room. `upkeep` is last and runs every
/// room's tasks. `videos` needs files for its previews and no other posts. `editor` offers what the workers of `fleet`
/// have; `requirements` names what they lack. `generators` makes mini apps of them and has `jobs` check each. `billing`
/// gives credits and plans.
const ROOMS: [&str; 26] = [
    "graph",
    "audit",
    "mail",
    "users",
    "ledger",
    "events",
    "assets",
    "notifications",
    "visits",
    "workflows",
    "mini_apps",
    "webhooks",
    "billing",
    "gallery",
    "comments",
    "fleet",
    "editor",
    "requirements",
    "jobs",
    "generators",
    "videos",
    "moderation",
    "stats",
    "sitemap",
    "account_deletion",
    "upkeep",
];

/// Every crate, including tests.
const WHOLE: [&str; 7] = ["pixels", "agent", "core", "workers", "http", "scripted", "load-tests"];

/// Modules below all rooms; they call no room. `outbound` makes all requests to URLs that users choose; `language` is
/// shared by pages and mail; `names` has the rules for names; `filter`, `list` and `periods` are shared by all lists;
/// `word_list` defines enums with names.
const GROUND: [&str; 19] = [
    "cache",
    "caller",
    "clock",
    "database",
    "error",
    "filter",
    "html",
    "ids",
    "language",
    "list",
    "metrics",
    "names",
    "outbound",
    "periods",
    "settings",
    "shared",
    "supervision",
    "testing",
    "word_list",
];

/// The room of each table, by the migration that creates it: `NNNN_room.sql` or `NNNN_room_what.sql`. Tables of ground
/// modules belong to no room.
fn tables() -> Tables {
    let mut tables = Tables::default();
    for file in files(&root().join("core/migrations"), "sql") {
        let (room, _) = room_of(&file);
        if GROUND.contains(&room) {
            continue;
        }
        tables.learn(room, &std::fs::read_to_string(&file).expect("a migration"));
    }
    tables
}

/// The room of a migration, and whether it is the room's first.
fn room_of(migration: &Path) -> (&'static str, bool) {
    let name = migration.file_stem().and_then(|name| name.to_str()).expect("a migration's name");
    let rest = name.split_once('_').expect("NNNN_room").1;
    let room = ROOMS
        .into_iter()
        .chain(GROUND)
        .filter(|room| rest == *room || rest.starts_with(&format!("{room}_")))
        .max_by_key(|room| room.len())
        .unwrap_or_else(|| panic!("{name} does not name a room"));
    (room, rest == room)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// All files below a folder with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The Rust sources of a crate's folder, with paths relative to the workspace.
fn sources(folder: &str) -> Vec<Source> {
    let root = root();
    let found: Vec<Source> = files(&root.join(folder), "rs")
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).expect("a path in the workspace").display().to_string();
            Source::read(&name, &std::fs::read_to_string(&path).expect("a source"))
        })
        .collect();
    assert!(!found.is_empty(), "{folder} has no sources");
    found
}

fn none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn imports_run_down_the_list_of_rooms_through_mod_rs() {
    none(
        ["agent/src", "core/src", "workers/src", "http/src"]
            .into_iter()
            .flat_map(sources)
            .flat_map(|source| imports(&source))
            .collect(),
    );
}

#[test]
fn files_of_the_core_have_no_circles() {
    none(circles::circles(&sources("core/src")));
}

#[test]
fn every_error_code_is_used() {
    let said: Vec<Source> = ["core/src", "http/src"].into_iter().flat_map(sources).collect();
    let (errors, said): (Vec<Source>, Vec<Source>) =
        said.into_iter().partition(|source| source.path.starts_with("core/src/error/"));
    let mapped = errors.iter().find_map(|source| source.live.split_once("pub fn code(&self)")?.1.split_once("pub fn"));
    let arms: Vec<&str> = mapped.expect("the codes of errors").0.split(",\n").collect();
    let is_said = |code: &Code| {
        let code = format!("Code::{code:?}");
        let arms = arms.iter().filter(|arm| says(arm, &code));
        let variants: Vec<&str> = arms
            .flat_map(|arm| arm.split("Self::").skip(1))
            .map(|rest| &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())])
            .collect();
        said.iter().any(|source| {
            let is_made = |own: &str| variants.iter().any(|variant| says(&source.live, &format!("{own}::{variant}")));
            says(&source.live, &code) || is_made("Error") || (source.live.contains(" for Error {") && is_made("Self"))
        })
    };
    let silent: Vec<&str> = Code::ALL.iter().filter(|code| !is_said(code)).map(|code| code.name()).collect();
    assert!(silent.is_empty(), "no route serves {silent:?}");
    assert!(!says("Code::NotFoundAnywhere", "Code::NotFound"), "the word must end");
}

/// Whether code contains this name as a whole word.
fn says(live: &str, name: &str) -> bool {
    live.match_indices(name).any(|(at, _)| !live[at + name.len()..].starts_with(char::is_alphanumeric))
}

#[test]
fn picture_of_the_rooms_is_current() {
    const MARKS: [&str; 2] = ["<!-- rooms -->\n", "<!-- /rooms -->"];
    let path = root().join("docs/architecture.md");
    let text = std::fs::read_to_string(&path).expect("a page about how it is built");
    let [before, rest] = text.splitn(2, MARKS[0]).collect::<Vec<_>>()[..] else { panic!("no mark {}", MARKS[0]) };
    let (drawn, after) = rest.split_once(MARKS[1]).expect("the end of the picture");
    let drawing = format!("\n{}\n", picture::draw(&sources("core/src")));
    if std::env::var_os("VERDIGRAPH_DRAW").is_some() {
        std::fs::write(&path, [before, MARKS[0], &drawing, MARKS[1], after].concat())
            .expect("a page that can be written");
        return;
    }
    assert!(drawn == drawing, "the rooms have changed: draw them again as docs/architecture.md says\n{drawing}");
}

#[test]
fn sql_is_in_the_store_of_the_tables_room() {
    let tables = tables();
    none(
        ["core/src", "workers/src", "http/src"]
            .into_iter()
            .flat_map(sources)
            .flat_map(|source| sql(&source, &tables))
            .collect(),
    );
}

#[test]
fn only_the_clock_reads_the_clock() {
    none(
        ["core/src", "workers/src", "http/src"]
            .into_iter()
            .flat_map(sources)
            .flat_map(|source| clock(&source))
            .collect(),
    );
}

#[test]
fn only_the_settings_read_the_environment() {
    none(["core/src", "workers/src"].into_iter().flat_map(sources).flat_map(|source| environment(&source)).collect());
}

#[test]
fn files_are_short() {
    none(WHOLE.into_iter().flat_map(sources).flat_map(|source| length(&source)).collect());
}

#[test]
fn no_test_sleeps_for_long() {
    none(WHOLE.into_iter().flat_map(sources).flat_map(|source| naps(&source)).collect());
}

#[test]
fn rooms_are_short_or_have_sub_rooms() {
    none(size(&sources("core/src")));
}

#[test]
fn nothing_is_silenced_or_left_for_later() {
    none(
        WHOLE
            .into_iter()
            .flat_map(|folder| sources(&format!("{folder}/src")))
            .flat_map(|source| words(&source))
            .collect(),
    );
}

#[test]
fn every_module_of_the_core_is_listed() {
    for entry in std::fs::read_dir(root().join("core/src")).expect("the core") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let listed = ROOMS.contains(&name.as_str()) || GROUND.contains(&name.as_str()) || name == "lib";
        assert!(listed, "core/src/{name} is in neither list of this file");
    }
}

#[test]
fn migrations_are_numbered_once_each() {
    let names: Vec<String> = files(&root().join("core/migrations"), "sql")
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.split_once('_')?.0.to_owned()))
        .collect();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1], "two migrations have this number");
    }
    assert!(names.iter().all(|number| number.len() == 4), "{names:?}");
}

#[test]
fn first_migration_of_a_room_has_its_name_alone() {
    let mut begun = Vec::new();
    for file in files(&root().join("core/migrations"), "sql") {
        let (room, is_first) = room_of(&file);
        assert_ne!(begun.contains(&room), is_first, "{}: {room} begins with NNNN_{room}.sql alone", file.display());
        if is_first {
            begun.push(room);
        }
    }
}

/// Folders of everything that is written for readers of the sources. Migrations and recorded data do not change.
const WRITTEN: [&str; 13] = [
    "agent",
    "config",
    "core",
    "docs",
    "http",
    "load-tests",
    "packaging",
    "pixels",
    "scripted",
    "scripts",
    "web/e2e",
    "web/src",
    "workers",
];

/// Words in all sources that hide their subject. The limit only falls.
const MAX_UNCLEAR_WORDS: usize = 40;

#[test]
fn comments_name_their_subject() {
    let mut counts: Vec<(usize, String)> = ["rs", "ts", "tsx", "css", "mjs", "sh", "md", "toml"]
        .into_iter()
        .flat_map(|extension| WRITTEN.into_iter().flat_map(move |folder| files(&root().join(folder), extension)))
        .filter(|path| !path.ends_with("tidy/language.rs"))
        .map(|path| (language::unclear(&std::fs::read_to_string(&path).expect("a source")), path.display().to_string()))
        .filter(|(count, _)| *count > 0)
        .collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let all: usize = counts.iter().map(|(count, _)| count).sum();
    assert!(all <= MAX_UNCLEAR_WORDS, "{all} words hide their subject, at most {MAX_UNCLEAR_WORDS} may:\n{counts:#?}");
}

#[test]
fn no_two_public_types_of_the_core_share_a_name() {
    none(language::homonyms(&sources("core/src")));
}

#[test]
fn no_type_has_a_retired_name() {
    none(WHOLE.into_iter().flat_map(sources).flat_map(|source| language::retired(&source)).collect());
}
