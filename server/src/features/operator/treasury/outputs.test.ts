import { exportOutputs, getOutputSet, listOutputSets, listOutputs } from '@causeway/contract/operator-outputs.ts';
import { getOperatorTransaction } from '@causeway/contract/operator-transactions.ts';
import { getTreasury } from '@causeway/contract/operator-treasury.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { strangersAddress } from '../../../testing/bitcoin/addresses.ts';
import { bitcoin } from '../../../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../../../testing/bitcoin/world.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import type { SignedCompany } from '../../../testing/signer-world.ts';
import { askFeeRates } from '../../rails/bitcoin/fee-rates.ts';

/** What operators see of outputs and fees on a Bitcoin chain whose payments really travel. */

let world: BitcoinWorld;
let app: OperatorApp;
let viewer: TestOperator;
let support: TestOperator;
beforeEach(() => {
  world.chain.isFull = false;
});
beforeAll(async () => {
  world = await bitcoinWorld();
  app = await operatorApp(world.db);
  [viewer, support] = [await app.operator('viewer'), await app.operator('support')];
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await app.close();
  await world.close();
});

const params = ({ id }: SignedCompany) => ({ chainId: bitcoin.id, companyId: id });
const setOf = async (company: SignedCompany) =>
  (await app.ask(getOutputSet, { as: viewer, params: params(company) })).data;
const outputsOf = async (company: SignedCompany, more: object = {}) =>
  (await app.ask(listOutputs, { as: viewer, query: { ...params(company), ...more } })).data;

test('a company’s outputs are counted by what became of them, and sum to what the ledger has, at every step of a payment', async () => {
  const company = await world.company({ isFunded: false });
  await world.deposit(company, 60_000n, 40_000n, 500n, 200n);
  expect(await setOf(company)).toMatchObject({
    confirmed: { count: 4, quantity: '0.00100700' },
    waiting: { count: 0, quantity: '0.00000000' },
    // Spending one costs 680 satoshis at 10 a virtual byte; below 294 nodes forward none.
    dust: 1,
    small: 2,
    spendingCost: '0.00000680',
    difference: '0.00000000',
  });
  world.chain.isFull = true;
  const id = await world.promised(company, strangersAddress('an output’s payee'), 30_000n, 2_000n);
  await world.work();
  expect((await outputsOf(company, { state: 'reserved' })).items).toMatchObject([{ paymentId: id, small: false }]);
  await world.look();
  const [leaving] = (await outputsOf(company, { state: 'leaving' })).items;
  const { hash } = await world.transaction(company, id);
  expect(leaving).toMatchObject({ spentBy: hash, paymentId: id, origin: 'deposit' });
  const [waiting] = (await outputsOf(company, { state: 'waiting', origin: 'change' })).items;
  expect(waiting).toMatchObject({ hash, block: null });
  expect(await setOf(company)).toMatchObject({
    leaving: { count: 1 },
    waiting: { count: 1 },
    difference: '0.00000000',
  });
  world.chain.isFull = false;
  for (let blocks = 0; blocks <= bitcoin.confirmations; blocks += 1) {
    await world.advance(1);
    // In a block, not final, final: the books and the outputs agree.
    expect(await setOf(company)).toMatchObject({ leaving: { count: 0 }, difference: '0.00000000' });
  }
  world.chain.fund([{ address: company.addresses[0] ?? '', amountMinor: 7_000n }]);
  await world.look();
  expect(await setOf(company)).toMatchObject({ waiting: { quantity: '0.00007000' }, difference: '0.00000000' });
  await world.asSuperuser(
    `delete from causeway.bitcoin_output where company_id = '${company.id}' and amount = 500 and spent_by is null`,
  );
  expect(await setOf(company)).toMatchObject({ difference: '-0.00000500' });
});

