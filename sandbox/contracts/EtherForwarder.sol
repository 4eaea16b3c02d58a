// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Passes ether on from a contract. Such a payment is no transaction of its own and leaves no log, as with an
/// exchange's or a multi-signature wallet's withdrawal.
contract EtherForwarder {
    error NotPassedOn();

    function forward(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        if (!sent) revert NotPassedOn();
    }
}
