//! A parser of server-sent events, as far as job streams use them.

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub id: Option<String>,
    pub name: String,
    pub data: String,
}

/// Collects bytes and returns whole events; chunks may be cut anywhere.
#[derive(Debug, Default)]
pub struct Parser {
    buffer: Vec<u8>,
    id: Option<String>,
    name: String,
    data: Vec<String>,
}

impl Parser {
    /// Adds bytes and returns the events completed by them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        self.buffer.extend_from_slice(bytes);
        let mut events = Vec::new();
        while let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.buffer.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            events.extend(self.line(line.trim_end_matches(['\n', '\r'])));
        }
        events
    }

    fn line(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let (id, name, data) = (self.id.take(), std::mem::take(&mut self.name), std::mem::take(&mut self.data));
            let name = if name.is_empty() { "message".to_owned() } else { name };
            return (!data.is_empty()).then(|| Event { id, name, data: data.join("\n") });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => self.id = Some(value.to_owned()),
            "event" => self.name = value.to_owned(),
            "data" => self.data.push(value.to_owned()),
            // A comment (heartbeat), `retry`, or an unknown field.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "retry: 2000\n\n: heartbeat\n\nid: 1\nevent: status\ndata: {\"status\":\n data\ndata: \"Done\"}\r\n\r\nevent: outputs\ndata: []\n\n";

    #[test]
    fn chunk_boundaries_do_not_change_events() {
        let whole = Parser::default().push(STREAM.as_bytes());
        assert_eq!(whole.len(), 2, "comments and retry are no events: {whole:?}");
        assert_eq!(whole[0].id.as_deref(), Some("1"));
        assert_eq!(whole[0].data, "{\"status\":\n\"Done\"}");
        for cut in 0..STREAM.len() {
            let mut parser = Parser::default();
            let mut events = parser.push(&STREAM.as_bytes()[..cut]);
            events.extend(parser.push(&STREAM.as_bytes()[cut..]));
            assert_eq!(events, whole, "cut at {cut}");
        }
    }
}
