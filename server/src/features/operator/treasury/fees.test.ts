import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import {
  listCollectableFees,
  listFeePayments,
  listFeeSources,
  listTreasuryAddresses,
  proposeFeeWithdrawal,
  proposeTreasuryAddress,
  removeTreasuryAddress,
} from '@causeway/contract/operator-treasury.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { announce } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import {
  approvedTransfer,
  finishTransfer,
  newPayee,
  registeredCompany,
  sendsOf,
  transactions,
} from '../../../testing/chain-transfers.ts';
import {
  balances,
  type ChainWorld,
  type Company,
  chainId,
  chainWorld,
  depth,
  walletOf,
} from '../../../testing/chain-world.ts';
import type { Answer } from '../../../testing/envelope.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';

/**
 * The operator collects its fees: two people, an address of the book, one payment from each company's address, the same way out as every
 * payment. Journal, chain and ledger agree after each step, whatever is killed.
 */

// Blocks are mined and followed one by one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: ChainWorld;
let app: OperatorApp;
let first: TestOperator;
let second: TestOperator;
const usdt = { chainId, coin: 'USDT' };
const reason = 'Month-end collection';

beforeAll(async () => {
  world = await chainWorld();
  app = await operatorApp(world.db);
  first = await app.operator('treasury');
  second = await app.operator('treasury');
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await app.close();
  await world.close();
});

const succeeded = <Data>(answer: Answer<Data>): Data => answer.data;

/** A company that has paid fees: so many transfers, each with one USDT of fee. */
async function payingCompany(transfers: number): Promise<Company> {
  const company = await registeredCompany(world);
  for (let left = transfers; left > 0; left -= 1) {
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 5_000_000n, payee: newPayee() });
    await world.work();
    await finishTransfer(world, company, id);
  }
  return company;
}

async function confirm(proposalId: string, by = second) {
  const proposal = succeeded(await app.ask(getProposal, { as: by, params: { id: proposalId } }));
  const body = { digest: proposal.digest, code: app.code(by.secret) };
  return app.ask(confirmProposal, { as: by, params: { id: proposalId }, body });
}

async function addAddress(address = newPayee() as string): Promise<{ id: string; address: string }> {
  const id = newId();
  const body = { id, chainId, address, again: address, label: 'Cold wallet', reason };
  const { proposalId } = succeeded(await app.ask(proposeTreasuryAddress, { as: first, body }));
  succeeded(await confirm(proposalId));
  return { id, address };
}

async function propose(addressId: string, minimum = '0') {
  return app.ask(proposeFeeWithdrawal, { as: first, params: usdt, body: { addressId, minimum, reason } });
}

const payments = async (proposalId: string) =>
  succeeded(await app.ask(listFeePayments, { as: first, query: { proposalId } })).items;
const held = (address: string) => world.chain.treasury.balance('USDT', address as `0x${string}`);

/** Blocks and jobs until none of the payments is on its way. */
async function finish(proposalId: string): Promise<void> {
  for (let left = 6 * depth; left > 0; left -= 1) {
    const states = (await payments(proposalId)).map(({ state }) => state);
    if (states.every((state) => ['completed', 'failed', 'refused'].includes(state))) return;
    await world.tend();
    await world.advance(1);
  }
  throw new Error('the payments did not end');
}

