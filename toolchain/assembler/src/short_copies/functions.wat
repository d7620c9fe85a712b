;; `memory.copy` and `memory.fill` for any number of bytes. Up to 64 are moved in pairs, of which one starts where the bytes start
;; and one ends where they end. All are read before any is written, so that the places may overlap.
(module
  (memory 1)

  (func $copy (param $to i32) (param $from i32) (param $count i32) (local $to_end i32) (local $from_end i32)
    (local.set $to_end (i32.add (local.get $to) (local.get $count)))
    (local.set $from_end (i32.add (local.get $from) (local.get $count)))
    (if (i32.le_u (local.get $count) (i32.const 16)) (then
      (if (i32.ge_u (local.get $count) (i32.const 8)) (then
        (local.get $to)
        (i64.load (local.get $from))
        (i32.sub (local.get $to_end) (i32.const 8))
        (i64.load (i32.sub (local.get $from_end) (i32.const 8)))
        i64.store
        i64.store
        return))
      (if (i32.ge_u (local.get $count) (i32.const 4)) (then
        (local.get $to)
        (i32.load (local.get $from))
        (i32.sub (local.get $to_end) (i32.const 4))
        (i32.load (i32.sub (local.get $from_end) (i32.const 4)))
        i32.store
        i32.store
        return))
      (if (i32.ge_u (local.get $count) (i32.const 2)) (then
        (local.get $to)
        (i32.load16_u (local.get $from))
        (i32.sub (local.get $to_end) (i32.const 2))
        (i32.load16_u (i32.sub (local.get $from_end) (i32.const 2)))
        i32.store16
        i32.store16
        return))
      (if (local.get $count) (then
        (i32.store8 (local.get $to) (i32.load8_u (local.get $from)))))
      return))
    (if (i32.le_u (local.get $count) (i32.const 32)) (then
      (local.get $to)
      (v128.load (local.get $from))
      (i32.sub (local.get $to_end) (i32.const 16))
      (v128.load (i32.sub (local.get $from_end) (i32.const 16)))
      v128.store
      v128.store
      return))
    (if (i32.le_u (local.get $count) (i32.const 64)) (then
      (local.get $to)
      (v128.load (local.get $from))
      (local.get $to)
      (v128.load offset=16 (local.get $from))
      (i32.sub (local.get $to_end) (i32.const 32))
      (v128.load (i32.sub (local.get $from_end) (i32.const 32)))
      (i32.sub (local.get $to_end) (i32.const 16))
      (v128.load (i32.sub (local.get $from_end) (i32.const 16)))
      v128.store
      v128.store
      v128.store offset=16
      v128.store
      return))
    (memory.copy (local.get $to) (local.get $from) (local.get $count)))

  (func $fill (param $to i32) (param $byte i32) (param $count i32) (local $end i32) (local $eight i64) (local $sixteen v128)
    (local.set $end (i32.add (local.get $to) (local.get $count)))
    (if (i32.le_u (local.get $count) (i32.const 64)) (then
      (if (i32.ge_u (local.get $count) (i32.const 16)) (then
        (local.set $sixteen (i8x16.splat (local.get $byte)))
        (v128.store (local.get $to) (local.get $sixteen))
        (v128.store (i32.sub (local.get $end) (i32.const 16)) (local.get $sixteen))
        (if (i32.gt_u (local.get $count) (i32.const 32)) (then
          (v128.store offset=16 (local.get $to) (local.get $sixteen))
          (v128.store (i32.sub (local.get $end) (i32.const 32)) (local.get $sixteen))))
        return))
      (local.set $eight
        (i64.mul (i64.extend_i32_u (i32.and (local.get $byte) (i32.const 255))) (i64.const 0x0101010101010101)))
      (if (i32.ge_u (local.get $count) (i32.const 8)) (then
        (i64.store (local.get $to) (local.get $eight))
        (i64.store (i32.sub (local.get $end) (i32.const 8)) (local.get $eight))
        return))
      (if (i32.ge_u (local.get $count) (i32.const 4)) (then
        (i64.store32 (local.get $to) (local.get $eight))
        (i64.store32 (i32.sub (local.get $end) (i32.const 4)) (local.get $eight))
        return))
      (if (local.get $count) (then
        (i32.store8 (local.get $to) (local.get $byte))
        (i32.store8 (i32.sub (local.get $end) (i32.const 1)) (local.get $byte))
        (i32.store8 (i32.add (local.get $to) (i32.shr_u (local.get $count) (i32.const 1))) (local.get $byte))))
      return))
    (memory.fill (local.get $to) (local.get $byte) (local.get $count))))
