//! What of the counts is printed.

use super::CountedFile;
use super::cross_check::Difference;

/// The two readings of a file that tokei counts differently, and the lines they differ in.
pub fn misreading(file: &CountedFile) -> String {
    let (ours, tokei) = (file.count.reading(), file.count.tokei);
    let mut text = format!(
        "  {}: code, comment, blank {} / {} / {}; tokei {} / {} / {}\n",
        file.path.display(),
        ours.code,
        ours.comment,
        ours.blank,
        tokei.code,
        tokei.comment,
        tokei.blank
    );
    for Difference { line, class, tokei } in &file.differences {
        let tokei = match tokei.class() {
            Some(class) => class.to_string(),
            None => format!(
                "code {:+}, comment {:+}, blank {:+}",
                tokei.code, tokei.comment, tokei.blank
            ),
        };
        text += &format!("    line {line}: {class}; tokei {tokei}\n");
    }
    text
}
