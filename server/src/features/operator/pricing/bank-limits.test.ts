import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import * as calls from '@causeway/contract/operator-prices.ts';
import { fiatTransferOut, foreseePayout } from '@causeway/contract/payments.ts';
import { announceRecharge, getFunding } from '@causeway/contract/recharges.ts';
import { listWallets } from '@causeway/contract/wallets.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { notification } from '../../../testing/bank-intake.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import {
  ordered,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutRequest,
  payoutWorld,
  submitted,
} from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';

/** Minimums and limits of a currency, from an operator's proposal to what a company sees and may pay. */

let payouts: PayoutWorld;
let console: OperatorApp;
let [proposer, confirmer] = [] as unknown as [TestOperator, TestOperator];
let company: PayingCompany;

beforeAll(async () => {
  payouts = await payoutWorld();
  console = await operatorApp(payouts.db);
  [proposer, confirmer] = [await console.operator('treasury'), await console.operator('administrator')];
});
beforeEach(async () => {
  company = await payouts.company('10015.00');
});
afterAll(async () => {
  expect(payouts.world.complaints).toEqual([]);
  expect(console.complaints).toEqual([]);
  await console.close();
  await payouts.close();
});

type Kind = 'withdrawal_minimum' | 'recharge_minimum' | 'transfer_limit' | 'daily_limit';

const propose = (kind: Kind, value: string | null, more: object = { companyId: company.id }) =>
  console.ask(calls.proposePrice, { as: proposer, body: { kind, asset: 'HKD', value, reason: 'terms', ...more } });

async function agree(kind: Kind, value: string | null, more?: object) {
  const { data } = await propose(kind, value, more);
  const proposal = (await console.ask(getProposal, { as: confirmer, params: { id: data.proposalId } })).data;
  const confirm = (by: TestOperator) =>
    console.ask(confirmProposal, {
      as: by,
      params: { id: data.proposalId },
      body: { digest: proposal.digest, code: console.code(by.secret) },
    });
  expect((await confirm(proposer)).key).toBe('proposalOwn');
  expect((await confirm(confirmer)).status).toBe(200);
  return proposal;
}

const shown = async (of = company) => {
  const query = { form: 'transfer' as const, walletId: of.walletId, payeeId: of.payee.id };
  const { minimum, transferLimit, dailyLimit } = (await succeed(payouts.world, foreseePayout, { as: of.admin, query }))
    .data;
  return { minimum, transferLimit, dailyLimit };
};

const pay = async (amount: string, of = company) =>
  payouts.world.ask(fiatTransferOut, await payoutRequest(payouts, of, { amount }));

const held = async (kind: Kind, companyId?: string) => {
  const query = companyId === undefined ? {} : { companyId };
  const { items } = (await console.ask(calls.listPricesInForce, { as: proposer, query })).data;
  return present(items.find(({ asset }) => asset === 'HKD')?.prices.find((price) => price.kind === kind));
};

test('a minimum of payments: a company’s own before that for every company, shown at the field, and enforced', async () => {
  const other = await payouts.company('1015.00');
  const before = await shown();
  expect(await held('withdrawal_minimum')).toMatchObject({ value: before.minimum, from: 'registered' });
  const proposal = await agree('withdrawal_minimum', '50', {});
  expect(proposal.title).toBe('Minimum payment, HKD: every company');
  expect(proposal.changes[0]).toEqual({
    label: 'Minimum payment',
    before: `${before.minimum} HKD`,
    after: '50.00 HKD',
  });
  await agree('withdrawal_minimum', '80');
  expect(await shown()).toMatchObject({ minimum: '80.00' });
  expect(await shown(other)).toMatchObject({ minimum: '50.00' });
  const wallets = (await succeed(payouts.world, listWallets, { as: company.admin })).data.items;
  expect(wallets.find(({ id }) => id === company.walletId)?.minimum).toBe('80.00');
  expect((await pay('80')).key).toBe('amountBelowMinimum');
  expect((await pay('80.01')).status).toBe(200);
  expect((await pay('60', other)).status).toBe(200);
  await agree('withdrawal_minimum', null);
  expect(await held('withdrawal_minimum', company.id)).toMatchObject({ value: '50.00', from: 'installation' });
  await agree('withdrawal_minimum', null, {});
  expect(await shown(other)).toEqual(before);
});