test('they are read page by page, by age or amount, found by hash and address, and exported with an entry in the audit log', async () => {
  const company = await world.company({ isFunded: false });
  await world.deposit(company, 10_000n, 30_000n, 20_000n);
  const read = async (sort: string, order: string) => {
    const { items } = await outputsOf(company, { sort, order });
    return items.map(({ quantity }) => quantity.slice(-5));
  };
  expect(await read('amount', 'desc')).toEqual(['30000', '20000', '10000']);
  expect(await read('amount', 'asc')).toEqual(['10000', '20000', '30000']);
  const everything = await outputsOf(company);
  const [first] = everything.items;
  expect(everything.total).toBe(3);
  expect((await outputsOf(company, { keyword: present(first).hash })).items).toHaveLength(1);
  expect((await outputsOf(company, { keyword: ` ${present(first).address} ` })).items).toHaveLength(1);
  expect((await outputsOf(company, { keyword: 'elsewhere' })).items).toEqual([]);
  const other = await world.company({ isFunded: false });
  const many = Array.from({ length: 23 }, () => ({ address: other.addresses[0] ?? '', amountMinor: 1_000n }));
  world.chain.fund(many);
  await world.advance(1);
  const paged: string[] = [];
  for (let cursor: string | null = '', page = 0; cursor !== null && page < 5; page += 1) {
    const query = { size: '10', sort: 'amount', ...(cursor !== '' && { cursor }) };
    const { items, next }: { items: { id: string }[]; next: string | null } = await outputsOf(other, query);
    paged.push(...items.map(({ id }) => id));
    cursor = next;
  }
  expect([paged.length, new Set(paged).size]).toEqual([23, 23]);
  const sets = (await app.ask(listOutputSets, { as: viewer, query: {} })).data;
  expect(sets.items.filter(({ companyId }) => companyId === company.id)).toMatchObject([
    { confirmed: { count: 3, quantity: '0.00060000' }, difference: '0.00000000' },
  ]);
  const csv = await app.ask(exportOutputs, { as: support, query: { ...params(company), state: 'confirmed' } });
  expect(csv.raw.body.split('\r\n').filter((line: string) => line.includes('Confirmed'))).toHaveLength(3);
  expect((await app.ask(exportOutputs, { as: viewer, query: params(company) })).status).toBe(403);
  const unknown = { chainId: bitcoin.id, companyId: '0190a0b0-0000-7000-8000-000000000001' };
  expect((await app.ask(getOutputSet, { as: viewer, params: unknown })).key).toBe('notFound');
});

test('a payment is shown with what it spends and pays, without gas or nonce, and the treasury with rates and their source', async () => {
  const company = await world.company({ isFunded: false });
  await world.asSuperuser(
    `insert into causeway.company (company_id, name) values ('${company.id}', 'Harbour Trading')`,
  );
  await world.deposit(company, 60_000n);
  world.chain.isFull = true;
  const id = await world.promised(company, strangersAddress('another payee'), 30_000n, 2_000n);
  await world.work();
  world.chain.isFull = false;
  const { attempts, queue } = (await app.ask(getOperatorTransaction, { as: viewer, params: { id } })).data;
  const [spent] = await world.inputsOf(company, id);
  expect(attempts).toMatchObject([
    {
      nonce: null,
      maxFeePerGas: null,
      spends: {
        inputs: [{ output: `${spent?.hash}:${spent?.index}`, address: spent?.address, quantity: '0.00060000' }],
        inputCount: 1,
        payments: [],
        fee: '0.00002000',
        feeRate: expect.stringMatching(/^1\d\.\d$/),
      },
    },
  ]);
  expect(queue).toBeNull();
  const bounds = { floor: 1, ceiling: 500, fallback: 10 };
  const shown = async () => {
    await askFeeRates(world.db.worker, world.chain.gateway, bounds);
    const { chains } = (await app.ask(getTreasury, { as: viewer })).data;
    return present(chains.find(({ id: chain }) => chain === bitcoin.id)).feeRates?.published;
  };
  expect(await shown()).toMatchObject({ normal: '10', floor: '1', ceiling: '500', source: 'nodes', stale: false });
  world.chain.estimates = { urgent: null, normal: null, economy: null, minimum: 1 };
  expect(await shown()).toMatchObject({ source: 'fallback' });
});
