//! The report of a scenario: tables, bars that were met or missed, a plot. Printed, and stored in `RESULTS.md`.

mod machine;
mod plot;
mod results;

use std::fmt::Write as _;
use std::process::ExitCode;

pub use plot::{Panel, Series};

use crate::error::Result;

/// Whether a report is stored in `RESULTS.md` and `plots/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    Stored,
    /// For quick runs, and runs against an existing server.
    PrintedOnly,
}

/// The result of a scenario.
#[derive(Debug, Default)]
pub struct Report {
    /// The scenario's command-line name, which is also the name of the section and the plot.
    pub scenario: &'static str,
    /// One sentence about what was done.
    pub what: String,
    pub tables: Vec<Table>,
    pub bars: Vec<Bar>,
    /// Remarks on the figures.
    pub notes: Vec<String>,
    pub panels: Vec<Panel>,
}

#[derive(Debug, Default)]
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// A requirement and whether it was met.
#[derive(Debug)]
pub struct Bar {
    pub what: String,
    pub demanded: String,
    pub measured: String,
    pub met: bool,
}

impl Table {
    pub fn new(columns: &[&str]) -> Self {
        Self { columns: columns.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Markdown with aligned columns, readable as plain text.
    fn markdown(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column)).chain(self.columns.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &[String]| {
            let mut line = String::from("|");
            for (index, width) in widths.iter().enumerate() {
                let cell = cells.get(index).map_or("", String::as_str);
                let padding = width.saturating_sub(cell.chars().count());
                // The first column is left-aligned, figures are right-aligned.
                let (left, right) = if index == 0 { (0, padding) } else { (padding, 0) };
                let _infallible = write!(line, " {}{cell}{} |", " ".repeat(left), " ".repeat(right));
            }
            line
        };
        let rule: Vec<String> = widths
            .iter()
            .enumerate()
            .map(|(index, width)| {
                let dashes = "-".repeat((*width).max(2) - 1);
                if index == 0 { format!("{dashes}-") } else { format!("{dashes}:") }
            })
            .collect();
        let mut text = format!(
            "{}\n|{}|\n",
            line(&self.columns),
            rule.iter().map(|cell| format!(" {cell} ")).collect::<Vec<_>>().join("|")
        );
        for row in &self.rows {
            let _infallible = writeln!(text, "{}", line(row));
        }
        text
    }
}

impl Bar {
    /// A figure that must be at least `least`.
    pub fn at_least(what: impl Into<String>, measured: f64, least: f64, unit: &str) -> Self {
        let met = measured >= least;
        Self {
            what: what.into(),
            demanded: format!("≥ {}{unit}", short(least)),
            measured: format!("{}{unit}", short(measured)),
            met,
        }
    }

    /// A figure that must be below `limit`.
    pub fn below(what: impl Into<String>, measured: f64, limit: f64, unit: &str) -> Self {
        let met = measured < limit;
        Self {
            what: what.into(),
            demanded: format!("< {}{unit}", short(limit)),
            measured: format!("{}{unit}", short(measured)),
            met,
        }
    }

    /// Counts that must be equal.
    pub fn equal(what: impl Into<String>, measured: u64, expected: u64) -> Self {
        Self {
            what: what.into(),
            demanded: format!("= {expected}"),
            measured: measured.to_string(),
            met: measured == expected,
        }
    }

    /// Any other requirement.
    pub fn holds(what: impl Into<String>, measured: impl Into<String>, met: bool) -> Self {
        Self { what: what.into(), demanded: "holds".to_owned(), measured: measured.into(), met }
    }
}

impl Report {
    pub fn new(scenario: &'static str, what: impl Into<String>) -> Self {
        Self { scenario, what: what.into(), ..Self::default() }
    }

    /// Adds bars on speed. They are only judged in runs that measure speed; otherwise they become notes, because
    /// machines may be busy and builds may be debug builds.
    pub fn judge_speed(&mut self, measures: bool, bars: impl IntoIterator<Item = Bar>) {
        if measures {
            self.bars.extend(bars);
        } else {
            let note = |bar: Bar| format!("not judged here: {}: {}, demanded {}", bar.what, bar.measured, bar.demanded);
            self.notes.extend(bars.into_iter().map(note));
        }
    }

    /// Prints the report, stores it if wanted, and returns failure if a bar was missed. The last lines name the missed bars,
    /// because only the end of a long log is shown.
    pub fn finish(self, output: Output) -> Result<ExitCode> {
        println!("\n{}", self.body());
        if output == Output::Stored {
            results::store(&self)?;
        }
        let missed = self.missed();
        for line in &missed {
            println!("{line}");
        }
        match missed.len() {
            0 => println!("{}: every bar was met", self.scenario),
            missed => println!("{}: {missed} of {} bars were missed", self.scenario, self.bars.len()),
        }
        Ok(if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// A line for each missed bar. The first word is known to `excerpt` in `scripts/checks.sh`.
    fn missed(&self) -> Vec<String> {
        let line = |bar: &Bar| format!("missed: {}: {}, demanded {}", bar.what, bar.measured, bar.demanded);
        self.bars.iter().filter(|bar| !bar.met).map(line).collect()
    }

    /// Everything below the heading, as Markdown.
    fn body(&self) -> String {
        let mut text = format!("{}\n\n", self.what);
        for table in &self.tables {
            let _infallible = writeln!(text, "{}", table.markdown());
        }
        if !self.bars.is_empty() {
            let mut bars = Table::new(&["bar", "demanded", "measured", "met"]);
            for bar in &self.bars {
                let met = if bar.met { "yes" } else { "**no**" };
                bars.row([bar.what.clone(), bar.demanded.clone(), bar.measured.clone(), met.to_owned()]);
            }
            let _infallible = writeln!(text, "{}", bars.markdown());
        }
        for note in &self.notes {
            let _infallible = writeln!(text, "- {note}");
        }
        text
    }
}

/// A figure with a suitable number of digits.
pub fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => group(value),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// An integer with grouped digits: `23,400`.
fn group(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 { format!("-{text}") } else { text }
}

/// The median; for an even number the lower of the two.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_bar_is_marked() {
        let mut report = Report::new("floor", "What the machine sets.");
        report.bars.push(Bar::at_least("ratio", 5.9, 6.0, "×"));
        report.bars.push(Bar::below("p99", 12.0, 60.0, " ms"));
        assert!(!report.bars[0].met && report.bars[1].met);
        let text = report.body();
        assert!(text.contains("| ratio |   ≥ 6.00× |    5.90× | **no** |"), "{text}");
        assert!(text.contains("| p99   | < 60.0 ms |  12.0 ms |    yes |"), "{text}");
        assert_eq!(report.missed(), ["missed: ratio: 5.90×, demanded ≥ 6.00×"]);
    }

    #[test]
    fn figures_are_short() {
        assert_eq!(
            [0.514, 12.34, 234.5, 23_400.4, 1_234_567.0].map(short),
            ["0.51", "12.3", "234", "23,400", "1,234,567"]
        );
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }
}
