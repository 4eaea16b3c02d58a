import { listNotices } from '@causeway/contract/notices.ts';
import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import * as calls from '@causeway/contract/operator-prices.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { getAddressV2, getFee, listChains } from '@causeway/contract/wallets.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { sayInstant } from '../../../platform/text/instant.ts';
import { credit } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { keepTimeZone } from '../../../testing/time-zone.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { newPayee, succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { isSwitchedOff } from '../../chains/index.ts';
import { announcePrices } from './announcing.ts';
import { insertPrice } from './store.ts';

/** Prices and switches, from the proposal of one operator to what a company meets when it submits. */

let db: TestDatabase;
let world: MainApp;
let console: OperatorApp;
let [proposer, confirmer] = [] as unknown as [TestOperator, TestOperator];
let tenant: Tenant;

beforeAll(async () => {
  db = await testDatabase();
  world = await mainApp(db);
  console = await operatorApp(db);
  [proposer, confirmer] = [await console.operator('treasury'), await console.operator('administrator')];
});
afterAll(async () => {
  expect(world.complaints).toEqual([]);
  expect(console.complaints).toEqual([]);
  await console.close();
  await world.close();
  await db.close();
});
beforeEach(async () => {
  tenant = await world.company();
});

async function confirm(id: string, as = confirmer) {
  const { data } = await console.ask(getProposal, { as, params: { id } });
  const body = { digest: data.digest, code: console.code(as.secret) };
  return console.ask(confirmProposal, { as, params: { id }, body });
}

type Proposed = {
  kind: calls.PriceKind;
  asset: string;
  chain?: string;
  companyId?: string;
  value: string | null;
  validFrom?: string;
};

async function propose(price: Proposed, as = proposer) {
  return console.ask(calls.proposePrice, { as, body: { reason: 'cheaper network', ...price } });
}

async function setPrice(price: Proposed): Promise<void> {
  const { status, data } = await propose(price);
  expect(status).toBe(200);
  expect((await confirm(data.proposalId)).status).toBe(200);
}

/** The company's own, so that tests do not meet each other's. */
const own = (price: Omit<Proposed, 'companyId'>) => setPrice({ ...price, companyId: tenant.id });

async function quoted(asset = 'USDT') {
  const query = { feeType: 'crypto_withdraw_fee', asset, chain: 'ethereum' } as const;
  return (await succeed(world, getFee, { as: tenant.admin, query })).data;
}

async function submit(change: Record<string, unknown> = {}, fee = '1') {
  const content = { ...(await transferContent(world, tenant)), ...change };
  const request = await transferRequest(world, tenant, content);
  return world.ask(transferOut, {
    ...request,
    body: { ...request.body, fee },
    headers: { 'idempotency-key': newId() },
  });
}

test('a company’s own fee holds for that company alone; a submission with the old fee is refused, and submitted transfers keep theirs', async () => {
  await credit(db, tenant, 'USDT', 1_000_000_000n);
  const before = await quoted();
  const other = await world.company();
  const { data } = await propose({
    kind: 'withdrawal_fee',
    asset: 'USDT',
    chain: 'ethereum',
    companyId: tenant.id,
    value: '2.5',
  });
  expect((await quoted()).fee).toBe(before.fee);
  const shown = (await console.ask(getProposal, { as: confirmer, params: { id: data.proposalId } })).data;
  expect(shown.title).toMatch(/^Withdrawal fee, USDT · Ethereum/);
  expect(shown.changes[0]).toEqual({ label: 'Withdrawal fee', before: '1.00 USDT', after: '2.50 USDT' });
  expect((await confirm(data.proposalId, proposer)).key).toBe('proposalOwn');
  const kept = await submit();
  expect(kept.status).toBe(200);
  expect((await confirm(data.proposalId)).status).toBe(200);
  expect((await quoted()).fee).toBe('2.500000');
  const { rows } = await db.operator.pool.query('select fee::text from transaction where id = $1', [kept.data.id]);
  expect(rows).toEqual([{ fee: '1000000' }]);
  const refused = await submit();
  expect(refused).toMatchObject({ key: 'feeChanged', errors: [expect.stringContaining('2.50 USDT')] });
  expect((await submit({}, '2.5')).status).toBe(200);
  tenant = other;
  expect((await quoted()).fee).toBe(before.fee);
});

