//! Multiplications and divisions (A5.3.16, A5.3.17).

use crate::encoding::{Encoding, Fields, Verdict, row, unless};

pub fn rows() -> Vec<Encoding> {
    let mut rows = vec![
        row("MUL T2", "11111011 0000 nnnn 1111 dddd 0000 mmmm", "dnm"),
        row("MLA", "11111011 0000 nnnn aaaa dddd 0000 mmmm", "dnma"),
        row("MLS", "11111011 0000 nnnn aaaa dddd 0001 mmmm", "dnma"),
        row("SMULxy", "11111011 0001 nnnn 1111 dddd 00 xy mmmm", "dnm"),
        row("SMLAxy", "11111011 0001 nnnn aaaa dddd 00 xy mmmm", "dnma"),
        row("SMUAD", "11111011 0010 nnnn 1111 dddd 000 x mmmm", "dnm"),
        row("SMLAD", "11111011 0010 nnnn aaaa dddd 000 x mmmm", "dnma"),
        row("SMULWy", "11111011 0011 nnnn 1111 dddd 000 y mmmm", "dnm"),
        row("SMLAWy", "11111011 0011 nnnn aaaa dddd 000 y mmmm", "dnma"),
        row("SMUSD", "11111011 0100 nnnn 1111 dddd 000 x mmmm", "dnm"),
        row("SMLSD", "11111011 0100 nnnn aaaa dddd 000 x mmmm", "dnma"),
        row("SMMUL", "11111011 0101 nnnn 1111 dddd 000 r mmmm", "dnm"),
        row("SMMLA", "11111011 0101 nnnn aaaa dddd 000 r mmmm", "dnma"),
        row("SMMLS", "11111011 0110 nnnn aaaa dddd 000 r mmmm", "dnma"),
        row("USAD8", "11111011 0111 nnnn 1111 dddd 0000 mmmm", "dnm"),
        row("USADA8", "11111011 0111 nnnn aaaa dddd 0000 mmmm", "dnma"),
        row("SDIV", "11111011 1001 nnnn 1111 dddd 1111 mmmm", "dnm"),
        row("UDIV", "11111011 1011 nnnn 1111 dddd 1111 mmmm", "dnm"),
        row(
            "divisions with reserved bits",
            "11111011 10u1 nnnn rrrr dddd 1111 mmmm",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
    ];
    let long = [
        row("SMULL", "11111011 1000 nnnn llll hhhh 0000 mmmm", "nmlh"),
        row("UMULL", "11111011 1010 nnnn llll hhhh 0000 mmmm", "nmlh"),
        row("SMLAL", "11111011 1100 nnnn llll hhhh 0000 mmmm", "nmlh"),
        row("SMLALxy", "11111011 1100 nnnn llll hhhh 10 xy mmmm", "nmlh"),
        row("SMLALD", "11111011 1100 nnnn llll hhhh 110 x mmmm", "nmlh"),
        row("SMLSLD", "11111011 1101 nnnn llll hhhh 110 x mmmm", "nmlh"),
        row("UMLAL", "11111011 1110 nnnn llll hhhh 0000 mmmm", "nmlh"),
        row("UMAAL", "11111011 1110 nnnn llll hhhh 0110 mmmm", "nmlh"),
    ];
    rows.extend(long.map(|row| row.rule(two_destinations)));
    rows
}

fn two_destinations(f: &Fields) -> Verdict {
    unless(f.get('l') == f.get('h'))
}
