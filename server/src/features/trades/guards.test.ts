import { decideApprovals } from '@causeway/contract/approvals.ts';
import { confirmTrade, declineTrade, disputeTrade, releaseTrade } from '@causeway/contract/trades.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { decision } from '../../testing/approval-requests.ts';
import { randomAddress } from '../../testing/company.ts';
import { expectLedgerToAgree, walletBalances } from '../../testing/company-books.ts';
import { present } from '../../testing/present.ts';
import { enact, forbidding } from '../../testing/risk.ts';
import { succeed } from '../../testing/succeed.ts';
import {
  asSuperuser,
  confirmation,
  confirmed,
  figures,
  released,
  releaseRequest,
  saidOf,
  sendEvent,
  type TradeWorld,
  tradeDetail,
  tradeWorld,
  trading,
  usdt,
} from '../../testing/trades.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { accountsByKind } from '../ledger/index.ts';
import { takeFromWallet } from '../wallets/index.ts';
import { returnedBy, type Standing } from './domain.ts';
import { confirming } from './service/confirm.ts';
import { followRelease } from './service/follow-release.ts';
import { tradeSubject } from './service/subject.ts';

/** Refusals that are the last of several, each where the others do not refuse. */

let of: TradeWorld;
beforeAll(async () => {
  of = await tradeWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  await of.close();
});

const whole = { available: '5000', escrow: '0', outbound: '0' };
const frozen = { available: '4000', escrow: '1000', outbound: '0' };

test('what a payment would be refused for by risk is not confirmed, and nothing is frozen', async () => {
  const { company, said } = await trading(of);
  const request = await confirmation(of, company.admin, said.id);
  await enact(of.db, company.id, forbidding({ dimension: 'crypto_quantity', coin: 'USDT', from: '1000', to: null }));
  expect(await of.world.ask(confirmTrade, request)).toMatchObject({ key: 'riskRefused' });
  expect(await figures(of, company)).toEqual(whole);
});

test('what its platform says is under way, or a company that was frozen since the session was read, is not confirmed', async () => {
  const { company, said } = await trading(of);
  const { body } = await confirmation(of, company.admin, said.id);
  const confirmNow = () =>
    of.db.app.withCompany(company.id, (tx) =>
      confirming.work(tx, { session: company.admin.session } as never, body, undefined),
    );
  await asSuperuser(of, `update causeway.company set frozen_at = now() where company_id = '${company.id}'`);
  await expect(confirmNow()).rejects.toThrow('companyFrozen');
  await asSuperuser(of, `update causeway.company set frozen_at = null where company_id = '${company.id}'`);
  await sendEvent(of, { ...said, version: 2, status: 'in_progress' });
  await expect(confirmNow()).rejects.toThrow('tradeNotConfirmable');
  const no = { as: company.admin, body: { id: said.id, reason: '' } };
  expect(await of.world.ask(declineTrade, no)).toMatchObject({ key: 'tradeNotConfirmable' });
  expect(await figures(of, company)).toEqual(whole);
});

test('no event gives back more than is frozen, nor anything of what is sold', () => {
  const trade = { side: 'buyer', state: 'frozen', frozenMinor: 499n, refundedMinor: 100n } as Standing;
  const back = (of: Standing, refundedMinor: bigint, status: 'in_progress' | 'cancelled' = 'in_progress') =>
    returnedBy(of, { status, refundedMinor });
  expect([back(trade, 100n), back(trade, 400n), back(trade, 599n), back(trade, 1000n)]).toEqual([0n, 300n, 499n, 499n]);
  expect(back(trade, 100n, 'cancelled')).toBe(499n);
  expect(back({ ...trade, side: 'seller' }, 1000n)).toBe(0n);
});

test('what waits for its approval is not disputed, and a refund of it contradicts', async () => {
  const { company, said } = await trading(of);
  await reviewOf(of.world, company)(true);
  await of.world.member(company, 'approver');
  await confirmed(of, company.admin, said.id);
  const dispute = { as: company.admin, body: { id: said.id, reason: 'Wrong goods' } };
  expect(await of.world.ask(disputeTrade, dispute)).toMatchObject({ key: 'tradeNotFrozen' });
  await sendEvent(of, { ...said, version: 2, refunded: '1' });
  const detail = await tradeDetail(of, company.admin, said.id);
  expect(detail).toMatchObject({ phase: 'agreed', refunded: '0.000000', contradiction: { fields: ['refunded'] } });
  expect(await figures(of, company)).toEqual(frozen);
});