test('a planned price holds from its instant on, by the database’s clock, and one operator takes it back before', async () => {
  const validFrom = new Date(Date.now() + 2000).toISOString();
  const fee = { kind: 'withdrawal_fee', asset: 'USDC', chain: 'ethereum' } as const;
  await own({ ...fee, value: '7', validFrom });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await own({ ...fee, value: '9', validFrom: later });
  // The same instant, however it is written.
  for (const same of [later, later.replace('Z', '000Z')]) {
    expect((await propose({ ...fee, companyId: tenant.id, value: '8', validFrom: same })).key).toBe('pricePlanned');
  }
  expect((await propose({ ...fee, companyId: tenant.id, value: '8', validFrom: '2020-01-01T00:00:00.000Z' })).key).toBe(
    'priceInPast',
  );
  const history = async () =>
    (await console.ask(calls.listPriceHistory, { as: proposer, query: { companyId: tenant.id } })).data.items;
  expect((await history()).map(({ state }) => state)).toEqual(['planned', expect.stringMatching(/planned|inForce/)]);
  await expect.poll(async () => (await quoted('USDC')).fee, { timeout: 10_000 }).toBe('7.000000');
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(validFrom));
  const [planned, holding] = await history();
  const take = (id = '') =>
    console.ask(calls.withdrawPrice, { as: proposer, params: { id }, body: { reason: 'a mistake' } });
  expect((await take(holding?.id)).key).toBe('priceInForce');
  expect((await take(newId())).key).toBe('notFound');
  expect((await take(planned?.id)).status).toBe(200);
  expect((await take(planned?.id)).key).toBe('priceInForce');
  expect(await history()).toMatchObject([
    { state: 'withdrawn', withdrawal: { by: proposer.name, reason: 'a mistake' } },
    {
      state: 'inForce',
      value: '7.000000',
      validUntil: null,
      proposal: { proposedBy: proposer.name, confirmedBy: confirmer.name },
    },
  ]);
});

test('minimums and the limit on one transfer are the company’s own; an own price ends with none', async () => {
  await credit(db, tenant, 'USDT', 1_000_000_000n);
  await own({ kind: 'withdrawal_minimum', asset: 'USDT', value: '10' });
  expect((await submit({ amount: '10' })).key).toBe('amountBelowMinimum');
  await own({ kind: 'recharge_minimum', asset: 'USDT', value: '20' });
  const chains = (await succeed(world, listChains, { as: tenant.admin })).data.items;
  expect(chains.flatMap(({ coins }) => coins).find(({ coin }) => coin === 'USDT')?.minimum).toBe('20.000000');
  await own({ kind: 'transfer_limit', asset: 'USDT', value: '50' });
  expect((await submit({ amount: '50.000001' })).key).toBe('amountAboveTransferLimit');
  expect((await submit({ amount: '50' })).status).toBe(200);
  expect(await quoted()).toMatchObject({ minimum: '10.000000', transferLimit: '50.000000', dailyLimit: null });
  await own({ kind: 'transfer_limit', asset: 'USDT', value: null });
  expect((await quoted()).transferLimit).toBeNull();
  expect((await propose({ kind: 'transfer_limit', asset: 'USDT', companyId: tenant.id, value: null })).key).toBe(
    'nothingChanges',
  );
});

