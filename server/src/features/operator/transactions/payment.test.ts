import type { OperatorTransactionDetail } from '@causeway/contract/operator-transactions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import {
  approvedTransfer,
  finishTransfer,
  fundedCompany,
  newPayee,
  sendsOf,
} from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld } from '../../../testing/chain-world.ts';
import { keepAnswers } from '../../chains/index.ts';
import { attemptsOf, queueOf } from './attempts.ts';
import { postingsOf } from './books.ts';

/** What the operator sees of a payment that really travels: attempts, answers, nonces and postings, read as the console's role. */

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const asConsole = <T>(company: Company, work: (tx: Tx) => Promise<T>) =>
  world.db.console.withCompany(company.id, work, { readOnly: true });

/** The entries of the ledger itself about a payment, as text. */
async function ledgerOf(company: Company, id: string): Promise<string[]> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ line: string }>`
      select p.kind || ' ' || a.kind || ' ' || e.amount as line from ledger_entry e
      join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
      join ledger_account a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = company_id() and p.source_id in (
        select ${id}::uuid union select payment_id from chain_send where company_id = company_id() and transfer_id = ${id})
      order by line`.execute(tx),
  );
  return rows.map(({ line }) => line);
}

function linesOf(postings: OperatorTransactionDetail['postings']): string[] {
  const minor = (amount: string) => BigInt(amount.replace('.', '')).toString();
  return postings
    .flatMap(({ kind, entries }) => entries.map(({ account, amount }) => `${kind} ${account} ${minor(amount)}`))
    .sort();
}

test('a payment that was replaced has both attempts, each node’s answer, and postings that are the ledger’s and sum to zero', async () => {
  const company = await fundedCompany(world, '50', 'USDT');
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee: newPayee() });
  await world.work();
  await world.advance(1);
  await world.tend({ stuckAfterMs: 3_600_000, rebroadcastAfterMs: 0 });
  await world.tend({ stuckAfterMs: 0, rebroadcastAfterMs: 3_600_000 });
  const under = await asConsole(company, async (tx) => ({
    attempts: await attemptsOf(tx, id),
    queue: await queueOf(tx, id),
  }));
  expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
  const { attempts, queue, postings } = await asConsole(company, async (tx) => ({
    attempts: await attemptsOf(tx, id),
    queue: await queueOf(tx, id),
    postings: await postingsOf(tx, id),
  }));
  const sends = await sendsOf(world, id);
  expect(new Set(attempts.map(({ hash }) => hash))).toEqual(new Set(sends.map(({ hash }) => hash)));
  const own = attempts.filter(({ kind }) => kind === 'transfer');
  expect(own.every(({ nonce, from }) => nonce === own[0]?.nonce && from === own[0]?.from)).toBe(true);
  expect(own.filter(({ state }) => state === 'final')).toHaveLength(1);
  for (const [index, attempt] of own.entries()) {
    expect(attempt.replacedBy).toBe(own[index - 1]?.hash ?? null);
    expect(attempt.answers.length).toBeGreaterThan(0);
    expect(attempt.maxFeePerGas).toMatch(/^\d+\.\d{9}$/);
  }
  expect(under.attempts.some(({ state }) => state !== 'final')).toBe(true);
  expect(under.queue?.open.map(({ transactionId }) => transactionId)).toContain(id);
  expect(queue).toMatchObject({ held: null, open: [] });

  expect(linesOf(postings)).toEqual(await ledgerOf(company, id));
  expect(postings.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['transfer.reserve', 'transfer.settle', 'gas.spent']),
  );
  for (const { sums } of postings) for (const { sum } of sums) expect(sum).toMatch(/^0(\.0+)?$/);
  const other = await fundedCompany(world, '1', 'USDT');
  expect(await asConsole(other, (tx) => postingsOf(tx, id))).toEqual([]);
});

test('an attempt keeps its newest twenty answers; the same answer again is counted', async () => {
  const company = await fundedCompany(world, '50', 'USDT');
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee: newPayee() });
  await world.work();
  const keep = (words: string) =>
    world.db.worker.withCompany(company.id, (tx) =>
      keepAnswers(tx, { paymentId: id, attempt: 1 }, [{ node: '1', answer: 'refused', words }]),
    );
  await world.advance(1);
  for (let n = 0; n < 25; n += 1) await keep(`try ${n}`);
  await keep('try 24');
  await keep(`\u0000${'😀'.repeat(300)}`);
  const [attempt] = (await asConsole(company, (tx) => attemptsOf(tx, id))).filter(({ kind }) => kind === 'transfer');
  expect(attempt?.answers).toHaveLength(20);
  expect(attempt?.answers[0]?.words).toBe('😀'.repeat(250));
  expect(attempt?.answers[1]).toMatchObject({ node: '1', answer: 'refused', words: 'try 24', times: 2 });
});
