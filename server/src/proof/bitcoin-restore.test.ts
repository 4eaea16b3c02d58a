import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findRestoreMode } from '../platform/database/restore-mode.ts';
import { newId } from '../platform/ids.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { timeline } from '../testing/chain-transfers.ts';
import { dying, Killed } from '../testing/dying.ts';
import { isProof } from '../testing/proof.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/**
 * An older backup is put back on a chain without accounts and nonces: what the signer's journal has was paid or may be, and is
 * never paid a second time. Judged by the chain: every payee has its money once.
 */

// A drill copies the database twice.
vi.setConfig({ testTimeout: 120_000 });

const fee = 20_000n;
const depth = bitcoin.confirmations;
const payee = strangersAddress('the payee');
const other = strangersAddress('another payee');
const amount = 40_000n;
const deposited = 160_000n;

let world: BitcoinWorld;
let company: SignedCompany;

beforeEach(async () => {
  world = await bitcoinWorld();
  company = await world.company({ isFunded: false });
  await world.db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Drill')`.execute(tx),
  );
  await world.deposit(company, 80_000n, 80_000n);
});
afterEach(() => world.close());

const pay = (id: string = newId(), to = payee, amountMinor = amount) =>
  world.promised(company, to, amountMinor, fee, { id });
const one = (id: string) => world.transaction(company, id);

/** Operators want what waits to be dearer. */
async function hasten(): Promise<void> {
  await world.asSuperuser('update causeway.chain_send set hastened_at = now()');
  await world.tend();
  await world.tend();
}

/** How far a payment comes before the restore. */
const steps = {
  async 'signed, not stored'() {
    const signer = dying({ sign: world.sign }, 'sign', 'after');
    await expect(world.work({ signer })).rejects.toThrow(Killed);
  },
  async 'stored, not broadcast'() {
    const gateway = dying(world.chain.gateway, 'broadcast', 'before');
    await expect(world.work({ gateway })).rejects.toThrow(Killed);
  },
  broadcast: () => world.work(),
  async 'replaced by a dearer attempt'() {
    await world.work();
    await hasten();
  },
  async completed() {
    await world.work();
    await world.advance(depth + 1);
  },
};
type Step = keyof typeof steps;
const usual: readonly Step[] = ['signed, not stored'];
/** Drills that differ from others in one step: with `npm run proof`. */
const drillOfProof = test.runIf(isProof);
const neverOffered: readonly Step[] = ['signed, not stored', 'stored, not broadcast'];

/** Puts the backup back; the signer finds by its journal that the database went back. */
async function restored(): Promise<void> {
  await world.stopSigner();
  await world.restore('drill');
  await world.startSigner();
  expect(await world.db.worker.withoutCompany(findRestoreMode)).toMatchObject({ cause: 'journal_ahead' });
}

/** Jobs, tending, blocks and reading, so many rounds. */
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
  found: string;
}
const status = async () => (await world.run('restore', 'status')) as Condition[];

/** What the operator finds of the condition that begins so. */
async function found(condition: string): Promise<string | undefined> {
  return (await status()).find((line) => line.condition.startsWith(condition))?.found;
}

/** The conditions that are not met, the first line aside. */
async function missing(): Promise<string[]> {
  return (await status()).slice(1).flatMap(({ condition, met }) => (met === false ? [condition] : []));
}

async function release(): Promise<void> {
  expect(await missing()).toEqual([]);
  await world.run('restore', 'release', '--reason', 'drill');
}

interface Unexplained {
  id: string;
  from: string;
  to: string;
  amount: string;
  hash: string;
  journaled: string | null;
}
const unexplained = async () => (await world.run('payments', 'unexplained')) as Unexplained[];
const heldAddresses = async () => (await world.run('payments', 'held')) as { address: string; unexplained: number }[];

async function book(): Promise<void> {
  for (const { id } of await unexplained()) await world.run('payments', 'book', id, '--reason', 'paid before');
}

/** The company pays another after all, and chain and books agree. */
async function expectOrder(paidBefore: bigint): Promise<void> {
  expect(world.held(payee)).toBe(paidBefore);
  const next = strangersAddress('the next payee');
  const id = await pay(newId(), next, 10_000n);
  await rounds(2 * depth + 2);
  expect(await one(id)).toMatchObject({ stage: 'completed' });
  expect(world.held(next)).toBe(10_000n);
  expect(world.held(payee)).toBe(paidBefore);
  await world.expectBooks();
}