test('of transfers submitted at once no more goes out than the limit of a day; what is cancelled gives its part back', async () => {
  await credit(db, tenant, 'USDT', 1_000_000_000n);
  await own({ kind: 'daily_limit', asset: 'USDT', value: '35' });
  const contents = await Promise.all(Array.from({ length: 5 }, () => transferContent(world, tenant)));
  const requests = [];
  for (const content of contents) requests.push(await transferRequest(world, tenant, { ...content, amount: '10' }));
  const answers = await Promise.all(
    requests.map((request) => world.ask(transferOut, { ...request, headers: { 'idempotency-key': newId() } })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ key }) => key))).toEqual(
    new Set(['amountAboveDailyLimit']),
  );
  const refused = answers.find(({ status }) => status !== 200);
  expect(refused?.errors[0]).toContain('35.00 USDT a day, of which 5.00 USDT is left');
  expect((await submit({ amount: '5' })).status).toBe(200);
  expect((await submit({ amount: '1.1' })).key).toBe('amountAboveDailyLimit');
  await own({ kind: 'daily_limit', asset: 'USDT', value: '20' });
  expect((await submit({ amount: '1.1' })).errors[0]).toContain('20.00 USDT a day, of which 0.00 USDT is left');
});

test('a proposal is refused where it says nothing, out of range, or of an asset that is not there', async () => {
  const fee = { kind: 'withdrawal_fee', asset: 'USDT', chain: 'ethereum', companyId: tenant.id } as const;
  const keyOf = async (price: Proposed) => (await propose(price)).key;
  expect(await keyOf({ ...fee, value: null })).toBe('nothingChanges');
  expect(await keyOf({ ...fee, asset: 'DOGE', value: '1' })).toBe('assetUnknown');
  expect(await keyOf({ ...fee, chain: 'nowhere', value: '1' })).toBe('coinNotOnChain');
  expect(await keyOf({ ...fee, value: '1.0000001' })).toBe('amountTooManyDecimals');
  expect(await keyOf({ ...fee, companyId: newId(), value: '1' })).toBe('notFound');
  expect(await keyOf({ kind: 'spread', asset: 'USDT', value: '10001' })).toBe('priceOutOfRange');
  expect(await keyOf({ kind: 'daily_limit', asset: 'USDT', value: '0' })).toBe('priceOutOfRange');
  expect(await keyOf({ kind: 'withdrawal_fee', asset: 'USDT', value: '1' })).toBe('validationFailed');
  const open = { ...fee, value: '3' };
  expect((await propose(open)).status).toBe(200);
  expect(await keyOf(open)).toBe('proposalOpen');
});

test('what holds has changed since it was proposed: the proposal is stale', async () => {
  const fee = { kind: 'withdrawal_fee', asset: 'HKDT', chain: 'ethereum', companyId: tenant.id } as const;
  const [one, two] = [
    (await propose({ ...fee, value: '3' })).data,
    { ...fee, companyId: tenant.id, value: '4', bank: null },
  ];
  await db.operator.withCompany(tenant.id, (tx) =>
    insertPrice(tx, { ...two, id: newId(), value: 4n, validFrom: null, proposalId: null, setBy: 'test' }),
  );
  expect((await confirm(one.proposalId)).key).toBe('proposalStale');
});

