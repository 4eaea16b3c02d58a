import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { wantEmpty } from '../features/rails/index.ts';
import { agreeOnEmpty } from '../testing/agreed-replacement.ts';
import { expectBooksToAgree } from '../testing/chain-books.ts';
import { sendsOf, transactions } from '../testing/chain-transfers.ts';
import { type ChainWorld, chainWorld, depth } from '../testing/chain-world.ts';
import { present } from '../testing/present.ts';
import { isProof } from '../testing/proof.ts';
import { createDrill, type Drill, newPayment, untilReady } from '../testing/restore-drill.ts';

/**
 * A backup is put back that knows neither of two operators' act nor of the empty transaction that was signed in a payment's place. The signer's
 * journal knows it: it is adopted as an attempt of the payment, and is no unexplained payment of its address.
 */

// A drill is some sixty blocks, each read and worked off.
vi.setConfig({ testTimeout: 240_000 });

let world: ChainWorld;
let drill: Drill;
beforeAll(async () => {
  world = await chainWorld();
  drill = createDrill(world);
});
afterAll(() => world.close());

const moments = ['in no block', 'final'] as const;

test.each(isProof ? moments : moments.slice(0, 1))('the empty transaction is %s', async (where) => {
  const company = await drill.company();
  const first = newPayment(company);
  await drill.submit(first);
  await drill.finish(first);
  const payment = newPayment(company);
  await drill.bring(payment, 'broadcast');
  await world.backUp('drill');

  const { nonce } = present((await sendsOf(world, payment.id)).find(({ kind }) => kind === 'transfer'));
  await agreeOnEmpty(world, company, { id: payment.id, nonce });
  expect(await world.db.worker.withCompany(company.id, (tx) => wantEmpty(tx, world.parts(), payment.id))).toBe(true);
  await world.tend({ rebroadcastAfterMs: 3_600_000 });
  const made = (await sendsOf(world, payment.id)).filter(({ kind }) => kind === 'transfer');
  expect(made).toHaveLength(2);
  if (where === 'final') await drill.rounds(depth + 2);

  await world.stopSigner();
  await world.restore('drill');
  await drill.run('restore', 'begin', '--reason', 'drill');
  await world.startSigner();
  await untilReady(drill);
  expect(await drill.run('payments', 'unexplained')).toEqual([]);
  await drill.run('restore', 'release', '--reason', 'the drill is over');
  await drill.rounds(2 * depth);

  expect((await sendsOf(world, payment.id)).filter(({ kind }) => kind === 'transfer')).toEqual(made);
  const rows = await transactions(world, company);
  const end = { stage: 'failed', failureReason: 'stage.reason.replacedByEmpty' };
  expect(rows.find(({ id }) => id === payment.id)).toMatchObject(end);
  expect(rows.filter(({ type }) => type === 'failed_refund')).toHaveLength(1);
  expect(await world.chain.treasury.balance('USDT', payment.payee)).toBe('0');
  await expectBooksToAgree(world);
  // The address goes on.
  const next = newPayment(company);
  await drill.submit(next);
  await drill.finish(next);
});
