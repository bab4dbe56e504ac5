//! Decoded instructions, as the execution loop takes them.
//!
//! Frequent forms have variants of their own; the general ones (`AluImm`, `AluReg`, `Load` ...) cover
//! the rest. Program-counter operands are resolved by the decoder into constants.

use super::dsp::{ParallelKind, ParallelOp};
use super::fpu::FpOp;

/// Number of a core register, 0 to 15.
pub type Reg = u8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AluOp {
    And,
    Bic,
    Orr,
    Orn,
    Eor,
    Add,
    Adc,
    Sbc,
    Sub,
    Rsb,
    Mov,
    Mvn,
    Tst,
    Teq,
    Cmn,
    Cmp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftKind {
    Lsl,
    Lsr,
    Asr,
    Ror,
    Rrx,
}

/// What an immediate's expansion does to the carry flag of a flag-setting logical instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImmCarry {
    Keep,
    Clear,
    Set,
}

/// Width and extension of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    Word,
    Half,
    Byte,
    SignedHalf,
    SignedByte,
}

/// How an access with an immediate offset uses its base register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// Base plus offset, base kept.
    Offset,
    /// Base plus offset, written back.
    Pre,
    /// Base alone; base plus offset written back.
    Post,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtendKind {
    Sxtb,
    Uxtb,
    Sxth,
    Uxth,
    Sxtb16,
    Uxtb16,
}

/// 32-bit multiplications and DSP instructions on three or four registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DspOp {
    Parallel {
        kind: ParallelKind,
        op: ParallelOp,
    },
    Qadd,
    Qsub,
    Qdadd,
    Qdsub,
    Sel,
    Usad8,
    Usada8,
    /// SMLAxy, or SMULxy without an accumulator.
    Smlaxy {
        n_top: bool,
        m_top: bool,
        accumulate: bool,
    },
    Smlaw {
        m_top: bool,
        accumulate: bool,
    },
    Smlad {
        x: bool,
    },
    Smusd {
        x: bool,
    },
    Smlsd {
        x: bool,
    },
    Smuad {
        x: bool,
    },
    Smmla {
        round: bool,
    },
    Smmul {
        round: bool,
    },
    Smmls {
        round: bool,
    },
}

/// Multiplications into a pair of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongOp {
    Smull,
    Umull,
    Smlal,
    Umlal,
    Umaal,
    Smlalxy { n_top: bool, m_top: bool },
    Smlald { x: bool },
    Smlsld { x: bool },
}

/// Saturations; the general form carries a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatKind {
    Ssat,
    Usat,
    Ssat16,
    Usat16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOp {
    Clz,
    Rbit,
    Rev,
    Rev16,
    Revsh,
}

/// Instructions that end a block and are carried out apart from the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemOp {
    Mrs {
        d: Reg,
        sysm: u8,
    },
    Msr {
        n: Reg,
        sysm: u8,
        mask: u8,
    },
    Cps {
        disable: bool,
        primask: bool,
        faultmask: bool,
    },
    Svc,
    Bkpt {
        value: u8,
    },
    Wfi,
    Wfe,
    Sev,
    /// Begins an IT block that could not be folded into its block.
    It {
        state: u8,
    },
    /// A watched program counter.
    Watch {
        index: u16,
    },
    Undefined {
        encoding: u32,
    },
    /// A coprocessor the part does not have.
    NoCoprocessor {
        encoding: u32,
    },
    Unmodelled {
        encoding: u32,
    },
    /// The instruction could not be fetched: execute-never or nothing there.
    FetchFault {
        execute_never: bool,
    },
}

/// A load or store of one register with an immediate offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexed {
    pub kind: LoadKind,
    pub t: Reg,
    pub n: Reg,
    pub index: Index,
    pub imm: u32,
}

/// LDRD and STRD; `n` 15 takes `imm` as the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dual {
    pub t: Reg,
    pub t2: Reg,
    pub n: Reg,
    pub index: Index,
    pub imm: u32,
}

/// LDM and STM: upwards from the base, or `before`, which ends there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiple {
    pub n: Reg,
    pub list: u16,
    pub writeback: bool,
    pub before: bool,
}

