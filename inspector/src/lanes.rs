//! Lanes for calls that are in flight at the same time.

use crate::document::Call;

/// Maximum number of lanes; further calls share the last one.
const LANES: usize = 64;

/// Puts each call into the first lane that is free when it begins.
pub(crate) fn assign(calls: &mut [Call]) {
    let mut order: Vec<usize> = (0..calls.len()).collect();
    order.sort_by(|&one, &other| {
        let (one, other) = (&calls[one], &calls[other]);
        one.started_ms.total_cmp(&other.started_ms).then(one.number.cmp(&other.number))
    });
    // When each lane is free again.
    let mut free: Vec<f64> = Vec::new();
    for index in order {
        let call = &mut calls[index];
        let end = call.started_ms + call.duration_ms.max(0.0);
        let lane = free.iter().position(|free| *free <= call.started_ms).unwrap_or(free.len()).min(LANES - 1);
        match free.get_mut(lane) {
            Some(until) => *until = until.max(end),
            None => free.push(end),
        }
        call.lane = lane;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn call(number: u64, started_ms: f64, duration_ms: f64) -> Call {
        Call { number, started_ms, duration_ms, ..Call::default() }
    }

    #[test]
    fn calls_one_after_the_other_share_a_lane() {
        let mut calls = [call(1, 0.0, 1.0), call(2, 1.0, 5.0), call(3, 2.0, 1.0), call(4, 3.0, 0.5)];
        assign(&mut calls);
        assert_eq!(calls.each_ref().map(|call| call.lane), [0, 0, 1, 1]);
    }

    proptest! {
        #[test]
        fn no_two_calls_of_a_lane_overlap(times in prop::collection::vec((0.0..50.0_f64, 0.0..20.0_f64), 0..60)) {
            let mut calls: Vec<_> = (1..).zip(&times).map(|(number, time)| call(number, time.0, time.1)).collect();
            assign(&mut calls);
            for (index, one) in calls.iter().enumerate() {
                for other in &calls[index + 1..] {
                    let overlap = one.started_ms < other.started_ms + other.duration_ms
                        && other.started_ms < one.started_ms + one.duration_ms;
                    prop_assert!(!overlap || one.lane != other.lane);
                }
            }
        }
    }
}
