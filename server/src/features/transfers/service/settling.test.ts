import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { approvedTransfer, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { type ChainGateway, type Receipt, watchOnce } from '../../chains/index.ts';
import { createChainListener } from './following.ts';

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';
const other = '0x00000000000000000000000000000000000B0b00';
type TokenTransfer = Receipt['tokenTransfers'][number];

/** A transfer of 100 USDT in a block, not yet deep enough. */
async function mined(): Promise<Company> {
  const company = await world.company();
  await world.chain.treasury.send('USDT', company.address, '250');
  await world.advance(depth + 1);
  await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 100_000_000n, payee });
  await world.work();
  await world.advance(2);
  expect((await transactions(world, company)).at(-1)).toMatchObject({ stage: 'confirming' });
  return company;
}

/** Follows the payment to its depth on a chain whose token did something else than it was asked for. */
async function settleWith(change: (moved: TokenTransfer) => Partial<TokenTransfer>): Promise<void> {
  const gateway: ChainGateway = {
    ...world.gateway,
    async receipt(hash) {
      const receipt = await world.gateway.receipt(hash);
      return (
        receipt && {
          ...receipt,
          tokenTransfers: receipt.tokenTransfers.map((moved) => ({ ...moved, ...change(moved) })),
        }
      );
    },
  };
  const listener = createChainListener({
    database: world.db.worker,
    gateways: new Map([[chainId, gateway]]),
    log: createLog('test', 'silent'),
  });
  await world.chain.engine.mine(depth);
  await watchOnce({ database: world.db.worker, gateway, listener, log: createLog('test', 'silent') });
}

describe('a token payment whose transaction succeeded', () => {
  test('is completed when the payee got the whole amount', async () => {
    const company = await mined();
    await settleWith(() => ({}));
    expect((await transactions(world, company)).at(-1)).toMatchObject({ stage: 'completed', status: 'completed' });
    expect(await balances(world, company, 'USDT')).toMatchObject({ available: 149_000_000n });
  });

  test.each<[string, (moved: TokenTransfer) => Partial<TokenTransfer>]>([
    ['a unit less arrived', ({ amountMinor }) => ({ amountMinor: amountMinor - 1n })],
    ['a unit more arrived', ({ amountMinor }) => ({ amountMinor: amountMinor + 1n })],
    ['nothing arrived', () => ({ amountMinor: 0n })],
    ['somebody else got it', () => ({ to: other })],
    ['another token moved', () => ({ contract: other })],
  ])('has failed when %s, and the hold is given back', async (_what, change) => {
    const company = await mined();
    await settleWith(change);
    const [, transfer, refund] = await transactions(world, company);
    expect(transfer).toMatchObject({ stage: 'failed', status: 'failed', failureReason: 'stage.reason.reverted' });
    expect(refund).toMatchObject({ type: 'failed_refund' });
    const held = await balances(world, company, 'USDT');
    expect(held).toMatchObject({ available: 250_000_000n });
    expect(held).not.toHaveProperty('outbound');
  });
});
