import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findRestoreMode } from '../platform/database/restore-mode.ts';
import { newId } from '../platform/ids.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { dying } from '../testing/dying.ts';
import { isProof } from '../testing/proof.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/**
 * An older backup is put back after several payments went out in one transaction (docs/adr/0094). The backup has all of their transfers, or some: those are
 * adopted and settled as ever, and what the others have taken is unexplained until it is booked. Every payee has its money once.
 */

// A drill copies the database twice.
vi.setConfig({ testTimeout: 120_000 });

const fee = 2_000n;
const depth = bitcoin.confirmations;
const amounts = [40_000n, 30_000n, 20_000n] as const;
const deposited = 200_000n;
const payees = amounts.map((_, place) => strangersAddress(`payee ${place} of a drill`));

let world: BitcoinWorld;
let company: SignedCompany;
beforeEach(async () => {
  world = await bitcoinWorld();
  company = await world.company({ isFunded: false });
  await world.db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Drill')`.execute(tx),
  );
  await world.deposit(company, deposited);
});
afterEach(() => world.close());

const ids = amounts.map(() => newId());
const submit = (place: number) =>
  world.promised(company, payees[place] ?? '', amounts[place] ?? 0n, fee, { id: ids[place] ?? '' });

async function restored(): Promise<void> {
  await world.stopSigner();
  await world.restore('drill');
  await world.startSigner();
  expect(await world.db.worker.withoutCompany(findRestoreMode)).toMatchObject({ cause: 'journal_ahead' });
}

async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    await world.work().catch(() => undefined);
    await world.tend();
    world.chain.mine();
    await world.follow();
    await world.compare();
  }
}

interface Condition {
  condition: string;
  met: boolean | null;
}
const missing = async () =>
  ((await world.run('restore', 'status')) as Condition[])
    .slice(1)
    .flatMap(({ condition, met }) => (met === false ? [condition] : []));
const unexplained = async () =>
  (await world.run('payments', 'unexplained')) as { id: string; to: string; journaled: string | null }[];

async function release(): Promise<void> {
  expect(await missing()).toEqual([]);
  await world.run('restore', 'release', '--reason', 'drill');
}

async function shares(): Promise<bigint[]> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ joined: { shareMinor: string }[] }>`
      select plan -> 'joined' as joined from chain_send where company_id = company_id() limit 1`.execute(tx),
  );
  return (rows[0]?.joined ?? []).map(({ shareMinor }) => BigInt(shareMinor));
}

/** Every payee has its money once; the books have what the chain has. */
async function expectPaidOnce(): Promise<void> {
  expect(payees.map((payee) => world.held(payee))).toEqual([...amounts]);
  const feeMinor = (await shares()).reduce((sum, share) => sum + share, 0n);
  expect(feeMinor).toBeGreaterThan(0n);
  const paidMinor = amounts.reduce((sum, amount) => sum + amount, feeMinor);
  const { available = 0n, outbound, deficit = 0n, fee: earned } = await world.balances(company);
  expect([available + deficit, outbound, earned]).toEqual([deposited - paidMinor, 0n, 0n]);
  await world.expectBooks();
}

test('payments whose transfers the backup has are adopted, all of them, and paid by the one transaction', async () => {
  for (const place of [0, 1, 2]) await submit(place);
  await world.backUp('drill');
  await world.tend();
  const [hash] = world.chain.waiting();
  await restored();
  await world.tend();
  expect(await Promise.all(ids.map(async (id) => (await world.transaction(company, id)).stage))).toEqual([
    ...['signing', 'signing', 'signing'],
  ]);
  await rounds(depth + 2);
  await release();
  await rounds(depth + 2);
  for (const id of ids) expect(await world.transaction(company, id)).toMatchObject({ stage: 'completed', hash });
  await expectPaidOnce();
});

const drills: readonly [string, number, boolean][] = [
  ['a further one is lost, and the signed bytes were never stored', 2, false],
  ['the first is lost, and a block has the transaction', 0, true],
  ['a further one is lost, and a block has the transaction', 1, true],
  ['the first is lost, and the signed bytes were never stored', 0, false],
];
/** The others differ in one step: with `npm run proof`. */
const usual = isProof ? drills : drills.slice(0, 1);

test.each(usual)('%s: the others are adopted, and what the lost one took is booked', async (_, lost, isMined) => {
  const has = [0, 1, 2].filter((place) => place !== lost);
  if (lost === 0) {
    // What was approved first is taken up first, and names the transaction.
    for (const place of has) await submit(place);
    await world.backUp('drill');
    await submit(0);
    await world.asSuperuser(
      `update causeway.transaction set stage_at = stage_at - interval '1 hour' where id = '${ids[0] ?? ''}'`,
    );
  } else {
    for (const place of has) await submit(place);
    await world.backUp('drill');
    await submit(lost);
  }
  if (isMined) {
    await world.tend();
    await world.advance(1);
  } else {
    await world.tend(3_600_000, { signer: dying({ sign: world.sign }, 'sign', 'after', 9) });
    expect(await unsigned()).toBe(3);
  }
  await restored();
  await rounds(1);
  const adopted = has.map((place) => ids[place] ?? '');
  for (const id of adopted) {
    expect(['signing', 'broadcast', 'confirming', 'completed']).toContain((await world.transaction(company, id)).stage);
  }
  if (!isMined) {
    // Nothing is offered while restore mode holds; the operator wants the lost one sent, which the others' transaction does.
    await world.run('restore', 'resend', ids[lost] ?? '', '--reason', 'drill');
  }
  await rounds(depth + 1);
  if (isMined) {
    for (const { id, to, journaled } of await unexplained()) {
      expect([to, journaled]).toEqual([payees[lost], ids[lost]]);
      await world.run('payments', 'book', id, '--reason', 'paid before');
    }
    await rounds(2);
  }
  await release();
  await rounds(depth + 2);
  for (const { id, to } of await unexplained()) {
    expect(to).toBe(payees[lost]);
    await world.run('payments', 'book', id, '--reason', 'paid before');
  }
  await rounds(depth + 1);
  expect(await unexplained()).toEqual([]);
  for (const id of adopted) expect(await world.transaction(company, id)).toMatchObject({ stage: 'completed' });
  await expectPaidOnce();
});

/** How many attempts have no bytes. */
async function unsigned(): Promise<number> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql`select from chain_send where company_id = company_id() and raw is null`.execute(tx),
  );
  return rows.length;
}
