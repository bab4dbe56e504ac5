//! The figures of the emulated board that results follow from, as results name them.

use std::collections::BTreeMap;

use board::BoardConfig;
use board::chips::w5500;
use board::cost::CostTable;

/// Figures by name; the unit is the end of the name, or core cycles.
type Group = BTreeMap<String, u64>;

/// The named fields of a cost table and their figures; a field that is left out does not compile.
macro_rules! figures {
    ($table:expr, $($name:ident)*) => {{
        let CostTable { version: _, $($name),* } = *$table;
        BTreeMap::from([$((stringify!($name).to_owned(), u64::from($name))),*])
    }};
}

/// The figures of `config` by group and name.
pub fn parameters(config: &BoardConfig) -> BTreeMap<String, Group> {
    let groups = [
        ("core", core(&config.cost)),
        ("w5500", w5500(&config.w5500)),
        (
            "phy",
            group(&[
                ("soft_reset_ps", config.phy.soft_reset.as_ps()),
                ("autonegotiation_ps", config.phy.autonegotiation.as_ps()),
            ]),
        ),
        (
            "wire",
            group(&[("propagation_ps", config.wire.propagation.as_ps())]),
        ),
        (
            "host",
            group(&[
                ("latency_ps", config.host.latency.as_ps()),
                ("transmit_queue_frames", config.host.transmit_queue as u64),
            ]),
        ),
    ];
    groups.map(|(name, group)| (name.to_owned(), group)).into()
}

fn core(table: &CostTable) -> Group {
    figures!(table,
        simple multiply multiply_long divide
        load store transfer
        branch branch_taken
        system private_bus
        float float_divide
        exception_entry exception_return tail_chain float_context wake_up
        flash_fetch_hclk fetch_ahead_units sram_fetch_hclk
        flash_load_hclk sram_load_hclk pair_hclk sram_store_hclk
        peripheral_load_hclk apb_load_pclk peripheral_store_hclk
    )
}

/// The chip's times; what it does, rather than when, is part of the model's version.
fn w5500(parameters: &w5500::Parameters) -> Group {
    group(&[
        ("power_up_ps", parameters.power_up.as_ps()),
        ("software_reset_ps", parameters.software_reset.as_ps()),
        ("link_up_ps", parameters.link_up.as_ps()),
        ("command_accept_ps", parameters.command_accept.as_ps()),
        ("send_to_wire_ps", parameters.send_to_wire.as_ps()),
        ("wire_to_interrupt_ps", parameters.wire_to_interrupt.as_ps()),
        ("tcp_time_wait_ps", parameters.tcp_time_wait.as_ps()),
    ])
}

fn group(figures: &[(&str, u64)]) -> Group {
    let figures = figures.iter();
    figures
        .map(|&(name, figure)| (name.to_owned(), figure))
        .collect()
}

#[cfg(test)]
mod tests {
    use board::time::Span;

    use super::*;

    #[test]
    fn every_group_follows_the_configuration() {
        let known = parameters(&BoardConfig::default());
        assert_eq!(known["core"]["divide"], 7);
        assert_eq!(known["core"].len(), 28);
        let mut config = BoardConfig::default();
        config.w5500.send_to_wire = Span::from_ns(3);
        config.host.latency = Span::from_us(5);
        config.phy.autonegotiation = Span::from_ms(7);
        config.wire.propagation = Span::from_ps(11);
        config.cost.load += 1;
        let changed = parameters(&config);
        let figures = [
            ("w5500", "send_to_wire_ps", 3_000),
            ("host", "latency_ps", 5_000_000),
            ("phy", "autonegotiation_ps", 7_000_000_000),
            ("wire", "propagation_ps", 11),
            ("core", "load", known["core"]["load"] + 1),
        ];
        let mut expected = known;
        for (group, name, figure) in figures {
            let place = expected.get_mut(group).unwrap().get_mut(name);
            *place.unwrap() = figure;
        }
        assert_eq!(changed, expected);
    }
}
