//! Generates a component that serves an interface by calling the host.

#[cfg(test)]
mod tests;

use std::{fmt::Write as _, path::Path};

use isolette_interface::{Function, InterfaceName, Kind, Type};

use super::{
    coding::codings,
    host_interface::HostInterface,
    names::{pascal, snake},
    spelling::{Spelling, module},
};

/// Returns the code of the crate. The component calls the host with the interface name `asks`.
pub(super) fn code(provided: &HostInterface, asks: &InterfaceName, sources: &Path) -> String {
    let HostInterface { interface, origins, wit } = provided;
    let spelling = Spelling { interface, exported: true };
    // The component also exports the interfaces that define the types, so that each type exists once.
    let exports: String = origins.iter().chain([&interface.name]).map(|name| format!(" export {name};")).collect();
    let sources = sources.join("wit");
    let mut code = format!(
        r#"//! Generated from WIT: serves `{name}` by calling the host.

#![allow(warnings)]

use isolette_abi::{{
    DecodeError,
    value::{{Decode, Decoder, Encode, EncodeError, InvalidValue, decode_all, encode_discriminant}},
    host_call::{{self, HostCall}},
}};

use crate::isolette::{{sandbox::{{capabilities::{{self, CapabilityError, Payload, Stored}}, console}}, waist::host}};

wit_bindgen::generate!({{
    inline: "package isolette:bound; world bound {{ import isolette:waist/host@0.1.0; import isolette:sandbox/capabilities@0.1.0; import isolette:sandbox/console@0.1.0;{exports} }}",
    path: [{sources:?}, {wit:?}],
    generate_all,
}});

const INTERFACE: &str = "{name}";

struct Component;

export!(Component);

/// Reports why a call failed and ends the guest, because a typed function cannot return such an error.
fn stop(function: &str, why: &str) -> ! {{
    console::write(console::Stream::Stderr, format!("{{INTERFACE}}: {{function}}: {{why}}\n").as_bytes());
    core::arch::wasm32::unreachable()
}}

struct Host;

impl HostCall for Host {{
    fn call(&mut self, message: &[u8]) -> Vec<u8> {{ host::call(message) }}
}}

/// Stores long arguments in the host.
fn outgoing(bytes: Vec<u8>) -> Payload {{
    let (bytes, stored) = host_call::hand_over(&mut Host, bytes);
    (bytes, stored.map(|(handle, length)| Stored {{ handle, length }}))
}}

fn incoming((bytes, stored): Payload) -> Result<Vec<u8>, DecodeError> {{
    host_call::receive(&mut Host, (bytes, stored.map(|stored| (stored.handle, stored.length))))
}}

fn call<T: Decode<()>>(function: &str, arguments: Vec<u8>) -> T {{
    match capabilities::call(INTERFACE, function, &outgoing(arguments)) {{
        Ok(reply) => incoming(reply)
            .ok()
            .and_then(|bytes| decode_all(&bytes, &()).ok())
            .unwrap_or_else(|| stop(function, "the reply of the host is malformed")),
        Err(
            CapabilityError::Missing(why)
            | CapabilityError::Invalid(why)
            | CapabilityError::Failed(why)
            | CapabilityError::Denied(why)
            | CapabilityError::Budget(why)
            | CapabilityError::Exhausted(why),
        ) => stop(function, &why),
    }}
}}

fn add(function: &str, bytes: &mut Vec<u8>, value: &(impl Encode<()> + ?Sized)) {{
    if value.encode(bytes, &()).is_err() {{
        stop(function, "an argument is too long");
    }}
}}

"#,
        name = asks,
    );
    code.push_str(&codings(&spelling, |_| true));
    let resources: Vec<_> = interface.types.iter().filter(|one| one.kind == Kind::Resource).collect();
    if !resources.is_empty() {
        code.push_str(HANDLE);
        let names = resources.iter().map(|one| pascal(&one.name));
        let structs = names.map(|name| format!("    pub struct {name}(pub(super) super::Handle);\n"));
        let _ = writeln!(
            code,
            "/// A separate module, because resources may have any name.\nmod resources {{\n{}}}\n",
            structs.collect::<String>()
        );
    }
    for definition in &resources {
        resource(&mut code, &definition.name);
    }
    let own = module(&interface.name, true);
    if !interface.functions.is_empty() || !resources.is_empty() {
        let _ = writeln!(code, "impl {own}::Guest for Component {{");
        for definition in &resources {
            let name = pascal(&definition.name);
            let _ = writeln!(code, "    type {name} = resources::{name};");
        }
        functions(&mut code, &spelling, None);
        code.push_str("}\n");
    }
    for definition in resources {
        let name = pascal(&definition.name);
        let _ = writeln!(code, "impl {own}::Guest{name} for resources::{name} {{");
        functions(&mut code, &spelling, Some(&definition.name));
        code.push_str("}\n");
    }
    code
}

