;; A compromised guest: it sends bytes of its own over the host call ABI, as its script says.
;;
;; It looks for a script in the message that starts a run: `lies:` and hexadecimal digits up to anything else, in lower case.
;; `tests/src/compromised.rs` writes scripts; the operations are listed there. Without a script it ends as a program does that
;; has nothing to say, which is what engines try it with.
;;
;; Addresses: 0 and 16 hold where results are, 0x10000 the script, 0x100000 what scripts put there, 0x400000 what realloc gives.
(component
  (import "isolette:waist/host@0.1.0" (instance $host
    (export "call" (func (param "message" (list u8)) (result (list u8))))))

  (core module $store
    (memory (export "memory") 128)
    (table (export "table") 1 funcref)
    (global $mode (export "realloc-mode") (mut i32) (i32.const 0))
    (global $free (mut i32) (i32.const 0x400000))
    (type $again (func))
    (func $deeper (call $deeper))
    (func (export "realloc") (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
      (local $given i32)
      (if (i32.eq (global.get $mode) (i32.const 1)) (then (return (i32.const 0xffffffff))))
      (if (i32.eq (global.get $mode) (i32.const 2))
        (then (return (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 1)))))
      (if (i32.eq (global.get $mode) (i32.const 3)) (then (unreachable)))
      (if (i32.eq (global.get $mode) (i32.const 4)) (then (loop $for-ever (br $for-ever))))
      (if (i32.eq (global.get $mode) (i32.const 5)) (then (call_indirect (type $again) (i32.const 0))))
      (if (i32.eq (global.get $mode) (i32.const 6)) (then (call $deeper)))
      ;; Memory at these addresses is overwritten, including results and the script.
      (if (i32.eq (global.get $mode) (i32.const 7)) (then (return (i32.const 0))))
      (local.set $given (global.get $free))
      (global.set $free (i32.add (global.get $free) (local.get $size)))
      (if (i32.gt_u (global.get $free) (i32.shl (memory.size) (i32.const 16)))
        (then (if (i32.eq (i32.const -1)
            (memory.grow (i32.add (i32.shr_u (local.get $size) (i32.const 16)) (i32.const 1))))
          (then (unreachable)))))
      (local.get $given)))
  (core instance $store (instantiate $store))
  (core func $call (canon lower (func $host "call") (memory (core memory $store "memory")) (realloc (core func $store "realloc"))))

  (type $resource (resource (rep i32)))
  (core func $new (canon resource.new $resource))

  (core module $liar
    (import "host" "call" (func $call (param i32 i32 i32)))
    (import "host" "new" (func $new (param i32) (result i32)))
    (import "store" "memory" (memory 1))
    (import "store" "table" (table 1 funcref))
    (import "store" "realloc-mode" (global $realloc-mode (mut i32)))
    (global $after-mode (mut i32) (i32.const 0))
    ;; Where the script goes on, and where it ends.
    (global $at (mut i32) (i32.const 0))
    (global $end (mut i32) (i32.const 0))
    (elem (i32.const 0) func $again)

    (func $again (call $call (i32.const 0x100000) (i32.const 1) (i32.const 16)))
    (func $deeper (call $deeper))

    (func $digit (param $letter i32) (result i32)
      (if (i32.lt_u (i32.sub (local.get $letter) (i32.const 48)) (i32.const 10))
        (then (return (i32.sub (local.get $letter) (i32.const 48)))))
      (if (i32.lt_u (i32.sub (local.get $letter) (i32.const 97)) (i32.const 6))
        (then (return (i32.sub (local.get $letter) (i32.const 87)))))
      (i32.const -1))

    ;; Writes the script down. There is none if $end stays where it is.
    (func $find (param $message i32) (param $last i32)
      (local $high i32) (local $low i32)
      (global.set $at (i32.const 0x10000))
      (global.set $end (i32.const 0x10000))
      (block $found
        (loop $next
          (if (i32.ge_u (i32.add (local.get $message) (i32.const 5)) (local.get $last)) (then (return)))
          (br_if $found (i32.and
            (i32.eq (i32.load align=1 (local.get $message)) (i32.const 0x7365696c))
            (i32.eq (i32.load8_u offset=4 (local.get $message)) (i32.const 58))))
          (local.set $message (i32.add (local.get $message) (i32.const 1)))
          (br $next)))
      (local.set $message (i32.add (local.get $message) (i32.const 5)))
      (loop $byte
        (if (i32.ge_u (i32.add (local.get $message) (i32.const 1)) (local.get $last)) (then (return)))
        (local.set $high (call $digit (i32.load8_u (local.get $message))))
        (local.set $low (call $digit (i32.load8_u offset=1 (local.get $message))))
        (if (i32.lt_s (i32.or (local.get $high) (local.get $low)) (i32.const 0)) (then (return)))
        (i32.store8 (global.get $end) (i32.or (i32.shl (local.get $high) (i32.const 4)) (local.get $low)))
        (global.set $end (i32.add (global.get $end) (i32.const 1)))
        (local.set $message (i32.add (local.get $message) (i32.const 2)))
        (br $byte)))

    ;; The next number of the script.
    (func $number (result i32)
      (i32.load align=1 (global.get $at))
      (global.set $at (i32.add (global.get $at) (i32.const 4))))

    (func $answer (param $from i32) (param $size i32) (result i32)
      (i32.store (i32.const 0) (local.get $from))
      (i32.store (i32.const 4) (local.get $size))
      (i32.const 0))

    (func (export "run") (param $message i32) (param $size i32) (result i32)
      (local $operation i32) (local $first i32) (local $second i32)
      (local $loop i32) (local $times i32)
      (global.set $after-mode (i32.const 0))
      (call $find (local.get $message) (i32.add (local.get $message) (local.get $size)))
      (loop $next
        (if (i32.ge_u (global.get $at) (global.get $end))
          (then
            (i32.store (i32.const 0x100000) (i32.const 0))
            (return (call $answer (i32.const 0x100000) (i32.const 4)))))
        (local.set $operation (i32.load8_u (global.get $at)))
        (global.set $at (i32.add (global.get $at) (i32.const 1)))
        ;; 1: sends what follows
        (if (i32.eq (local.get $operation) (i32.const 1)) (then
          (local.set $first (call $number))
          (local.set $second (global.get $at))
          (global.set $at (i32.add (global.get $at) (local.get $first)))
          (call $call (local.get $second) (local.get $first) (i32.const 16))
          (br $next)))
        ;; 2: sends what is somewhere, and wants the reply somewhere
        (if (i32.eq (local.get $operation) (i32.const 2)) (then
          (local.set $first (call $number))
          (local.set $second (call $number))
          (call $call (local.get $first) (local.get $second) (call $number))
          (br $next)))
        ;; 3: fills memory with a byte
        (if (i32.eq (local.get $operation) (i32.const 3)) (then
          (local.set $first (call $number))
          (local.set $second (call $number))
          (memory.fill (local.get $first) (call $number) (local.get $second))
          (br $next)))
        ;; 4: puts what follows somewhere
        (if (i32.eq (local.get $operation) (i32.const 4)) (then
          (local.set $first (call $number))
          (local.set $second (call $number))
          (memory.copy (local.get $first) (global.get $at) (local.get $second))
          (global.set $at (i32.add (global.get $at) (local.get $second)))
          (br $next)))
        ;; 5 and 6: what is between them, so many times
        (if (i32.eq (local.get $operation) (i32.const 5)) (then
          (local.set $times (call $number))
          (local.set $loop (global.get $at))
          (br $next)))
        (if (i32.eq (local.get $operation) (i32.const 6)) (then
          (local.set $times (i32.sub (local.get $times) (i32.const 1)))
          (if (i32.gt_s (local.get $times) (i32.const 0)) (then (global.set $at (local.get $loop))))
          (br $next)))
        ;; 7: ends with what follows
        (if (i32.eq (local.get $operation) (i32.const 7)) (then
          (local.set $first (call $number))
          (return (call $answer (global.get $at) (local.get $first)))))
        ;; 8: ends with what is somewhere
        (if (i32.eq (local.get $operation) (i32.const 8)) (then
          (local.set $first (call $number))
          (return (call $answer (local.get $first) (call $number)))))
        ;; 9: says that where the result is, is somewhere
        (if (i32.eq (local.get $operation) (i32.const 9)) (then (return (call $number))))
        ;; 10: ends with the last reply
        (if (i32.eq (local.get $operation) (i32.const 10)) (then
          (return (call $answer (i32.load (i32.const 16)) (i32.load (i32.const 20))))))
        ;; 11 and 12: from now on, realloc and what comes after a run are wrong in some way
        (if (i32.eq (local.get $operation) (i32.const 11)) (then
          (global.set $realloc-mode (call $number))
          (br $next)))
        (if (i32.eq (local.get $operation) (i32.const 12)) (then
          (global.set $after-mode (call $number))
          (br $next)))
        ;; 13, 14, 15: breaks off, never ends, nests
        (if (i32.eq (local.get $operation) (i32.const 13)) (then (unreachable)))
        (if (i32.eq (local.get $operation) (i32.const 14)) (then (loop $for-ever (br $for-ever))))
        (if (i32.eq (local.get $operation) (i32.const 15)) (then (call $deeper) (br $next)))
        ;; 16: asks for pages of memory
        (if (i32.eq (local.get $operation) (i32.const 16)) (then
          (drop (memory.grow (call $number)))
          (br $next)))
        ;; 17: makes so many handles and keeps them
        (if (i32.eq (local.get $operation) (i32.const 17)) (then
          (local.set $first (call $number))
          (loop $handle
            (drop (call $new (i32.const 0)))
            (local.set $first (i32.sub (local.get $first) (i32.const 1)))
            (br_if $handle (local.get $first)))
          (br $next)))
        (unreachable))
      (unreachable))

    (func (export "after") (param i32)
      (if (i32.eq (global.get $after-mode) (i32.const 1)) (then (call $again)))
      (if (i32.eq (global.get $after-mode) (i32.const 2)) (then (unreachable)))
      (if (i32.eq (global.get $after-mode) (i32.const 3)) (then (loop $for-ever (br $for-ever))))
      (if (i32.eq (global.get $after-mode) (i32.const 4)) (then (call $deeper)))))
  (core instance $liar (instantiate $liar
    (with "host" (instance (export "call" (func $call)) (export "new" (func $new))))
    (with "store" (instance $store))))

  (func $run (param "message" (list u8)) (result (list u8))
    (canon lift (core func $liar "run") (memory (core memory $store "memory")) (realloc (core func $store "realloc"))
      (post-return (core func $liar "after"))))
  (instance $guest (export "run" (func $run)))
  (export "isolette:waist/guest@0.1.0" (instance $guest)))
