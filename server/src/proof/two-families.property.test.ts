import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileChain } from '../features/rails/index.ts';
import { type History, type HistoryTransfer, type HistoryWorld, historyWorld } from '../testing/bitcoin/history.ts';
import { historyActions } from '../testing/bitcoin/history-actions.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { expectLedgerToAgree } from '../testing/company-books.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/**
 * Random histories of two companies with wallets on a Bitcoin chain and on an EVM chain, in one database. Payers replace and double-spend what they
 * pay, nodes contradict each other or stop, blocks are reorganised deeper than what counts as final, members raise fees, and the worker dies in the
 * middle of what it does. Once all has settled, every figure must be what the chains alone say, to the satoshi and to the wei.
 */

let world: HistoryWorld;
beforeAll(async () => {
  world = await historyWorld();
});
afterAll(() => world.close());

const histories = Number(process.env['PROOF_HISTORIES'] ?? 3);
const seed = Number(process.env['PROOF_SEED'] ?? 14);

test(
  'every history leaves what the chains and the requests make, and pays no one twice',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(historyActions, { minLength: 20, maxLength: 60, size: 'max' }), async (actions) => {
        const history = await world.begin();
        for (const action of actions) await world.perform(history, action);
        const open = await world.settle(history);
        await expectPaidOnce(history, open);
        for (const company of history.companies) {
          await expectFigures(company, history, open);
          await expectOutputs(company, open);
        }
        await world.evm.check(history.model);
        const { chain } = world.bitcoin;
        expect(await reconcileChain(world.bitcoin.db.operator, chain.gateway)).toMatchObject({ mismatches: [] });
        await expectLedgerToAgree(world.bitcoin.db);
      }),
      { numRuns: histories, seed, endOnFailure: true },
    );
  },
  Math.max(600_000, histories * 20_000),
);

test('payments went out together, and some of them were raised or taken back, in the histories', async () => {
  const { rows } = await world.bitcoin.db.operator.withoutCompany((tx) =>
    sql<{ what: string; count: number }>`
      select case when final_at is null then 'open' when mined_block is not null then 'mined' else 'replaced' end as what,
        count(distinct hash)::integer as count from chain_send where plan ? 'joined' and hash is not null group by 1`.execute(
      tx,
    ),
  );
  const seen = Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  expect(seen['mined'] ?? 0).toBeGreaterThan(0);
  if (histories >= 40) expect(seen['replaced'] ?? 0).toBeGreaterThan(0);
});

test.runIf(histories >= 40)('the histories had every end that there is', async () => {
  const { rows } = await world.bitcoin.db.operator.withoutCompany((tx) =>
    sql<{ what: string; count: number }>`
      select t.type || ' ' || s.stage as what, count(*)::integer as count from transaction_stage s
      join transaction t on t.company_id = s.company_id and t.id = s.transaction_id
      join transaction_chain c on c.company_id = t.company_id and c.transaction_id = t.id
      where c.chain_id = ${bitcoin.id} group by t.type, s.stage
      union all select split_part(kind, '/', 1), count(*)::integer from ledger_posting group by split_part(kind, '/', 1)
      union all select 'given up', count(*)::integer from transaction_stage where stage = 'failed' and reason = 'stage.reason.coinGone'
      union all select 'mined attempt ' || least(attempt, 2), count(*)::integer from chain_send
        where chain_id = ${bitcoin.id} and final_at is not null group by least(attempt, 2)`.execute(tx),
  );
  const seen = Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  const ends = ['seen', 'credited', 'orphaned', 'reversed'].map((stage) => `chain_deposit ${stage}`);
  ends.push(...['broadcast', 'replaced', 'confirming', 'completed'].map((stage) => `chain_withdraw ${stage}`));
  for (const end of [...ends, 'mined attempt 2', 'transfer.raise', 'transfer.unused', 'given up'])
    expect.soft(seen[end] ?? 0, end).toBeGreaterThan(0);
});

/** Of each transfer the chain has one transaction at most, and it has one where the payee was paid. */
async function expectPaidOnce(history: History, open: readonly HistoryTransfer[]): Promise<void> {
  const { chain, held } = world.bitcoin;
  for (const transfer of history.transfers) {
    const { payee, amountMinor, isOutside } = transfer;
    const mined = (await world.signedOf(transfer)).filter((hash) => chain.transaction(hash) !== null);
    const isPaid = (await world.stageOf(transfer)) === 'completed';
    expect(mined).toHaveLength(isPaid ? 1 : 0);
    if (isOutside) expect(held(payee)).toBe(isPaid ? amountMinor : 0n);
    expect(isPaid && open.includes(transfer)).toBe(false);
  }
}

