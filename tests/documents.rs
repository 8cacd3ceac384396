//! The console examples of the README and the docs, run and compared word for word.

#[test]
fn examples_do_what_they_show() {
    trycmd::TestCases::new()
        .register_bin(
            "tilebase",
            std::path::PathBuf::from(env!("CARGO_BIN_EXE_tilebase")),
        )
        .case("../../README.md")
        .case("../../docs/*.md");
}
