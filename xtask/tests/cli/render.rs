//! Documents follow from results and templates alone.

use crate::{end_of, xtask};

#[test]
fn locale_time_zone_terminal_and_folder_change_no_byte_of_a_document() {
    let elsewhere = tempfile::tempdir().unwrap();
    let environments = [
        [
            ("LC_ALL", "de_DE.UTF-8"),
            ("TZ", "Pacific/Kiritimati"),
            ("COLUMNS", "20"),
        ],
        [
            ("LC_ALL", "C"),
            ("TZ", "America/Anchorage"),
            ("COLUMNS", "400"),
        ],
    ];
    for environment in environments {
        let mut check = xtask(&["render", "--check"]);
        check.envs(environment).current_dir(elsewhere.path());
        let ended = end_of(&mut check);
        assert_eq!((ended.status, &*ended.stderr), (0, ""), "{environment:?}");
    }
}
