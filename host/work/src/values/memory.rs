//! The limit on the memory for values in this process.

use super::{
    amount::{NoMemory, OF_PROCESS, Owner},
    reservation::Reservation,
};

/// Memory of this process for values that are parsed from external JSON and YAML: arguments and results of tools,
/// responses of OpenAPI services and MCP servers, messages of MCP clients, documents, recordings.
///
/// It is a conservative estimate. Text whose values do not fit is refused before it is parsed, with an error that says
/// so; running programs continue. The [module](crate::values) describes how much each owner may use.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ValueMemory;

impl ValueMemory {
    /// Sets the limit in bytes. The default is 512 MiB. Existing reservations are kept.
    pub fn set_limit(bytes: u64) {
        OF_PROCESS.set_limit(bytes);
    }

    /// Returns the limit in bytes.
    #[must_use]
    pub fn limit() -> u64 {
        OF_PROCESS.limit()
    }

    /// Returns how many bytes are reserved.
    #[must_use]
    pub fn used() -> u64 {
        OF_PROCESS.used()
    }

    /// Reserves bytes until the reservation is dropped.
    ///
    /// # Errors
    /// [`NoMemory`] if too few bytes are free, or if one reservation may not have so many.
    pub fn reserve(bytes: u64) -> Result<Reservation, NoMemory> {
        let mut reservation = Reservation::default();
        reservation.grow(bytes)?;
        Ok(reservation)
    }

    /// Retries `attempt` each time that memory is released, until `given_up` is ready: usually a timer.
    ///
    /// # Errors
    /// The error of the last attempt.
    pub async fn wait<T>(
        given_up: impl Future<Output = ()>,
        attempt: impl FnMut() -> Result<T, NoMemory>,
    ) -> Result<T, NoMemory> {
        OF_PROCESS.wait(given_up, attempt).await
    }

    /// Like [`ValueMemory::reserve`], for values that the operator configured: they may use the whole limit.
    ///
    /// # Errors
    /// [`NoMemory`] if too few bytes are free.
    pub fn reserve_for_operator(bytes: u64) -> Result<Reservation, NoMemory> {
        let mut reservation = Reservation::new(&OF_PROCESS, Owner::Operator);
        reservation.grow(bytes)?;
        Ok(reservation)
    }
}

#[cfg(test)]
mod tests {
    use futures_lite::future;

    use super::{super::amount::Amount, *};

    /// 1 MiB: a share is 256 KiB, small is up to 256 bytes, and 128 KiB are kept for small reservations.
    const LIMIT: u64 = 1 << 20;
    const QUARTER: u64 = LIMIT / 4;

    fn reserve(of: &'static Amount, bytes: u64) -> Result<Reservation, NoMemory> {
        let mut reservation = Reservation::new(of, Owner::Other);
        reservation.grow(bytes).map(|()| reservation)
    }

    #[test]
    fn what_is_set_aside_is_counted_until_it_is_given_back() {
        static AMOUNT: Amount = Amount::new(LIMIT, 4096);
        let mut first = reserve(&AMOUNT, 1_000).unwrap();
        first.grow(500).unwrap();
        assert_eq!((first.bytes(), AMOUNT.used()), (1_500, 1_500));
        first.shrink_to(2_000);
        assert_eq!((first.bytes(), AMOUNT.used()), (1_500, 1_500));
        first.shrink_to(100);
        assert_eq!((first.bytes(), AMOUNT.used()), (100, 100));
        first.absorb(reserve(&AMOUNT, 50).unwrap());
        assert_eq!((first.bytes(), AMOUNT.used()), (150, 150));
        drop(first);
        assert_eq!(AMOUNT.used(), 0);
    }

    #[test]
    fn one_reservation_has_a_quarter_however_it_came_by_it() {
        static AMOUNT: Amount = Amount::new(LIMIT, 4096);
        let refused = NoMemory { bytes: QUARTER + 1, room: QUARTER, limit: LIMIT, busy: false };
        assert_eq!(reserve(&AMOUNT, QUARTER + 1).unwrap_err(), refused);
        let mut slowly = reserve(&AMOUNT, QUARTER - 1).unwrap();
        slowly.grow(1).unwrap();
        assert_eq!(slowly.grow(1).unwrap_err(), refused);
        assert_eq!(slowly.grow(u64::MAX).unwrap_err().bytes, u64::MAX);
        assert_eq!(AMOUNT.used(), QUARTER);
        let mut operator = Reservation::new(&AMOUNT, Owner::Operator);
        operator.grow(LIMIT - QUARTER).unwrap();
        assert!(operator.grow(1).unwrap_err().busy);
        assert_eq!(
            refused.to_string(),
            "it would take 262145 bytes in the host as single values, and 262144 of 1048576 are allowed for one request \
             or call"
        );
    }

    #[test]
    fn large_values_leave_room_for_small_ones() {
        static AMOUNT: Amount = Amount::new(LIMIT, 4096);
        let large: Vec<_> = (0..).map_while(|_| reserve(&AMOUNT, QUARTER / 2).ok()).collect();
        assert_eq!(large.len() as u64, 7);
        let mut small = reserve(&AMOUNT, 256).unwrap();
        // The reservation is no longer small.
        let refused = small.grow(1).unwrap_err();
        assert_eq!((refused.bytes, refused.busy), (257, true));
        small.grow(0).unwrap();
        let others: Vec<_> = (0..).map_while(|_| reserve(&AMOUNT, 256).ok()).collect();
        assert_eq!(others.len() as u64, LIMIT / 8 / 256 - 1);
        drop((small, others, large));
        assert_eq!(AMOUNT.used(), 0);
    }

    #[test]
    fn a_waiting_reservation_gets_what_others_give_back() {
        static AMOUNT: Amount = Amount::new(LIMIT, 4096);
        let mut others: Vec<_> = (0..3).map(|_| reserve(&AMOUNT, QUARTER).unwrap()).collect();
        let mut waiting = reserve(&AMOUNT, 0).unwrap();
        let refused = future::block_on(waiting.grow_until(QUARTER, future::ready(()))).unwrap_err();
        assert_eq!((refused.room, refused.busy), (QUARTER / 2, true));
        // A reservation that can never succeed is refused at once, and released memory wakes the one that waits.
        let never = future::block_on(waiting.grow_until(QUARTER + 1, future::pending()));
        assert!(!never.unwrap_err().busy);
        let give_back = async {
            others[0].shrink_to(QUARTER - 1);
            future::yield_now().await;
            others.pop();
        };
        let grow = async { waiting.grow_until(QUARTER, future::pending()).await.unwrap() };
        future::block_on(future::zip(grow, give_back));
        assert_eq!((waiting.bytes(), AMOUNT.used()), (QUARTER, 3 * QUARTER - 1));
    }
}
