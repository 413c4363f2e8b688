//! Prometheus' text format, for values that are read on request.

use std::fmt::Write as _;

/// A text being written.
#[derive(Debug, Default)]
pub struct Exposition(String);

impl Exposition {
    /// Appends to `text`.
    pub fn after(text: String) -> Self {
        Self(text)
    }

    /// A gauge with one value for each set of labels; without values, nothing is written.
    pub fn gauge<'a>(&mut self, name: &str, help: &str, values: impl IntoIterator<Item = (Labels<'a>, f64)>) {
        self.family(name, help, "gauge", values);
    }

    /// A counter.
    pub fn counter<'a>(&mut self, name: &str, help: &str, values: impl IntoIterator<Item = (Labels<'a>, f64)>) {
        self.family(name, help, "counter", values);
    }

    /// The whole text.
    pub fn text(self) -> String {
        self.0
    }

    fn family<'a>(&mut self, name: &str, help: &str, form: &str, values: impl IntoIterator<Item = (Labels<'a>, f64)>) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_none() {
            return;
        }
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {form}"));
        for (Labels(labels), value) in values {
            let labels: Vec<String> =
                labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
            match labels.is_empty() {
                true => self.line(format_args!("{name} {value}")),
                false => self.line(format_args!("{name}{{{}}} {value}", labels.join(","))),
            }
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _infallible = writeln!(self.0, "{line}");
    }
}

/// Labels of a value.
#[derive(Debug, Default)]
pub struct Labels<'a>(pub Vec<(&'static str, &'a str)>);

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_is_escaped() {
        let mut text = Exposition::default();
        text.gauge("a", "what it is", [(Labels(vec![("pool", "x\"} 1\n\\")]), 2.5)]);
        assert_eq!(text.text(), "# HELP a what it is\n# TYPE a gauge\na{pool=\"x\\\"} 1\\n\\\\\"} 2.5\n");
    }

    #[test]
    fn family_without_values_is_left_out() {
        let mut text = Exposition::default();
        text.gauge("a", "what it is", []);
        assert_eq!(text.text(), "");
    }
}
