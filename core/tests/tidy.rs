//! The house rules that a compiler does not know: which way imports run, where SQL, the clock and the environment are
//! at home, and what is never written. A change of a list in this file is a change of the design: give the reason.

#[path = "tidy/circles.rs"]
mod circles;
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

/// Rooms, lowest first: a room calls only those before it. `mail` stands below `users`, because signing up and lost
/// passwords send some; it knows addresses and letters, and nobody who reads them. `notifications` stands below what
/// people post: posts tell their authors what happens to them. `visits` counts for all posts and tells of milestones; the
/// counts are the posts'. `audit` stands below everybody, because every room that admins act in writes to it;
/// `moderation` stands above all that can be reported. `sitemap` reads a view of what several rooms have published.
/// `account_deletion` concerns every room: it is what is left when a person goes for good. `upkeep` stands last, and begins
/// what every room wants to have looked after. `videos` needs files for its
/// previews, and nothing else that is posted here.
const ROOMS: [&str; 22] = [
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
    "gallery",
    "comments",
    "fleet",
    "jobs",
    "videos",
    "moderation",
    "stats",
    "sitemap",
    "account_deletion",
    "upkeep",
];

/// Every crate, tests with it.
const WHOLE: [&str; 7] = ["pixels", "agent", "core", "workers", "http", "scripted", "load-tests"];

/// What stands below all rooms and calls none of them. `outbound` is the one way to addresses that strangers choose,
/// for whichever room needs one; `language` is what people and the mail to them have in common; `names` says for every
/// room what may not stand in a name; `filter` and `periods` are what the generic calls of all rooms count and cut by;
/// `word_list` writes the closed lists of words that rooms have.
const GROUND: [&str; 19] = [
    "cache",
    "caller",
    "clock",
    "cursor",
    "database",
    "error",
    "filter",
    "html",
    "ids",
    "language",
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

/// Which room owns the tables of a migration: its file is `NNNN_room.sql` or `NNNN_room_what.sql`. What the ground keeps is
/// of no room.
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

/// The room of a migration, and whether its name says the room alone.
fn room_of(migration: &Path) -> (&'static str, bool) {
    let name = migration.file_stem().and_then(|name| name.to_str()).expect("a migration's name");
    let rest = name.split_once('_').expect("NNNN_room").1;
    let room = ROOMS
        .into_iter()
        .chain(GROUND)
        .filter(|room| rest == *room || rest.starts_with(&format!("{room}_")))
        .max_by_key(|room| room.len())
        .unwrap_or_else(|| panic!("{name} does not say which room it is of"));
    (room, rest == room)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// All files below a folder with this extension, in a fixed order.
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

/// The Rust sources of a crate's folder, named from the workspace's root.
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
fn imports_run_down_the_list_of_rooms_and_only_through_their_fronts() {
    none(
        ["agent/src", "core/src", "workers/src", "http/src"]
            .into_iter()
            .flat_map(sources)
            .flat_map(|source| imports(&source))
            .collect(),
    );
}

#[test]
fn no_files_of_the_core_need_each_other() {
    none(circles::circles(&sources("core/src")));
}

#[test]
fn every_code_of_an_error_is_said_somewhere() {
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
    assert!(silent.is_empty(), "nothing answers {silent:?}");
    assert!(!says("Code::NotFoundAnywhere", "Code::NotFound"), "the word must end");
}

/// Whether code has this name, and not a longer one.
fn says(live: &str, name: &str) -> bool {
    live.match_indices(name).any(|(at, _)| !live[at + name.len()..].starts_with(char::is_alphanumeric))
}

#[test]
fn the_picture_of_the_rooms_is_true() {
    const MARKS: [&str; 2] = ["<!-- rooms -->\n", "<!-- /rooms -->"];
    let path = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&path).expect("a page about how it is built");
    let [before, rest] = text.splitn(2, MARKS[0]).collect::<Vec<_>>()[..] else { panic!("no mark {}", MARKS[0]) };
    let (drawn, after) = rest.split_once(MARKS[1]).expect("the end of the picture");
    let drawing = format!("\n{}\n", picture::draw(&sources("core/src")));
    if std::env::var_os("VERDIGRAPH_DRAW").is_some() {
        std::fs::write(&path, [before, MARKS[0], &drawing, MARKS[1], after].concat())
            .expect("a page that can be written");
        return;
    }
    assert!(drawn == drawing, "the rooms have changed: ARCHITECTURE.md says how they are drawn again\n{drawing}");
}

#[test]
fn sql_is_at_home_in_the_store_of_the_room_that_owns_the_table() {
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
fn every_file_can_be_read_in_one_go() {
    none(WHOLE.into_iter().flat_map(sources).flat_map(|source| length(&source)).collect());
}

#[test]
fn no_test_sleeps_for_long() {
    none(WHOLE.into_iter().flat_map(sources).flat_map(|source| naps(&source)).collect());
}

#[test]
fn a_room_that_is_too_long_for_that_has_sub_rooms() {
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
fn every_folder_of_the_core_stands_in_a_list() {
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
fn a_room_begins_with_one_migration_of_its_name_and_later_ones_say_what() {
    let mut begun = Vec::new();
    for file in files(&root().join("core/migrations"), "sql") {
        let (room, is_first) = room_of(&file);
        assert_ne!(begun.contains(&room), is_first, "{}: {room} begins with NNNN_{room}.sql alone", file.display());
        if is_first {
            begun.push(room);
        }
    }
}
