-- An operator who sees a company as it sees itself reads which wallets can be exchanged, and so whether the position has room.
grant execute on function causeway.exchange_room to causeway_look;
