import { listNotices } from '@causeway/contract/notices.ts';
import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import * as calls from '@causeway/contract/operator-prices.ts';
import { fiatTransferOut, foreseePayout } from '@causeway/contract/payments.ts';
import { getFunding } from '@causeway/contract/recharges.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { listWallets } from '@causeway/contract/wallets.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notification, takeIn } from '../../../testing/bank-intake.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import {
  balancesOf,
  endToEndOf,
  ordered,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutRequest,
  payoutWorld,
  submitted,
  testBank,
} from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { settleMoneys } from '../../rails/index.ts';
import { announcePrices } from './announcing.ts';

/** Currencies at banks on and off, and the fees of payments, from an operator's proposal to what a company meets. */

let payouts: PayoutWorld;
let console: OperatorApp;
let [proposer, confirmer] = [] as unknown as [TestOperator, TestOperator];
let company: PayingCompany;

beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('10015.00');
  console = await operatorApp(payouts.db);
  [proposer, confirmer] = [await console.operator('treasury'), await console.operator('administrator')];
});
afterAll(async () => {
  expect(payouts.world.complaints).toEqual([]);
  expect(console.complaints).toEqual([]);
  await console.close();
  await payouts.close();
});

async function confirm(id: string, as = confirmer) {
  const { data } = await console.ask(getProposal, { as, params: { id } });
  return console.ask(confirmProposal, {
    as,
    params: { id },
    body: { digest: data.digest, code: console.code(as.secret) },
  });
}

const off = (what: 'recharges' | 'payouts', currency = 'HKD') =>
  console.ask(calls.switchOff, { as: proposer, body: { what, bank: testBank, currency, reason: 'maintenance' } });

const proposeOn = async (id: string) =>
  (await console.ask(calls.proposeSwitchOn, { as: proposer, params: { id }, body: { reason: 'over' } })).data
    .proposalId;

const price = (value: string | null, more: object = {}) => ({
  ...{ kind: 'payout_fee_local' as const, asset: 'HKD', bank: testBank, value, reason: 'costs', ...more },
});

const propose = (body: ReturnType<typeof price>) => console.ask(calls.proposePrice, { as: proposer, body });

async function setPrice(value: string | null, more: object = {}): Promise<void> {
  const { status, data } = await propose(price(value, more));
  expect(status).toBe(200);
  expect((await confirm(data.proposalId)).status).toBe(200);
}

const feeShown = async () => {
  const query = { form: 'transfer' as const, walletId: company.walletId, payeeId: company.payee.id };
  return (await succeed(payouts.world, foreseePayout, { as: company.admin, query })).data.fee;
};

const pay = async (fee: string) =>
  payouts.world.ask(fiatTransferOut, await payoutRequest(payouts, company, { amount: '10', fee }));

test('payouts of a currency that are off: none is taken, those that wait go on waiting and say why, and two operators end it', async () => {
  const waiting = await submitted(payouts, company, { amount: '10' });
  await payouts.send(company.id, waiting);
  const approved = await submitted(payouts, company, { amount: '11' });
  expect((await off('payouts', 'EUR')).key).toBe('currencyNotAtBank');
  const { data } = await off('payouts');
  expect((await off('payouts')).key).toBe('nothingChanges');
  expect((await pay('0')).key).toBe('payoutsPaused');
  await payouts.send(company.id, approved);
  await payouts.order();
  expect(payouts.folder.take()).toEqual([]);
  for (const id of [waiting, approved]) {
    const detail = (await succeed(payouts.world, getTransaction, { as: company.admin, params: { id } })).data;
    expect(JSON.stringify(detail)).toContain('paused by the provider');
  }
  const { items } = (await succeed(payouts.world, listWallets, { as: company.admin })).data;
  expect(items.find(({ id }) => id === company.walletId)).toMatchObject({
    withdrawalsPaused: true,
    depositsPaused: false,
  });
  const { banks } = (await console.ask(calls.listOperatorAssets, { as: confirmer })).data;
  expect(banks.find(({ bank }) => bank === testBank)).toMatchObject({ name: 'Harbour Bank' });
  expect(banks[0]?.currencies.find(({ currency }) => currency === 'HKD')).toMatchObject({
    payoutsOff: { by: proposer.name, reason: 'maintenance' },
    rechargesOff: null,
    waiting: 2,
  });
  const proposalId = await proposeOn(data.id);
  expect((await confirm(proposalId, proposer)).key).toBe('proposalOwn');
  const other = await console.operator('compliance');
  const outcomes = await Promise.all([confirm(proposalId), confirm(proposalId, other)]);
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
  await payouts.send(company.id, approved);
  await payouts.order();
  const text = payouts.folder
    .take()
    .map((file) => file.text)
    .join('');
  for (const id of [waiting, approved]) expect(text).toContain(endToEndOf(id));
});

