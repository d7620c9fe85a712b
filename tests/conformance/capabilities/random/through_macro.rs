//! Random types through `capability!`: the code generated from `values.wit` converts between bytes and program.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex},
};

use isolette::{
    CallContext, CallReply, Capability, CapabilityHandler, Resources, capability,
    encoding::{Decode, decode_all},
    interface::Interface,
};

use super::{
    bytes::{Made, Maker},
    debug_format::shown,
    generator::Random,
};

capability!({
    path: "conformance/capabilities/random/values.wit",
    interface: "test:random/values",
    resources: { thing: Thing },
});

/// It has no state of its own: its handle identifies it.
pub(crate) struct Thing;

impl values::ThingMethods for Thing {}

/// Returns random values, and compares what comes back in Rust.
struct Server {
    interface: Interface,
    random: Mutex<Random>,
    /// How Rust prints the latest value.
    latest: Mutex<String>,
    wrong: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn give<T: Decode<Resources> + Debug>(&self, function: &str, context: &CallContext) -> T {
        let interface = &self.interface;
        let (_, described) = interface.function(&function.replace('_', "-")).unwrap();
        let kind = described.result.as_ref().unwrap();
        let resources = context.resources();
        let mut random = self.random.lock().unwrap();
        let mut maker = Maker { random: &mut random, interface, resources, resource: || Thing, made: Made::default() };
        maker.make(kind);
        let bytes = maker.made.bytes;
        *self.latest.lock().unwrap() = shown::<Thing>(interface, kind, &mut &bytes[..]);
        let value = decode_all(&bytes, resources);
        let value = value.unwrap_or_else(|error| panic!("{function}: {error}: {bytes:?}"));
        self.check(function, &value);
        value
    }

    fn check(&self, function: &str, value: &impl Debug) {
        let (latest, found) = (self.latest.lock().unwrap(), format!("{value:?}"));
        if *latest != found {
            self.wrong.lock().unwrap().push(format!("{function}: {latest} became {found}"));
        }
    }
}

// A type is called `values`, so the trait is not.
macro_rules! functions {
    ($($give:ident $check:ident $answer:ident $confirm:ident $first:ident $many:ident $error:ident;)+) => {
        impl values::ValuesInterface for Server {$(
            fn $give(&self, context: &CallContext) -> (values::$first, values::$many) {
                self.give(stringify!($give), context)
            }

            fn $check(&self, _: &CallContext, first: values::$first, many: values::$many) {
                self.check(stringify!($check), &(first, many));
            }

            fn $answer(&self, context: &CallContext) -> Result<values::$first, values::$error> {
                self.give(stringify!($answer), context)
            }

            fn $confirm(&self, _: &CallContext, answer: Result<values::$first, values::$error>) {
                self.check(stringify!($confirm), &answer);
            }
        )+}
    };
}

functions! {
    give_a0 check_a0 answer_a0 confirm_a0 First0 Many0 Error0;
    give_a1 check_a1 answer_a1 confirm_a1 First1 Many1 Error1;
    give_a2 check_a2 answer_a2 confirm_a2 First2 Many2 Error2;
    give_a3 check_a3 answer_a3 confirm_a3 First3 Many3 Error3;
    give_a4 check_a4 answer_a4 confirm_a4 First4 Many4 Error4;
    give_a5 check_a5 answer_a5 confirm_a5 First5 Many5 Error5;
    give_a6 check_a6 answer_a6 confirm_a6 First6 Many6 Error6;
    give_a7 check_a7 answer_a7 confirm_a7 First7 Many7 Error7;
    give_a8 check_a8 answer_a8 confirm_a8 First8 Many8 Error8;
    give_a9 check_a9 answer_a9 confirm_a9 First9 Many9 Error9;
    give_a10 check_a10 answer_a10 confirm_a10 First10 Many10 Error10;
    give_a11 check_a11 answer_a11 confirm_a11 First11 Many11 Error11;
    give_a12 check_a12 answer_a12 confirm_a12 First12 Many12 Error12;
    give_a13 check_a13 answer_a13 confirm_a13 First13 Many13 Error13;
    give_a14 check_a14 answer_a14 confirm_a14 First14 Many14 Error14;
    give_a15 check_a15 answer_a15 confirm_a15 First15 Many15 Error15;
    give_a16 check_a16 answer_a16 confirm_a16 First16 Many16 Error16;
    give_a17 check_a17 answer_a17 confirm_a17 First17 Many17 Error17;
    give_a18 check_a18 answer_a18 confirm_a18 First18 Many18 Error18;
    give_a19 check_a19 answer_a19 confirm_a19 First19 Many19 Error19;
    give_a20 check_a20 answer_a20 confirm_a20 First20 Many20 Error20;
    give_a21 check_a21 answer_a21 confirm_a21 First21 Many21 Error21;
    give_a22 check_a22 answer_a22 confirm_a22 First22 Many22 Error22;
    give_a23 check_a23 answer_a23 confirm_a23 First23 Many23 Error23;
    give_a24 check_a24 answer_a24 confirm_a24 First24 Many24 Error24;
    give_a25 check_a25 answer_a25 confirm_a25 First25 Many25 Error25;
    give_a26 check_a26 answer_a26 confirm_a26 First26 Many26 Error26;
    give_a27 check_a27 answer_a27 confirm_a27 First27 Many27 Error27;
    give_a28 check_a28 answer_a28 confirm_a28 First28 Many28 Error28;
    give_a29 check_a29 answer_a29 confirm_a29 First29 Many29 Error29;
    give_a30 check_a30 answer_a30 confirm_a30 First30 Many30 Error30;
    give_a31 check_a31 answer_a31 confirm_a31 First31 Many31 Error31;
}

/// Stores the bytes that the program gets, and compares those that it passes back.
struct Compared {
    inner: Arc<dyn CapabilityHandler>,
    latest: Mutex<Vec<u8>>,
    wrong: Arc<Mutex<Vec<String>>>,
}

impl CapabilityHandler for Compared {
    fn call(self: Arc<Self>, function: usize, arguments: &[u8], context: &CallContext) -> CallReply {
        let reply = Arc::clone(&self.inner).call(function, arguments, context);
        let mut latest = self.latest.lock().unwrap();
        if let CallReply::Ready(Ok(result)) = &reply
            && arguments.is_empty()
        {
            latest.clone_from(result);
        } else if *latest != arguments {
            self.wrong.lock().unwrap().push(format!("function {function}: {latest:?} became {arguments:?}"));
        }
        reply
    }
}

/// The values of the generated types that did not come back unchanged.
pub(super) fn made(seed: u64) -> (Capability, Arc<Mutex<Vec<String>>>) {
    let wrong = Arc::new(Mutex::new(Vec::new()));
    let server = Server {
        interface: values::interface(),
        random: Mutex::new(Random::new(seed)),
        latest: Mutex::default(),
        wrong: Arc::clone(&wrong),
    };
    let noted = Arc::clone(&wrong);
    let compared = |inner| Compared { inner, latest: Mutex::default(), wrong: noted };
    (values::capability(server).wrapped(compared), wrong)
}
