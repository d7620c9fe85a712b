//! What a pool keeps, without any guest.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_types::Error;

use super::kept::{Dropped, Kept};

const IDLE: Duration = Duration::from_secs(100);

/// A pool of two texts, and a time that the test sets.
struct Texts {
    kept: Kept<&'static str, String>,
    now: Instant,
}

impl Texts {
    fn new() -> Self {
        Self { kept: Kept::new(2, IDLE), now: Instant::now() }
    }

    /// One second later, requests a text.
    fn get(&mut self, key: &'static str) -> (Arc<String>, bool) {
        self.now += Duration::from_secs(1);
        self.kept.get(&key, self.now, false, |_| Ok(Arc::new(key.to_owned()))).unwrap()
    }

    /// The texts that are dropped now: the idle ones, and those beyond the limit.
    fn trim(&self) -> [Vec<String>; 2] {
        let Dropped { idle, beyond_limit } = self.kept.trim(self.now);
        [idle, beyond_limit].map(|texts| texts.iter().map(|text| String::clone(text)).collect())
    }
}

const NONE: [&str; 0] = [];

#[test]
fn the_least_recently_used_is_dropped() {
    let mut texts = Texts::new();
    for key in ["a", "b", "a"] {
        texts.get(key);
        assert_eq!(texts.trim(), [NONE, NONE]);
    }
    assert!(texts.get("c").1);
    assert_eq!(texts.trim(), [&NONE[..], &["b"]]);
    assert_eq!(texts.kept.count(), 2);
    assert!(!texts.get("a").1, "it is kept still");
    assert!(texts.get("b").1, "it is made again");
}

#[test]
fn what_is_in_use_is_dropped_last_and_found_again() {
    let mut texts = Texts::new();
    let (a, _) = texts.get("a");
    texts.get("b");
    texts.get("c");
    assert_eq!(texts.trim(), [&NONE[..], &["b"]], "`a` was used longer ago, and still is");
    let (c, _) = texts.get("c");
    let (d, _) = texts.get("d");
    assert_eq!(texts.trim(), [&NONE[..], &["a"]]);
    let (again, is_kept_again) = texts.get("a");
    assert!(Arc::ptr_eq(&a, &again) && is_kept_again, "there never are two values for a key");
    assert_eq!(texts.trim(), [&NONE[..], &["c"]]);
    drop((a, again, c, d));
    assert_eq!(texts.trim(), [NONE, NONE]);
    assert_eq!(texts.kept.count(), 2);
}

#[test]
fn what_is_kept_is_found_without_being_made_and_counts_as_used() {
    let mut texts = Texts::new();
    assert_eq!(texts.kept.existing(&"a", texts.now), None);
    let (a, _) = texts.get("a");
    texts.get("b");
    texts.now += Duration::from_secs(1);
    assert!(Arc::ptr_eq(&a, &texts.kept.existing(&"a", texts.now).unwrap()));
    drop(a);
    texts.get("c");
    assert_eq!(texts.trim(), [&NONE[..], &["b"]]);
    assert_eq!(texts.kept.existing(&"b", texts.now), None);
    texts.kept.get(&"a", texts.now, false, |_| panic!("it is kept")).unwrap();
    let while_it_is_made = texts.kept.get(&"d", texts.now, false, |_| {
        assert_eq!(texts.kept.existing(&"d", texts.now), None);
        Ok(Arc::default())
    });
    assert!(while_it_is_made.unwrap().1);
}

#[test]
fn what_is_idle_is_dropped_unless_it_is_used_or_pinned() {
    let mut texts = Texts::new();
    let (a, _) = texts.get("a");
    texts.kept.get(&"pinned", texts.now, true, |_| Ok(Arc::default())).unwrap();
    assert_eq!(texts.kept.next_expiry(texts.now), IDLE);
    texts.now += IDLE;
    assert_eq!(texts.trim(), [NONE, NONE]);
    drop(a);
    assert_eq!(texts.trim(), [&["a"][..], &NONE]);
    for key in ["b", "c"] {
        texts.get(key);
    }
    assert_eq!(texts.trim(), [&NONE[..], &["b"]], "what is pinned counts");
}

#[test]
fn a_value_that_cannot_be_made_leaves_nothing() {
    let mut texts = Texts::new();
    let fail = |_: &_| Err(Error::invalid("no", ""));
    assert!(texts.kept.get(&"a", texts.now, false, fail).is_err());
    assert_eq!((texts.trim(), texts.kept.count()), ([Vec::new(), Vec::new()], 0));
    assert!(texts.get("a").1);
}

#[test]
fn a_value_is_made_once() {
    let kept = Kept::new(10, IDLE);
    let now = Instant::now();
    let made = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let make = |_: &_| {
                    made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    std::thread::yield_now();
                    Ok(Arc::new(()))
                };
                kept.get(&"a", now, false, make).unwrap();
                kept.trim(now);
            });
        }
    });
    assert_eq!(made.into_inner(), 1);
}