test('a limit in one payment may be reached, and what was submitted before it goes on', async () => {
  const earlier = await submitted(payouts, company, { amount: '300' });
  await agree('transfer_limit', '200');
  expect(await shown()).toMatchObject({ transferLimit: '200.00', dailyLimit: null });
  expect((await pay('200.01')).key).toBe('amountAboveTransferLimit');
  expect((await pay('200')).status).toBe(200);
  await payouts.send(company.id, earlier);
  await payouts.order();
  expect(payouts.folder.take().map(({ text }) => text.includes('300.00'))).toContain(true);
});

test('of payments submitted at once no more goes out than the limit of a day', async () => {
  await agree('daily_limit', '35');
  expect(await shown()).toMatchObject({ transferLimit: null, dailyLimit: '35.00' });
  const requests = [];
  for (const amount of ['10', '10', '10', '10', '10']) requests.push(await payoutRequest(payouts, company, { amount }));
  const answers = await Promise.all(requests.map((request) => payouts.world.ask(fiatTransferOut, request)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ key }) => key)).toEqual(['amountAboveDailyLimit', 'amountAboveDailyLimit']);
  expect(refused[0]?.errors[0]).toContain('35.00 HKD a day, of which 5.00 HKD is left');
  expect((await pay('5')).status).toBe(200);
});

test('a minimum of recharges is shown with the details and asked of an announced payment', async () => {
  await agree('recharge_minimum', '500');
  const funding = await succeed(payouts.world, getFunding, { as: company.admin, params: { id: company.walletId } });
  expect(funding.data.minimum).toBe('500.00');
  const announced = async (amount: string) => {
    const body = {
      id: newId(),
      walletId: company.walletId,
      amount,
      paidAt: new Date().toISOString(),
      proofIds: [newId()],
    };
    return (await payouts.world.ask(announceRecharge, { as: company.admin, body })).key;
  };
  expect(await announced('499.99')).toBe('rechargeBelowMinimum');
  // The amount will do; its proof is not there.
  expect(await announced('500')).toBe('rechargeProofUnknown');
});

test('a limit holds from its date, is in the history, and is taken back by one operator before', async () => {
  const from = new Date(Date.now() + 3_600_000).toISOString();
  await agree('transfer_limit', '77', { companyId: company.id, validFrom: from });
  expect(await shown()).toMatchObject({ transferLimit: null });
  const query = { asset: 'HKD', kind: 'transfer_limit' as const, companyId: company.id };
  const history = async () => (await console.ask(calls.listPriceHistory, { as: proposer, query })).data.items;
  const [planned] = await history();
  expect(planned).toMatchObject({ value: '77.00', isCoin: false, state: 'planned', validFrom: from });
  const taken = await console.ask(calls.withdrawPrice, {
    as: proposer,
    params: { id: present(planned).id },
    body: { reason: 'agreed otherwise' },
  });
  expect(taken.status).toBe(200);
  expect(await history()).toMatchObject([{ state: 'withdrawn' }]);
});

test('a trial says which payments of 90 days it would have refused, and what their fees were', async () => {
  for (const amount of ['20', '30', '40']) {
    const id = await ordered(payouts, company, { amount });
    await payouts.bankSays(notification([paid(id, amount)]));
  }
  const tried = async (kind: Kind, value: string) => {
    const query = { kind, asset: 'HKD', value, companyId: company.id };
    return (await console.ask(calls.tryPrice, { as: proposer, query })).data.trial;
  };
  expect(await tried('withdrawal_minimum', '30')).toMatchObject({ transfers: 3, refused: 2, companies: 1 });
  expect(await tried('transfer_limit', '30')).toMatchObject({ transfers: 3, refused: 1, earned: '0.00' });
  expect(await tried('daily_limit', '30')).toBeNull();
  const { data } = await propose('transfer_limit', '30');
  const { changes } = (await console.ask(getProposal, { as: confirmer, params: { id: data.proposalId } })).data;
  expect(changes.map(({ after }) => after)).toContain('1 of 3 payments would have been refused');
});
