//! 32-bit loads and stores (ARMv7-M ARM, A5.3.5 to A5.3.10).

use super::narrow::index_form;
use super::{Encoding, bit, bits, reg};
use crate::cpu::op::{Dual, Index, Indexed, LoadKind, Multiple, Op, Reg};

/// What the single-register encodings have in common.
enum Address {
    Immediate { index: Index, imm: u32 },
    Register { m: Reg, shift: u8 },
}

impl Encoding {
    /// The second operand of a single load or store whose base is a register; `None` is undefined.
    fn single_address(&self) -> Option<Address> {
        if bit(self.hw1, 7) {
            return Some(Address::Immediate {
                index: Index::Offset,
                imm: bits(self.hw2, 0, 12),
            });
        }
        let (p, u, w) = (bit(self.hw2, 10), bit(self.hw2, 9), bit(self.hw2, 8));
        if !bit(self.hw2, 11) {
            return (bits(self.hw2, 6, 6) == 0).then_some(Address::Register {
                m: reg(self.hw2, 0),
                shift: bits(self.hw2, 4, 2) as u8,
            });
        }
        if !p && !w {
            return None;
        }
        let imm8 = bits(self.hw2, 0, 8);
        // P, U and W all "1 1 0" is the unprivileged form: the same address; the MPU checks it like any
        // other.
        let (index, imm) = index_form(p, u, w, imm8);
        Some(Address::Immediate { index, imm })
    }

    pub(super) fn store_single(&self) -> Op {
        let (n, t) = (reg(self.hw1, 0), reg(self.hw2, 12));
        let kind = match bits(self.hw1, 5, 2) {
            0 => LoadKind::Byte,
            1 => LoadKind::Half,
            2 => LoadKind::Word,
            _ => return self.undefined(),
        };
        if n == 15 {
            return self.undefined();
        }
        if t == 15 {
            return self.unmodelled();
        }
        match self.single_address() {
            None => self.undefined(),
            Some(Address::Immediate { index, imm }) => {
                if index != Index::Offset && n == t {
                    return self.unmodelled();
                }
                Op::Store(Indexed {
                    kind,
                    t,
                    n,
                    index,
                    imm,
                })
            }
            Some(Address::Register { m: 15, .. }) => self.unmodelled(),
            Some(Address::Register { m, shift }) => match kind {
                LoadKind::Byte => Op::StrbReg { t, n, m, shift },
                LoadKind::Half => Op::StrhReg { t, n, m, shift },
                _ => Op::StrReg { t, n, m, shift },
            },
        }
    }

    pub(super) fn load_single(&self) -> Op {
        let (n, t) = (reg(self.hw1, 0), reg(self.hw2, 12));
        let kind = match (bits(self.hw1, 5, 2), bit(self.hw1, 8)) {
            (0, false) => LoadKind::Byte,
            (0, true) => LoadKind::SignedByte,
            (1, false) => LoadKind::Half,
            (1, true) => LoadKind::SignedHalf,
            (2, false) => LoadKind::Word,
            _ => return self.undefined(),
        };
        if n == 15 {
            return self.load_literal(kind, t);
        }
        let Some(address) = self.single_address() else {
            return self.undefined();
        };
        if t == 15 && kind != LoadKind::Word {
            // PLD, PLI and the memory hints: no effect but the time.
            return Op::Nop;
        }
        match address {
            Address::Immediate { index, .. } if index != Index::Offset && n == t => {
                self.unmodelled()
            }
            Address::Immediate { index, imm } if t == 15 => Op::LoadPc { n, index, imm },
            Address::Immediate { index, imm } => Op::Load(Indexed {
                kind,
                t,
                n,
                index,
                imm,
            }),
            Address::Register { m: 15, .. } => self.unmodelled(),
            Address::Register { m, shift } if t == 15 => Op::LoadPcReg { n, m, shift },
            Address::Register { m, shift } => Op::LoadReg {
                kind,
                t,
                n,
                m,
                shift,
            },
        }
    }

    fn load_literal(&self, kind: LoadKind, t: Reg) -> Op {
        let imm = bits(self.hw2, 0, 12);
        let address = if bit(self.hw1, 7) {
            self.literal_base().wrapping_add(imm)
        } else {
            self.literal_base().wrapping_sub(imm)
        };
        match (t, kind) {
            (15, LoadKind::Word) => Op::LoadPc {
                n: 15,
                index: Index::Offset,
                imm: address,
            },
            (15, _) => Op::Nop,
            _ => Op::LoadAbs { kind, t, address },
        }
    }

