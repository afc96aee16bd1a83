//! `bluebelle study`: what an ending is worth to players who err, as an HTML page.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use bluebelle::study::{MOST_MEN, Study, page};
use bluebelle_knowledge::endings::{Material, Tables};
use bluebelle_knowledge::vocabulary::Merit;
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The ending, such as KRvKN
    #[arg(value_name = "MATERIAL")]
    material: Material,

    /// The folder of its tables, made by `bluebelle endings build`
    #[arg(long, value_name = "DIR", default_value = "endings")]
    dir: PathBuf,

    /// The page that is written
    #[arg(long, value_name = "FILE", default_value = "study.html")]
    html: PathBuf,

    /// The merits of the players, in thousands of rating points
    #[arg(long, value_name = "M", value_delimiter = ',', default_values = ["1", "1.5", "2", "2.5"])]
    merits: Vec<Merit>,

    /// Let the players err by Michie's formula, taken literally, instead of the fitted model
    #[arg(long)]
    literal: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let material = arguments.material;
    ensure!(
        material.men() <= MOST_MEN,
        "{material} has {} men: a study keeps all positions in memory and takes at most {MOST_MEN}",
        material.men()
    );
    let tables = Tables::open(&arguments.dir)?;
    let style = ProgressStyle::with_template("{bar:30} {percent}% {elapsed}  {msg}");
    let bar = ProgressBar::new(1_000).with_style(style.unwrap_or(ProgressStyle::default_bar()));
    let study = Study::new(
        &tables,
        material,
        &arguments.merits,
        arguments.literal,
        |step, share| {
            bar.set_position((share * 1_000.0) as u64);
            bar.set_message(step.to_owned());
        },
    )?;
    bar.finish_and_clear();
    for row in &study.rows {
        let mean = |mean: Option<f64>| mean.map_or("none".to_owned(), |mean| format!("{mean:+.3}"));
        let [won, drawn, lost] = row.means.map(mean);
        say!(
            "merit {}: mean u {won} of won positions, {drawn} of drawn, {lost} of lost",
            row.merit
        );
    }
    let file = &arguments.html;
    let text = page(&study, &super::compare::origin::command_line());
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    say!("{}", file.display());
    Ok(ExitCode::SUCCESS)
}