describe('of a confirmation', () => {
  test('neither an approval nor a withdrawal touches a trade that does not wait for it', async () => {
    const { company, said } = await trading(of);
    await reviewOf(of.world, company)(true);
    const approver = await of.world.member(company, 'approver');
    const first = await confirmed(of, company.admin, said.id);
    const decide = async (taskId: string | null, outcome: 'approved' | 'rejected') =>
      succeed(of.world, decideApprovals, await decision(of.world, approver, [present(taskId)], outcome));
    await decide(first.approvalTaskId, 'rejected');
    const second = await confirmed(of, company.admin, said.id);
    const act = (what: 'approved' | 'withdrawn', subjectId: string) =>
      of.db.app.withCompany(company.id, async (tx) => {
        if (what === 'approved') return tradeSubject.approved(tx, subjectId);
        return tradeSubject.withdrawn(tx, { session: company.admin.session } as never, { subjectId } as never);
      });
    // Another confirmation is the trade's by now.
    await expect(act('withdrawn', first.id)).rejects.toThrow('tradeNotConfirmable');
    await expect(act('approved', first.id)).rejects.toThrow('a trade whose task is pending waits for it');
    await decide(second.approvalTaskId, 'approved');
    // Its amount is frozen by now.
    await expect(act('withdrawn', second.id)).rejects.toThrow('tradeNotConfirmable');
    await expect(act('approved', second.id)).rejects.toThrow('a trade whose task is pending waits for it');
    expect(await figures(of, company)).toEqual(frozen);
  });
});

test('a milestone that is reached and paid in part of the trade is paid once, although more of the trade can be paid', async () => {
  const milestones = [{ id: 'm1', name: 'Shipped', amount: '400', reached: true }];
  const trade = await trading(of, { milestones });
  await confirmed(of, trade.company.admin, trade.said.id);
  await released(of, trade, '400', 'm1');
  const again = await releaseRequest(of, trade, '400', 'm1');
  expect(await of.world.ask(releaseTrade, again)).toMatchObject({ key: 'tradeMilestone' });
  const unknown = await releaseRequest(of, trade, '400', 'm2');
  expect(await of.world.ask(releaseTrade, unknown)).toMatchObject({ key: 'tradeMilestone' });
  expect(await figures(of, trade.company)).toEqual({ available: '3999', escrow: '600', outbound: '401' });
});

test('a payment to the seller goes to a payee at the seller’s address, of the trade’s coin and chain', async () => {
  const trade = await trading(of);
  const { company, payeeId, said } = trade;
  await confirmed(of, company.admin, said.id);
  const request = await releaseRequest(of, trade, '1000');
  const set = (change: string) =>
    asSuperuser(
      of,
      `set session_replication_role = replica; update causeway.crypto_payee set ${change} where id = '${payeeId}'`,
    );
  for (const [other, own] of [
    [`chain_id = 'elsewhere'`, `chain_id = 'ethereum'`],
    [`coin = 'USDC'`, `coin = 'USDT'`],
    [`address = '${randomAddress()}'`, `address = '${said.seller.wallet}'`],
  ] as const) {
    await set(other);
    expect(await of.world.ask(releaseTrade, request)).toMatchObject({ key: 'tradePayeeMissing' });
    await set(own);
  }
  expect(await figures(of, company)).toEqual(frozen);
  await succeed(of.world, releaseTrade, request);
});

test('a payment that came to nothing is reported once, however often its end is followed', async () => {
  const trade = await trading(of);
  const { company, said } = trade;
  await confirmed(of, company.admin, said.id);
  const id = await released(of, trade, '400');
  await succeed(of.world, cancelTransfer, { as: company.admin, body: { id } });
  for (let times = 3; times > 0; times -= 1) await of.db.worker.withCompany(company.id, (tx) => followRelease(tx, id));
  const { timeline, messages } = await tradeDetail(of, company.admin, said.id);
  expect(timeline.filter(({ step }) => step === 'release_failed')).toHaveLength(1);
  expect(messages.map(({ type }) => type)).toEqual(['trade.confirmed', 'trade.released', 'trade.release_failed']);
  expect(await figures(of, company)).toEqual(frozen);
});

