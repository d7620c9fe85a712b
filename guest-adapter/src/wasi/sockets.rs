//! `wasi:sockets`, without sockets.
//!
//! Every attempt to create a socket or resolve a name is denied. So no value of the socket types exists, and their methods
//! cannot be called. Programs access the network through `isolette:sandbox/http` only.

use crate::{
    Component,
    bindings::exports::wasi::sockets::{
        instance_network,
        ip_name_lookup::{self, GuestResolveAddressStream, IpAddress, NetworkBorrow, ResolveAddressStream},
        network::{self, ErrorCode, GuestNetwork, IpAddressFamily, IpSocketAddress},
        tcp::{self, Duration, GuestTcpSocket, InputStream, OutputStream, Pollable, ShutdownType, TcpSocket},
        tcp_create_socket,
        udp::{
            self, GuestIncomingDatagramStream, GuestOutgoingDatagramStream, GuestUdpSocket, IncomingDatagram,
            IncomingDatagramStream, OutgoingDatagram, OutgoingDatagramStream, UdpSocket,
        },
        udp_create_socket,
    },
};

/// A network without addresses: libraries request it before they create a socket.
pub(crate) struct NoNetwork;

/// A socket, a stream of datagrams or a resolver, none of which exists.
pub(crate) enum Denied {}

/// Implements methods of types without values.
macro_rules! denied {
    ($($name:ident($($argument:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $(_: $argument),*) -> $answer {
            match *self {}
        })*
    };
}

impl GuestNetwork for NoNetwork {}

impl network::Guest for Component {
    type Network = NoNetwork;
}

impl instance_network::Guest for Component {
    fn instance_network() -> instance_network::Network {
        network::Network::new(NoNetwork)
    }
}

impl tcp_create_socket::Guest for Component {
    fn create_tcp_socket(_: IpAddressFamily) -> Result<TcpSocket, ErrorCode> {
        Err(ErrorCode::AccessDenied)
    }
}

impl udp_create_socket::Guest for Component {
    fn create_udp_socket(_: IpAddressFamily) -> Result<UdpSocket, ErrorCode> {
        Err(ErrorCode::AccessDenied)
    }
}

impl ip_name_lookup::Guest for Component {
    type ResolveAddressStream = Denied;

    fn resolve_addresses(_: NetworkBorrow<'_>, _: String) -> Result<ResolveAddressStream, ErrorCode> {
        Err(ErrorCode::AccessDenied)
    }
}

impl tcp::Guest for Component {
    type TcpSocket = Denied;
}

impl udp::Guest for Component {
    type UdpSocket = Denied;
    type IncomingDatagramStream = Denied;
    type OutgoingDatagramStream = Denied;
}

impl GuestResolveAddressStream for Denied {
    denied! {
        resolve_next_address() -> Result<Option<IpAddress>, ErrorCode>;
        subscribe() -> Pollable;
    }
}

impl GuestIncomingDatagramStream for Denied {
    denied! {
        receive(u64) -> Result<Vec<IncomingDatagram>, ErrorCode>;
        subscribe() -> Pollable;
    }
}

impl GuestOutgoingDatagramStream for Denied {
    denied! {
        check_send() -> Result<u64, ErrorCode>;
        send(Vec<OutgoingDatagram>) -> Result<u64, ErrorCode>;
        subscribe() -> Pollable;
    }
}

impl GuestUdpSocket for Denied {
    denied! {
        start_bind(NetworkBorrow<'_>, IpSocketAddress) -> Result<(), ErrorCode>;
        finish_bind() -> Result<(), ErrorCode>;
        stream(Option<IpSocketAddress>) -> Result<(IncomingDatagramStream, OutgoingDatagramStream), ErrorCode>;
        local_address() -> Result<IpSocketAddress, ErrorCode>;
        remote_address() -> Result<IpSocketAddress, ErrorCode>;
        address_family() -> IpAddressFamily;
        unicast_hop_limit() -> Result<u8, ErrorCode>;
        set_unicast_hop_limit(u8) -> Result<(), ErrorCode>;
        receive_buffer_size() -> Result<u64, ErrorCode>;
        set_receive_buffer_size(u64) -> Result<(), ErrorCode>;
        send_buffer_size() -> Result<u64, ErrorCode>;
        set_send_buffer_size(u64) -> Result<(), ErrorCode>;
        subscribe() -> Pollable;
    }
}

impl GuestTcpSocket for Denied {
    denied! {
        start_bind(NetworkBorrow<'_>, IpSocketAddress) -> Result<(), ErrorCode>;
        finish_bind() -> Result<(), ErrorCode>;
        start_connect(NetworkBorrow<'_>, IpSocketAddress) -> Result<(), ErrorCode>;
        finish_connect() -> Result<(InputStream, OutputStream), ErrorCode>;
        start_listen() -> Result<(), ErrorCode>;
        finish_listen() -> Result<(), ErrorCode>;
        accept() -> Result<(TcpSocket, InputStream, OutputStream), ErrorCode>;
        local_address() -> Result<IpSocketAddress, ErrorCode>;
        remote_address() -> Result<IpSocketAddress, ErrorCode>;
        is_listening() -> bool;
        address_family() -> IpAddressFamily;
        set_listen_backlog_size(u64) -> Result<(), ErrorCode>;
        keep_alive_enabled() -> Result<bool, ErrorCode>;
        set_keep_alive_enabled(bool) -> Result<(), ErrorCode>;
        keep_alive_idle_time() -> Result<Duration, ErrorCode>;
        set_keep_alive_idle_time(Duration) -> Result<(), ErrorCode>;
        keep_alive_interval() -> Result<Duration, ErrorCode>;
        set_keep_alive_interval(Duration) -> Result<(), ErrorCode>;
        keep_alive_count() -> Result<u32, ErrorCode>;
        set_keep_alive_count(u32) -> Result<(), ErrorCode>;
        hop_limit() -> Result<u8, ErrorCode>;
        set_hop_limit(u8) -> Result<(), ErrorCode>;
        receive_buffer_size() -> Result<u64, ErrorCode>;
        set_receive_buffer_size(u64) -> Result<(), ErrorCode>;
        send_buffer_size() -> Result<u64, ErrorCode>;
        set_send_buffer_size(u64) -> Result<(), ErrorCode>;
        subscribe() -> Pollable;
        shutdown(ShutdownType) -> Result<(), ErrorCode>;
    }
}
