//! Finds circular dependencies between files.

use std::collections::{BTreeMap, BTreeSet};

use super::rules::paths;
use super::source::Source;

/// A module's path below the crate; empty for the crate itself.
type Module = Vec<String>;

/// One complaint per circle of files in the core. The crate's root, which holds the shared context, and tests are
/// skipped.
pub fn circles(sources: &[Source]) -> Vec<String> {
    let files = Files::of(sources);
    let needs: BTreeMap<&Module, BTreeSet<Module>> =
        files.0.iter().map(|(module, file)| (module, files.needs(module, file))).collect();
    let reach: BTreeMap<&Module, BTreeSet<&Module>> =
        needs.keys().map(|module| (*module, reached(module, &needs))).collect();
    let mut told = BTreeSet::new();
    let mut complaints = Vec::new();
    for (module, reached) in &reach {
        let circle: Vec<&Module> = reached.iter().copied().filter(|other| reach[*other].contains(module)).collect();
        if circle.is_empty() || !told.insert(circle.clone()) {
            continue;
        }
        let inside = circle.iter().flat_map(|from| {
            let to = needs[*from].iter().filter(|to| circle.contains(to));
            to.map(|to| format!("{} needs {}", from.join("::"), to.join("::")))
        });
        complaints.push(inside.collect::<Vec<_>>().join(", "));
    }
    complaints
}

fn reached<'a>(from: &Module, needs: &'a BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut left: Vec<&Module> = needs[from].iter().collect();
    while let Some(next) = left.pop() {
        if found.insert(next) {
            left.extend(&needs[next]);
        }
    }
    found
}

/// A file's imports, its re-exports by name, and its other code.
struct File {
    imports: Vec<Module>,
    exports: BTreeMap<String, Module>,
    body: String,
}

struct Files(BTreeMap<Module, File>);

impl Files {
    fn of(sources: &[Source]) -> Self {
        let live = sources.iter().filter(|source| !source.live.is_empty() && !source.path.contains("factory"));
        let named = live.filter_map(|source| Some((module(&source.path)?, read(&source.live))));
        Self(named.filter(|(module, _)| !module.starts_with(&["testing".to_owned()])).collect())
    }

    /// The modules that `module` uses, by imports or paths.
    fn needs(&self, module: &Module, file: &File) -> BTreeSet<Module> {
        let mut found = BTreeSet::new();
        let in_code = |start: &str| {
            let found = paths(&file.body, &format!("{start}::"));
            found.into_iter().map(|path| [vec![start.to_owned()], path].concat()).collect::<Vec<Module>>()
        };
        let in_code = [in_code("crate"), in_code("super")].concat();
        // Modules that can be named by their last segment: imported ones and children.
        let mut near: BTreeMap<&String, Module> = BTreeMap::new();
        for below in self.0.keys().filter(|other| other.len() == module.len() + 1 && other.starts_with(module)) {
            near.extend(below.last().map(|name| (name, below.clone())));
        }
        for path in file.imports.iter().chain(&in_code) {
            let Some(whole) = self.whole(module, path) else { continue };
            if self.0.contains_key(&whole) {
                near.extend(path.last().filter(|name| *name != "super").map(|name| (name, whole)));
            } else {
                found.extend(self.home(whole));
            }
        }
        for (name, near) in &near {
            let named = paths(&file.body, &format!("{name}::"));
            found.extend(named.into_iter().filter_map(|path| self.home([near.clone(), path[..1].to_vec()].concat())));
        }
        found.remove(module);
        found.retain(|other| !other.is_empty());
        found
    }

    /// The path from the crate's root; `None` for a path into another crate.
    fn whole(&self, module: &Module, path: &Module) -> Option<Module> {
        let ups = path.iter().take_while(|segment| *segment == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module, &path[1..]].concat()),
            "super" => Some([&module[..module.len().checked_sub(ups)?], &path[ups..]].concat()),
            _ => {
                let below = [&module[..], &path[..1]].concat();
                self.0.contains_key(&below).then(|| [&module[..], path].concat())
            }
        }
    }

    /// The module that defines an item, through re-exports.
    fn home(&self, mut path: Module) -> Option<Module> {
        for _ in 0..5 {
            let module = (0..=path.len()).rev().map(|end| path[..end].to_vec()).find(|at| self.0.contains_key(at))?;
            let exported = path.get(module.len()).and_then(|name| self.0[&module].exports.get(name));
            match exported.and_then(|exported| self.whole(&module, exported)) {
                Some(next) if next != path => path = next,
                _ => return Some(module),
            }
        }
        None
    }
}

fn module(path: &str) -> Option<Module> {
    let name = path.strip_prefix("core/src/")?.strip_suffix(".rs")?;
    let name = name.strip_suffix("/mod").unwrap_or(name);
    Some(if name == "lib" { Vec::new() } else { name.split('/').map(str::to_owned).collect() })
}

fn read(code: &str) -> File {
    let mut file = File { imports: Vec::new(), exports: BTreeMap::new(), body: String::new() };
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let before = &rest[..at];
        let begins = before.is_empty() || before.ends_with(char::is_whitespace);
        let Some(end) = rest[at..].find(';').filter(|_| begins) else {
            let (word, after) = rest.split_at(at + 4);
            file.body.push_str(word);
            rest = after;
            continue;
        };
        let said = rest[at + 4..at + end].trim_start();
        let led = paths(&format!("use::{said}"), "use::");
        let is_public = before.trim_end().ends_with("pub") || before.trim_end().ends_with(')');
        match is_public {
            true => file.exports.extend(led.into_iter().filter_map(|path| Some((path.last()?.clone(), path)))),
            false => file.imports.extend(led),
        }
        file.body.push_str(before);
        rest = &rest[at + end + 1..];
    }
    file.body.push_str(rest);
    file
}

mod can_fail {
    use super::*;

    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> = files.iter().map(|(path, text)| Source::read(path, text)).collect();
        circles(&sources)
    }

    #[test]
    fn circle_of_two_files_is_found() {
        let row = "pub struct Row;";
        let store = ("core/src/jobs/store.rs", "use super::Job;\npub fn find() -> Job {}");
        assert_eq!(
            told(&[("core/src/jobs/mod.rs", "mod store;\npub struct Job;\nfn f() { store::find(); }"), store]),
            ["jobs needs jobs::store, jobs::store needs jobs"]
        );
        let front = "mod job;\nmod store;\npub use job::Job;\nfn f() { store::find(); }";
        assert_eq!(told(&[("core/src/jobs/mod.rs", front), ("core/src/jobs/job.rs", row), store]), [""; 0]);
    }

    #[test]
    fn longer_circles_and_paths_in_code_are_found() {
        let files = [
            ("core/src/a.rs", "use crate::b;\nfn f() { b::g(); }"),
            ("core/src/b.rs", "pub fn g() { crate::c::h(); }"),
            ("core/src/c.rs", "use super::a::{f as first};\npub fn h() { f(); }"),
            ("core/src/d.rs", "use crate::a::f;"),
        ];
        assert_eq!(told(&files), ["a needs b, b needs c, c needs a"]);
        assert_eq!(told(&files[..2]), [""; 0]);
    }
}
