import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findObstruction } from '../features/rails/index.ts';
import { findRestoreMode } from '../platform/database/restore-mode.ts';
import { newId } from '../platform/ids.ts';
import { expectBooksToAgree } from '../testing/chain-books.ts';
import { transactions } from '../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainWorld, depth } from '../testing/chain-world.ts';
import { isProof } from '../testing/proof.ts';
import {
  bookUnexplained,
  createDrill,
  type Drill,
  expectPaidOnce,
  newPayment,
  type Step,
  statusOf,
  steps,
  untilReady,
  withoutGas,
} from '../testing/restore-drill.ts';

/**
 * The drill of a restore: a backup finds a transfer at a named step, the transfer and others go on and are paid, and then the
 * backup is put back. The operator does what docs/OPERATIONS.md says. Judged by the chain and by what the drill itself
 * remembers: every payee has its money once, whatever the database believed.
 */

// A drill is some sixty blocks, each read and worked off.
vi.setConfig({ testTimeout: 240_000 });

let world: ChainWorld;
let drill: Drill;
let bystander: Company;
async function begin(): Promise<void> {
  world = await chainWorld();
  drill = createDrill(world);
  bystander = await drill.company();
}
beforeAll(begin);
afterAll(() => world.close());
afterEach(async ({ task }) => {
  // What failed leaves restore mode on: it must not fail the others.
  if (task.result?.state !== 'fail') return;
  await world.close();
  await begin();
});

const ways = isProof ? (['submitted again', 'booked'] as const) : (['submitted again'] as const);
const chosen: readonly Step[] = isProof ? steps : ['signing, without a nonce'];
/** Drills that differ from others in one step: with `npm run proof`. */
const drillOfProof = test.runIf(isProof);

describe.each(ways)('a backup is put back, and what it has lost is %s', (way) => {
  test.each(chosen)('it found a transfer %s', async (step) => {
    const company = await drill.company();
    const earlier = withoutGas.includes(step) ? [] : [newPayment(company)];
    for (const first of earlier) {
      await drill.submit(first);
      await drill.finish(first);
    }
    const payment = newPayment(company);
    await drill.bring(payment, step);
    await world.backUp('drill');

    // Life goes on: the transfer is paid, the same company and another pay others, and money arrives.
    if (step === 'broadcast') await drill.replace();
    await drill.finish(payment);
    const later = [newPayment(company), newPayment(bystander), newPayment(company)];
    for (const next of later) {
      await drill.submit(next);
      await drill.finish(next);
    }
    await world.chain.treasury.send('USDT', company.address, '7');
    await drill.rounds(depth + 1);
    const all = [...earlier, payment, ...later];
    await expectPaidOnce(world, all);
    await expectBooksToAgree(world);

    await world.stopSigner();
    await world.restore('drill');
    await drill.run('restore', 'begin', '--reason', 'drill');
    await world.startSigner();
    const sent = await drill.sent([company, bystander]);
    await expect(drill.run('restore', 'release', '--reason', 'too early')).rejects.toMatchObject({
      key: 'restoreNotReady',
    });
    if (way === 'submitted again') for (const next of later) await drill.submit(next);
    await drill.rounds(1);
    const waiting = newPayment(bystander);
    await drill.submit(waiting);
    const why = await world.db.app.withCompany(bystander.id, (tx) => findObstruction(tx, waiting.id));
    expect(why?.text).toBe('transaction.waiting.restoring');
    const booked = await bookUnexplained(drill);
    expect(booked).toBe(way === 'booked' ? later.length : 0);
    await untilReady(drill);
    // While restore mode holds, nothing at all is sent.
    expect(await drill.sent([company, bystander])).toBe(sent);
    await drill.run('restore', 'release', '--reason', 'the drill is over');

    const fresh = newPayment(company);
    await drill.submit(fresh);
    await drill.finish(fresh);
    await drill.rounds(2 * depth);
    await drill.finish(waiting);
    await expectPaidOnce(world, [...all, waiting, fresh]);
    for (const each of [...all, waiting, fresh]) expect(await statusOf(world, each), each.id).toBe('completed');
    await expectBooksToAgree(world);
    expect(await world.db.worker.withoutCompany(findRestoreMode)).toBeNull();
  });
});