describe('a payment that was signed after the backup, whose transfer the backup has', () => {
  test.each(isProof ? (Object.keys(steps) as Step[]) : usual)(
    'is adopted and paid once, having been %s',
    async (step) => {
      const id = await pay();
      await world.backUp('drill');
      await steps[step]();
      const entries = step === 'replaced by a dearer attempt' ? 2 : 1;
      await restored();
      expect(await one(id)).toMatchObject({ stage: 'approved' });
      expect(await found('every signed payment')).toBe(`${entries} are not; is it running?`);

      await world.tend();
      expect(await one(id)).toMatchObject({ stage: 'signing' });
      expect(await found('every signed payment')).toBe('0 are not; is it running?');
      expect(await found('no signed payment is lost')).toBe('0 are');
      await rounds(1);
      // While restore mode holds, nothing at all is sent.
      expect(world.held(payee)).toBe(neverOffered.includes(step) ? 0n : amount);
      await rounds(depth + 1);
      await release();
      await rounds(depth + 2);
      expect(await one(id)).toMatchObject({ stage: 'completed', status: 'completed' });
      expect((await timeline(world, company, id)).filter((stage) => stage === 'completed')).toHaveLength(1);
      await expectOrder(amount);
    },
  );

  drillOfProof('is adopted beside an attempt that the backup has, by what was signed', async () => {
    const id = await pay();
    world.chain.isFull = true;
    await world.work();
    await world.backUp('drill');
    await hasten();
    const [dearer] = world.chain.waiting();
    await restored();
    expect(await found('every signed payment')).toBe('1 are not; is it running?');
    await world.tend();
    expect(await found('every signed payment')).toBe('0 are not; is it running?');
    world.chain.isFull = false;
    await rounds(depth + 2);
    await release();
    expect(await one(id)).toMatchObject({ stage: 'completed', hash: dearer });
    await expectOrder(amount);
  });

  test.runIf(isProof)('takes its outputs back from another that was planned with them and never signed', async () => {
    const early = await pay(newId(), other, 30_000n);
    const refuses = dying({ sign: world.sign }, 'sign', 'before');
    await expect(world.work({ signer: refuses })).rejects.toThrow(Killed);
    const planned = await world.inputsOf(company, early);
    const id = await pay();
    await world.backUp('drill');
    // What was planned is given back and its outputs go to the other payment.
    await world.asSuperuser(`delete from causeway.chain_send where transfer_id = '${early}'`);
    await world.asSuperuser(`update causeway.bitcoin_output
      set payment_id = case when hash = '${planned[0]?.hash}' then null else gen_random_uuid() end`);
    await world.work();
    expect(await world.inputsOf(company, id)).toEqual(planned);
    await restored();
    await world.tend();
    expect(await world.inputsOf(company, early)).toEqual([]);
    await rounds(depth + 2);
    await release();
    await rounds(3 * depth + 3);
    expect(await one(early)).toMatchObject({ stage: 'completed' });
    expect(world.held(other)).toBe(30_000n);
    await expectOrder(amount);
  });
});

