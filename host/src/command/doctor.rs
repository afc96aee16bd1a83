use std::path::Path;
use std::process::ExitCode;

use bluebelle::link::{DEFAULT_BAUD, listed_ports};
use bluebelle_firmware::device::Family;
use bluebelle_firmware::tools::{self, LOADER, Tool};

use super::devices::{ask_all, pcie_devices, serial_places};
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Serial ports to look at, besides those that the system lists
    #[arg(value_name = "PATH")]
    ports: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut told = Told::default();
    told.tools()?;
    told.cache()?;
    told.boards(arguments)?;
    say!(
        "\n{}",
        match told.fixes {
            0 => "nothing is missing".to_owned(),
            1 => "1 thing to fix, if you need it; the engine plays without".to_owned(),
            fixes => format!("{fixes} things to fix, if you need them; the engine plays without"),
        }
    );
    Ok(ExitCode::SUCCESS)
}

/// What has been told so far.
#[derive(Default)]
struct Told {
    fixes: usize,
}

impl Told {
    fn good(&self, what: &str, found: &str) -> std::io::Result<()> {
        say!("ok   {what:<14} {found}");
        Ok(())
    }

    fn bad(&mut self, what: &str, found: &str, fix: &str) -> std::io::Result<()> {
        self.fixes += 1;
        say!("fix  {what:<14} {found}");
        say!("     {:<14} → {fix}", "");
        Ok(())
    }

    fn tools(&mut self) -> std::io::Result<()> {
        let building = |family| tools::for_building(family).to_vec();
        let groups: [(&str, Vec<Tool>, &str); 4] = [
            ("ECP5", building(Family::Ecp5), "`bluebelle build`"),
            ("Gowin", building(Family::Gowin), "`bluebelle build`"),
            ("iCE40", building(Family::Ice40), "`bluebelle build`"),
            ("flashing", vec![LOADER], "`bluebelle flash`"),
        ];
        for (what, wanted, command) in groups {
            let lacking = wanted.iter().filter(|&&tool| !tools::is_there(tool));
            let lacking: Vec<&str> = lacking.map(|tool| tool.programs[0]).collect();
            let names: Vec<&str> = wanted.iter().map(|tool| tool.programs[0]).collect();
            if lacking.is_empty() {
                self.good(what, &names.join(", "))?;
            } else {
                let fix = format!(
                    "{command} installs them from PyPI in {}, or install the OSS CAD Suite",
                    tools::cache().join("tools").display()
                );
                self.bad(what, &format!("no {}", lacking.join(", ")), &fix)?;
            }
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        match std::env::split_paths(&path).find(|folder| folder.join("verilator").is_file()) {
            Some(folder) => self.good("simulation", &folder.join("verilator").display().to_string()),
            None => self.bad(
                "simulation",
                "no verilator, which `--accel verilated` needs",
                "install it, as in `sudo apt-get install verilator g++ make`",
            ),
        }
    }

    fn cache(&mut self) -> std::io::Result<()> {
        let cache = tools::cache();
        let probe = cache.join(format!("doctor-{}", std::process::id()));
        let written = std::fs::create_dir_all(&cache).and_then(|()| std::fs::write(&probe, ""));
        let _ = std::fs::remove_file(&probe);
        match written {
            Ok(()) => self.good("cache", &cache.display().to_string()),
            Err(error) => self.bad(
                "cache",
                &format!("{} cannot be written: {error}", cache.display()),
                "name a folder of yours in the variable BLUEBELLE_CACHE",
            ),
        }
    }

    fn boards(&mut self, arguments: &Arguments) -> std::io::Result<()> {
        let mut ports = listed_ports();
        ports.extend(arguments.ports.iter().cloned());
        let places = serial_places(ports, DEFAULT_BAUD).chain(pcie_devices());
        let answers = ask_all(places)?;
        if answers.is_empty() {
            return self.bad(
                "boards",
                "no serial port, and no PCI device that may be a board",
                "plug a board in; without one: `bluebelle sim board`, or the accelerator `model`",
            );
        }
        for (place, answer) in answers {
            let port = place.port();
            let answer = match answer {
                Ok(answer) => answer,
                Err(problem) => {
                    let fix = advice(port, &problem);
                    self.bad("board", &format!("{port}: {problem}"), &fix)?;
                    continue;
                }
            };
            let identity = &answer.identity;
            let found = format!("{port}: {} × {} threads", identity.cores, identity.threads);
            self.good("board", &found)?;
            for warning in &answer.warnings {
                self.bad("line", &format!("{port}: {warning}"), "see what the line says")?;
            }
        }
        Ok(())
    }
}

/// What helps against a port that does not answer.
fn advice(port: &str, problem: &str) -> String {
    let denied = ["denied", "not permitted"]
        .iter()
        .any(|word| problem.to_lowercase().contains(word));
    if denied && Path::new(port).starts_with("/dev") {
        return "`sudo usermod -aG dialout $USER`, then log in again".to_owned();
    }
    "`bluebelle flash` sends the chip to a board; another program may have the port; `bluebelle devices --baud` asks \
     at another speed"
        .to_owned()
}
