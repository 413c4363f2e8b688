//! Reads ffprobe's output: displayed size and duration.

use std::time::Duration;

use serde::Deserialize;

use crate::assets::pictures::picture::Measures;

/// Displayed size and duration of a video; the orientation of its metadata is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::assets) struct Facts {
    pub width: u32,
    pub height: u32,
    /// If the file states it.
    pub duration_ms: Option<i64>,
}

#[derive(Deserialize)]
struct ProbeOutput {
    #[serde(default)]
    streams: Vec<Stream>,
    #[serde(default)]
    format: Length,
}

#[derive(Deserialize)]
struct Stream {
    width: u32,
    height: u32,
    #[serde(flatten)]
    length: Length,
    #[serde(default)]
    tags: Tags,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

#[derive(Default, Deserialize)]
struct Length {
    duration: Option<String>,
}

#[derive(Default, Deserialize)]
struct Tags {
    rotate: Option<String>,
}

#[derive(Deserialize)]
struct SideData {
    rotation: Option<f64>,
}

impl Facts {
    /// The measures to store: these, and the placeholder of the frame.
    pub fn with(self, frame: Measures) -> Option<Measures> {
        let (width, height) = (i32::try_from(self.width).ok()?, i32::try_from(self.height).ok()?);
        Some(Measures { width, height, duration_ms: self.duration_ms, pixels: None, ..frame })
    }

    pub(super) fn read(output: &[u8]) -> Result<Self, String> {
        let ProbeOutput { streams, format } = serde_json::from_slice(output).map_err(|error| error.to_string())?;
        let stream = streams.first().ok_or("it shows no pictures")?;
        let turned = stream.side_data_list.iter().find_map(|data| data.rotation);
        let turned = turned.or_else(|| stream.tags.rotate.as_ref()?.parse().ok()).unwrap_or(0.0);
        let (width, height) = match (turned / 90.0).round().rem_euclid(2.0) {
            quarter if quarter > 0.5 => (stream.height, stream.width),
            _ => (stream.width, stream.height),
        };
        if width == 0 || height == 0 {
            return Err("it has no size".to_owned());
        }
        // WebM states its duration for the whole file only.
        let seconds = [&stream.length, &format].into_iter().find_map(|length| length.duration.as_ref()?.parse().ok());
        Ok(Self { width, height, duration_ms: seconds.and_then(milliseconds) })
    }
}

/// The duration of a clean sound or video, if ffprobe reports it.
pub(super) fn length_ms(output: &[u8]) -> Result<Option<i64>, String> {
    let output: ProbeOutput = serde_json::from_slice(output).map_err(|error| error.to_string())?;
    Ok(output.format.duration.and_then(|length| length.parse().ok()).and_then(milliseconds))
}

/// Milliseconds, if plausible: up to a year.
fn milliseconds(seconds: f64) -> Option<i64> {
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|length| length.as_secs() < 31_536_000)?;
    i64::try_from(duration.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Facts, String> {
        Facts::read(text.as_bytes())
    }

    #[test]
    fn video_size_includes_its_orientation() {
        let plain = r#"{"streams": [{"width": 160, "height": 90, "duration": "1.500000"}], "format": {}}"#;
        assert_eq!(read(plain), Ok(Facts { width: 160, height: 90, duration_ms: Some(1500) }));
        for turn in [r#""side_data_list": [{"rotation": -90}]"#, r#""tags": {"rotate": "270"}"#] {
            let turned = format!(r#"{{"streams": [{{"width": 160, "height": 90, {turn}}}]}}"#);
            assert_eq!(read(&turned), Ok(Facts { width: 90, height: 160, duration_ms: None }), "{turn}");
        }
    }

    #[test]
    fn implausible_duration_is_ignored() {
        for length in ["N/A", "-1", "NaN", "inf", "1e300", "99999999999"] {
            let text = format!(r#"{{"streams": [{{"width": 2, "height": 2}}], "format": {{"duration": "{length}"}}}}"#);
            assert_eq!(read(&text).map(|facts| facts.duration_ms), Ok(None), "{length}");
        }
        assert!(read(r#"{"streams": []}"#).is_err(), "sound alone has no size");
        assert!(read(r#"{"streams": [{"width": 0, "height": 9}]}"#).is_err());
        assert!(read("").is_err());
    }
}
