//! What the user sees: text on standard output, one-line errors on standard error.

use std::io::{self, Write};

/// Writes `text` to standard output as it stands.
///
/// A closed pipe comes back as an error, which `main` takes for a quiet end.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Writes a line of progress to standard error; a closed standard error loses it.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Writes the error and its causes as one line on standard error.
pub fn print_error(error: &anyhow::Error) {
    note(&format!("error: {}", one_line(&format!("{error:#}"))));
}

/// Whether the error is a reader that closed our standard output.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// A text table: the first column to the left, the others, which hold figures, to the right.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells
            .chain([header[column].chars().count()])
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (column, (cell, width)) in cells.zip(&widths).enumerate() {
            if column == 0 {
                line += &format!("{cell:<width$}");
            } else {
                line += &format!("  {cell:>width$}");
            }
        }
        line.trim_end().to_string() + "\n"
    };
    let mut text = line(&mut header.iter().copied());
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_many_lines_is_printed_as_one() {
        assert_eq!(one_line("first\n\n   second\n"), "first second");
    }

    #[test]
    fn a_broken_pipe_is_found_below_a_context() {
        let error = anyhow::Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(is_broken_pipe(&error.context("writing the table")));
        assert!(!is_broken_pipe(&anyhow::anyhow!("another failure")));
    }

    #[test]
    fn a_table_puts_names_left_and_figures_right() {
        let rows = [
            vec!["a".into(), "1".into()],
            vec!["long name".into(), "12345".into()],
        ];
        assert_eq!(
            table(&["name", "B"], &rows),
            "name           B\na              1\nlong name  12345\n"
        );
    }
}
