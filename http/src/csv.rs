//! Lines of CSV files (RFC 4180) that are safe to open in a spreadsheet.

/// A line of cells. A cell that a spreadsheet would take for a formula begins with an apostrophe.
#[must_use]
pub fn line<const N: usize>(cells: [&str; N]) -> String {
    cells.map(cell).join(",") + "\r\n"
}

fn cell(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(line(["ABCD-1234", "", "ann@example.com"]), "ABCD-1234,,ann@example.com\r\n");
        assert_eq!(line(["a,b", "say \"x\"", "one\ntwo"]), "\"a,b\",\"say \"\"x\"\"\",\"one\ntwo\"\r\n");
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"] {
            assert_eq!(line([text]), format!("'{text}\r\n"));
        }
        assert_eq!(line(["=a,b"]), "\"'=a,b\"\r\n");
    }
}
