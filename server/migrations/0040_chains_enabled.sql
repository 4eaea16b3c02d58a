-- Whether a chain, or a coin on it, is switched on is said by the configuration alone (chains/registry.ts): what was switched off
-- by hand would be switched on again with the next version.
revoke update (enabled) on causeway.chain, causeway.chain_asset from causeway_operator;
