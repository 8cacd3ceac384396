//! The progress line on stderr: how much is done, how fast, and the time left.

use std::fmt::Write;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tilebase_util::progress::{Progress, Unit};

use crate::interrupt;

/// Work that takes less than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Progress in the terminal. Silent if stderr is not a terminal.
pub struct ProgressLine {
    bar: ProgressBar,
    begun: OnceLock<Instant>,
}

impl ProgressLine {
    /// A line that appears when work takes a while.
    pub fn new() -> ProgressLine {
        interrupt::listen();
        ProgressLine {
            bar: ProgressBar::hidden(),
            begun: OnceLock::new(),
        }
    }

    /// Seconds since the work itself began, without its preparation.
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
        // The template is constant except for the unit's name; an error would only be ugly.
        if let Ok(style) = ProgressStyle::with_template(&template) {
            let rate = |state: &ProgressState, out: &mut dyn Write| {
                // A line that cannot be written is no reason to fail.
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
            // Ten times a second is enough. The line stays hidden if stderr is not a terminal.
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
