//! Diagrams are well formed and show every state once.
#![allow(clippy::expect_used, clippy::panic, reason = "a test may fail")]

use std::collections::{BTreeSet, HashMap};

use roxmltree::{Document, Node};
use tilebase_game::{Board, Variant};
use tilebase_model::{
    Drawing, Grouping, Model, Objective, Reduction, StateId, StatePolicy, Ties, solve, write_dot,
    write_svg,
};

const GAMES: [(&str, Reduction); 7] = [
    ("2x2-to-8", Reduction::None),
    ("2x2-to-8", Reduction::States),
    ("2x2-to-16", Reduction::Actions),
    ("2x2-to-32", Reduction::Actions),
    ("2x3-to-8", Reduction::Actions),
    ("2x2-spawn-4:1", Reduction::Actions),
    ("1x1-start-1", Reduction::Actions),
];

/// Calls a check with each game drawn in each way, and with the live states that must show.
fn each(check: &dyn Fn(&Model, &Drawing, &BTreeSet<usize>)) {
    for (name, reduction) in GAMES {
        let variant: Variant = name.parse().expect("a variant");
        let model = Model::build(&variant, reduction, 1000).expect("a model");
        let lines = solve(&model, Objective::Win);
        let policy = |board: Board| match model.find(board) {
            Some(StateId::Live(at)) => Some(lines[at as usize]),
            _ => None,
        };
        let all = (0..model.states().len()).collect();
        for grouping in [Grouping::Layer, Grouping::LayerAndLargest] {
            let plain = Drawing {
                grouping,
                ..Drawing::default()
            };
            check(&model, &plain, &all);
            for ties in [Ties::First, Ties::All] {
                let best = Drawing {
                    policy: Some(&policy),
                    ties,
                    grouping,
                };
                check(&model, &best, &reached(&model, &lines, ties));
            }
        }
    }
}

/// The states that best play leads to.
fn reached(model: &Model, lines: &[StatePolicy], ties: Ties) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<StateId> = model.starts().map(|(id, _)| id).collect();
    while let Some(id) = open.pop() {
        let StateId::Live(at) = id else { continue };
        let at = at as usize;
        if !reached.insert(at) {
            continue;
        }
        let best = model.states()[at].actions.iter().filter(|action| {
            let mut moves = action.moves.iter();
            moves.any(|m| lines[at].best.contains(m))
        });
        let drawn = if ties == Ties::First { 1 } else { 4 };
        for action in best.take(drawn) {
            open.extend(action.outcomes.iter().map(|outcome| outcome.to));
        }
    }
    reached
}

fn svg(model: &Model, drawing: &Drawing) -> String {
    let mut picture = Vec::new();
    write_svg(model, drawing, &mut picture).expect("a picture");
    String::from_utf8(picture).expect("text")
}

#[test]
fn pictures_show_every_state_once() {
    each(&|model, drawing, states| {
        let text = svg(model, drawing);
        let picture = Document::parse(&text).expect("well formed");
        let mut ids: HashMap<&str, usize> = HashMap::new();
        for node in picture.descendants() {
            if let Some(id) = node.attribute("id") {
                *ids.entry(id).or_default() += 1;
            }
        }
        let names = states.iter().map(|at| format!("s{at}"));
        let mut wanted: BTreeSet<String> = names.collect();
        wanted.extend(["win".to_owned(), "lose".to_owned()]);
        assert_eq!(ids.len(), wanted.len(), "{}", model.variant());
        assert!(wanted.iter().all(|name| ids.get(name.as_str()) == Some(&1)));
        let edges = |class: &str| {
            let nodes = picture.descendants();
            nodes
                .filter(|node| node.attribute("class") == Some(class))
                .count()
        };
        if drawing.policy.is_none() {
            let all = edges("edge") + edges("edge win") + edges("edge lose");
            assert_eq!(all, model.transitions() + model.actions());
        }
    });
}

/// The rectangle of a board: the first of its group.
fn area(node: Node) -> [f64; 4] {
    let board = node
        .children()
        .find(|child| child.has_tag_name("rect"))
        .expect("a board");
    let number = |name| -> f64 {
        board
            .attribute(name)
            .expect(name)
            .parse()
            .expect("a number")
    };
    let (x, y) = (number("x"), number("y"));
    [x, y, x + number("width"), y + number("height")]
}

#[test]
fn boards_do_not_overlap_and_stay_inside() {
    each(&|model, drawing, _| {
        let text = svg(model, drawing);
        let picture = Document::parse(&text).expect("well formed");
        let root = picture.root_element();
        let side = |name| -> f64 { root.attribute(name).expect(name).parse().expect("a number") };
        let (width, height) = (side("width"), side("height"));
        // Boards and the dots of actions.
        let groups = root.children().filter(|node| {
            node.has_tag_name("g") && !matches!(node.attribute("id"), Some("win" | "lose"))
        });
        let areas: Vec<[f64; 4]> = groups.map(area).collect();
        for (i, a) in areas.iter().enumerate() {
            assert!(a[0] > 0.0 && a[1] > 0.0 && a[2] < width && a[3] < height);
            for b in &areas[..i] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{}: {a:?} {b:?}", model.variant());
            }
        }
    });
}

#[test]
fn graphs_declare_every_state_once_and_link_what_they_declare() {
    each(&|model, drawing, states| {
        let mut text = Vec::new();
        write_dot(model, drawing, &mut text).expect("a graph");
        let text = String::from_utf8(text).expect("text");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        let mut declared: HashMap<&str, usize> = HashMap::new();
        let mut edges = Vec::new();
        for line in text.lines().map(str::trim) {
            assert_eq!(line.matches('"').count() % 2, 0, "{line}");
            let Some((head, _)) = line.split_once(" [") else {
                continue;
            };
            match head.split_once(" -> ") {
                Some(ends) => edges.push(ends),
                None => *declared.entry(head).or_default() += 1,
            }
        }
        for name in ["node", "edge", "win", "lose"] {
            assert_eq!(declared.get(name), Some(&1));
        }
        assert!(declared.values().all(|&times| times == 1));
        for at in 0..model.states().len() {
            let name = format!("s{at}");
            assert_eq!(declared.contains_key(name.as_str()), states.contains(&at));
        }
        for (from, to) in &edges {
            assert!(declared.contains_key(from) && declared.contains_key(to));
        }
        if drawing.policy.is_none() {
            assert_eq!(edges.len(), model.transitions() + model.actions());
        }
    });
}

#[test]
fn values_are_written_on_states() {
    let model = Model::build(
        &"2x2-to-8".parse().expect("a variant"),
        Reduction::Actions,
        100,
    );
    let model = model.expect("a model");
    let policy = |_| None;
    let unknown = Drawing {
        policy: Some(&policy),
        ..Drawing::default()
    };
    // A policy that knows nothing leaves all actions.
    assert_eq!(svg(&model, &unknown), svg(&model, &Drawing::default()));
    let moves = model.states()[0].actions[0].moves;
    let policy = |_| {
        Some(StatePolicy {
            value: 0.99999,
            best: moves,
        })
    };
    let known = Drawing {
        policy: Some(&policy),
        ..Drawing::default()
    };
    assert!(svg(&model, &known).contains("&gt;0.999"));
}