/// The type of the resources in the generated code.
const HANDLE: &str = "/// The handle of the host, until the ownership is transferred.
struct Handle(core::cell::Cell<Option<u32>>);

";

fn resource(code: &mut String, name: &str) {
    let _ = write!(
        code,
        r#"impl resources::{pascal} {{
    fn new(handle: u32) -> Self {{ Self(Handle(core::cell::Cell::new(Some(handle)))) }}
    fn handle(&self) -> u32 {{ self.0.0.get().unwrap_or(0) }}
    fn give(&self) -> u32 {{ self.0.0.take().unwrap_or(0) }}
}}

impl Drop for resources::{pascal} {{
    fn drop(&mut self) {{
        if let Some(handle) = self.0.0.take() {{
            capabilities::drop_resource(INTERFACE, "{name}", handle);
        }}
    }}
}}

impl Encode<()> for resources::{pascal} {{
    fn encode(&self, bytes: &mut Vec<u8>, context: &()) -> Result<(), EncodeError> {{ self.handle().encode(bytes, context) }}
}}

impl Decode<()> for resources::{pascal} {{
    fn decode(decoder: &mut Decoder<'_>, context: &()) -> Result<Self, InvalidValue> {{ u32::decode(decoder, context).map(Self::new) }}
}}

"#,
        pascal = pascal(name),
    );
}

fn functions(code: &mut String, spelling: &Spelling<'_>, resource: Option<&str>) {
    let belongs = |one: &&Function| one.name.resource_and_name().map(|(resource, _)| resource) == resource;
    spelling.interface.functions.iter().filter(belongs).for_each(|one| function(code, spelling, one));
}

fn function(code: &mut String, spelling: &Spelling<'_>, function: &Function) {
    let (name, is_method, is_constructor) =
        (function.name.as_str(), function.name.is_method(), function.name.is_constructor());
    let rust_name = match function.name.resource_and_name() {
        _ if is_constructor => "new".to_owned(),
        Some((_, name)) => snake(name),
        None => snake(name),
    };
    let mut parameters: Vec<String> = Vec::new();
    let mut added = String::new();
    for (place, parameter) in function.params.iter().enumerate() {
        let value = if is_method && place == 0 {
            parameters.push("&self".into());
            "self".to_owned()
        } else {
            parameters.push(format!("p{place}: {}", spelling.of(&parameter.kind)));
            format!("&p{place}")
        };
        let _ = write!(added, "add({name:?}, &mut bytes, {value}); ");
    }
    let result = match &function.result {
        None => String::new(),
        Some(Type::Result { error, .. }) if is_constructor => {
            let error = error.as_ref().map_or_else(|| "()".to_owned(), |kind| spelling.of(kind));
            format!(" -> Result<Self, {error}>")
        }
        Some(_) if is_constructor => " -> Self".into(),
        Some(kind) => format!(" -> {}", spelling.of(kind)),
    };
    let _ = writeln!(
        code,
        "    fn {rust_name}({}){result} {{ let mut bytes = Vec::new(); {added}call({name:?}, bytes) }}",
        parameters.join(", "),
    );
}
