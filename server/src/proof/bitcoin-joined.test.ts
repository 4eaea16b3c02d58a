import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asTransaction, readTransaction } from '../features/chains/bitcoin/transactions.ts';
import type { SignAnswer, Signer, SignRequest } from '../features/chains/index.ts';
import { releaseUnsent } from '../features/rails/index.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import type { BitcoinChain } from '../testing/bitcoin/chain.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { timeline, transactions } from '../testing/chain-transfers.ts';
import { type ExceptionDesk, exceptionDesk } from '../testing/exception-desk.ts';
import { present } from '../testing/present.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/**
 * Payments of one Bitcoin wallet that are ready together go out in one transaction (docs/adr/0094): one set of coins, an output for each payee, one change.
 * Each is signed, settled, charged, taken back, raised and ended as a payment of its own.
 */

const fee = 2_000n;
const depth = bitcoin.confirmations;
const amounts = [50_000n, 40_000n, 30_000n] as const;
const deposited = 400_000n;

let world: BitcoinWorld;
let chain: BitcoinChain;
let desk: ExceptionDesk;
let company: SignedCompany;
let payees: string[] = [];
let companies = 0;

beforeAll(async () => {
  world = await bitcoinWorld();
  chain = world.chain;
  desk = await exceptionDesk(world);
});
afterAll(async () => {
  expect(desk.app.complaints).toEqual([]);
  await desk.close();
  await world.close();
});
beforeEach(async () => {
  chain.isFull = false;
  company = await world.company({ isFunded: false });
  companies += 1;
  payees = amounts.map((_, place) => strangersAddress(`payee ${place} of several ${companies}`));
});

/** Payments that are approved at the same time. */
async function submitted(fees: readonly bigint[] = [fee, fee, fee]): Promise<string[]> {
  const ids: string[] = [];
  for (const [place, feeMinor] of fees.entries()) {
    ids.push(await world.promised(company, payees[place] ?? '', amounts[place] ?? 0n, feeMinor));
  }
  return ids;
}

/** They wait at the nodes, in one transaction. */
async function waiting(fees?: readonly bigint[]): Promise<string[]> {
  await world.deposit(company, deposited);
  chain.isFull = true;
  const ids = await submitted(fees);
  await world.tend();
  await world.look();
  return ids;
}

interface Attempt {
  paymentId: string;
  hash: string;
  raw: string;
  isEmpty: boolean;
  feeMinor: string;
  vsize: number;
  joined: { paymentId: string; shareMinor: string }[] | null;
}

/** Every attempt of these payments, in their order. */
async function attempts(ids: readonly string[]): Promise<Attempt[]> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<Attempt>`select payment_id as "paymentId", hash, raw, is_empty as "isEmpty", plan ->> 'feeMinor' as "feeMinor",
        (plan ->> 'vsize')::integer as vsize, plan -> 'joined' as joined from chain_send
      where company_id = company_id() and transfer_id = any (${[...ids]}::uuid[])
      order by array_position(${[...ids]}::uuid[], payment_id), attempt`.execute(tx),
  );
  return rows;
}
const joinedHashes = async (ids: readonly string[]) => [...new Set((await attempts(ids)).map(({ hash }) => hash))];
const one = (id: string) => world.transaction(company, id);
const stages = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await one(id)).stage));
const chargedFor = async (id: string) => {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ fee: bigint }>`select fee from transaction where company_id = company_id() and id = ${id}`.execute(tx),
  );
  return BigInt(present(rows[0]).fee);
};
const everyOne = (stage: string) => amounts.map(() => stage);
const sum = (all: readonly bigint[]) => all.reduce((whole, each) => whole + each, 0n);

async function sharesOf(ids: readonly string[], attempt = 0): Promise<bigint[]> {
  const [first] = (await attempts(ids)).filter(({ paymentId }) => paymentId === ids[0]).slice(attempt);
  return ids.map((id) => BigInt(present(first?.joined?.find(({ paymentId }) => paymentId === id)).shareMinor));
}

/** Every payee was paid once, the miner has been paid by these payments alone, and nothing is held. */
async function expectPaid(ids: readonly string[], shares: readonly bigint[]): Promise<void> {
  expect(await stages(ids)).toEqual(ids.map(() => 'completed'));
  for (const [place, id] of ids.entries()) {
    expect(chain.received(payees[place] ?? '').map(({ amountMinor }) => amountMinor)).toEqual([amounts[place]]);
    expect(await chargedFor(id)).toBe(shares[place]);
  }
  const paidMinor = sum(amounts.slice(0, ids.length));
  const available = deposited - paidMinor - sum(shares);
  expect(await world.balances(company)).toMatchObject({ available, outbound: 0n, inbound: 0n, fee: 0n, deficit: 0n });
  await world.expectBooks();
}

