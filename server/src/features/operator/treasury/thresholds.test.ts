import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { getTreasury, proposeTankThreshold } from '@causeway/contract/operator-treasury.ts';
import { gasTankDefaults } from '@causeway/contract/operator-treasury-rules.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import {
  approvedTransfer,
  finishTransfer,
  newPayee,
  registeredCompany,
  sendsOf,
} from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainId, chainWorld } from '../../../testing/chain-world.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import { gasTankCheck } from '../../chains/index.ts';
import { systemSources } from '../queue/system-sources.ts';

/** When the gas tank is low and when it stops: changed by two, in force at once for the alert, the queue and the payments. */

// Blocks are mined and followed one by one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: ChainWorld;
let app: OperatorApp;
let one: TestOperator;
let two: TestOperator;

beforeAll(async () => {
  // A machine that does much else makes its nodes slow, which is not what is tried here.
  world = await chainWorld({ rpcTimeoutMs: 15_000 });
  app = await operatorApp(world.db);
  [one, two] = [await app.operator('treasury'), await app.operator('administrator')];
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await app.close();
  await world.close();
});

const propose = (threshold: object, as = one) =>
  app.ask(proposeTankThreshold, {
    as,
    params: { chainId },
    body: { ...gasTankDefaults, reason: 'Busy month', ...threshold },
  });

async function confirm(id: string, as = two) {
  const { data } = await app.ask(getProposal, { as, params: { id } });
  const body = { digest: data.digest, code: app.code(as.secret) };
  return app.ask(confirmProposal, { as, params: { id }, body });
}

async function agree(threshold: object): Promise<void> {
  expect((await confirm((await propose(threshold)).data.proposalId)).status).toBe(200);
}

/** As the worker reports it. */
async function report(payments: number): Promise<void> {
  await world.db.worker.withoutCompany((tx) =>
    sql`insert into gas_tank_state (chain_id, address, balance, payments, is_configured)
      values (${chainId}, ${world.gasTank}, 1, ${payments}, true)
      on conflict (chain_id) do update set payments = excluded.payments`.execute(tx),
  );
}

const shown = async () =>
  present((await app.ask(getTreasury, { as: one })).data.chains.find(({ id }) => id === chainId)?.tank);
const queued = async () => {
  const source = present(systemSources.find(({ kind }) => kind === 'gasTankLow'));
  return (await world.db.console.withoutCompany((tx) => source.find(tx))).map(({ facts }) => facts);
};

test('two operators change the thresholds, with before and after; alert, queue and page follow at once', async () => {
  await report(50);
  expect(await queued()).toEqual([]);
  expect((await shown()).threshold).toEqual({ ...gasTankDefaults, change: null, proposalId: null });
  const { proposalId } = (await propose({ warnPayments: 60, stopPayments: 5 })).data;
  expect(await propose({ warnPayments: 70 })).toMatchObject({ key: 'proposalOpen' });
  const { data } = await app.ask(getProposal, { as: two, params: { id: proposalId } });
  expect(data.changes.map(({ before, after }) => [before, after])).toEqual([
    ['7 days', '7 days'],
    ['20 payments', '60 payments'],
    ['Never', '5 payments'],
  ]);
  expect(await confirm(proposalId, one)).toMatchObject({ key: 'proposalOwn' });
  expect((await shown()).threshold).toMatchObject({ warnPayments: 20, proposalId });
  expect((await confirm(proposalId)).status).toBe(200);

  expect(await shown()).toMatchObject({
    low: true,
    stopped: false,
    threshold: { warnPayments: 60, stopPayments: 5, change: { by: one.name, confirmedBy: two.name }, proposalId: null },
  });
  expect(await queued()).toEqual([{ chain: chainId, paymentsLeft: '50' }]);
  const check = gasTankCheck(world.db.worker, world.gateway);
  await agree({ warnPayments: 100_000 });
  const { data: treasury } = await app.ask(getTreasury, { as: two });
  expect(treasury.chains.some(({ tank }) => tank?.low)).toBe(true);
  await agree({ warnPayments: 1 });
  await check.check();
  expect(await queued()).toEqual([]);
  expect(await app.audited()).toContain('treasury.setTankThreshold');
});

test('what is no change, or no threshold, is not proposed', async () => {
  await agree({ warnDays: 8 });
  await agree(gasTankDefaults);
  expect(await propose(gasTankDefaults)).toMatchObject({ key: 'nothingChanges' });
  const asked = await propose({ warnPayments: 5, stopPayments: 5 });
  expect(asked).toMatchObject({ key: 'validationFailed', fields: { stopPayments: expect.any(String) } });
  expect(await propose({ warnDays: 0 })).toMatchObject({ key: 'validationFailed' });
  const elsewhere = { as: one, params: { chainId: 'nowhere' }, body: { ...gasTankDefaults, reason: 'x' } };
  expect(await app.ask(proposeTankThreshold, elsewhere)).toMatchObject({ key: 'notFound' });
  const support = await app.operator('support');
  expect(await propose({ warnDays: 9 }, support)).toMatchObject({ key: 'noPermission' });
});

test('the console’s role alone changes no threshold', async () => {
  const write = world.db.console.withoutCompany((tx) =>
    sql`insert into operator_tank_threshold (chain_id, warn_days, warn_payments, stop_payments, proposal_id)
      values (${chainId}, 1, 2, 1, ${newId()})
      on conflict (chain_id) do update set stop_payments = 1, proposal_id = excluded.proposal_id`.execute(tx),
  );
  await expect(write).rejects.toThrow('confirmed proposal');
});

test('below its stop the tank advances nothing for a new payment; one that has begun, and all once it is filled, go on', async () => {
  const [company, other] = [await registeredCompany(world), await registeredCompany(world)];
  const pay = (of: Company) =>
    approvedTransfer(world, of, { coin: 'USDT', amountMinor: 2_000_000n, payee: newPayee() });
  await report(50);
  const begun = await pay(company);
  await world.work();
  await agree({ stopPayments: 10 });
  await report(9);
  expect((await shown()).stopped).toBe(true);
  await finishTransfer(world, company, begun);
  const waiting = await pay(other);
  await world.work();
  for (let left = 3; left > 0; left -= 1) {
    await world.advance(1);
    await world.tend();
  }
  expect(await sendsOf(world, waiting)).toEqual([]);
  await report(10);
  await world.tend();
  await finishTransfer(world, other, waiting);
  await expectBooksToAgree(world);
});
