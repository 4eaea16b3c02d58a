import { type Chain, startChain } from '@causeway/sandbox/chain.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { chainFamilies } from '../../../testing/chain-families.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { NoAgreement } from '../gateway.ts';
import { registerChains } from '../registry.ts';
import { createEvmGateway } from './adapters/gateway.ts';
import { WrongDecimals, withComparedDecimals } from './token-decimals.ts';

let db: TestDatabase;
let chain: Chain;
beforeAll(async () => {
  [db, chain] = await Promise.all([testDatabase(), startChain({ autoMining: false })]);
});
afterAll(() => Promise.all([db.close(), chain.stop()]));
beforeEach(() => Promise.all(chain.nodes.map((node) => node.setMode('ok'))));

const none = { among: async () => new Set<string>() };

/** A chain that lists one of the sandbox's tokens, which have 6 decimals, as a coin of so many. */
async function listed(coin: string, decimals: number) {
  const config = {
    id: 'ethereum',
    family: 'evm' as const,
    name: 'Ethereum',
    chainId: chain.chainId,
    rpcUrls: [...chain.urls],
    confirmations: 3,
    pollIntervalMs: 50,
    rpcTimeoutMs: 5000,
    blockTimeMs: 12_000,
    replaceAfterBlocks: 10,
    nativeCoin: 'ETH',
    explorerUrl: null,
    tokens: [{ coin, contract: chain.treasury.contracts[coin === 'USDT' ? coin : 'HKDT'] }],
  };
  await registerChains(db.superuserUrl, chainFamilies, [config], [{ coin, decimals, minimum: '1' }]);
  const log = createLog('test', 'silent');
  return { database: db.worker, gateway: createEvmGateway(config), chain: config, log };
}

test('a token with the decimals of its coin is read and paid for', async () => {
  const gateway = await withComparedDecimals(await listed('USDT', 6));
  expect(await gateway.contents(0, 0, none)).toHaveLength(1);
  expect((await gateway.fees()).maxFeePerGas).toBeGreaterThan(0n);
});

test('a token with other decimals is refused in one sentence', async () => {
  const refused = withComparedDecimals(await listed('USDW', 18));
  await expect(refused).rejects.toThrow(WrongDecimals);
  await expect(refused).rejects.toThrow(
    /^CHAINS_FILE: the contract 0x\w{40} on ethereum has 6 decimals, but USDW has 18/,
  );
});

test.each([
  ['right', 'USDT', 6],
  ['wrong', 'USDW', 18],
] as const)(
  'while the nodes are down nothing is refused; when they answer, the %s decimals are seen',
  async (judged, coin, decimals) => {
    const comparison = await listed(coin, decimals);
    await Promise.all(chain.nodes.map((node) => node.setMode('down')));
    const gateway = await withComparedDecimals(comparison);
    await expect(gateway.contents(0, 0, none)).rejects.toThrow(NoAgreement);
    await expect(gateway.fees()).rejects.toThrow(NoAgreement);
    await Promise.all(chain.nodes.map((node) => node.setMode('ok')));
    // Nodes that failed are left alone for a moment.
    await expect
      .poll(() => gateway.contents(0, 0, none).then(() => 'right', nameOf), { timeout: 30_000, interval: 100 })
      .toBe(judged);
    expect(await gateway.fees().then(() => 'right', nameOf)).toBe(judged);
  },
);

function nameOf(error: unknown): string {
  return error instanceof WrongDecimals ? 'wrong' : 'no answer';
}