/// Code that has to be fetched before the next instruction executes: 64-bit units from the one at
/// `unit` on, which take `cycles` each. Only code that comes from no cache and no TCM is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetch {
    pub unit: u32,
    pub units: u8,
    /// Units that are fetched ahead at most.
    pub ahead_units: u8,
    pub cycles: u16,
}

#[rustfmt::skip] // a form a line
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// The first slot of a block: the most cycles it can take (in units of 16, peripherals aside), where
    /// it starts, whether it has an IT instruction, and the place of its replays or zero.
    Header { worst: u16, pc: u32, has_it: bool, place: u16 },
    /// The last slot of a block, and the slot of the block behind it, which is zero until it is known.
    End { next: u32 },
    Fetch(Fetch),
    Nop,
    /// DSB, DMB, ISB.
    Barrier,
    /// Skips the next `slots` slots unless `condition` holds; skipped instructions cost `refund`
    /// cycles less than they would.
    SkipUnless { condition: u8, slots: u8, refund: u16 },

    MovImm { d: Reg, imm: u32 },
    /// A word loaded from flash when it was decoded.
    Literal { t: Reg, imm: u32 },
    MovsImm { d: Reg, imm: u32 },
    MovReg { d: Reg, m: Reg },
    MovsReg { d: Reg, m: Reg },
    Movt { d: Reg, imm: u32 },
    AddImm { d: Reg, n: Reg, imm: u32 },
    AddsImm { d: Reg, n: Reg, imm: u32 },
    SubsImm { d: Reg, n: Reg, imm: u32 },
    CmpImm { n: Reg, imm: u32 },
    CmpReg { n: Reg, m: Reg },
    TstReg { n: Reg, m: Reg },
    TstImm { n: Reg, imm: u32 },
    AndImm { d: Reg, n: Reg, imm: u32 },
    OrrImm { d: Reg, n: Reg, imm: u32 },
    EorImm { d: Reg, n: Reg, imm: u32 },
    AddReg { d: Reg, n: Reg, m: Reg },
    AddsReg { d: Reg, n: Reg, m: Reg },
    SubReg { d: Reg, n: Reg, m: Reg },
    SubsReg { d: Reg, n: Reg, m: Reg },
    AndReg { d: Reg, n: Reg, m: Reg },
    AndsReg { d: Reg, n: Reg, m: Reg },
    OrrReg { d: Reg, n: Reg, m: Reg },
    OrrsReg { d: Reg, n: Reg, m: Reg },
    EorReg { d: Reg, n: Reg, m: Reg },
    EorsReg { d: Reg, n: Reg, m: Reg },
    BicReg { d: Reg, n: Reg, m: Reg },
    BicsReg { d: Reg, n: Reg, m: Reg },
    AdcsReg { d: Reg, n: Reg, m: Reg },
    AddLsl { d: Reg, n: Reg, m: Reg, amount: u8 },
    OrrLsl { d: Reg, n: Reg, m: Reg, amount: u8 },
    OrrLsr { d: Reg, n: Reg, m: Reg, amount: u8 },
    LslImm { d: Reg, m: Reg, amount: u8 },
    LslsImm { d: Reg, m: Reg, amount: u8 },
    LsrImm { d: Reg, m: Reg, amount: u8 },
    LsrsImm { d: Reg, m: Reg, amount: u8 },
    AsrImm { d: Reg, m: Reg, amount: u8 },
    AsrsImm { d: Reg, m: Reg, amount: u8 },
    AluImm { op: AluOp, s: bool, d: Reg, n: Reg, carry: ImmCarry, imm: u32 },
    AluReg { op: AluOp, s: bool, d: Reg, n: Reg, m: Reg, kind: ShiftKind, amount: u8 },
    ShiftReg { kind: ShiftKind, s: bool, d: Reg, n: Reg, m: Reg },

    Ubfx { d: Reg, n: Reg, lsb: u8, mask: u32 },
    Sbfx { d: Reg, n: Reg, lsb: u8, width: u8 },
    /// BFI; BFC is an insertion of zero (`n` 15).
    Bfi { d: Reg, n: Reg, lsb: u8, mask: u32 },
    Uxtb { d: Reg, m: Reg },
    Uxth { d: Reg, m: Reg },
    Sxtb { d: Reg, m: Reg },
    Sxth { d: Reg, m: Reg },
    /// With rotation or an addend; `n` 15 means none.
    Extend { kind: ExtendKind, d: Reg, n: Reg, m: Reg, rotate: u8 },
    Bit { op: BitOp, d: Reg, m: Reg },
    Mul { d: Reg, n: Reg, m: Reg },
    Muls { d: Reg, n: Reg, m: Reg },
    Mla { d: Reg, n: Reg, m: Reg, a: Reg },
    Mls { d: Reg, n: Reg, m: Reg, a: Reg },
    Long { op: LongOp, lo: Reg, hi: Reg, n: Reg, m: Reg },
    Divide { signed: bool, d: Reg, n: Reg, m: Reg },
    Dsp { op: DspOp, d: Reg, n: Reg, m: Reg, a: Reg },
    Saturate { kind: SatKind, d: Reg, n: Reg, bits: u8, arithmetic: bool, amount: u8 },
    Pkh { top: bool, d: Reg, n: Reg, m: Reg, amount: u8 },

    LdrImm { t: Reg, n: Reg, imm: u32 },
    LdrhImm { t: Reg, n: Reg, imm: u32 },
    LdrbImm { t: Reg, n: Reg, imm: u32 },
    LdrReg { t: Reg, n: Reg, m: Reg, shift: u8 },
    LdrhReg { t: Reg, n: Reg, m: Reg, shift: u8 },
    LdrbReg { t: Reg, n: Reg, m: Reg, shift: u8 },
    StrImm { t: Reg, n: Reg, imm: u32 },
    StrhImm { t: Reg, n: Reg, imm: u32 },
    StrbImm { t: Reg, n: Reg, imm: u32 },
    StrReg { t: Reg, n: Reg, m: Reg, shift: u8 },
    StrhReg { t: Reg, n: Reg, m: Reg, shift: u8 },
    StrbReg { t: Reg, n: Reg, m: Reg, shift: u8 },
    LoadAbs { kind: LoadKind, t: Reg, address: u32 },
    Load(Indexed),
    LoadReg { kind: LoadKind, t: Reg, n: Reg, m: Reg, shift: u8 },
    Store(Indexed),
    LoadDual(Dual),
    StoreDual(Dual),
    Push { list: u16 },
    /// POP without the program counter.
    Pop { list: u16 },
    PopPc { list: u16 },
    LoadMultiple(Multiple),
    StoreMultiple(Multiple),
    LoadExclusive { kind: LoadKind, t: Reg, n: Reg, imm: u32 },
    StoreExclusive { kind: LoadKind, d: Reg, t: Reg, n: Reg, imm: u32 },
    ClearExclusive,
    Fp(FpOp),

    // Direct branches carry what they cost when taken, which the block builder fills in, and the slot
    // of the block they lead to, which is zero until it is known.
    B { target: u32, taken: u16, to: u32 },
    Beq { target: u32, taken: u16, to: u32 },
    Bne { target: u32, taken: u16, to: u32 },
    Bcs { target: u32, taken: u16, to: u32 },
    Bcc { target: u32, taken: u16, to: u32 },
    Bmi { target: u32, taken: u16, to: u32 },
    Bpl { target: u32, taken: u16, to: u32 },
    Bvs { target: u32, taken: u16, to: u32 },
    Bvc { target: u32, taken: u16, to: u32 },
    Bhi { target: u32, taken: u16, to: u32 },
    Bls { target: u32, taken: u16, to: u32 },
    Bge { target: u32, taken: u16, to: u32 },
    Blt { target: u32, taken: u16, to: u32 },
    Bgt { target: u32, taken: u16, to: u32 },
    Ble { target: u32, taken: u16, to: u32 },
    Bl { target: u32, taken: u16, to: u32 },
    Cbz { n: Reg, target: u32, taken: u16, to: u32 },
    Cbnz { n: Reg, target: u32, taken: u16, to: u32 },
    Bx { m: Reg },
    Blx { m: Reg, link: u32 },
    /// MOV pc and ADD pc: branch to `m` plus `addend`.
    AddPc { m: Reg, addend: u32 },
    /// LDR pc with an immediate.
    LoadPc { n: Reg, index: Index, imm: u32 },
    LoadPcReg { n: Reg, m: Reg, shift: u8 },
    /// TBB and TBH; `n` 15 takes `base` as the table's address. `base` is the instruction's PC.
    TableBranch { half: bool, n: Reg, m: Reg, base: u32 },
    System(SystemOp),
}