describe('the journal is lost with the database', () => {
  test('nothing is paid: the signer stops, and what the chain has is the operator’s to explain', async () => {
    const company = await drill.company();
    const first = newPayment(company);
    await drill.submit(first);
    await drill.finish(first);
    const payment = newPayment(company);
    await drill.bring(payment, 'signing, without a nonce');
    await world.backUp('drill');
    await drill.finish(payment);
    const later = newPayment(company);
    await drill.submit(later);
    await drill.finish(later);

    await world.stopSigner();
    rmSync(world.journalFile);
    await world.restore('drill');
    await expect(world.startSigner()).rejects.toThrow(/is missing/);
    await world.rebuildJournal();
    await world.startSigner();
    const sent = await drill.sent([company]);
    await drill.rounds(3 * depth);
    expect(await drill.sent([company])).toBe(sent);
    await expectPaidOnce(world, [first, payment, later]);
    await expect(drill.run('restore', 'release', '--reason', 'too early')).rejects.toMatchObject({
      key: 'restoreNotReady',
    });

    const rows = (await drill.run('payments', 'unexplained')) as { id: string; to: string }[];
    const own = rows.find(({ to }) => to === payment.payee);
    await drill.run('payments', 'match', own?.id ?? '', payment.id);
    await bookUnexplained(drill);
    await untilReady(drill);
    await drill.run('restore', 'release', '--reason', 'explained');
    await drill.rounds(2 * depth);
    await expectPaidOnce(world, [first, payment, later]);
    expect(await statusOf(world, payment)).toBe('completed');
    expect((await transactions(world, company)).filter(({ status }) => status === 'pending')).toEqual([]);
    await expectBooksToAgree(world);
  });
});

describe('the journal is lost with the database, and a payment waits in the nodes’ memory', () => {
  drillOfProof('holds up the release until a block has it and it is explained', async () => {
    const company = await drill.company();
    const first = newPayment(company);
    await drill.submit(first);
    await drill.finish(first);
    await world.backUp('drill');
    const lost = newPayment(company);
    await drill.bring(lost, 'broadcast');

    await world.stopSigner();
    rmSync(world.journalFile);
    await world.restore('drill');
    await world.rebuildJournal();
    await world.startSigner();
    await world.follow();
    await world.tend();
    // No block has it: nothing else tells of it.
    expect(await drill.missing()).toEqual(['the nodes of ethereum have no waiting transaction that is not known here']);
    await expect(drill.run('restore', 'release', '--reason', 'too early')).rejects.toMatchObject({
      key: 'restoreNotReady',
    });
    await drill.rounds(depth + 1);
    expect(await bookUnexplained(drill)).toBe(1);
    await untilReady(drill);
    await drill.run('restore', 'release', '--reason', 'drill');
    const next = newPayment(company);
    await drill.submit(next);
    await drill.finish(next);
    await expectPaidOnce(world, [first, lost, next]);
    await expectBooksToAgree(world);
  });
});

/** The database is put back, and restore mode holds. */
async function restored(): Promise<void> {
  await world.stopSigner();
  await world.restore('drill');
  await drill.run('restore', 'begin', '--reason', 'drill');
  await world.startSigner();
}