test('a company is notified once of a fee that rises, and of a rise that is taken back, and of no other', async () => {
  const notices = async () =>
    (await succeed(world, listNotices, { as: tenant.admin })).data.items.map(({ title }) => title);
  const fee = { kind: 'withdrawal_fee', asset: 'USDT', chain: 'ethereum' } as const;
  const validFrom = new Date(Date.now() + 3_600_000).toISOString();
  await own({ ...fee, value: '4', validFrom });
  await keepTimeZone(db.app, tenant.id, 'America/New_York');
  await Promise.all([announcePrices(db.worker), announcePrices(db.worker)]);
  expect(await notices()).toEqual(['The withdrawal fee of USDT on Ethereum rises to 4.00 USDT']);
  const [notice] = (await succeed(world, listNotices, { as: tenant.admin })).data.items;
  const said = sayInstant({ at: validFrom, timeZone: 'America/New_York' }, 'en-us');
  expect(notice?.body).toContain(`From ${said} on, a transfer of USDT`);
  const [row] = (await console.ask(calls.listPriceHistory, { as: proposer, query: { companyId: tenant.id } })).data
    .items;
  await console.ask(calls.withdrawPrice, { as: proposer, params: { id: row?.id ?? '' }, body: { reason: 'not now' } });
  await announcePrices(db.worker);
  await announcePrices(db.worker);
  expect(await notices()).toEqual([
    'The withdrawal fee of USDT on Ethereum stays at 1.00 USDT',
    'The withdrawal fee of USDT on Ethereum rises to 4.00 USDT',
  ]);
  await own({ ...fee, value: '0.5' });
  await announcePrices(db.worker);
  expect(await notices()).toHaveLength(2);
});

test('a company sees what is planned for every company, where none of its own beats it then', async () => {
  const limit = { kind: 'transfer_limit', asset: 'HKDT' } as const;
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const [first, second, third] = [at(1), at(3), at(5)];
  await setPrice({ ...limit, value: '100', validFrom: first });
  await setPrice({ ...limit, value: '300', validFrom: third });
  const planned = async (companyId?: string) => {
    const query = companyId === undefined ? {} : { companyId };
    const { data } = await console.ask(calls.listPricesInForce, { as: proposer, query });
    const hkdt = data.items.find(({ asset }) => asset === 'HKDT')?.prices.find(({ kind }) => kind === limit.kind);
    return {
      own: hkdt?.planned.map(({ validFrom }) => validFrom),
      all: hkdt?.plannedForAll.map((one) => one.validFrom),
    };
  };
  expect(await planned()).toEqual({ own: [first, third], all: [] });
  expect(await planned(tenant.id)).toEqual({ own: [], all: [first, third] });
  await own({ ...limit, value: '200', validFrom: second });
  expect(await planned(tenant.id)).toEqual({ own: [second], all: [first] });
  await own({ ...limit, value: null, validFrom: at(4) });
  expect((await planned(tenant.id)).all).toEqual([first, third]);
});

test('prices in force say where they come from, and a trial what the same withdrawals would have earned', async () => {
  await own({ kind: 'withdrawal_fee', asset: 'USDT', chain: 'ethereum', value: '2' });
  const { items, company } = (
    await console.ask(calls.listPricesInForce, { as: proposer, query: { companyId: tenant.id } })
  ).data;
  expect(company).toMatchObject({ id: tenant.id });
  const usdt = items.find(({ asset }) => asset === 'USDT');
  const feeOf = usdt?.prices.find(({ kind }) => kind === 'withdrawal_fee');
  expect(feeOf).toMatchObject({ value: '2.000000', from: 'company', chain: { name: 'Ethereum' } });
  expect(usdt?.prices.find(({ kind }) => kind === 'spread')).toMatchObject({ value: null, from: 'registered' });
  expect(usdt?.companies).toContainEqual(company);
  for (let n = 0; n < 3; n += 1) {
    await insertTestTransaction(db, tenant, {
      type: 'chain_withdraw',
      quantityMinor: 5_000_000n,
      feeMinor: 1_000_000n,
    });
  }
  const query = {
    kind: 'withdrawal_fee',
    asset: 'USDT',
    chain: 'ethereum',
    companyId: tenant.id,
    value: '2.5',
  } as const;
  const { trial, affected } = (await console.ask(calls.tryPrice, { as: proposer, query })).data;
  expect(affected).toBe(1);
  expect(trial).toMatchObject({
    transfers: 3,
    earned: '3.000000',
    wouldEarn: '7.500000',
    difference: '4.500000',
    refused: 0,
  });
  const minimum = { kind: 'withdrawal_minimum', asset: 'USDT', companyId: tenant.id, value: '5' } as const;
  expect((await console.ask(calls.tryPrice, { as: proposer, query: minimum })).data.trial).toMatchObject({
    wouldEarn: '0.000000',
    refused: 3,
  });
});

