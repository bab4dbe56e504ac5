//! Data processing: results and exact flags.

use super::run;

#[track_caller]
fn check(code: &[u16], registers: &[(usize, u32)], expected: &[(usize, u32)], flags: &str) {
    let machine = run(code, registers);
    for &(n, value) in expected {
        assert_eq!(machine.r(n), value, "r{n} is {:#010x}", machine.r(n));
    }
    assert_eq!(machine.flags(), flags);
}

#[test]
fn sums_and_differences_set_every_flag() {
    let adds = &[0x1888]; // adds r0, r1, r2
    check(adds, &[(1, 1), (2, 2)], &[(0, 3)], "nzcv");
    check(adds, &[(1, 0x7FFF_FFFF), (2, 1)], &[(0, 1 << 31)], "NzcV");
    check(adds, &[(1, u32::MAX), (2, 1)], &[(0, 0)], "nZCv");
    check(adds, &[(1, 1 << 31), (2, 1 << 31)], &[(0, 0)], "nZCV");
    let subs = &[0x1A88]; // subs r0, r1, r2
    check(subs, &[(1, 5), (2, 5)], &[(0, 0)], "nZCv");
    check(subs, &[(1, 1), (2, 2)], &[(0, u32::MAX)], "Nzcv");
    check(subs, &[(1, 1 << 31), (2, 1)], &[(0, 0x7FFF_FFFF)], "nzCV");
    check(&[0x4288], &[(0, 0), (1, 1 << 31)], &[(0, 0)], "NzcV"); // cmp r0, r1
    check(&[0x42C8], &[(0, 1), (1, u32::MAX)], &[(0, 1)], "nZCv"); // cmn r0, r1
    check(&[0x4248], &[(1, 1)], &[(0, u32::MAX)], "Nzcv"); // rsbs r0, r1, #0
}

#[test]
fn carries_chain() {
    // adds r0, r1, r2; adcs r0, r1
    let code = &[0x1888, 0x4148];
    check(code, &[(1, u32::MAX), (2, 2)], &[(0, 1)], "nzCv");
    // subs r0, r1, r2; sbcs r0, r1
    let code = &[0x1A88, 0x4188];
    check(code, &[(1, 1), (2, 2)], &[(0, 0xFFFF_FFFD)], "NzCv");
}

#[test]
fn shifts_move_the_last_bit_into_carry() {
    check(&[0x0108], &[(1, 0x1800_0001)], &[(0, 0x8000_0010)], "NzCv"); // lsls r0, r1, #4
    check(&[0x0808], &[(1, 1 << 31)], &[(0, 0)], "nZCv"); // lsrs r0, r1, #32
    check(&[0x1008], &[(1, 1 << 31)], &[(0, u32::MAX)], "NzCv"); // asrs r0, r1, #32
    let rors = &[0x41C8]; // rors r0, r1
    check(rors, &[(0, 0x18), (1, 4)], &[(0, 0x8000_0001)], "NzCv");
    check(rors, &[(0, 1 << 31), (1, 32)], &[(0, 1 << 31)], "NzCv");
    let lsls = &[0x4088]; // lsls r0, r1
    check(lsls, &[(0, 1), (1, 32)], &[(0, 0)], "nZCv");
    check(lsls, &[(0, 1), (1, 33)], &[(0, 0)], "nZcv");
    check(lsls, &[(0, 3), (1, 0x100)], &[(0, 3)], "nzcv");
}

#[test]
fn wide_forms_shift_their_operand() {
    let code = &[
        0xEB01, 0x00C2, // add.w r0, r1, r2, lsl #3
        0xEA41, 0x2312, // orr.w r3, r1, r2, lsr #8
        0xEA91, 0x0432, // eors.w r4, r1, r2, rrx
    ];
    check(
        code,
        &[(1, 0x100), (2, 0x1001)],
        &[(0, 0x8108), (3, 0x110), (4, 0x900)],
        "nzCv",
    );
    check(&[0xEA7F, 0x1031], &[(1, 0xF)], &[(0, 0x0FFF_FFFF)], "nzCv"); // mvns.w r0, r1, ror #4
}

#[test]
fn rotated_immediates_set_carry_and_others_keep_it() {
    let ands = &[0xF011, 0x4000]; // ands.w r0, r1, #0x80000000
    check(ands, &[(1, u32::MAX)], &[(0, 1 << 31)], "NzCv");
    // adds r0, r2, r2 (carry); tst.w r1, #0xFF00FF00
    let code = &[0x1890, 0xF011, 0x2FFF];
    check(code, &[(1, 0xFF), (2, 1 << 31)], &[], "nZCV");
}

#[test]
fn bit_fields() {
    let code = &[
        0xF241, 0x2034, // movw r0, #0x1234
        0xF6CA, 0x30CD, // movt r0, #0xabcd
        0xF3C0, 0x110B, // ubfx r1, r0, #4, #12
        0xF340, 0x3203, // sbfx r2, r0, #12, #4
        0xF360, 0x230F, // bfi r3, r0, #8, #8
        0xF36F, 0x000F, // bfc r0, #0, #16
    ];
    check(
        code,
        &[(3, u32::MAX)],
        &[(0, 0xABCD_0000), (1, 0x123), (2, 1), (3, 0xFFFF_34FF)],
        "nzcv",
    );
}