test('what comes back from escrow repays a shortfall that the wallet has meanwhile', async () => {
  const { company, said } = await trading(of);
  await confirmed(of, company.admin, said.id);
  const walletId = company.wallets.USDT;
  await of.db.worker.withCompany(company.id, async (tx) => {
    const { chain } = await accountsByKind(tx, walletId, ['chain']);
    const posting = { kind: 'deposit.reversed', sourceId: newId(), description: 'taken back' };
    const amountMinor = 4100n * usdt;
    await takeFromWallet(tx, walletId, amountMinor, posting, [{ accountId: chain.id, amountMinor }]);
  });
  await sendEvent(of, { ...said, version: 2, status: 'cancelled', phase: 'closed' });
  const balances = await walletBalances(of.db, company.id, walletId);
  expect(balances).toEqual({ available: 900n * usdt, chain: -900n * usdt });
});

describe('an event', () => {
  test('between two addresses of one company is of no trade', async () => {
    const company = await of.world.company();
    const further = randomAddress();
    await asSuperuser(
      of,
      `insert into causeway.chain_further_address (company_id, chain_id, address, derivation_index)
        values ('${company.id}', 'ethereum', '${further}', 1000000)`,
    );
    const unknown = { status: 404, key: 'tradeUnknownHere' };
    expect(await sendEvent(of, saidOf(company.address, further))).toEqual(unknown);
    expect(await sendEvent(of, saidOf(further, company.address))).toEqual(unknown);
    expect(await sendEvent(of, saidOf(further, randomAddress()))).toMatchObject({ status: 200 });
  });

  test('whose milestones are more than the amount contradicts', async () => {
    const milestone = { id: 'm1', name: 'Shipped', reached: false };
    const { company, said } = await trading(of, { milestones: [{ ...milestone, amount: '1000' }] });
    const more = [
      { ...milestone, amount: '1000' },
      { ...milestone, id: 'm2', amount: '0.000001' },
    ];
    await sendEvent(of, { ...said, version: 2, milestones: more });
    const detail = await tradeDetail(of, company.admin, said.id);
    expect(detail).toMatchObject({ contradiction: { fields: ['milestones'] }, milestones: [{ id: 'm1' }] });
  });

  test('that is the first of a trade and has such milestones is refused: what follows it could not be taken in', async () => {
    const company = await of.world.company();
    const [one, other] = ['m1', 'm2'].map((id) => ({ id, name: id, amount: '500', reached: false }));
    const said = saidOf(company.address, randomAddress(), { milestones: [present(one), present(other)] });
    const beyond = { ...said, milestones: [present(one), { ...present(other), amount: '500.000001' }] };
    expect(await sendEvent(of, beyond)).toEqual({ status: 400, key: 'validationFailed' });
    await expect(tradeDetail(of, company.admin, said.id)).rejects.toThrow('tradeNotFound');
    // Mended, it is taken in under the same version.
    expect(await sendEvent(of, said)).toMatchObject({ status: 200 });
    expect(await tradeDetail(of, company.admin, said.id)).toMatchObject({ version: 1, contradiction: null });
  });

  test('that cancels a trade and says that more was refunded than its amount contradicts', async () => {
    const { company, said } = await trading(of);
    await confirmed(of, company.admin, said.id);
    await sendEvent(of, { ...said, version: 2, status: 'cancelled', phase: 'closed', refunded: '1000.000001' });
    const detail = await tradeDetail(of, company.admin, said.id);
    expect(detail).toMatchObject({ state: 'in_progress', contradiction: { fields: ['refunded'] } });
    expect(await figures(of, company)).toEqual(frozen);
  });

  test('from an address that sent sixty which were refused is not read any more in that minute', async () => {
    const ask = (ip: string) =>
      of.world.app.inject({ method: 'POST', url: '/hooks/trades', payload: '{}', remoteAddress: ip });
    const statuses: number[] = [];
    for (let tries = 0; tries < 61; tries += 1) statuses.push((await ask('203.0.113.77')).statusCode);
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([401]));
    expect(statuses.at(-1)).toBe(429);
    expect((await ask('203.0.113.78')).statusCode).toBe(401);
  });
});