test('what is switched off is refused at once, and on again only with a second operator', async () => {
  await credit(db, tenant, 'USDC', 1_000_000_000n);
  const off = (body: object) => console.ask(calls.switchOff, { as: proposer, body: { reason: 'depeg', ...body } });
  expect((await off({ what: 'withdrawals', chain: 'nowhere', coin: 'USDC' })).key).toBe('chainUnknown');
  expect((await off({ what: 'withdrawals', chain: 'ethereum', coin: 'DOGE' })).key).toBe('coinNotOnChain');
  const { data } = await off({ what: 'withdrawals', chain: 'ethereum', coin: 'USDC' });
  expect((await off({ what: 'withdrawals', chain: 'ethereum', coin: 'USDC' })).key).toBe('nothingChanges');
  const content = {
    walletId: tenant.wallets.USDC,
    payeeId: (await succeed(world, addCryptoPayee, { as: tenant.admin, body: { ...newPayee(), coin: 'USDC' } })).data
      .id,
  };
  expect((await submit(content)).key).toBe('withdrawalsPaused');
  const deposits = (await off({ what: 'deposits', chain: 'ethereum', coin: 'USDC' })).data;
  const address = { as: tenant.admin, query: { chain: 'ethereum', coin: 'USDC' } };
  expect((await world.ask(getAddressV2, address)).key).toBe('depositsPaused');
  const assets = (await console.ask(calls.listOperatorAssets, { as: confirmer })).data.items;
  expect(assets[0]?.coins.find(({ coin }) => coin === 'USDC')).toMatchObject({
    withdrawalsOff: { by: proposer.name, reason: 'depeg' },
    depositsOff: { reason: 'depeg' },
  });
  const on = (id: string) =>
    console.ask(calls.proposeSwitchOn, { as: proposer, params: { id }, body: { reason: 'over' } });
  const proposed = await on(data.id);
  expect((await on(data.id)).key).toBe('proposalOpen');
  expect((await submit(content)).key).toBe('withdrawalsPaused');
  expect((await confirm(proposed.data.proposalId)).status).toBe(200);
  expect((await on(data.id)).key).toBe('notFound');
  expect((await submit(content)).status).toBe(200);
  expect((await world.ask(getAddressV2, address)).key).toBe('depositsPaused');
  expect((await confirm((await on(deposits.id)).data.proposalId)).status).toBe(200);
  expect((await world.ask(getAddressV2, address)).status).toBe(200);
});

test('a chain that is off takes no transfers and lets none leave; its coins say so', async () => {
  await credit(db, tenant, 'USDT', 1_000_000_000n);
  const { data } = await console.ask(calls.switchOff, {
    as: proposer,
    body: { what: 'chain', chain: 'ethereum', reason: 'split' },
  });
  expect((await submit()).key).toBe('withdrawalsPaused');
  const { items } = (await succeed(world, listChains, { as: tenant.admin })).data;
  expect(
    items
      .flatMap(({ coins }) => coins)
      .every(({ withdrawalsPaused, depositsPaused }) => withdrawalsPaused && depositsPaused),
  ).toBe(true);
  expect(await db.worker.withoutCompany((tx) => isSwitchedOff(tx, 'ethereum', 'USDT'))).toBe(true);
  const on = await console.ask(calls.proposeSwitchOn, {
    as: proposer,
    params: { id: data.id },
    body: { reason: 'over' },
  });
  expect((await confirm(on.data.proposalId)).status).toBe(200);
  expect(await db.worker.withoutCompany((tx) => isSwitchedOff(tx, 'ethereum', 'USDT'))).toBe(false);
  expect((await submit()).status).toBe(200);
});