describe('a payment whose transfer is younger than the backup', () => {
  /** The transfer that the restore loses, as far as a step. */
  async function lost(step: Step): Promise<string> {
    await world.backUp('drill');
    const id = await pay();
    await steps[step]();
    await restored();
    return id;
  }

  test.each<Step>(isProof ? ['broadcast', 'completed'] : ['completed'])(
    'is unexplained and holds the company, until its request is repeated, having been %s',
    async (step) => {
      const id = await lost(step);
      await rounds(2);
      expect(await unexplained()).toMatchObject([
        { from: company.address, to: payee, amount: '0.00040000', journaled: id },
      ]);
      expect(await heldAddresses()).toMatchObject([{ address: company.address, unexplained: 1 }]);
      expect(await missing()).toEqual(
        expect.arrayContaining([
          'no payment is unexplained (payments unexplained)',
          'no address is held (payments held)',
        ]),
      );
      expect(await found('no signed payment is lost')).toBe('0 are');
      await pay(id);
      await rounds(depth + 2);
      expect(await unexplained()).toEqual([]);
      expect(await heldAddresses()).toEqual([]);
      await release();
      await rounds(depth + 1);
      expect(await one(id)).toMatchObject({ stage: 'completed' });
      expect(await world.balances(company)).toMatchObject({ available: deposited - amount - fee, outbound: 0n });
      await expectOrder(amount);
    },
  );

  drillOfProof('is booked by the operator under its id, which no other transfer can have then', async () => {
    const id = await lost('completed');
    await rounds(depth + 1);
    await book();
    await rounds(1);
    expect(await heldAddresses()).toEqual([]);
    expect(await one(id)).toMatchObject({ stage: 'completed', quantity: amount });
    await expect(pay(id)).rejects.toThrow(/duplicate key/);
    await release();
    // No fee of ours: the restore has lost what was agreed.
    expect(await world.balances(company)).toMatchObject({
      available: deposited - amount,
      deficit: -fee,
    });
    expect(world.held(payee)).toBe(amount);
    await world.expectBooks();
  });

  drillOfProof('is forgotten with its block, and the correction of the books with it', async () => {
    const id = await lost('completed');
    await rounds(depth + 1);
    await book();
    await rounds(1);
    world.chain.reorganise(2 * depth + 3, 'lost');
    await world.follow();
    expect(await unexplained()).toEqual([]);
    expect(await one(id)).toMatchObject({ stage: 'reversed' });
    expect(world.held(payee)).toBe(0n);
    await world.expectBooks();
  });

  test.runIf(isProof)(
    'is lost while no block has it: the operator has it sent, and its outputs serve no other payment',
    async () => {
      const id = await lost('signed, not stored');
      await rounds(depth + 1);
      expect(await missing()).toEqual(['no signed payment is lost (restore resend)']);
      expect(await found('no signed payment is lost')).toBe(`${id} (${bitcoin.id})`);
      await world.run('restore', 'resend', id, '--reason', 'the company wants it paid');
      await release();
      const next = await pay(newId(), other, 10_000n);
      await world.work();
      expect(await one(next)).toMatchObject({ stage: 'broadcast' });
      await rounds(depth + 2);
      expect(world.held(payee)).toBe(amount);
      await book();
      await rounds(2 * depth + 2);
      expect(await one(next)).toMatchObject({ stage: 'completed' });
      expect(await one(id)).toMatchObject({ stage: 'completed' });
      await expectOrder(amount);
    },
  );

  drillOfProof('is adopted when its request is repeated while no block has it', async () => {
    const id = await lost('stored, not broadcast');
    await pay(id);
    await rounds(1);
    expect(await one(id)).toMatchObject({ stage: 'signing' });
    expect(world.chain.waiting()).toEqual([]);
    await release();
    await rounds(depth + 2);
    expect(await one(id)).toMatchObject({ stage: 'completed' });
    await expectOrder(amount);
  });

  drillOfProof('refuses another transfer with its id, and gives that one’s hold back', async () => {
    const id = await lost('broadcast');
    await pay(id, other, 30_000n);
    await rounds(1);
    expect(await one(id)).toMatchObject({ stage: 'refused', failureReason: 'stage.reason.signerRefused' });
    expect(await world.balances(company)).toMatchObject({ available: deposited, outbound: 0n });
    await rounds(depth + 1);
    await book();
    await rounds(1);
    await release();
    await rounds(depth + 1);
    expect(world.held(other)).toBe(0n);
    await expectOrder(amount);
  });
});

test('a payment whose id was used on a chain of another family is refused, and its hold given back', async () => {
  const id = newId();
  await world.asSuperuser(`
    insert into causeway.signer_journal (company_id, transfer_id, payment_id, kind, chain_id, from_address, derivation_index,
      nonce, to_address, coin, amount, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
    values ('${company.id}', '${id}', '${id}', 'transfer', 'ethereum', '0xa', 1, 0, '0xb', 'ETH', 1, 21000, 1, 1)`);
  await pay(id);
  await rounds(1);
  expect(await one(id)).toMatchObject({ stage: 'refused', failureReason: 'stage.reason.signerRefused' });
  expect(await world.balances(company)).toMatchObject({ available: deposited, outbound: 0n });
  expect(world.held(payee)).toBe(0n);
});

test('a transaction that spends from several addresses of the company and no payment explains is recorded once', async () => {
  const coins = company.addresses.flatMap((address) => world.chain.unspent(address));
  expect(coins).toHaveLength(2);
  world.chain.offer({ inputs: coins, outputs: [{ address: payee, amountMinor: 150_000n }] });
  await rounds(1);
  expect(await unexplained()).toMatchObject([{ to: payee }]);
  expect(await heldAddresses()).toMatchObject([{ address: company.address, unexplained: 1 }]);
});

test('a transaction that only the nodes have holds up the release', async () => {
  await world.run('restore', 'begin', '--reason', 'drill');
  await world.compare();
  await world.follow();
  const [coin] = world.chain.unspent(company.address);
  if (!coin) throw new Error('the company has an output');
  expect(await missing()).toEqual([]);
  const hash = world.chain.offer({ inputs: [coin], outputs: [{ address: payee, amountMinor: 79_000n }] });
  expect(await missing()).toEqual([`the nodes of ${bitcoin.id} have no waiting transaction that is not known here`]);
  expect(await found(`the nodes of ${bitcoin.id}`)).toBe(`${company.address}: ${hash}`);
  await expect(world.run('restore', 'release', '--reason', 'too early')).rejects.toMatchObject({
    key: 'restoreNotReady',
  });
  world.chain.drop(hash);
  await release();
});
