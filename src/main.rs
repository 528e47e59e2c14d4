use std::process::ExitCode;

fn main() -> ExitCode {
    persist_lab::cli::main()
}
