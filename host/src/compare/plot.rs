//! Line plots as SVG. Colours are left to the page, so that they follow its light or dark scheme,
//! and the drawing scales with the width it is given: it is as wide as a phone, so that its letters
//! are as large there as those of the text.

use std::fmt::Write as _;

/// One plot.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    /// What it shows.
    pub title: String,
    /// What is to the right; each step is a factor.
    pub x_label: String,
    /// What is up.
    pub y_label: String,
    /// Whether each step up is a factor.
    pub logarithmic: bool,
    /// A height that means something, such as that of an even match.
    pub mark: Option<f64>,
    /// Whether each point has its value beside it.
    pub values: bool,
    /// The lines.
    pub lines: Vec<Curve>,
}

/// One line of a plot.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// What it is.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
}

/// A point, and the ends of its error bar if they are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
    pub bar: Option<(f64, f64)>,
}

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 48.0;

/// Half the width of the end of an error bar.
const CAP: f64 = 4.0;

/// How many colours the page has.
const COLOURS: usize = 4;

impl Plot {
    /// The drawing, with a legend below it. Empty plots say that they are.
    pub(crate) fn figure(&self) -> String {
        let mut out = format!("<figure><figcaption>{}</figcaption>", escape(&self.title));
        let points = || self.lines.iter().flat_map(|line| self.shown(line));
        if points().count() == 0 {
            out += "<p class=\"empty\">not measured</p></figure>";
            return out;
        }
        let heights = points().flat_map(|point| {
            let (low, high) = point.bar.unwrap_or((point.y, point.y));
            [low, point.y, high]
        });
        let heights = heights.chain(self.mark);
        let x = Axis::logarithmic(points().map(|point| point.x));
        let y = if self.logarithmic {
            Axis::logarithmic(heights)
        } else {
            Axis::linear(heights)
        };
        let _ = write!(
            out,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            escape(&self.title)
        );
        self.draw_axes(&mut out, &x, &y);
        for (index, line) in self.lines.iter().enumerate() {
            let shown: Vec<Point> = self.shown(line).collect();
            self.draw_curve(&mut out, index % COLOURS, &shown, &x, &y);
        }
        out += "</svg><p class=\"legend\">";
        for (index, line) in self.lines.iter().enumerate() {
            let colour = index % COLOURS;
            let name = escape(&line.name);
            let _ = write!(out, "<span class=\"key c{colour}\"></span>{name} ");
        }
        out += "</p></figure>";
        out
    }

