//! Line plots as SVG. Colours are left to the page, so that they follow its light or dark scheme, and the drawing scales
//! with the width it is given.

use std::fmt::Write as _;

/// One plot.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    /// What it shows.
    pub title: String,
    /// What is to the right.
    pub x_label: String,
    /// What is up.
    pub y_label: String,
    /// Whether each step up is a factor.
    pub logarithmic: bool,
    /// The lines.
    pub lines: Vec<Curve>,
}

/// One line of a plot.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// What it is.
    pub name: String,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 48.0;

/// How many colours the page has.
const COLOURS: usize = 4;

impl Plot {
    /// The drawing, with a legend below it. Empty plots say that they are.
    pub(super) fn figure(&self) -> String {
        let mut out = format!("<figure><figcaption>{}</figcaption>", escape(&self.title));
        let points = || {
            self.lines
                .iter()
                .flat_map(|line| &line.points)
                .filter(|point| self.is_shown(point))
        };
        if points().count() == 0 {
            out += "<p class=\"empty\">nothing was measured</p></figure>";
            return out;
        }
        let x = Axis::linear(points().map(|point| point.0), false);
        let y = match self.logarithmic {
            true => Axis::logarithmic(points().map(|point| point.1)),
            false => Axis::linear(points().map(|point| point.1), true),
        };
        let _ = write!(
            out,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            escape(&self.title)
        );
        for (value, text) in y.ticks() {
            let at = HEIGHT - BOTTOM - y.place(value) * (HEIGHT - TOP - BOTTOM);
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{}\" y2=\"{at:.1}\"/><text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                at + 5.0
            );
        }
        for (value, text) in x.ticks() {
            let at = LEFT + x.place(value) * (WIDTH - LEFT - RIGHT);
            let _ = write!(
                out,
                "<text class=\"tick\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                HEIGHT - BOTTOM + 20.0
            );
        }
        let _ = write!(
            out,
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text><text class=\"label\" transform=\"rotate(-90)\" x=\"{}\" y=\"16\" text-anchor=\"middle\">{}</text>",
            (WIDTH + LEFT - RIGHT) / 2.0,
            HEIGHT - 8.0,
            escape(&self.x_label),
            -(HEIGHT - BOTTOM + TOP) / 2.0,
            escape(&self.y_label)
        );
        for (index, line) in self.lines.iter().enumerate() {
            let place = |&(px, py): &(f64, f64)| {
                let right = LEFT + x.place(px) * (WIDTH - LEFT - RIGHT);
                let up = HEIGHT - BOTTOM - y.place(py) * (HEIGHT - TOP - BOTTOM);
                (right, up)
            };
            let shown: Vec<(f64, f64)> = line
                .points
                .iter()
                .filter(|point| self.is_shown(point))
                .map(place)
                .collect();
            let path: Vec<String> = shown.iter().map(|(right, up)| format!("{right:.1},{up:.1}")).collect();
            let colour = index % COLOURS;
            let _ = write!(
                out,
                "<polyline class=\"line c{colour}\" points=\"{}\"/>",
                path.join(" ")
            );
            for (right, up) in shown {
                let _ = write!(
                    out,
                    "<circle class=\"dot c{colour}\" cx=\"{right:.1}\" cy=\"{up:.1}\" r=\"4\"/>"
                );
            }
        }
        out += "</svg><p class=\"legend\">";
        for (index, line) in self.lines.iter().enumerate() {
            let _ = write!(
                out,
                "<span class=\"key c{}\"></span>{} ",
                index % COLOURS,
                escape(&line.name)
            );
        }
        out += "</p></figure>";
        out
    }

    fn is_shown(&self, &(x, y): &(f64, f64)) -> bool {
        x.is_finite() && y.is_finite() && (!self.logarithmic || y > 0.0)
    }
}

/// A range of values, and where each lies in it.
struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
}

impl Axis {
    fn linear(values: impl Iterator<Item = f64>, from_zero: bool) -> Axis {
        let (mut low, mut high) = range(values);
        if from_zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if low == high {
            high = low + 1.0;
        }
        Axis {
            low,
            high,
            logarithmic: false,
        }
    }

    /// Whole powers of ten.
    fn logarithmic(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = range(values);
        let (low, high) = (low.log10().floor(), high.log10().ceil());
        Axis {
            low,
            high: high.max(low + 1.0),
            logarithmic: true,
        }
    }

    /// From 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        if self.logarithmic {
            let powers = self.low as i32..=self.high as i32;
            return powers
                .map(|power| (10f64.powi(power), short(10f64.powi(power))))
                .collect();
        }
        // 1, 2 or 5 of some power of ten, so that there are five to ten of them.
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|&step| step >= rough);
        let step = step.unwrap_or(power);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|index| (index as f64 * step, short(index as f64 * step)))
            .collect()
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// A number in a few characters: 2.5, 40, 3M, 0.001, 2e-5.
pub(super) fn short(value: f64) -> String {
    let decimals = |value: f64, count: usize| {
        let text = format!("{value:.count$}");
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    };
    match value.abs() {
        size if size >= 1e9 => decimals(value / 1e9, 1) + "G",
        size if size >= 1e6 => decimals(value / 1e6, 1) + "M",
        size if size >= 1e4 => decimals(value / 1e3, 1) + "k",
        size if size >= 100.0 || size == 0.0 => decimals(value, 0),
        size if size >= 1.0 => decimals(value, 1),
        size if size >= 0.1 => decimals(value, 2),
        size if size >= 0.001 => decimals(value, 4),
        _ => format!("{value:.0e}"),
    }
}

/// Text that means nothing to HTML.
pub(super) fn escape(text: &str) -> String {
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

    fn plot(points: Vec<(f64, f64)>, logarithmic: bool) -> Plot {
        Plot {
            title: "time <to> depth".to_owned(),
            x_label: "depth".to_owned(),
            y_label: "seconds".to_owned(),
            logarithmic,
            lines: vec![Curve {
                name: "software".to_owned(),
                points,
            }],
        }
    }

    #[test]
    fn points_lie_where_their_values_say() {
        let svg = plot(vec![(0.0, 0.0), (10.0, 100.0)], false).figure();
        // From the lower left corner of the axes to the upper right one.
        assert!(svg.contains("points=\"64.0,312.0 624.0,16.0\""), "{svg}");
        assert!(svg.contains("time &lt;to&gt; depth"));
    }

    #[test]
    fn powers_of_ten_are_equally_far_apart() {
        let svg = plot(vec![(1.0, 0.01), (2.0, 0.1), (3.0, 1.0)], true).figure();
        assert!(svg.contains("points=\"64.0,312.0 344.0,164.0 624.0,16.0\""), "{svg}");
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let svg = plot(vec![(1.0, f64::NAN), (1.0, 0.0)], true).figure();
        assert!(svg.contains("nothing was measured"), "{svg}");
        assert!(
            !plot(vec![(1.0, 1.0), (2.0, f64::INFINITY)], false)
                .figure()
                .contains("inf")
        );
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
            (2.5, "2.5"),
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
