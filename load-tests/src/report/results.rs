//! `RESULTS.md`: one section per scenario, replaced by its next run.

use std::path::Path;

use super::{Report, machine, plot};
use crate::error::{Error, Result};

const INTRODUCTION: &str = "# Results

Each section is written by `cargo run --release -p verdigraph-load -- <scenario>` and replaced by its next run. The
generator, the server, its database and the workers share one machine.
";

/// Stores the report in `RESULTS.md`, and its plot beside it.
pub fn store(report: &Report) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = folder.join("RESULTS.md");
    let known = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => INTRODUCTION.to_owned(),
        Err(error) => return Err(Error::doing(&file.display().to_string())(error)),
    };
    let mut section = format!("{}\n\n{}", machine::line(), report.body());
    if !report.panels.is_empty() {
        let name = format!("plots/{}.svg", report.scenario);
        let plots = folder.join("plots");
        let place = folder.join(&name);
        let svg = plot::svg(report.scenario, &report.panels);
        let written = std::fs::create_dir_all(plots).and_then(|()| std::fs::write(&place, svg));
        written.map_err(Error::doing(&place.display().to_string()))?;
        section.push_str(&format!("\n![{}]({name})\n", report.scenario));
    }
    let text = with_section(&known, report.scenario, &section);
    std::fs::write(&file, text).map_err(Error::doing(&file.display().to_string()))?;
    println!("kept in {}", file.display());
    Ok(())
}

/// Replaces or adds the section of this name. Sections are sorted by name.
fn with_section(text: &str, name: &str, section: &str) -> String {
    let mut pieces = text.split("\n## ");
    let introduction = pieces.next().unwrap_or_default().trim_end();
    let mut sections: Vec<(String, String)> = pieces
        .filter_map(|piece| piece.split_once('\n'))
        .map(|(heading, body)| (heading.trim().to_owned(), body.trim().to_owned()))
        .filter(|(heading, _)| heading != name)
        .collect();
    sections.push((name.to_owned(), section.trim().to_owned()));
    sections.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut text = format!("{introduction}\n");
    for (heading, body) in sections {
        text.push_str(&format!("\n## {heading}\n\n{body}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_replaces_only_its_own_section() {
        let first = with_section(INTRODUCTION, "submit", "one\n\n| a |");
        let second = with_section(&first, "floor", "two");
        let third = with_section(&second, "submit", "three");
        assert_eq!(third, format!("{}\n\n## floor\n\ntwo\n\n## submit\n\nthree\n", INTRODUCTION.trim_end()));
        assert_eq!(with_section(&third, "submit", "three"), third, "the same run again changes nothing");
    }
}