    fn draw_axes(&self, out: &mut String, x: &Axis, y: &Axis) {
        let right_end = WIDTH - RIGHT;
        for (value, text) in y.ticks() {
            let (at, text_left) = (up(y, value), LEFT - 8.0);
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right_end}\" y2=\"{at:.1}\"/>\
                 <text class=\"tick\" x=\"{text_left}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                at + 5.0
            );
        }
        if let Some(mark) = self.mark {
            let at = up(y, mark);
            let _ = write!(
                out,
                "<line class=\"mark\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right_end}\" y2=\"{at:.1}\"/>"
            );
        }
        for (value, text) in x.ticks() {
            let _ = write!(
                out,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                right(x, value),
                HEIGHT - BOTTOM + 20.0
            );
        }
        let _ = write!(
            out,
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text class=\"label\" transform=\"rotate(-90)\" x=\"{}\" y=\"15\" text-anchor=\"middle\">{}</text>",
            (WIDTH + LEFT - RIGHT) / 2.0,
            HEIGHT - 8.0,
            escape(&self.x_label),
            -(HEIGHT - BOTTOM + TOP) / 2.0,
            escape(&self.y_label)
        );
    }

    fn draw_curve(&self, out: &mut String, colour: usize, points: &[Point], x: &Axis, y: &Axis) {
        let path: Vec<String> = points
            .iter()
            .map(|point| format!("{:.1},{:.1}", right(x, point.x), up(y, point.y)))
            .collect();
        let _ = write!(
            out,
            "<polyline class=\"line c{colour}\" points=\"{}\"/>",
            path.join(" ")
        );
        for point in points {
            let (at, height) = (right(x, point.x), up(y, point.y));
            if let Some((low, high)) = point.bar {
                let (low, high, from, to) = (up(y, low), up(y, high), at - CAP, at + CAP);
                let _ = write!(
                    out,
                    "<path class=\"line bar c{colour}\" d=\"M{from:.1} {low:.1}H{to:.1}M{at:.1} {low:.1}V{high:.1}\
                     M{from:.1} {high:.1}H{to:.1}\"/>"
                );
            }
            let _ = write!(
                out,
                "<circle class=\"dot c{colour}\" cx=\"{at:.1}\" cy=\"{height:.1}\" r=\"4\"/>"
            );
            if self.values {
                // Towards the middle, so that nothing is cut off.
                let (anchor, beside) = if x.place(point.x) > 0.5 {
                    ("end", -8.0)
                } else {
                    ("start", 8.0)
                };
                let _ = write!(
                    out,
                    "<text class=\"value\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                    at + beside,
                    height - 6.0,
                    short(point.y)
                );
            }
        }
    }

    /// The points that can be drawn, without the bars that cannot.
    fn shown<'p>(&self, line: &'p Curve) -> impl Iterator<Item = Point> + use<'p> {
        let logarithmic = self.logarithmic;
        let is_height = move |value: f64| value.is_finite() && (!logarithmic || value > 0.0);
        let points = line.points.iter();
        let points = points.filter(move |point| point.x.is_finite() && point.x > 0.0 && is_height(point.y));
        points.map(move |&point| Point {
            bar: point.bar.filter(|&(low, high)| is_height(low) && is_height(high)),
            ..point
        })
    }
}

fn right(x: &Axis, value: f64) -> f64 {
    LEFT + x.place(value) * (WIDTH - LEFT - RIGHT)
}

fn up(y: &Axis, value: f64) -> f64 {
    HEIGHT - BOTTOM - y.place(value) * (HEIGHT - TOP - BOTTOM)
}

/// A range of values, and where each lies in it.
struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
}

/// More ticks than this are too many for a phone.
const MOST_TICKS: usize = 7;

impl Axis {
    /// With zero in it.
    fn linear(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = range(values);
        let (low, high) = (low.min(0.0), high.max(0.0));
        Axis {
            low,
            high: if low == high { low + 1.0 } else { high },
            logarithmic: false,
        }
    }

    /// From one number with a 1, 2 or 5 to another.
    fn logarithmic(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = range(values);
        let steps = round_numbers(low, high);
        let (first, last) = (
            steps.first().copied().unwrap_or(low),
            steps.last().copied().unwrap_or(high),
        );
        let last = if first == last { 2.0 * last } else { last };
        Axis {
            low: first.log10(),
            high: last.log10(),
            logarithmic: true,
        }
    }

    /// From 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        let told = |value: f64| (value, short(value));
        if self.logarithmic {
            let mut ticks = round_numbers(10f64.powf(self.low), 10f64.powf(self.high));
            if ticks.len() > MOST_TICKS {
                ticks.retain(|tick| (tick.log10() - tick.log10().round()).abs() < 1e-6);
            }
            return ticks.into_iter().map(told).collect();
        }
        // 1, 2 or 5 of some power of ten, so that there are five to ten of them.
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|&step| step >= rough).unwrap_or(power);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|index| told(index as f64 * step)).collect()
    }
}