#[test]
fn multiplications_and_divisions() {
    let code = &[
        0xFB91, 0xF0F2, // sdiv r0, r1, r2
        0xFBB1, 0xF6F2, // udiv r6, r1, r2
        0xFB01, 0x3402, // mla r4, r1, r2, r3
        0xFB01, 0x3512, // mls r5, r1, r2, r3
    ];
    let expected = [
        (0, -14_i32 as u32),
        (6, 0x2492_4916),
        (4, -693_i32 as u32),
        (5, 707),
    ];
    check(
        code,
        &[(1, -100_i32 as u32), (2, 7), (3, 7)],
        &expected,
        "nzcv",
    );
    check(&[0xFB91, 0xF0F2], &[(1, 5), (2, 0)], &[(0, 0)], "nzcv");
    let overflow = &[(1, 1 << 31), (2, u32::MAX)];
    check(&[0xFB91, 0xF0F2], overflow, &[(0, 1 << 31)], "nzcv");
}

#[test]
fn long_multiplications() {
    let code = &[
        0xFBA2, 0x0103, // umull r0, r1, r2, r3
        0xFB82, 0x4503, // smull r4, r5, r2, r3
        0xFBE2, 0x0103, // umlal r0, r1, r2, r3
        0xFBC2, 0x4503, // smlal r4, r5, r2, r3
    ];
    let expected = [(0, 0xFFFF_FFFC), (1, 3), (4, 0xFFFF_FFFC), (5, u32::MAX)];
    check(code, &[(2, u32::MAX), (3, 2)], &expected, "nzcv");
}

#[test]
fn bit_reversals() {
    let code = &[
        0xFAB1, 0xF081, // clz r0, r1
        0xFA91, 0xF2A1, // rbit r2, r1
        0xBA0B, 0xBA4C, 0xBACD, // rev r3, r1; rev16 r4, r1; revsh r5, r1
    ];
    let expected = [
        (0, 3),
        (2, 0x1E6A_2C48),
        (3, 0x7856_3412),
        (4, 0x3412_7856),
        (5, 0x7856),
    ];
    check(code, &[(1, 0x1234_5678)], &expected, "nzcv");
}

#[test]
fn saturation_and_parallel_arithmetic() {
    let code = &[
        0xF301, 0x1007, // ssat r0, #8, r1, lsl #4
        0xF3A1, 0x0288, // usat r2, #8, r1, asr #2
        0xFA84, 0xF381, // qadd r3, r1, r4
        0xFA91, 0xF504, // sadd16 r5, r1, r4
        0xFAA1, 0xF684, // sel r6, r1, r4
        0xFB11, 0x3704, // smlabb r7, r1, r4, r3
    ];
    let machine = run(code, &[(1, 0x7FFF_0010), (4, 0x7FFF_0003)]);
    let values = [0, 2, 3, 5, 6, 7].map(|n| machine.r(n));
    let expected = [
        -128_i32 as u32,
        0xFF,
        0x7FFF_FFFF,
        0xFFFE_0013,
        0x7FFF_0010,
        0x8000_002F,
    ];
    // 0x7FFF + 0x7FFF is positive before it wraps, so GE[3:2] is set.
    assert_eq!(values, expected);
    assert_eq!(machine.cpu.xpsr() >> 27 & 1, 1);
    assert_eq!(machine.cpu.xpsr() >> 16 & 15, 15);
}

#[test]
fn if_then_blocks() {
    // cmp r0, #5; itete gt; movgt r1, #1; movle r2, #2; addgt r1, #3; addle r2, #4; movs r3, #9
    let code = &[0x2805, 0xBFCB, 0x2101, 0x2202, 0x3103, 0x3204, 0x2309];
    check(code, &[(0, 6), (2, 50)], &[(1, 4), (2, 50), (3, 9)], "nzCv");
    check(code, &[(0, 5), (1, 50)], &[(1, 50), (2, 6), (3, 9)], "nzCv");
    // cmp r0, #5; itt eq; cmpeq r1, #6; moveq r2, #7
    let code = &[0x2805, 0xBF04, 0x2906, 0x2207];
    check(code, &[(0, 5), (1, 6)], &[(2, 7)], "nZCv");
    check(code, &[(0, 5), (1, 7)], &[(2, 0)], "nzCv");
    check(code, &[(0, 4), (1, 6)], &[(2, 0)], "Nzcv");
}

#[test]
fn special_registers() {
    let code = &[
        0xF381, 0x8800, // msr apsr_nzcvq, r1
        0xF3EF, 0x8000, // mrs r0, apsr
        0xF383, 0x8809, // msr psp, r3
        0xF3EF, 0x8409, // mrs r4, psp
        0xF3EF, 0x8508, // mrs r5, msp
    ];
    let expected = [(0, 0xA800_0000), (4, 0x2000_0100), (5, super::STACK_TOP)];
    check(
        code,
        &[(1, 0xAFFF_FFFF), (3, 0x2000_0103)],
        &expected,
        "NzCv",
    );
}

#[test]
fn floating_point_moves_and_compares() {
    let code = &[
        0xEE00, 0x0A10, 0xEE00, 0x1A90, // vmov s0, r0; vmov s1, r1
        0xEE30, 0x1A20, // vadd.f32 s2, s0, s1
        0xEE11, 0x2A10, // vmov r2, s2
        0xEEB4, 0x0A60, // vcmp.f32 s0, s1
        0xEEF1, 0xFA10, // vmrs apsr_nzcv, fpscr
        0xBE00,
    ];
    let mut machine = super::Machine::new(code);
    machine.cpu.enable_fpu();
    machine.set(&[(0, 1.5f32.to_bits()), (1, 2.25f32.to_bits())]);
    machine.run_to_breakpoint();
    assert_eq!(machine.r(2), 3.75f32.to_bits());
    assert_eq!(machine.flags(), "Nzcv");
}