test('payments that are ready together are one transaction: each payee has its output, and each pays its share of one fee', async () => {
  const ids = await waiting();
  const all = await attempts(ids);
  expect(all).toHaveLength(3);
  expect(chain.waiting()).toEqual(await joinedHashes(ids));
  expect(await stages(ids)).toEqual(everyOne('broadcast'));
  const sent = asTransaction(readTransaction(Buffer.from(all[0]?.raw ?? '', 'hex')), 'regtest');
  expect(sent.inputs).toHaveLength(1);
  expect(sent.outputs.slice(0, 3).map(({ address, amountMinor }) => [address, amountMinor])).toEqual(
    payees.map((payee, place) => [payee, amounts[place]]),
  );
  expect(sent.outputs).toHaveLength(4);
  const shares = await sharesOf(ids);
  const feeMinor = deposited - sum(sent.outputs.map(({ amountMinor }) => amountMinor));
  expect(sum(shares)).toBe(feeMinor);
  // At the rate of each alone, and for much less.
  expect(feeMinor * 141n).toBeGreaterThanOrEqual(fee * BigInt(all[0]?.vsize ?? 0));
  expect(feeMinor).toBeLessThan((3n * fee * 6n) / 10n);
  chain.isFull = false;
  await world.advance(1);
  expect(await stages(ids)).toEqual(everyOne('confirming'));
  await world.expectBooks();
  await world.advance(depth);
  await expectPaid(ids, shares);
});

test('the jobs of all of them at the same time make one transaction of what waits, and no payment twice', async () => {
  await world.deposit(company, deposited);
  const ids = await submitted();
  await world.work();
  await world.tend();
  await world.advance(depth + 1);
  expect(await stages(ids)).toEqual(everyOne('completed'));
  for (const [place, payee] of payees.entries()) {
    expect(chain.received(payee).map(({ amountMinor }) => amountMinor)).toEqual([amounts[place]]);
  }
  expect((await joinedHashes(ids)).length).toBeLessThanOrEqual(3);
  await world.expectBooks();
});

test('one that was promised more takes the others to its rate, and none pays more than it was promised', async () => {
  const fees = [1_000n, 4_000n, 1_000n];
  const ids = await waiting(fees);
  const shares = await sharesOf(ids);
  const [first] = await attempts(ids);
  expect(sum(shares) * 141n).toBeGreaterThanOrEqual(4_000n * BigInt(first?.vsize ?? 0));
  for (const [place, share] of shares.entries()) expect(share).toBeLessThanOrEqual(fees[place] ?? 0n);
  chain.isFull = false;
  await world.advance(depth + 1);
  await expectPaid(ids, shares);
});

test('a payment without coins keeps none of the others waiting, and one alone is planned as ever', async () => {
  await world.deposit(company, 100_000n);
  const short = { ...company, wallets: company.wallets };
  const ids = [
    await world.promised(short, payees[0] ?? '', 50_000n, fee),
    await world.promised(short, payees[1] ?? '', 40_000n, fee),
  ];
  await world.tend();
  const [first] = await attempts(ids);
  expect(first?.joined?.map(({ paymentId }) => paymentId)).toEqual(ids);
  await world.advance(depth + 1);
  const alone = await world.promised(company, payees[2] ?? '', 1_000n, 500n);
  await world.tend();
  expect((await attempts([alone]))[0]?.joined).toBeNull();
});

test('a payment that goes alone is not among them', async () => {
  await world.deposit(company, deposited);
  const ids = await submitted();
  await world.asSuperuser(`update causeway.bitcoin_fee set goes_alone = true where transaction_id = '${ids[1] ?? ''}'`);
  await world.tend();
  const all = await attempts(ids);
  expect(all.find(({ paymentId }) => paymentId === ids[0])?.joined?.map(({ paymentId }) => paymentId)).toEqual([
    ids[0],
    ids[2],
  ]);
  await world.look();
  await world.tend();
  await world.advance(depth + 1);
  expect(await stages(ids)).toEqual(everyOne('completed'));
});

describe('a reorganisation', () => {
  test.each(['offered', 'lost'] as const)(
    'deeper than the depth takes all of them back, and settles all again (%s)',
    async (fate) => {
      const ids = await waiting();
      const shares = await sharesOf(ids);
      chain.isFull = false;
      await world.advance(depth + 1);
      await expectPaid(ids, shares);
      chain.isFull = true;
      chain.reorganise(depth + 1, fate);
      await world.follow();
      expect(await stages(ids)).toEqual(everyOne('broadcast'));
      expect(await world.balances(company)).toMatchObject({ outbound: sum(amounts) + sum(shares) });
      chain.isFull = false;
      for (let round = 0; round < 3; round += 1) {
        await world.tend();
        await world.advance(depth + 1);
      }
      await expectPaid(ids, shares);
      for (const id of ids) {
        expect((await timeline(world, company, id)).filter((stage) => stage === 'completed')).toHaveLength(2);
      }
    },
  );
});