/** By what blocks have: what arrived, less what was paid with its fee; what is held is held for transfers that are open. */
async function expectFigures(
  company: SignedCompany,
  history: History,
  open: readonly HistoryTransfer[],
): Promise<void> {
  const { chain, balances } = world.bitcoin;
  const arrived = company.addresses.flatMap((address) => chain.received(address));
  let net = arrived.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const counted = new Set<string>();
  let outbound = 0n;
  for (const transfer of history.transfers.filter((each) => each.company === company)) {
    if (open.includes(transfer)) outbound += await holdOf(transfer);
    for (const hash of await world.signedOf(transfer)) {
      if (chain.transaction(hash) === null) continue;
      net -= transfer.amountMinor;
      // One transaction makes several payments, and has one fee.
      if (!counted.has(hash)) net -= await feeOf(hash);
      counted.add(hash);
    }
  }
  const seen = await balances(company);
  expect(seen).toMatchObject({ inbound: 0n, outbound, fee: 0n });
  expect((seen.available ?? 0n) + (seen.deficit ?? 0n)).toBe(net - outbound);
  expect(seen.available === 0n || seen.deficit === 0n).toBe(true);
  // Each deposit that counts is an output of a block, and each output is one that counts.
  expect((await creditedTo(company)).sort()).toEqual(
    arrived.map(({ hash, index, amountMinor }) => `${hash}/vout:${index}/${amountMinor}`).sort(),
  );
}

/** What the miner of a transaction that a block has got for it. */
async function feeOf(hash: string): Promise<bigint> {
  const receipt = await world.bitcoin.chain.gateway.receipt(hash);
  return receipt?.networkFeeMinor ?? 0n;
}

async function holdOf({ company, id }: HistoryTransfer): Promise<bigint> {
  const { rows } = await world.bitcoin.db.app.withCompany(company.id, (tx) =>
    sql<{ held: bigint }>`
      select quantity + fee as held from transaction where company_id = company_id() and id = ${id}`.execute(tx),
  );
  return BigInt(rows[0]?.held ?? 0);
}

async function creditedTo({ id }: SignedCompany): Promise<string[]> {
  const { rows } = await world.bitcoin.db.worker.withCompany(id, (tx) =>
    sql<{ name: string }>`
      select d.hash || '/' || d.output || '/' || t.quantity as name from deposit d
      join transaction t on t.company_id = d.company_id and t.id = d.transaction_id
      where d.company_id = company_id() and d.chain_id = ${bitcoin.id} and d.state = 'credited'`.execute(tx),
  );
  return rows.map(({ name }) => name);
}

/** The outputs that the database has are those of the chain; only what an open transfer spends is given to one and unspent. */
async function expectOutputs({ id }: SignedCompany, open: readonly HistoryTransfer[]): Promise<void> {
  const { db, chain } = world.bitcoin;
  const { rows } = await db.worker.withCompany(id, async (tx) => ({
    rows: await Promise.all([
      sql<{ key: string; paymentId: string | null; isMined: boolean }>`
        select hash || ':' || index as key, payment_id as "paymentId", block_number is not null as "isMined"
        from bitcoin_output where company_id = company_id() and spent_by is null`.execute(tx),
      sql<{ address: string }>`
        select address from chain_own_address where company_id = company_id() and chain_id = ${bitcoin.id}`.execute(tx),
    ]),
  }));
  const [outputs, addresses] = rows;
  const unspent = addresses.rows.flatMap(({ address }) => chain.unspent(address));
  expect(outputs.rows.filter(({ isMined }) => !isMined)).toEqual([]);
  expect(outputs.rows.map(({ key }) => key).sort()).toEqual(
    unspent.map(({ hash, index }) => `${hash}:${index}`).sort(),
  );
  const given = outputs.rows.flatMap(({ paymentId }) => paymentId ?? []);
  expect(given.filter((paymentId) => !open.some((transfer) => transfer.id === paymentId))).toEqual([]);
}
