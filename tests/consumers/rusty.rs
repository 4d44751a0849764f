// SPDX-License-Identifier: GPL-2.0-only
// Generic functions, closures, methods of traits and inlined functions
use std::collections::HashMap;

trait Shape {
    fn area(&self) -> f64;
}

struct Square<T> {
    side: T,
}

impl<T: Copy + Into<f64>> Shape for Square<T> {
    #[inline(never)]
    fn area(&self) -> f64 {
        let side: f64 = self.side.into();
        side * side
    }
}

mod inner {
    #[inline(always)]
    pub fn add(one: u64, other: u64) -> u64 {
        one.wrapping_mul(31).wrapping_add(other)
    }

    #[inline(never)]
    pub fn sum(values: &[u64]) -> u64 {
        let mut total = 0;

        for value in values {
            total = add(total, *value);
        }
        total
    }
}

#[inline(never)]
fn largest<T: PartialOrd + Copy>(values: &[T]) -> Option<T> {
    values
        .iter()
        .copied()
        .fold(None, |found, value| match found {
            Some(seen) if seen >= value => Some(seen),
            _ => Some(value),
        })
}

#[inline(never)]
fn apply(function: &dyn Fn(u64) -> u64, times: u64) -> u64 {
    (0..times).map(function).sum()
}

fn main() {
    let values: Vec<u64> = (0..std::env::args().count() as u64 + 9).collect();
    let mut counts = HashMap::new();

    for value in &values {
        *counts.entry(value % 3).or_insert(0u64) += inner::sum(&values);
    }
    println!(
        "{:?} {:?} {} {} {}",
        largest(&values),
        largest(&[1.5f64, values.len() as f64]),
        Square { side: values.len() as u32 }.area(),
        Square { side: 2.5f32 }.area(),
        apply(&|value| value * counts.len() as u64, 7),
    );
}