/// One step of a block.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub op: Op,
    /// Static cycles from the start of the block to the start of this instruction.
    pub cycles: u16,
    /// Halfwords from the start of the block to this instruction.
    pub offset: u8,
    /// Instructions of the block before this one.
    pub index: u8,
}

const _: () = assert!(size_of::<Op>() <= 12 && size_of::<Slot>() <= 16);

impl Op {
    /// The parts of a direct branch that are filled in after decoding.
    fn direct_branch(&mut self) -> Option<(u32, &mut u16, &mut u32)> {
        match self {
            Op::B { target, taken, to }
            | Op::Beq { target, taken, to }
            | Op::Bne { target, taken, to }
            | Op::Bcs { target, taken, to }
            | Op::Bcc { target, taken, to }
            | Op::Bmi { target, taken, to }
            | Op::Bpl { target, taken, to }
            | Op::Bvs { target, taken, to }
            | Op::Bvc { target, taken, to }
            | Op::Bhi { target, taken, to }
            | Op::Bls { target, taken, to }
            | Op::Bge { target, taken, to }
            | Op::Blt { target, taken, to }
            | Op::Bgt { target, taken, to }
            | Op::Ble { target, taken, to }
            | Op::Bl { target, taken, to }
            | Op::Cbz {
                target, taken, to, ..
            }
            | Op::Cbnz {
                target, taken, to, ..
            } => Some((*target, taken, to)),
            _ => None,
        }
    }

