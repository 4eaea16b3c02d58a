import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/process/log.ts';
import { approvedTransfer, fundedCompany, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { type EvmGateway, latestSends, type EvmReceipt as Receipt, type Send, watchOnce } from '../../chains/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import { evmFamily } from '../evm/family.ts';
import { createChainListener } from './following.ts';
import { seeMined, seeVanished } from './settling.ts';

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
  const company = await fundedCompany(world, '250');
  await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 100_000_000n, payee });
  await world.work();
  await world.advance(2);
  expect((await transactions(world, company)).at(-1)).toMatchObject({ stage: 'confirming' });
  return company;
}

/** Follows the payment to its depth on a chain whose token did something else than it was asked for. */
async function settleWith(change: (moved: TokenTransfer) => Partial<TokenTransfer>): Promise<void> {
  const gateway: EvmGateway = {
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
    familyOf: () => evmFamily,
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

test.each([
  ['a block has it', (tx: Tx, send: Send) => seeMined(tx, send, { height: 1, hash: `0x${'e'.repeat(64)}` })],
  ['its block is gone', (tx: Tx, send: Send) => seeVanished(tx, send)],
])('while %s is written, one who holds the transaction can still lock its attempt', async (_, write) => {
  const company = await mined();
  const id = (await transactions(world, company)).at(-1)?.id ?? '';
  const { worker } = world.db;
  const send = await worker.withCompany(company.id, async (tx) => (await latestSends(tx, id, 'transfer'))[0]);
  if (!send) throw new Error('the payment was sent');
  let writing: Promise<void> | undefined;
  await worker.withCompany(company.id, async (tx) => {
    await lockTransaction(tx, id);
    writing = worker.withCompany(company.id, (other) => write(other, send));
    // The other one waits for the transaction by now: with the attempt locked, each would wait for the other.
    await waitingForLock(world);
    await sql`select from chain_send where company_id = company_id() and payment_id = ${send.paymentId}
      for update nowait`.execute(tx);
  });
  await expect(writing).resolves.toBeUndefined();
});

/** Until a connection to this database waits for a lock. */
async function waitingForLock({ db }: ChainWorld): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await db.operator.pool.query(
        `select from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()`,
      );
      return rows.length;
    })
    .toBeGreaterThan(0);
}
