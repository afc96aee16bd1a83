//! What ends a search or a count, and what is told meanwhile.

use std::time::{Duration, Instant};

use crate::gui::Gui;

/// White mates with a1a8, which is not the first move of the list.
const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/3PP3/R3K3 w Q - 0 1";

#[test]
fn the_shortest_search_has_looked_at_its_moves() {
    let mut gui = Gui::new();
    for go in [
        "go nodes 1",
        "go ponder",
        "go infinite",
        "go movetime 1",
        "go wtime 1 btime 1",
    ] {
        gui.say("ucinewgame");
        gui.say(MATE_IN_ONE);
        gui.say(go);
        gui.say("stop");
        assert_eq!(gui.best_move(), "a1a8", "{go}");
    }
    gui.quit();
}

/// The number after a word of an `info` line.
fn number(line: &str, word: &str) -> Option<u64> {
    let mut words = line.split(' ').skip_while(|&found| found != word);
    words.nth(1)?.parse().ok()
}

#[test]
fn time_and_nodes_go_on_over_a_ponderhit() {
    let mut gui = Gui::new();
    gui.say("go ponder wtime 40000 btime 40000");
    let mut lines = gui.until("info depth 7 ");
    std::thread::sleep(Duration::from_millis(500));
    gui.say("ponderhit");
    lines.extend(gui.ask("isready", "readyok"));
    let after = gui.until("bestmove");
    assert!(after.iter().any(|line| number(line, "time").is_some()), "{after:?}");
    lines.extend(after);
    for word in ["time", "nodes"] {
        let told: Vec<u64> = lines.iter().filter_map(|line| number(line, word)).collect();
        assert!(told.is_sorted(), "{word}: {told:?}");
    }
    for line in lines
        .iter()
        .filter(|line| number(line, "time").is_some_and(|time| time >= 10))
    {
        let (time, nodes) = (number(line, "time"), number(line, "nodes"));
        let (Some(time), Some(nodes), Some(nps)) = (time, nodes, number(line, "nps")) else {
            panic!("{line}");
        };
        // The line has whole milliseconds.
        assert!(
            (nodes * 1000 / (time + 1)..=nodes * 1000 / time).contains(&nps),
            "{line}"
        );
    }
    gui.quit();
}

#[test]
fn a_count_of_moves_is_stopped_and_does_not_keep_others_waiting() {
    let mut gui = Gui::new();
    let began = Instant::now();
    gui.say("go perft 12");
    gui.ask("isready", "readyok");
    gui.say("stop");
    gui.until("info string perft was stopped");
    assert_eq!(
        gui.ask("go perft 2", "nodes").last().map(String::as_str),
        Some("nodes 400")
    );
    assert_eq!(
        gui.ask("go perft 0", "nodes").last().map(String::as_str),
        Some("nodes 1")
    );
    gui.say("go perft 12");
    gui.quit();
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}