describe('a company that registered after the backup', () => {
  test('shares its address with none that registers after the restore, and none gets an address while restore mode holds', async () => {
    await world.backUp('drill');
    const lost = await drill.company();
    expect(await world.chain.treasury.balance('USDT', lost.address)).toBe('500');
    await restored();
    const early = newId();
    await world.db.app.withCompany(early, (tx) =>
      sql`insert into company (company_id, name) values (company_id(), 'Early')`.execute(tx),
    );
    await world.open(early);
    await world.openMissing();
    expect(await addressesOf(early)).toEqual([]);
    await untilReady(drill);
    await drill.run('restore', 'release', '--reason', 'drill');

    await world.openMissing();
    const later = await drill.company();
    const addresses = [lost.address, later.address, ...(await addressesOf(early))];
    expect(addresses).toHaveLength(3);
    expect(new Set(addresses).size).toBe(3);
    expect((await balances(world, later, 'USDT'))['available']).toBe(500_000_000n);
    await expectBooksToAgree(world);
  });
});

async function addressesOf(companyId: string): Promise<string[]> {
  const { rows } = await world.db.worker.withCompany(companyId, (tx) =>
    sql<{ address: string }>`select address from chain_address where company_id = company_id()`.execute(tx),
  );
  return rows.map(({ address }) => address);
}

describe('what was signed after the backup and reached no block', () => {
  test('of a lost transfer holds up the release until the operator sends it, and is paid once', async () => {
    const company = await drill.company();
    const first = newPayment(company);
    await drill.submit(first);
    await drill.finish(first);
    await world.backUp('drill');
    const lost = newPayment(company);
    await drill.bring(lost, 'stored, not broadcast');
    await restored();
    await drill.rounds(depth + 1);
    expect(await drill.missing()).toEqual(['no signed payment is lost (restore resend)']);
    expect(await world.chain.treasury.balance('USDT', lost.payee)).toBe('0');
    await expect(drill.run('restore', 'resend', first.id, '--reason', 'not lost')).rejects.toMatchObject({
      key: 'notFound',
    });
    await drill.run('restore', 'resend', lost.id, '--reason', 'the company wants it paid');
    expect(await world.chain.treasury.balance('USDT', lost.payee)).toBe('0');
    await untilReady(drill);
    await drill.run('restore', 'release', '--reason', 'drill');

    // The next payment of the same address waits behind it.
    const next = newPayment(company);
    await drill.submit(next);
    await drill.rounds(2);
    expect(await bookUnexplained(drill)).toBe(1);
    await drill.rounds(depth + 1);
    await drill.finish(next);
    await expectPaidOnce(world, [first, lost, next]);
    expect(await statusOf(world, lost)).toBe('completed');
    await expectBooksToAgree(world);
  });

  drillOfProof(
    'as an advance for a lost transfer is sent by itself, since the gas tank’s next advances wait for it',
    async () => {
      const company = await drill.company();
      await world.backUp('drill');
      await drill.bring(newPayment(company), 'signing, its advance signed and not stored');
      await restored();
      await untilReady(drill);
      await drill.run('restore', 'release', '--reason', 'drill');
      const next = newPayment(await drill.company());
      await drill.submit(next);
      await drill.finish(next);
      await drill.rounds(depth + 1);
      await expectPaidOnce(world, [next]);
      await expectBooksToAgree(world);
    },
  );

  drillOfProof(
    'under an id that is submitted again with another content pays the first, and refuses the second',
    async () => {
      const company = await drill.company();
      await world.backUp('drill');
      const signed = newPayment(company);
      await drill.submit(signed);
      await drill.finish(signed);
      await restored();
      const forged = newPayment(company, signed.id);
      await drill.submit(forged);
      await drill.rounds(depth + 1);
      expect(await statusOf(world, forged)).toBe('failed');
      expect(await bookUnexplained(drill)).toBe(1);
      await untilReady(drill);
      await drill.run('restore', 'release', '--reason', 'drill');
      await drill.rounds(2 * depth);
      await expectPaidOnce(world, [signed]);
      expect(await world.chain.treasury.balance('USDT', forged.payee)).toBe('0');
      await expectBooksToAgree(world);
    },
  );
});
