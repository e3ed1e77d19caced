import socket
import warnings

import pytest

from waypost.core.private_hosts import EVERY_HOST, NO_PRIVATE_HOST
from waypost.files.guarded_http import Deadline, DeadlineSocket, Timeouts, connect


@pytest.mark.parametrize(
    "address",
    [
        *("10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "255.255.255.255", "224.0.0.1"),
        *("127.0.0.1", "::1", "::7f00:1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1", "64:ff9b::7f00:1"),
        *("64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "2002:7f00:1::", "fe80::1%eth0", "fec0::1", "fc00::1"),
        *("ff02::1", "2001:db8::1"),
    ],
)
def test_an_address_that_leads_into_a_private_network_is_refused_however_it_is_written(address: str) -> None:
    with pytest.raises(PermissionError, match="not public"):
        NO_PRIVATE_HOST.check("www.example.org", 80, address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"]
)
def test_an_address_of_the_public_internet_is_not_refused(address: str) -> None:
    NO_PRIVATE_HOST.check("www.example.org", 80, address)


def test_a_connector_connects_only_to_addresses_that_its_guard_accepts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        with pytest.raises(PermissionError, match=r"127\.0\.0\.1 has the address 127\.0\.0\.1, which is not public"):
            connect(NO_PRIVATE_HOST, "127.0.0.1", listener.getsockname()[1], Deadline(Timeouts()))
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_no_time_left_ends_a_connection_before_it_begins() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        pytest.raises(OSError, match="the answer took longer than 0 seconds"),
    ):
        connect(EVERY_HOST, "127.0.0.1", listener.getsockname()[1], Deadline(Timeouts(5, 0)))


def test_a_connection_that_is_dropped_is_closed_without_a_warning() -> None:
    with warnings.catch_warnings(record=True) as caught:
        connection = DeadlineSocket()
        copy = socket.socket(fileno=connection.fileno())
        del connection
    assert not caught
    with pytest.raises(OSError, match="Bad file descriptor"):
        copy.getsockname()
    copy.detach()
