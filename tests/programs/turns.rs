// SPDX-License-Identifier: GPL-2.0-only

// A program of Rust that profil is attached to; run describes its arguments.
use std::hint::black_box;
use std::io::Read;

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;

#[inline(never)]
fn first(rounds: u64) -> u64 {
    (0..rounds).fold(0, |sum, i| black_box(sum + (i & sum)))
}

#[inline(never)]
fn second(rounds: u64) -> u64 {
    (0..rounds).fold(1, |sum, i| black_box(sum ^ (i + sum)))
}

// CPU time of the process, in nanoseconds
fn now() -> i64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };

    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}

// Call a function for some CPU time, and return the CPU time.
#[inline(never)]
fn work(function: &dyn Fn(u64) -> u64, nanoseconds: i64) -> i64 {
    let begin = now();

    while now() - begin < nanoseconds {
        black_box(function(black_box(200_000)));
    }
    now() - begin
}

fn main() {
    let numbers: Vec<i64> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();
    let mut used = [0, 0];
    let mut byte = [0];

    println!("ready");
    std::io::stdin().read(&mut byte).unwrap();
    for _ in 0..10 {
        used[0] += work(&first, numbers[0] / 10);
        used[1] += work(&second, numbers[1] / 10);
    }
    println!("used {} {}", used[0], used[1]);
    std::io::stdin().read(&mut byte).unwrap();
}