/// 1, 2 and 5 of all powers of ten, from the last one that is not above `low` to the first that is
/// not below `high`.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let powers = low.log10().floor() as i32 - 1..=high.log10().ceil() as i32 + 1;
    let all: Vec<f64> = powers
        .flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10f64.powi(power)))
        .collect();
    // What was computed by logarithms is a little off.
    let first = all
        .iter()
        .rposition(|&number| number <= low * (1.0 + 1e-9))
        .unwrap_or(0);
    let last = all.iter().position(|&number| number >= high * (1.0 - 1e-9));
    all[first..=last.unwrap_or(all.len() - 1).max(first)].to_vec()
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// A number in a few characters: 2.5, 40, 3M, 0.001, 2e-5.
pub(crate) fn short(value: f64) -> String {
    let decimals = |value: f64, count: usize| {
        let text = format!("{value:.count$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    };
    match value.abs() {
        size if size >= 1e9 => decimals(value / 1e9, 1) + "G",
        size if size >= 1e6 => decimals(value / 1e6, 1) + "M",
        size if size >= 1e4 => decimals(value / 1e3, 1) + "k",
        size if size >= 100.0 || size == 0.0 => decimals(value, 0),
        size if size >= 10.0 => decimals(value, 1),
        size if size >= 0.1 => decimals(value, 2),
        size if size >= 0.001 => decimals(value, 4),
        _ => format!("{value:.0e}"),
    }
}

/// Text that means nothing to HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[(f64, f64)], logarithmic: bool) -> Plot {
        let point = |&(x, y): &(f64, f64)| Point {
            x,
            y,
            bar: Some((y, f64::INFINITY)),
        };
        Plot {
            title: "Elo <by> time".to_owned(),
            x_label: "seconds".to_owned(),
            y_label: "Elo".to_owned(),
            logarithmic,
            mark: None,
            values: false,
            lines: vec![Curve {
                name: "software".to_owned(),
                points: points.iter().map(point).collect(),
            }],
        }
    }

    #[test]
    fn points_lie_where_their_values_say() {
        let svg = plot(&[(0.1, 0.0), (1.0, 50.0), (10.0, 100.0)], false).figure();
        // From the lower left corner of the axes to the upper right one.
        let path = "points=\"60.0,232.0 222.0,124.0 384.0,16.0\"";
        assert!(svg.contains(path), "{svg}");
        assert!(svg.contains("Elo &lt;by&gt; time"));
        assert!(!svg.contains("<path"), "a bar without an end: {svg}");
    }

    #[test]
    fn factors_are_equally_far_apart_and_bars_have_two_ends() {
        let mut plot = plot(&[(1.0, 0.5), (10.0, 1.0), (100.0, 2.0)], true);
        plot.lines[0].points[1].bar = Some((0.5, 2.0));
        let svg = plot.figure();
        assert!(svg.contains("points=\"60.0,232.0 222.0,124.0 384.0,16.0\""), "{svg}");
        assert!(
            svg.contains("d=\"M218.0 232.0H226.0M222.0 232.0V16.0M218.0 16.0H226.0\""),
            "{svg}"
        );
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let svg = plot(&[(1.0, f64::NAN), (1.0, 0.0), (-1.0, 1.0)], true).figure();
        assert!(svg.contains("not measured"), "{svg}");
        let svg = plot(&[(1.0, 1.0), (2.0, f64::NEG_INFINITY)], false).figure();
        assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
        // One point is a plot too.
        assert!(!plot(&[(0.3, 1.0)], true).figure().contains("NaN"));
    }

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!(round_numbers(0.03, 1.0), [0.02, 0.05, 0.1, 0.2, 0.5, 1.0]);
        assert_eq!(round_numbers(2.0, 2.0), [2.0]);
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (0.001, "0.001"),
            // Three steps of 0.02 are a little more than 0.06.
            (3.0 * 0.02, "0.06"),
            (0.0025, "0.0025"),
            (-0.0025, "-0.0025"),
            (3.0 * 1e-5, "3e-5"),
            (0.25, "0.25"),
            (2.0, "2"),
            (1.42, "1.42"),
            (40.0, "40"),
            (250.0, "250"),
            (30_000.0, "30k"),
            (3e6, "3M"),
            (1.25e9, "1.2G"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
