import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PaymentRequest } from '../features/chains/index.ts';
import { spendableOutputs } from '../features/rails/bitcoin/store/outputs.ts';
import { offerRaise, raiseFee } from '../features/rails/index.ts';
import { lockTransaction } from '../features/transactions/index.ts';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import type { SignedCompany } from '../testing/signer-world.ts';

/** A transfer whose fee was raised, and what goes wrong after that: nothing of the company's stays held or reserved (docs/adr/0089). */

let world: BitcoinWorld;
let company: SignedCompany;
beforeAll(async () => {
  world = await bitcoinWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.chain.isFull = true;
  company = await world.company({ isFunded: false });
});

async function funded(...amounts: bigint[]): Promise<void> {
  world.chain.isFull = false;
  await world.deposit(company, ...amounts);
  world.chain.isFull = true;
}

const raise = (id: string) =>
  world.db.app.withCompany(company.id, async (tx) => {
    const transfer = await lockTransaction(tx, id);
    const offer = transfer && (await offerRaise(tx, transfer));
    if (!transfer || offer === null || typeof offer === 'string') throw new Error('nothing to raise');
    await raiseFee(tx, transfer, offer, offer.networkFeeMinor);
  });

async function spendable(): Promise<bigint[]> {
  const coins = await world.db.worker.withoutCompany((tx) => spendableOutputs(tx, company.id, bitcoin.id));
  return coins.map(({ amountMinor }) => amountMinor);
}

test('what its raise added is given back with the rest when it comes to nothing', async () => {
  await funded(100_000n);
  const id = await world.promised(company, strangersAddress('payee'), 50_000n, 1_000n);
  await world.work();
  const inputs = await world.inputsOf(company, id);
  await raise(id);
  for (const hash of world.chain.waiting()) world.chain.drop(hash);
  world.chain.isFull = false;
  world.chain.offer({ inputs, outputs: [{ address: strangersAddress('elsewhere'), amountMinor: 99_000n }] });
  await world.advance(bitcoin.confirmations + 1);
  await world.tend();
  await world.asSuperuser(
    `update causeway.chain_send set release_reason = 'spent elsewhere', release_by = 'operator' where transfer_id = '${id}'`,
  );
  await world.tend();
  expect(await world.transaction(company, id)).toMatchObject({ stage: 'failed' });
  expect(await world.balances(company)).toMatchObject({ available: 100_000n, outbound: 0n });
});

test('coins that a dearer attempt adds are free again when the signer refuses it', async () => {
  await funded(52_000n, 80_000n);
  const id = await world.promised(company, strangersAddress('payee'), 78_500n, 1_000n);
  await world.work();
  expect(await world.inputsOf(company, id)).toHaveLength(1);
  await raise(id);
  const asked: string[] = [];
  const refusing = {
    sign: async (request: PaymentRequest) => {
      asked.push(request.kind);
      return { signed: false as const, refusal: 'cost-cap' as const, journaled: true };
    },
  };
  await world.tend(undefined, { signer: refusing });
  expect(new Set(asked)).toEqual(new Set(['transfer']));
  expect(await spendable()).toContain(52_000n);
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql`select attempt from chain_send where company_id = company_id() and payment_id = ${id}`.execute(tx),
  );
  expect(rows).toEqual([{ attempt: 1 }]);
  // What was asked again is signed: the attempt takes its coins once more.
  await world.tend();
  world.chain.isFull = false;
  await world.advance(bitcoin.confirmations + 1);
  expect(await world.transaction(company, id)).toMatchObject({ stage: 'completed' });
  await world.expectBooks();
});

test('coins that a dearer attempt added pay others once a block has the cheaper one for good', async () => {
  await funded(52_000n, 80_000n);
  const id = await world.promised(company, strangersAddress('payee'), 78_500n, 1_000n);
  await world.work();
  await raise(id);
  // The dearer one reaches a node that makes no block.
  world.chain.reached = 1;
  world.chain.miner = 0;
  await world.tend();
  world.chain.reached = null;
  expect(await spendable()).toEqual([]);
  world.chain.isFull = false;
  await world.advance(bitcoin.confirmations + 1);
  world.chain.isFull = true;
  expect(await world.transaction(company, id)).toMatchObject({ stage: 'completed' });
  expect(await spendable()).toContain(52_000n);
  const payee = strangersAddress('payee of what was spared');
  const next = await world.promised(company, payee, 50_000n, 1_000n);
  await world.work();
  world.chain.isFull = false;
  await world.advance(bitcoin.confirmations + 1);
  expect(await world.transaction(company, next)).toMatchObject({ stage: 'completed' });
  expect(world.held(payee)).toBe(50_000n);
  await world.expectBooks();
});

test('a fee is raised again where the cheaper attempt, for which it was raised, was final and lost its block', async () => {
  await funded(100_000n);
  const id = await world.promised(company, strangersAddress('payee'), 50_000n, 1_000n);
  await world.work();
  await raise(id);
  world.chain.isFull = false;
  await world.advance(bitcoin.confirmations + 1);
  expect(await world.balances(company)).toMatchObject({ available: 49_000n, outbound: 0n });
  world.chain.isFull = true;
  world.chain.reorganise(bitcoin.confirmations + 2, 'offered');
  await world.follow();
  await world.tend();
  expect(await world.transaction(company, id)).toMatchObject({ stage: 'broadcast' });
  await raise(id);
  await world.tend();
  world.chain.isFull = false;
  await world.advance(bitcoin.confirmations + 1);
  expect(await world.transaction(company, id)).toMatchObject({ stage: 'completed' });
  expect(await world.balances(company)).toMatchObject({ outbound: 0n, deficit: 0n });
  await world.expectBooks();
});
