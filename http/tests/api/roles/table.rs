//! Parses the table.

use reqwest::Method;

use super::ROLES;

/// One form of a request, and the responses for each role.
pub struct Row {
    /// The line in the file.
    pub line: usize,
    pub method: Method,
    /// The documented path with names of parameters.
    pub path: String,
    /// Values of parameters, and the query.
    with: Vec<(String, String)>,
    query: String,
    /// The response uses the caller up: a new user signs up for each request.
    pub is_consumed: bool,
    pub body: String,
    /// For each role, in order.
    pub expected: [u16; ROLES.len()],
}

impl Row {
    pub fn operation(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The path with its parameters and query, still with `$names`.
    pub fn address(&self) -> String {
        let filled = self.with.iter().fold(self.path.clone(), |path, (name, value)| {
            let place = format!("{{{name}}}");
            assert!(path.contains(&place), "line {}: the path has no {place}", self.line);
            path.replace(&place, value)
        });
        assert!(!filled.contains('{'), "line {}: {filled} has a parameter without a value", self.line);
        format!("{filled}{}", self.query)
    }
}

pub fn rows() -> Vec<Row> {
    let lines = include_str!("matrix.table").lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| row(number + 1, line)).collect()
}

fn row(line: usize, text: &str) -> Row {
    let mut columns = text.split(" | ").map(str::trim);
    let mut next = || columns.next().unwrap_or_else(|| panic!("line {line} has four columns: {text}"));
    let (operation, address, body, expected) = (next(), next(), next(), next());
    let (method, path) = operation.split_once(' ').unwrap_or_else(|| panic!("line {line}: METHOD /path"));
    let statuses: Vec<u16> = expected
        .split_whitespace()
        .map(|status| status.parse().unwrap_or_else(|_| panic!("line {line}: {status} is no status")))
        .collect();
    let mut row = Row {
        line,
        method: method.parse().expect("a method"),
        path: path.trim().to_owned(),
        with: Vec::new(),
        query: String::new(),
        is_consumed: false,
        body: if body == "-" { String::new() } else { body.to_owned() },
        expected: statuses.try_into().unwrap_or_else(|_| panic!("line {line}: one status for each of {ROLES:?}")),
    };
    for part in address.split_whitespace().filter(|part| *part != "-") {
        match part.split_once('=') {
            _ if part == "consumed" => row.is_consumed = true,
            _ if part.starts_with('?') => row.query = part.to_owned(),
            Some((name, value)) => row.with.push((name.to_owned(), value.to_owned())),
            None => panic!("line {line}: {part} is neither consumed, name=value nor ?query"),
        }
    }
    row
}
