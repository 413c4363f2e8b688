//! A simple Rust tokenizer: code without strings and comments, and the strings.

pub struct Source {
    /// From the workspace's root: `core/src/jobs/mod.rs`.
    pub path: String,
    /// The code without comments, with every string replaced by `""`.
    pub code: String,
    /// Like `code`, without the tests at the end of the file.
    pub live: String,
    pub strings: Vec<String>,
    pub comments: String,
    pub lines: usize,
}

impl Source {
    pub fn read(path: &str, text: &str) -> Self {
        let mut source = Self {
            path: path.to_owned(),
            code: String::new(),
            live: String::new(),
            strings: Vec::new(),
            comments: String::new(),
            lines: text.lines().count(),
        };
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < chars.len() {
            at = source.take(&chars, at);
        }
        let end = source.code.find("#[cfg(test)]\nmod tests {").unwrap_or(source.code.len());
        source.live = if path.contains("/tests") { String::new() } else { source.code[..end].to_owned() };
        source
    }

    /// Consumes the token at `at` and returns the next position.
    fn take(&mut self, chars: &[char], at: usize) -> usize {
        let begins = |word: &str| word.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c));
        if begins("//") {
            let end = (at..chars.len()).find(|&i| chars[i] == '\n').unwrap_or(chars.len());
            self.comments.extend(&chars[at..end]);
            self.comments.push('\n');
            return end;
        }
        if begins("/*") {
            let end =
                (at + 2..chars.len()).find(|&i| chars[i - 1] == '*' && chars[i] == '/').map_or(chars.len(), |i| i + 1);
            self.comments.extend(&chars[at..end]);
            return end;
        }
        if chars[at] == '"' {
            return self.string(chars, at + 1, None);
        }
        let word_before = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
        if chars[at] == 'r' && (!word_before || chars[at - 1] == 'b') {
            let hashes = (at + 1..chars.len()).take_while(|&i| chars[i] == '#').count();
            if chars.get(at + 1 + hashes) == Some(&'"') {
                return self.string(chars, at + 2 + hashes, Some(hashes));
            }
        }
        if chars[at] == '\'' {
            // A character literal, unless it is a lifetime.
            if chars.get(at + 1) == Some(&'\\') {
                let end = (at + 3..chars.len()).find(|&i| chars[i] == '\'').unwrap_or(chars.len());
                return end + 1;
            }
            if chars.get(at + 2) == Some(&'\'') {
                return at + 3;
            }
        }
        self.code.push(chars[at]);
        at + 1
    }

    /// Consumes a string that starts at `from`; `hashes` for a raw one.
    fn string(&mut self, chars: &[char], from: usize, hashes: Option<usize>) -> usize {
        let mut text = String::new();
        let mut at = from;
        while at < chars.len() {
            match (chars[at], hashes) {
                ('\\', None) => {
                    text.push(' ');
                    at += 1;
                }
                ('"', None) => break,
                ('"', Some(count)) if (1..=count).all(|i| chars.get(at + i) == Some(&'#')) => break,
                (other, _) => text.push(other),
            }
            at += 1;
        }
        self.strings.push(text);
        self.code.push_str("\"\"");
        at + 1 + hashes.unwrap_or(0)
    }

    /// The room or ground module of a file in the core.
    pub fn room(&self) -> Option<&str> {
        let rest = self.path.strip_prefix("core/src/")?;
        let name = rest.split('/').next()?;
        Some(name.strip_suffix(".rs").unwrap_or(name))
    }
}

#[test]
fn strings_and_comments_are_separated_from_code() {
    let source = Source::read(
        "core/src/x.rs",
        "let a = \"b // c\"; // d \"e\"\nlet f = r#\"g \"h\" \"#; let i: &'static str = '\"'; let k = \"\\\"l\"; /* m */ n",
    );
    assert_eq!(source.strings, ["b // c", "g \"h\" ", " l"]);
    assert_eq!(source.comments, "// d \"e\"\n/* m */");
    assert!(source.code.contains("&'static str") && source.code.ends_with(" n"), "{}", source.code);
}

#[test]
fn tests_at_the_end_of_a_file_are_not_live() {
    let source = Source::read("core/src/x.rs", "fn a() {}\n#[cfg(test)]\nmod tests { fn b() {} }");
    assert!(source.live.contains("fn a") && !source.live.contains("fn b") && source.code.contains("fn b"));
    let elsewhere = Source::read("core/src/x.rs", "#[cfg(test)]\nmod tests;\nfn d() {}");
    assert!(elsewhere.live.contains("fn d"), "code after `mod tests;` is live");
    assert_eq!(Source::read("core/src/x/tests.rs", "fn c() {}").live, "");
}
