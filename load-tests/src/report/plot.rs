//! Plots as SVG: panels of lines or bars below each other.

use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const PANEL: f64 = 260.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 42.0;
const COLORS: [&str; 7] = ["#2f6f62", "#c2573a", "#4a6fa5", "#b08b2e", "#7a5195", "#5b8c3a", "#888888"];

/// One diagram.
#[derive(Debug, Clone)]
pub enum Panel {
    /// Curves with a common axis.
    Lines { title: String, x: String, y: String, series: Vec<Series> },
    /// Labelled bars.
    Bars { title: String, unit: String, bars: Vec<(String, f64)> },
}

/// One curve.
#[derive(Debug, Clone)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Renders the panels as one SVG.
pub fn svg(title: &str, panels: &[Panel]) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a handful of panels")]
    let height = 30.0 + PANEL * panels.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"22\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
        escaped(title)
    );
    let mut offset = 30.0;
    for panel in panels {
        let _infallible = writeln!(svg, "<g transform=\"translate(0 {offset})\">");
        match panel {
            Panel::Lines { title, x, y, series } => lines(&mut svg, title, (x, y), series),
            Panel::Bars { title, unit, bars } => amounts(&mut svg, title, unit, bars),
        }
        svg.push_str("</g>\n");
        offset += PANEL;
    }
    svg.push_str("</svg>\n");
    svg
}

fn lines(svg: &mut String, title: &str, (x, y): (&str, &str), series: &[Series]) {
    let points = || series.iter().flat_map(|series| series.points.iter().copied());
    let (x_low, x_high) = span(points().map(|(x, _)| x));
    let (_, y_high) = span(points().map(|(_, y)| y));
    let (y_low, y_high) = (0.0, nice(y_high));
    let place = |(x, y): (f64, f64)| {
        let right = LEFT + (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT);
        let down = PANEL - BOTTOM - (y - y_low) / (y_high - y_low) * (PANEL - TOP - BOTTOM);
        (right, down)
    };
    heading(svg, title);
    for step in 0..=4 {
        let value = y_high * f64::from(step) / 4.0;
        let (_, down) = place((x_low, value));
        grid(svg, down, &tick(value));
        let at = x_low + (x_high - x_low) * f64::from(step) / 4.0;
        let (right, _) = place((at, 0.0));
        let below = PANEL - BOTTOM + 16.0;
        let _infallible =
            writeln!(svg, "<text x=\"{right:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{}</text>", tick(at));
    }
    for (index, (series, color)) in series.iter().zip(COLORS.iter().cycle()).enumerate() {
        let path: Vec<String> = series
            .points
            .iter()
            .map(|point| {
                let (right, down) = place(*point);
                format!("{right:.1},{down:.1}")
            })
            .collect();
        let _infallible = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\" points=\"{}\"/>",
            path.join(" ")
        );
        #[expect(clippy::cast_precision_loss, reason = "a handful of curves")]
        let down = TOP + 8.0 + 18.0 * index as f64;
        let (mark, text) = (WIDTH - RIGHT + 12.0, WIDTH - RIGHT + 30.0);
        let _infallible = writeln!(
            svg,
            "<rect x=\"{mark}\" y=\"{down}\" width=\"12\" height=\"3\" fill=\"{color}\"/>\
             <text x=\"{text}\" y=\"{:.1}\">{}</text>",
            down + 6.0,
            escaped(&series.name)
        );
    }
    let _infallible = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{}</text>\
         <text x=\"{LEFT}\" y=\"{:.1}\" fill=\"#555\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        PANEL - 8.0,
        escaped(x),
        TOP - 8.0,
        escaped(y)
    );
}

fn amounts(svg: &mut String, title: &str, unit: &str, bars: &[(String, f64)]) {
    heading(svg, title);
    let (_, high) = span(bars.iter().map(|(_, value)| *value));
    #[expect(clippy::cast_precision_loss, reason = "a handful of bars")]
    let step = (PANEL - TOP - 20.0) / bars.len().max(1) as f64;
    let names = 220.0;
    for (index, ((name, value), color)) in bars.iter().zip(COLORS.iter().cycle()).enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a handful of bars")]
        let down = TOP + step * index as f64;
        let length = (value / high * (WIDTH - names - 130.0)).max(1.0);
        let middle = down + step * 0.35 + 4.0;
        let _infallible = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{middle:.1}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{names}\" y=\"{down:.1}\" width=\"{length:.1}\" height=\"{:.1}\" fill=\"{color}\"/>\
             <text x=\"{:.1}\" y=\"{middle:.1}\">{} {}</text>",
            names - 8.0,
            escaped(name),
            step * 0.7,
            names + length + 6.0,
            super::short(*value),
            escaped(unit)
        );
    }
}

fn heading(svg: &mut String, title: &str) {
    let _infallible = writeln!(svg, "<text x=\"12\" y=\"18\" font-weight=\"bold\">{}</text>", escaped(title));
}

fn grid(svg: &mut String, down: f64, label: &str) {
    let _infallible = writeln!(
        svg,
        "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{down:.1}\" y2=\"{down:.1}\" stroke=\"#dddddd\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
        WIDTH - RIGHT,
        LEFT - 6.0,
        down + 4.0
    );
}

/// The minimum and maximum of the values, which always differ.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    match (low.is_finite(), high > low) {
        (false, _) => (0.0, 1.0),
        (true, false) => (low, low + 1.0),
        (true, true) => (low, high),
    }
}

/// The next round number: 1, 2 or 5 times a power of ten.
fn nice(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|round| *round >= value).unwrap_or(value)
}

fn tick(value: f64) -> String {
    if value.abs() >= 100.0 || value.fract() == 0.0 { super::group(value) } else { format!("{value:.2}") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_inside_the_plot() {
        let series = vec![
            Series { name: "a<b".into(), points: vec![(0.0, 1.0), (10.0, 73.0)] },
            Series { name: "none".into(), points: Vec::new() },
        ];
        let panel = Panel::Lines { title: "t".into(), x: "s".into(), y: "ms".into(), series };
        let bars = Panel::Bars { title: "rates".into(), unit: "/s".into(), bars: vec![("one".into(), 0.0)] };
        let svg = svg("submit", &[panel, bars]);
        assert!(svg.contains("a&lt;b") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let curve = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a curve");
        assert_eq!(curve.split(' ').count(), 2);
        for point in curve.split(' ') {
            let (x, y) = point.split_once(',').expect("a point");
            let (x, y): (f64, f64) = (x.parse().expect("x"), y.parse().expect("y"));
            assert!((LEFT..=WIDTH - RIGHT).contains(&x) && (TOP..=PANEL - BOTTOM).contains(&y), "{point}");
        }
    }

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!([0.0, 7.3, 18.0, 240.0, 0.03].map(nice), [1.0, 10.0, 20.0, 250.0, 0.05]);
    }
}