test('recharges that are off: no details are shown; what arrives is credited all the same', async () => {
  const funding = () => payouts.world.ask(getFunding, { as: company.admin, params: { id: company.walletId } });
  expect((await funding()).status).toBe(200);
  const { data } = await off('recharges');
  expect((await funding()).key).toBe('rechargesPaused');
  const before = (await balancesOf(payouts, company))['available'] ?? 0n;
  await takeIn(
    payouts.db,
    notification([{ amount: '100.00', details: [{ to: company.accountNumber }], ref: 'OFF-1' }]),
  );
  await settleMoneys(payouts.db.worker);
  expect((await balancesOf(payouts, company))['available']).toBe(before + 8_500n);
  expect((await confirm(await proposeOn(data.id))).status).toBe(200);
  expect((await funding()).status).toBe(200);
});

test('the fee of payments by a way: a company’s own, with a date, refused when another was shown, and kept where it was submitted', async () => {
  expect(await feeShown()).toBe('0.00');
  const kept = await submitted(payouts, company, { amount: '12' });
  const { data } = await propose(price('3.50', { companyId: company.id }));
  expect(await feeShown()).toBe('0.00');
  const shown = (await console.ask(getProposal, { as: confirmer, params: { id: data.proposalId } })).data;
  expect(shown.title).toContain('HKD · Harbour Bank');
  expect(shown.changes[0]).toEqual({ label: 'Payment fee, local clearing', before: '0.00 HKD', after: '3.50 HKD' });
  expect((await confirm(data.proposalId, proposer)).key).toBe('proposalOwn');
  expect((await confirm(data.proposalId)).status).toBe(200);
  expect(await feeShown()).toBe('3.50');
  expect((await pay('0')).key).toBe('feeChanged');
  expect((await pay('3.50')).status).toBe(200);
  const { fee } = (await succeed(payouts.world, getTransaction, { as: company.admin, params: { id: kept } })).data;
  expect(fee).toBe('0.00');
  // That by SWIFT is a price of its own, and another company pays that for every company.
  await setPrice('8', { kind: 'payout_fee_swift' });
  expect(await feeShown()).toBe('3.50');
  await setPrice('5');
  expect(await feeShown()).toBe('3.50');
  await setPrice(null, { companyId: company.id });
  expect(await feeShown()).toBe('5.00');
  const history = (await console.ask(calls.listPriceHistory, { as: proposer, query: { asset: 'HKD' } })).data.items;
  expect(
    history.map(({ kind, bank, company: of, value, state }) => [kind, bank?.name, of !== null, value, state]),
  ).toEqual([
    ['payout_fee_local', 'Harbour Bank', true, null, 'inForce'],
    ['payout_fee_local', 'Harbour Bank', false, '5.00', 'inForce'],
    ['payout_fee_swift', 'Harbour Bank', false, '8.00', 'inForce'],
    ['payout_fee_local', 'Harbour Bank', true, '3.50', 'ended'],
  ]);
});

test('what cannot be a price of payments is refused', async () => {
  const keyOf = async (body: object) =>
    (await console.ask(calls.proposePrice, { as: proposer, body: { ...price('1'), ...body } as never })).key;
  expect(await keyOf({ bank: 'nowhere' })).toBe('currencyNotAtBank');
  expect(await keyOf({ asset: 'USDT' })).toBe('currencyNotAtBank');
  expect(await keyOf({ bank: undefined })).toBe('validationFailed');
  expect(await keyOf({ chain: 'ethereum' })).toBe('validationFailed');
  expect(await keyOf({ value: '1.001' })).toBe('amountTooManyDecimals');
  expect((await console.ask(calls.proposePrice, { as: await console.operator('viewer'), body: price('1') })).key).toBe(
    'noPermission',
  );
});

test('a trial says what the payments of the way would have earned; companies are notified of a rise once', async () => {
  const id = await ordered(payouts, company, { amount: '20', fee: '5' });
  await payouts.bankSays(notification([paid(id, '20')]));
  const tried = async (kind: 'payout_fee_local' | 'payout_fee_swift') => {
    const query = { kind, asset: 'HKD', bank: testBank, value: '9', companyId: company.id };
    return (await console.ask(calls.tryPrice, { as: proposer, query })).data.trial;
  };
  expect(await tried('payout_fee_local')).toMatchObject({
    transfers: 1,
    earned: '5.00',
    wouldEarn: '9.00',
    companies: 1,
  });
  expect(await tried('payout_fee_swift')).toMatchObject({ transfers: 0, earned: '0.00', companies: 0 });
  await announcePrices(payouts.db.worker);
  await setPrice('6.50', { validFrom: new Date(Date.now() + 3_600_000).toISOString() });
  await announcePrices(payouts.db.worker);
  await announcePrices(payouts.db.worker);
  const { items } = (await succeed(payouts.world, listNotices, { as: company.admin })).data;
  expect(items.map(({ title }) => title).filter((title) => title.includes('6.50'))).toEqual([
    'The fee of HKD payments by local clearing from Harbour Bank rises to 6.50 HKD',
  ]);
  expect(present(items[0]).title).toContain('6.50');
});