test('one payment from each address, to the depth of the chain; the books agree, and the company sees none of it', async () => {
  const [one, two] = [await payingCompany(2), await payingCompany(1)];
  const before = await transactions(world, one);
  const address = await addAddress();
  expect(succeeded(await app.ask(listCollectableFees, { as: first })).fees).toMatchObject([
    { coin: 'USDT', quantity: '3.000000', underWay: '0.000000', companies: 2, collected: '0.000000', proposalId: null },
  ]);
  const proposed = succeeded(await propose(address.id));
  expect(proposed).toMatchObject({ payments: 2, total: { asset: 'USDT', quantity: '3.000000' } });
  expect((await propose(address.id)).key).toBe('proposalOpen');
  // Nothing happens before a second person has confirmed it.
  await world.work();
  expect(await payments(proposed.proposalId)).toEqual([]);
  expect((await confirm(proposed.proposalId, first)).key).toBe('proposalOwn');
  succeeded(await confirm(proposed.proposalId));
  expect((await payments(proposed.proposalId)).map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  expect(succeeded(await app.ask(listCollectableFees, { as: first })).fees[0]).toMatchObject({
    quantity: '3.000000',
    underWay: '3.000000',
  });
  expect((await propose(address.id)).key).toBe('feesNone');

  await world.work();
  await expectBooksToAgree(world);
  await finish(proposed.proposalId);
  expect(await held(address.address)).toBe('3');
  expect(await balances(world, one, 'USDT')).not.toHaveProperty('fee');
  await expectBooksToAgree(world);
  expect(succeeded(await app.ask(listCollectableFees, { as: first })).fees).toMatchObject([
    { quantity: '0.000000', underWay: '0.000000', collected: '3.000000', companies: 0 },
  ]);
  const done = await payments(proposed.proposalId);
  expect(done.map(({ state, quantity }) => [state, quantity]).toSorted()).toEqual([
    ['completed', '1.000000'],
    ['completed', '2.000000'],
  ]);
  expect(done.every(({ hash }) => hash?.startsWith('0x') === true)).toBe(true);
  // Neither in the company's list nor among its money.
  expect(await transactions(world, one)).toEqual(before);
  expect(await balances(world, two, 'USDT')).not.toHaveProperty('outbound');
});

test('killed anywhere, each payment is made once', async () => {
  const company = await payingCompany(1);
  const address = await addAddress();
  const { proposalId } = succeeded(await propose(address.id));
  succeeded(await confirm(proposalId));
  // The act and its jobs run twice, as after a kill between a step and its end.
  const events = await world.db.worker.withoutCompany(async (tx) => {
    const { rows } = await sql`select from outbox where name = 'operator.actConfirmed'`.execute(tx);
    return rows;
  });
  expect(events).toHaveLength(1);
  // A signer that answers nothing is a time-out: the outcome is unknown, and it is asked again.
  const silent = { sign: () => Promise.reject(new Error('the signer did not answer in time')) };
  await world.work({ signer: silent }).catch((error: unknown) => expect(String(error)).toMatch(/did not answer/));
  const [payment] = await payments(proposalId);
  await expectBooksToAgree(world);
  for (let round = 0; round < 2; round += 1) await world.tend();
  await world.advance(1);
  await world.tend();
  await finish(proposalId);
  expect(await held(address.address)).toBe('1');
  const sends = (await sendsOf(world, payment?.id ?? '')).filter(({ kind }) => kind === 'transfer');
  expect(new Set(sends.map(({ nonce }) => nonce)).size).toBe(1);
  expect(await balances(world, company, 'USDT')).not.toHaveProperty('fee');
  await expectBooksToAgree(world);
});

test('the signer believes no collection that the operator’s process did not seal', async () => {
  const company = await payingCompany(1);
  const address = await addAddress();
  const { proposalId } = succeeded(await propose(address.id));
  succeeded(await confirm(proposalId));
  const thief = newPayee();
  await world.asSuperuser(
    `update causeway.operator_fee_payment set address = '${thief}' where proposal_id = '${proposalId}'`,
  );
  await world.work().catch(() => undefined);
  for (let left = 3; left > 0; left -= 1) {
    await world.advance(1);
    await world.tend();
  }
  expect(await held(thief)).toBe('0');
  expect((await payments(proposalId)).map(({ state }) => state)).toEqual(['refused']);
  expect(await balances(world, company, 'USDT')).toMatchObject({ fee: 1_000_000n });
  await expectBooksToAgree(world);
});

test('what was taken back since is not sent: the proposal is stale, or the payment refused', async () => {
  const company = await payingCompany(1);
  const address = await addAddress();
  const { proposalId } = succeeded(await propose(address.id));
  succeeded(await app.ask(removeTreasuryAddress, { as: first, params: { id: address.id }, body: { reason } }));
  expect((await confirm(proposalId)).key).toBe('proposalStale');
  expect((await propose(address.id)).key).toBe('treasuryAddressGone');
  expect(succeeded(await app.ask(listTreasuryAddresses, { as: first })).addresses.map(({ id }) => id)).not.toContain(
    address.id,
  );
  // Removed after the confirmation, and before the worker came to it.
  const late = await addAddress();
  const agreed = succeeded(await propose(late.id));
  succeeded(await confirm(agreed.proposalId));
  succeeded(await app.ask(removeTreasuryAddress, { as: first, params: { id: late.id }, body: { reason } }));
  await world.work();
  expect(new Set((await payments(agreed.proposalId)).map(({ state }) => state))).toEqual(new Set(['refused']));
  expect((await payments(agreed.proposalId))[0]?.problem).toContain('removed from the book');
  expect(await held(late.address)).toBe('0');
  const other = await addAddress();
  const next = succeeded(await propose(other.id));
  succeeded(await confirm(next.proposalId));
  const wallet = walletOf(company, 'USDT');
  await world.asSuperuser(
    `update causeway.ledger_account set balance = 0 where owner_id = '${wallet}' and kind = 'fee'`,
  );
  await world.work();
  const { rows: kept } = await world.db.console.pool.query(
    'select refusal from operator_fee_payment where proposal_id = $1 and company_id = $2 and refusal is not null',
    [next.proposalId, company.id],
  );
  expect(kept).toEqual([{ refusal: 'feesChanged' }]);
  const refused = (await payments(next.proposalId)).filter(({ companyId }) => companyId === company.id);
  expect(refused.map(({ state, problem }) => [state, problem])).toEqual([
    ['refused', expect.stringContaining('less than was agreed')],
  ]);
  await world.asSuperuser(
    `update causeway.ledger_account set balance = 1000000 where owner_id = '${wallet}' and kind = 'fee'`,
  );
  // Its event comes once more, now that the fees are there: what was refused stays refused.
  const again = { name: 'operator.feesDue', payload: { paymentId: refused[0]?.id } };
  await world.db.worker.withCompany(company.id, (tx) => announce(tx, [again]));
  await world.work();
  await finish(next.proposalId);
  const later = (await payments(next.proposalId)).filter(({ companyId }) => companyId === company.id);
  expect(later.map(({ state }) => state)).toEqual(['refused']);
  expect(await balances(world, company, 'USDT')).toMatchObject({ fee: 1_000_000n });
  await expectBooksToAgree(world);
});

test('the fees of a frozen company, and of a frozen wallet, are left out of a collection', async () => {
  const [free, frozen] = [await payingCompany(1), await payingCompany(1)];
  const wallet = walletOf(frozen, 'USDT');
  const address = await addAddress();
  const companies = async (proposalId: string) => (await payments(proposalId)).map(({ companyId }) => companyId);
  const frozenAt = (at: 'now()' | 'null', table: 'company' | 'wallet') =>
    world.asSuperuser(
      `update causeway.${table} set frozen_at = ${at}
       where company_id = '${frozen.id}'${table === 'wallet' ? ` and id = '${wallet}'` : ''}`,
    );
  await frozenAt('now()', 'company');
  const { proposalId } = succeeded(await propose(address.id));
  succeeded(await confirm(proposalId));
  expect(await companies(proposalId)).toContain(free.id);
  expect(await companies(proposalId)).not.toContain(frozen.id);
  await world.work();
  await finish(proposalId);
  await frozenAt('null', 'company');
  await frozenAt('now()', 'wallet');
  expect((await propose(address.id)).key).toBe('feesNone');
  await frozenAt('null', 'wallet');
  const { proposalId: last } = succeeded(await propose(address.id));
  succeeded(await confirm(last));
  expect(await companies(last)).toContain(frozen.id);
  await world.work();
  await finish(last);
  await expectBooksToAgree(world);
});

test('a deep reorganisation after a collection leaves the books equal to the chain', async () => {
  const company = await registeredCompany(world);
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 5_000_000n, payee: newPayee() });
  await world.work();
  await finishTransfer(world, company, id);
  const address = await addAddress();
  const { proposalId } = succeeded(await propose(address.id));
  succeeded(await confirm(proposalId));
  await world.work();
  await finish(proposalId);
  await world.chain.engine.reorganise(2 * depth + 2, true);
  await world.follow();
  await expectBooksToAgree(world);
  for (let left = 4 * depth; left > 0; left -= 1) {
    await world.tend();
    await world.advance(1);
  }
  expect((await payments(proposalId)).every(({ state }) => state === 'completed')).toBe(true);
  await expectBooksToAgree(world);
});