describe('a raised fee', () => {
  test('pays all of them sooner, and is borne by the payment whose initiator raised it', async () => {
    const ids = await waiting([600n, 600n, 600n]);
    const before = await sharesOf(ids);
    const raised = ids[1] ?? '';
    const held = await world.balances(company);
    await world.raise(company, raised);
    // Another cannot raise it meanwhile.
    await expect(world.raise(company, ids[0] ?? '')).rejects.toThrow('nothing to raise');
    await world.tend();
    const after = await sharesOf(ids, 1);
    const addedMinor = (after[1] ?? 0n) - (before[1] ?? 0n);
    expect(addedMinor).toBeGreaterThan(0n);
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect((await world.balances(company)).outbound).toBe((held.outbound ?? 0n) + addedMinor);
    expect(chain.waiting()).toHaveLength(1);
    expect(await attempts(ids)).toHaveLength(6);
    await world.tend();
    expect(await attempts(ids)).toHaveLength(6);
    chain.isFull = false;
    await world.advance(depth + 1);
    await expectPaid(ids, after);
  });

  test('comes back where a block takes the cheaper transaction', async () => {
    const ids = await waiting([600n, 600n, 600n]);
    const before = await sharesOf(ids);
    await world.raise(company, ids[2] ?? '');
    chain.isFull = false;
    await world.advance(depth + 1);
    await expectPaid(ids, before);
  });

  test('by operators is borne by the wallet until they make it good', async () => {
    const ids = await waiting([600n, 600n, 600n]);
    await world.asSuperuser(`update causeway.chain_send set hastened_at = now() where payment_id = '${ids[0] ?? ''}'`);
    await world.tend();
    const after = await sharesOf(ids, 1);
    chain.isFull = false;
    await world.advance(depth + 1);
    expect(await stages(ids)).toEqual(everyOne('completed'));
    const { deficit = 0n, fee: earned } = await world.balances(company);
    const charged = sum(await Promise.all(ids.map(chargedFor)));
    expect(charged).toBeLessThanOrEqual(1_800n);
    expect([deficit, earned]).toEqual([charged - sum(after), 0n]);
    await world.expectBooks();
  });
});

describe('what the signer refuses together', () => {
  /** A signer that makes no several payments at once. */
  const apart: Signer = {
    sign: async (request: SignRequest): Promise<SignAnswer> =>
      'joined' in request && request.joined !== undefined
        ? { signed: false, refusal: 'cost-cap', journaled: false }
        : world.sign(request),
  };

  test('is made alone, each by itself, and gives back the coins that were to be spent', async () => {
    await world.deposit(company, 130_000n, 130_000n, 140_000n);
    const ids = await submitted();
    await world.tend(3_600_000, { signer: apart });
    await world.tend();
    await world.tend();
    const all = await attempts(ids);
    expect(all.map(({ joined }) => joined)).toEqual([null, null, null]);
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(3);
    await world.advance(depth + 1);
    await expectPaid(ids, [fee, fee, fee]);
  });

  test('ends the one that is to blame, and pays the others', async () => {
    await world.deposit(company, 130_000n, 130_000n, 140_000n);
    const ids = await submitted();
    const [, forged = ''] = ids;
    await world.asSuperuser(
      `set session_replication_role = replica; delete from causeway.outgoing_authorisation where transaction_id = '${forged}'`,
    );
    for (let round = 0; round < 3; round += 1) await world.tend();
    await world.advance(depth + 1);
    expect(await stages(ids)).toEqual(['completed', 'refused', 'completed']);
    expect(chain.received(payees[1] ?? '')).toEqual([]);
    await world.expectBooks();
  });
});

describe('an empty transaction', () => {
  const agreed = async (id: string) => {
    const proposalId = await desk.agree('payment.replaceEmpty', id);
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
  };

  test('that two operators want in the place of one ends all of them', async () => {
    const ids = await waiting();
    await agreed(ids[2] ?? '');
    await world.tend();
    const all = await attempts(ids);
    expect(all.filter(({ isEmpty }) => isEmpty)).toHaveLength(3);
    expect(chain.waiting()).toEqual([all.find(({ isEmpty }) => isEmpty)?.hash]);
    await world.tend();
    expect(await attempts(ids)).toHaveLength(6);
    chain.isFull = false;
    await world.advance(depth + 1);
    expect(await stages(ids)).toEqual(everyOne('failed'));
    const back = (await transactions(world, company)).filter(({ type }) => type === 'failed_refund');
    expect(back.map(({ quantity }) => quantity).sort()).toEqual(amounts.map((amount) => amount + fee).sort());
    const { available, outbound, deficit = 0n } = await world.balances(company);
    expect([available, outbound]).toEqual([deposited, 0n]);
    expect(deficit).toBeLessThan(0n);
    for (const payee of payees) expect(chain.received(payee)).toEqual([]);
    await world.expectBooks();
  });

  test('loses against a block that takes the payments', async () => {
    const ids = await waiting();
    const shares = await sharesOf(ids);
    await agreed(ids[0] ?? '');
    chain.isFull = false;
    await world.advance(depth + 1);
    await expectPaid(ids, shares);
  });
});

test('none of them is released once they were signed', async () => {
  const ids = await waiting();
  for (const id of ids) {
    const why = await world.db.worker.withCompany(company.id, (tx) => releaseUnsent(tx, world.parts(), id));
    expect(why).toBe('begun');
  }
});