    /// The target of a direct branch.
    #[cfg(test)]
    pub fn target(&self) -> Option<u32> {
        let mut copy = *self;
        copy.direct_branch().map(|(target, ..)| target)
    }

    /// Sets what taking a direct branch costs.
    pub fn set_taken(&mut self, cycles: u16) {
        if let Some((_, taken, _)) = self.direct_branch() {
            *taken = cycles;
        }
    }

    /// Sets the slot of the block that follows by way of this branch, or of this end of a block.
    pub fn link(&mut self, slot: u32) {
        match self {
            Op::End { next } => *next = slot,
            _ => {
                if let Some((_, _, to)) = self.direct_branch() {
                    *to = slot;
                }
            }
        }
    }

    /// Whether this can lead elsewhere than to the next instruction.
    pub const fn leads_away(&self) -> bool {
        self.ends_block()
            || matches!(
                self,
                Op::Beq { .. }
                    | Op::Bne { .. }
                    | Op::Bcs { .. }
                    | Op::Bcc { .. }
                    | Op::Bmi { .. }
                    | Op::Bpl { .. }
                    | Op::Bvs { .. }
                    | Op::Bvc { .. }
                    | Op::Bhi { .. }
                    | Op::Bls { .. }
                    | Op::Bge { .. }
                    | Op::Blt { .. }
                    | Op::Bgt { .. }
                    | Op::Ble { .. }
                    | Op::Cbz { .. }
                    | Op::Cbnz { .. }
            )
    }

    /// Whether nothing can follow in the same block.
    pub const fn ends_block(&self) -> bool {
        matches!(
            self,
            Op::B { .. }
                | Op::Bl { .. }
                | Op::Bx { .. }
                | Op::Blx { .. }
                | Op::AddPc { .. }
                | Op::LoadPc { .. }
                | Op::LoadPcReg { .. }
                | Op::PopPc { .. }
                | Op::TableBranch { .. }
                | Op::System(_)
        ) || matches!(self, Op::LoadMultiple(multiple) if multiple.list & 0x8000 != 0)
    }
}