test('only an address of the outside, written twice the same, gets into the book', async () => {
  const company = await world.company();
  const ask = (address: string, again = address) =>
    app.ask(proposeTreasuryAddress, {
      as: first,
      body: { id: newId(), chainId, address, again, label: 'Treasury', reason },
    });
  const payee = newPayee();
  expect((await ask(payee, newPayee())).key).toBe('treasuryAddressAgain');
  expect((await ask('0x12')).key).toBe('addressInvalid');
  expect((await ask(company.address)).key).toBe('treasuryAddressOurs');
  expect((await ask(world.gasTank)).key).toBe('treasuryAddressOurs');
  expect((await ask(world.chain.treasury.contracts.USDT)).key).toBe('addressIsToken');
  expect((await ask('0x0000000000000000000000000000000000000000')).key).toBe('addressReserved');
  const { address } = await addAddress(payee);
  expect((await ask(address.toLowerCase())).key).toBe('treasuryAddressKnown');
  const viewer = await app.operator('viewer');
  expect((await app.ask(listFeeSources, { as: viewer, query: usdt })).key).toBeNull();
  const support = await app.operator('support');
  const body = { id: newId(), chainId, address: newPayee(), again: '', label: 'x', reason };
  expect((await app.ask(proposeTreasuryAddress, { as: support, body })).key).toBe('noPermission');
});
