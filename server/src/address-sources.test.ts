import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { addressSources } from './address-sources.ts';
import { bitcoinKeyFamily, bitcoinKeys } from './features/chains/index.ts';
import type { BitcoinChainConfig, BitcoinNetwork } from './platform/config/chains.ts';

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(9));
const derive = (path: string) => root.derive(path);
const made = bitcoinKeyFamily.publicKeysOf(derive);
const address = '0x0000000000000000000000000000000000010000';
const evm = { EVM_XPUB: made['xpub'] ?? '', EVM_GAS_TANK: address, EVM_TREASURY: address };
const chain = (network: BitcoinNetwork): BitcoinChainConfig => ({
  ...{
    id: 'bitcoin',
    family: 'bitcoin',
    name: 'Bitcoin',
    network,
    confirmations: 6,
    nativeCoin: 'BTC',
    explorerUrl: null,
  },
  ...{ pollIntervalMs: 1000, blockTimeMs: 600_000, nodeTimeoutMs: 1000, replaceAfterBlocks: 6 },
  nodes: [],
  fees: { floor: 1, ceiling: 500, fallback: 20 },
});
const sources = (network: BitcoinNetwork, xpub?: string, treasury?: string) =>
  addressSources({ ...evm, BITCOIN_XPUB: xpub, BITCOIN_TREASURY: treasury }, [chain(network)]);

test('Bitcoin’s keys are asked for where one of its chains is configured, and only there', () => {
  expect(addressSources(evm, []).map(({ family }) => family.name)).toEqual(['evm']);
  expect(() => sources('main')).toThrow(/BITCOIN_XPUB is missing/);
  expect(() => sources('main', made['xpub'])).toThrow(/BITCOIN_TREASURY is missing/);
  const [, bitcoin] = sources('regtest', made['testXpub'], made['regtestTreasury']);
  // The signer's keys sign for them.
  const keys = bitcoinKeys(derive, 'regtest');
  expect(bitcoin?.addressAt(3, 2)).toBe(keys.company(3, 2).address);
  expect(bitcoin?.treasury).toBe(keys.treasury.address);
  expect(bitcoin?.treasury).toBe(made['regtestTreasury']);
  expect(bitcoin?.gasTank).toBeNull();
});

test('keys of another network are refused by name, without their value', () => {
  expect(() => sources('main', made['testXpub'], made['treasury'])).toThrow(
    /BITCOIN_XPUB is not one of the network main/,
  );
  expect(() => sources('signet', made['xpub'], made['testTreasury'])).toThrow(/BITCOIN_XPUB is not one of the network/);
  expect(() => sources('regtest', made['testXpub'], made['testTreasury'])).toThrow(/BITCOIN_TREASURY is not one/);
});