    pub(super) fn multiple(&self) -> Op {
        let n = reg(self.hw1, 0);
        let list = self.hw2 as u16;
        let writeback = bit(self.hw1, 5);
        let load = bit(self.hw1, 4);
        let before = match bits(self.hw1, 7, 2) {
            0b01 => false,
            0b10 => true,
            _ => return self.undefined(),
        };
        let in_list = list & 1 << n != 0;
        if n == 15
            || list.count_ones() < 2
            || list & 0x2000 != 0
            || (writeback && in_list)
            || (load && list & 0xC000 == 0xC000)
            || (!load && list & 0x8000 != 0)
        {
            return self.unmodelled();
        }
        match (load, before, writeback, n) {
            (false, true, true, 13) => Op::Push { list },
            (true, false, true, 13) if list & 0x8000 != 0 => Op::PopPc { list },
            (true, false, true, 13) => Op::Pop { list },
            (true, ..) => Op::LoadMultiple(Multiple {
                n,
                list,
                writeback,
                before,
            }),
            (false, ..) => Op::StoreMultiple(Multiple {
                n,
                list,
                writeback,
                before,
            }),
        }
    }

    pub(super) fn dual_exclusive_table(&self) -> Op {
        let (p, u, w) = (bit(self.hw1, 8), bit(self.hw1, 7), bit(self.hw1, 5));
        if !p && !w {
            return self.exclusive_or_table(u);
        }
        let (n, t, t2) = (reg(self.hw1, 0), reg(self.hw2, 12), reg(self.hw2, 8));
        let load = bit(self.hw1, 4);
        let (index, imm) = index_form(p, u, w, bits(self.hw2, 0, 8) * 4);
        if t >= 13 && t != 14 || t2 >= 13 && t2 != 14 || (load && t == t2) {
            return self.unmodelled();
        }
        if n == 15 {
            if !load || index != Index::Offset {
                return self.unmodelled();
            }
            return Op::LoadDual(Dual {
                t,
                t2,
                n,
                index,
                imm: self.literal_base().wrapping_add(imm),
            });
        }
        if index != Index::Offset && (n == t || n == t2) {
            return self.unmodelled();
        }
        if load {
            Op::LoadDual(Dual {
                t,
                t2,
                n,
                index,
                imm,
            })
        } else {
            Op::StoreDual(Dual {
                t,
                t2,
                n,
                index,
                imm,
            })
        }
    }

    fn exclusive_or_table(&self, second_group: bool) -> Op {
        let (n, t) = (reg(self.hw1, 0), reg(self.hw2, 12));
        let load = bit(self.hw1, 4);
        if !second_group {
            let (kind, imm) = (LoadKind::Word, bits(self.hw2, 0, 8) * 4);
            return if load {
                self.load_exclusive(kind, t, n, imm)
            } else {
                self.store_exclusive(kind, reg(self.hw2, 8), t, n, imm)
            };
        }
        let m = reg(self.hw2, 0);
        match (bits(self.hw2, 4, 4), load) {
            (0 | 1, true) if m < 13 || m == 14 => Op::TableBranch {
                half: bit(self.hw2, 4),
                n,
                m,
                base: self.pc_operand(),
            },
            (0 | 1, true) => self.unmodelled(),
            (4, true) => self.load_exclusive(LoadKind::Byte, t, n, 0),
            (5, true) => self.load_exclusive(LoadKind::Half, t, n, 0),
            (4, false) => self.store_exclusive(LoadKind::Byte, m, t, n, 0),
            (5, false) => self.store_exclusive(LoadKind::Half, m, t, n, 0),
            _ => self.undefined(),
        }
    }

    fn load_exclusive(&self, kind: LoadKind, t: Reg, n: Reg, imm: u32) -> Op {
        if n == 15 || t == 13 || t == 15 {
            return self.unmodelled();
        }
        Op::LoadExclusive { kind, t, n, imm }
    }

    fn store_exclusive(&self, kind: LoadKind, d: Reg, t: Reg, n: Reg, imm: u32) -> Op {
        if n == 15 || t == 13 || t == 15 || d == 13 || d == 15 || d == n || d == t {
            return self.unmodelled();
        }
        Op::StoreExclusive { kind, d, t, n, imm }
    }
}
