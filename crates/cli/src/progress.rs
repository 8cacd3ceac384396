//! The progress line on stderr: how much is done, how fast, how long still.

use std::fmt::Write;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tilebase_util::progress::{Progress, Unit};

use crate::interrupt;

/// Work that is done sooner than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Progress in the terminal. Silent if stderr is not one.
pub struct ProgressLine {
    bar: ProgressBar,
    begun: OnceLock<Instant>,
}

impl ProgressLine {
    /// A line that appears once work has begun and takes a while.
    pub fn new() -> ProgressLine {
        interrupt::listen();
        ProgressLine {
            bar: ProgressBar::hidden(),
            begun: OnceLock::new(),
        }
    }

    /// Seconds since the work itself began, setting up not counted.
    pub fn working_seconds(&self) -> Option<f64> {
        let begun = self.begun.get()?;
        Some(begun.elapsed().as_secs_f64())
    }
}

impl Progress for ProgressLine {
    fn begin(&self, unit: Unit, total: Option<u64>) {
        self.begun.get_or_init(Instant::now);
        self.bar.reset();
        self.bar.set_message("");
        let template = match total {
            Some(total) => {
                self.bar.set_length(total);
                format!(
                    "{{msg}}{{wide_bar}} {{human_pos}}/{{human_len}} {unit} ({{rate}}) {{eta}} left"
                )
            }
            None => {
                self.bar.unset_length();
                format!("{{msg}}{{human_pos}} {unit} ({{rate}}) in {{elapsed}}")
            }
        };
        // The template is a constant but for the unit's name; a fault would only be ugly.
        if let Ok(style) = ProgressStyle::with_template(&template) {
            let rate = |state: &ProgressState, out: &mut dyn Write| {
                // A line that cannot be written is not worth a word.
                let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
            };
            self.bar.set_style(style.with_key("rate", rate));
        }
    }

    fn stage(&self, name: &str) {
        self.bar.set_message(format!("{name} "));
    }

    fn advance(&self, units: u64) {
        if self.bar.is_hidden() && self.bar.elapsed() > PATIENCE {
            // Ten times a second is enough, and stays hidden where stderr is no terminal.
            self.bar
                .set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
        self.bar.inc(units);
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn interrupted(&self) -> bool {
        interrupt::asked()
    }
}
