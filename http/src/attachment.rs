//! Names of files in responses.

use actix_web::http::header::HeaderValue;

/// `attachment` with a file name in both forms (RFC 6266): ASCII for old clients, and percent-encoded UTF-8.
#[must_use]
pub fn attachment(name: &str) -> HeaderValue {
    disposition("attachment", name)
}

/// As [`attachment`], for a file that browsers show instead of saving it.
#[must_use]
pub fn inline(name: &str) -> HeaderValue {
    disposition("inline", name)
}

fn disposition(kind: &'static str, name: &str) -> HeaderValue {
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let text = format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{}", encoded(name));
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(kind))
}

/// A name, percent-encoded for a path or for the value of a header's parameter.
#[must_use]
pub fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len() * 3);
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || " -_.()".contains(c)
}

#[cfg(test)]
mod tests {
    use super::attachment;

    #[test]
    fn file_name_is_escaped_in_the_header() {
        let text = |name: &str| attachment(name).to_str().map(str::to_owned).unwrap_or_default();
        assert_eq!(
            text("Copy of \"x\"; filename=evil/../a.json"),
            "attachment; filename=\"Copy of _x__ filename_evil_.._a.json\"; \
             filename*=UTF-8''Copy%20of%20%22x%22%3B%20filename%3Devil%2F..%2Fa.json"
        );
        assert_eq!(text("산.json"), "attachment; filename=\"_.json\"; filename*=UTF-8''%EC%82%B0.json");
        assert_eq!(text("a\r\nb"), "attachment; filename=\"a__b\"; filename*=UTF-8''a%0D%0Ab");
    }
}
