import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bitcoinNetworkOf, readChains } from './chains.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-chains-'));
afterAll(() => rmSync(directory, { recursive: true }));

const evm = {
  ...{ id: 'ethereum', family: 'evm', name: 'Ethereum', chainId: 1, confirmations: 12, nativeCoin: 'ETH', tokens: [] },
  rpcUrls: ['https://node.example'],
};
const bitcoin = {
  ...{ id: 'bitcoin', family: 'bitcoin', name: 'Bitcoin', network: 'main', confirmations: 6, nativeCoin: 'BTC' },
  nodes: [{ protocol: 'core', url: 'http://causeway:PASSWORD@127.0.0.1:8332' }],
};

function read(...chains: object[]) {
  const file = join(directory, 'chains.json');
  writeFileSync(file, JSON.stringify({ chains }));
  return readChains(file);
}

describe('a chain of Bitcoin', () => {
  test('has what it needs without being told', () => {
    expect(read(evm, bitcoin)[1]).toMatchObject({
      blockTimeMs: 600_000,
      pollIntervalMs: 1000,
      nodeTimeoutMs: 10_000,
      replaceAfterBlocks: 6,
      fees: { floor: 1, ceiling: 500, fallback: 20 },
    });
  });

  test('has its own fees and several nodes', () => {
    const nodes = [...bitcoin.nodes, { protocol: 'esplora', url: 'https://esplora.example/api' }];
    const fees = { floor: 2.5, ceiling: 100 };
    expect(read({ ...bitcoin, nodes, fees })[0]).toMatchObject({
      nodes,
      fees: { floor: 2.5, ceiling: 100, fallback: 20 },
    });
  });

  test.each([
    [{ network: 'testnet' }, /chains\.0\.network/],
    [{ nodes: [] }, /chains\.0\.nodes/],
    [{ nodes: [{ protocol: 'electrum', url: 'http://127.0.0.1' }] }, /chains\.0\.nodes\.0\.protocol/],
    [{ nodes: [{ protocol: 'core', url: 'ftp://127.0.0.1' }] }, /chains\.0\.nodes\.0\.url/],
    [{ fees: { floor: 50, ceiling: 40 } }, /floor ≤ fallback ≤ ceiling/],
    [{ fees: { fallback: 1000 } }, /floor ≤ fallback ≤ ceiling/],
    [{ fees: { floor: 0 } }, /chains\.0\.fees\.floor/],
  ])('is refused with %j', (changes, problem) => {
    expect(() => read({ ...bitcoin, ...changes })).toThrow(problem);
  });
});

test('one installation serves one network of Bitcoin', () => {
  const signet = { ...bitcoin, id: 'signet', network: 'signet' };
  expect(() => read(bitcoin, signet)).toThrow(/more than one network/);
  expect(bitcoinNetworkOf(read(evm, signet))).toBe('signet');
  expect(bitcoinNetworkOf(read(evm))).toBe('main');
});
