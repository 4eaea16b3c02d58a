import { getCryptoPayee } from '@causeway/contract/payees.ts';
import { addListEntry } from '@causeway/contract/risk-lists.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { beginRestoreMode, endRestoreMode } from '../../../platform/database/restore-mode.ts';
import { newId } from '../../../platform/ids.ts';
import { outgoingKinds } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee, transferRequest } from '../../../testing/valid-requests.ts';
import { accountsByKind, move, post } from '../../ledger/index.ts';
import { changeStage, type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import { kindsByType, type OutgoingKind } from '../kind.ts';
import type { PreparedPayment, Rail } from '../rail.ts';
import { approvalEnds, recheckRisk } from './approve.ts';
import { sendPayment } from './hand-over.ts';
import { refuse } from './release.ts';
import { fail, reopen, settle, takeBack } from './settle.ts';
import { stopForbidden, stopLocked } from './stop.ts';

/** How a payment goes on and ends, step by step, over a rail that does nothing: stages, books and events. */

let world: MainApp;
let tenant: Tenant;
let finance: Member;
let payeeId: string;
let id: string;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
  finance = await world.member(tenant, 'finance');
  payeeId = await payee(world, tenant);
  await credit(world.db, tenant, 'USDT', 100_000_000n);
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  ({ id } = (await succeed(world, transferOut, await transferRequest(world, tenant, content, finance))).data);
  await inCompany((tx) => sql`delete from outbox where company_id = company_id()`.execute(tx));
});
afterEach(() => expectCompanyBooks(world.db, tenant.id));

const inCompany = <T>(work: (tx: Tx) => Promise<T>) => world.db.worker.withCompany(tenant.id, work);
const rowsOf = <Row>(statement: ReturnType<typeof sql<Row>>) =>
  inCompany(async (tx) => (await statement.execute(tx)).rows);

/** Processes cannot write the registry: two operators agree on it, which is not what is tried here. @returns the rows changed */
async function asSuperuser(statement: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: world.db.superuserUrl });
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rowCount;
}

const whole = 100_000_000n;
const untouched = { available: whole, chain: -whole };
/** The amount of 5 and the fee of 1. */
const held = { ...untouched, available: 94_000_000n, outbound: 6_000_000n };
const paid = { available: 94_000_000n, fee: 1_000_000n, chain: -95_000_000n };
const balances = () => walletBalances(world.db, tenant.id, tenant.wallets.USDT);

const nonZero = (figures: Record<string, bigint>) =>
  Object.fromEntries(Object.entries(figures).filter(([, minor]) => minor !== 0n));

const kind = present(outgoingKinds.get('chain_withdraw'));
const judged = (riskSubject: OutgoingKind['riskSubject']): OutgoingKind => ({ ...kind, riskSubject });
const never = judged(async () => null);

async function stage(): Promise<Record<string, unknown> | undefined> {
  const [row] = await rowsOf(sql<Record<string, unknown>>`
    select t.stage, t.status, t.failure_reason as reason, s.hash, s.actor_name as "by" from transaction t
    join lateral (select hash, actor_name from transaction_stage s
      where s.company_id = t.company_id and s.transaction_id = t.id order by s.id desc limit 1) s on true
    where t.company_id = company_id() and t.id = ${id}`);
  return row;
}

const put = (from: LifecycleRow['stage'], to: LifecycleRow['stage']) =>
  inCompany((tx) => changeStage(tx, id, [from], { stage: to }));

async function announced(): Promise<unknown[]> {
  const rows = await rowsOf(sql<{ name: string; payload: Record<string, unknown> }>`
    select name, payload from outbox where company_id = company_id() order by id`);
  return rows.map(({ name, payload }) => [name, payload]);
}

const withPayment = <T>(work: (tx: Tx, payment: LifecycleRow) => Promise<T>) =>
  inCompany(async (tx) => work(tx, present(await lockTransaction(tx, id))));

async function audited(): Promise<unknown[]> {
  return rowsOf(sql`
    select action, detail from audit_event
    where company_id = company_id() and subject_id = ${id} and actor_kind = 'system' order by id`);
}

async function blacklist(): Promise<void> {
  const { address } = (await succeed(world, getCryptoPayee, { as: finance, params: { id: payeeId } })).data;
  const body = { kind: 'black', payeeType: 'crypto_address', account: address, remark: 'sanctioned' };
  await succeed(world, addListEntry, { as: tenant.admin, body });
}

describe('an approval', () => {
  const ends = approvalEnds(kind);

  test('is stopped by what risk forbids, and by nothing else', async () => {
    expect(await inCompany((tx) => recheckRisk(tx, never, id))).toBeNull();
    expect(await inCompany((tx) => recheckRisk(tx, kind, id))).toBeNull();
    await blacklist();
    expect(await inCompany((tx) => recheckRisk(tx, kind, id))).toEqual({ reason: 'stage.reason.riskStopped' });
    expect(await inCompany((tx) => recheckRisk(tx, never, id))).toBeNull();
  });

  test('lets the payment be sent, and says so to the worker and to open pages', async () => {
    await put('approved', 'waiting_approval');
    await inCompany((tx) => ends.approved(tx, id));
    expect(await stage()).toMatchObject({ stage: 'approved', status: 'pending' });
    expect(await announced()).toEqual([
      ['outgoing.approved', { transactionId: id }],
      ['live', { topic: 'transaction', id }],
    ]);
    await expect(inCompany((tx) => ends.approved(tx, id))).rejects.toThrow('waits for it');
  });

  test.each([
    ['rejected', 'stage.reason.riskStopped', 'stage.reason.rejected'],
    ['rejected', 'not ours', 'stage.reason.rejected'],
    ['stopped', 'stage.reason.riskStopped', 'stage.reason.riskStopped'],
    ['stopped', 'a stage.reason.', 'stage.reason.stopped'],
    ['expired', 'approvals.reason.expired', 'stage.reason.approvalExpired'],
    ['voided', 'approvals.reason.changed', 'stage.reason.approvalVoided'],
  ] as const)('that ends as %s (%s) gives the hold back and says %s', async (outcome, reason, said) => {
    await put('approved', 'waiting_approval');
    await inCompany((tx) => ends.ended(tx, id, { outcome, by: { id: newId(), name: 'Ada' }, reason }));
    expect(await stage()).toEqual({ stage: 'refused', status: 'failed', reason: said, hash: null, by: 'Ada' });
    expect(await balances()).toEqual(untouched);
    await expect(inCompany((tx) => ends.ended(tx, id, { outcome, by: null, reason }))).rejects.toThrow('waits for it');
    await expect(inCompany((tx) => ends.ended(tx, newId(), { outcome, by: null, reason }))).rejects.toThrow(
      'has its payment',
    );
  });
});

describe('the hand-over', () => {
  let prepared: PreparedPayment | null;
  let submitted: number;
  beforeEach(() => {
    submitted = 0;
    prepared = {
      isBegun: false,
      submit: async () => {
        submitted += 1;
      },
    };
  });
  const rail: Rail = { carries: () => true, prepare: async () => prepared };
  const send = (of: OutgoingKind = kind, rails: readonly Rail[] = [rail]) =>
    sendPayment({ database: world.db.worker, kinds: kindsByType([of]), rails }, tenant.id, id);

  test('moves an approved payment to its first stage with the rail once, and asks the rail each time', async () => {
    await send();
    expect(await stage()).toMatchObject({ stage: 'signing' });
    expect(await announced()).toEqual([['live', { topic: 'transaction', id }]]);
    await send();
    expect(await stage()).toMatchObject({ stage: 'signing' });
    expect(await announced()).toHaveLength(1);
    expect(submitted).toBe(2);
  });

  test('leaves what waits for approval, what has ended, and what its rail ended', async () => {
    await put('approved', 'waiting_approval');
    await send();
    await put('waiting_approval', 'approved');
    prepared = null;
    await send();
    expect([await stage(), submitted]).toMatchObject([{ stage: 'approved' }, 0]);
    prepared = { isBegun: true, submit: async () => Promise.reject(new Error('must not be asked')) };
    await withPayment((tx, payment) =>
      refuse(tx, kind, payment, ['approved'], { stage: 'refused', reason: 'stage.reason.stopped' }),
    );
    await send();
    await sendPayment({ database: world.db.worker, kinds: kindsByType([kind]), rails: [rail] }, tenant.id, newId());
    expect(await stage()).toMatchObject({ stage: 'refused' });
  });

  test('waits in restore mode', async () => {
    await world.db.operator.withoutCompany((tx) =>
      beginRestoreMode(tx, { cause: 'operator', reason: 'drill', by: 'test' }),
    );
    await send();
    expect([await stage(), submitted]).toMatchObject([{ stage: 'approved' }, 0]);
    await world.db.operator.withoutCompany((tx) => endRestoreMode(tx, { by: 'test', reason: 'drill is over' }));
    await send();
    expect([await stage(), submitted]).toMatchObject([{ stage: 'signing' }, 1]);
  });

  test.each([
    ['its coin', 'chain_asset s', 'withdrawals_paused', 't.coin = s.coin and t.chain_id = s.chain_id'],
    ['its chain', 'chain s', 'paused', 't.chain_id = s.id'],
  ])('waits while %s is switched off, and goes on once it is on again', async (_name, table, column, isIts) => {
    const switchTo = (isOff: boolean) =>
      asSuperuser(
        `update causeway.${table} set ${column} = ${isOff} from causeway.transaction t where t.id = '${id}' and ${isIts}`,
      );
    expect(await switchTo(true)).toBe(1);
    await send().finally(() => switchTo(false));
    expect([await stage(), submitted]).toMatchObject([{ stage: 'approved' }, 0]);
    await send();
    expect([await stage(), submitted]).toMatchObject([{ stage: 'signing' }, 1]);
  });

  test('fails where no rail carries the payment, so that it is tried again', async () => {
    await expect(send(kind, [{ ...rail, carries: () => false }])).rejects.toThrow('a rail carries');
    expect(await stage()).toMatchObject({ stage: 'approved' });
  });

  test('goes on with what was never judged, and with what a rail began, whatever risk says', async () => {
    await blacklist();
    await send(never);
    expect([await stage(), submitted]).toMatchObject([{ stage: 'signing' }, 1]);
    await put('signing', 'approved');
    prepared = { ...present(prepared), isBegun: true };
    await send();
    expect([await stage(), submitted]).toMatchObject([{ stage: 'signing' }, 2]);
  });
});

describe('an end', () => {
  const evidence = { contra: 'chain', finals: 0, hash: '0xabc' } as const;
  const settleWith = (more: object = {}) => withPayment((tx, payment) => settle(tx, payment, { ...evidence, ...more }));
  const reopenAt = (stage: 'confirming' | 'broadcast', finals: number) =>
    inCompany((tx) =>
      reopen(tx, id, { finals, stage, reason: 'stage.reason.reorganised', walletId: tenant.wallets.USDT }),
    );
  const reachedAt = (end: string) =>
    expect.arrayContaining([['transaction.reached', { transactionId: id, stage: end }]]);

  test('by payment moves the hold to the rail and the fee account, with the hash if there is one', async () => {
    await expect(settleWith()).rejects.toThrow('is settled once');
    expect(await balances()).toEqual(held);
    await put('approved', 'signing');
    await settleWith({ hash: null });
    expect(await stage()).toEqual({ stage: 'completed', status: 'completed', reason: null, hash: null, by: null });
    expect(await balances()).toEqual(paid);
    expect(await announced()).toEqual(reachedAt('completed'));
  });

  test('that is taken back and comes again has postings of its own each time', async () => {
    await put('approved', 'confirming');
    for (const finals of [0, 1, 2]) {
      await settleWith({ finals, hash: `0x${finals}` });
      expect(await stage()).toMatchObject({ stage: 'completed', hash: `0x${finals}` });
      expect(await balances()).toEqual(paid);
      await reopenAt('confirming', finals);
      expect(await balances()).toEqual(held);
    }
    const kinds = await rowsOf(sql<{ kind: string }>`
      select kind from ledger_posting where company_id = company_id() and source_id = ${id} and kind like 'transfer.settle%' order by kind`);
    expect(kinds.map((row) => row.kind)).toEqual(
      ['', '.2', '.2.undone', '.3', '.3.undone', '.undone'].map((end) => `transfer.settle${end}`),
    );
    await inCompany((tx) => takeBack(tx, id, 'transfer.settle.9'));
    expect(await balances()).toEqual(held);
    await inCompany((tx) => takeBack(tx, id, 'transfer.reserve'));
    expect(await balances()).toEqual(untouched);
  });

  test.each([0n, 1n, 400_000n, 1_000_000n])(
    'that is taken back when %i of its fee are collected leaves that as a shortfall, which its next end makes good',
    async (collectedMinor) => {
      const walletId = tenant.wallets.USDT;
      const collect = (amountMinor: bigint) =>
        inCompany(async (tx) => {
          const { fee, chain } = await accountsByKind(tx, walletId, ['fee', 'chain']);
          const legs = move(fee.id, chain.id, amountMinor);
          await post(tx, { id: newId(), kind: 'test.collected', sourceId: newId(), description: 'collected', legs });
        });
      const feeMinor = 1_000_000n;
      await put('approved', 'confirming');
      // Once the shortfall is made good, the rest of the fee is collected too.
      for (const [finals, takenMinor] of [collectedMinor, feeMinor - collectedMinor, 0n].entries()) {
        await settleWith({ finals });
        if (takenMinor > 0n) await collect(takenMinor);
        const missing = finals === 0 ? collectedMinor : feeMinor;
        const left = { ...paid, fee: feeMinor - missing, chain: missing - 95_000_000n };
        expect(await balances()).toEqual(nonZero(left));
        await reopenAt('confirming', finals);
        expect(await balances()).toEqual(nonZero({ ...held, deficit: -missing, chain: missing - whole }));
      }
      await settleWith({ finals: 3 });
      expect(await balances()).toEqual({ available: 94_000_000n, chain: -94_000_000n });
    },
  );

  test('that is taken back takes no more than its own fee from those of other payments', async () => {
    const walletId = tenant.wallets.USDT;
    await inCompany(async (tx) => {
      const { available, fee } = await accountsByKind(tx, walletId, ['available', 'fee']);
      const legs = move(available.id, fee.id, 3_000_000n);
      await post(tx, { id: newId(), kind: 'test.fees', sourceId: newId(), description: 'fees of others', legs });
    });
    await put('approved', 'confirming');
    await settleWith();
    await reopenAt('confirming', 0);
    expect(await balances()).toEqual({ ...held, available: 91_000_000n, fee: 3_000_000n });
  });

  test('by failure gives the hold back once, and can still turn out to be a payment', async () => {
    const reason = 'stage.reason.reverted';
    const failWith = (hash: string | null) => withPayment((tx, payment) => fail(tx, payment, { reason, hash }));
    await expect(failWith(null)).rejects.toThrow('fails after it was handed over');
    await put('approved', 'broadcast');
    await failWith('0xdead');
    expect(await stage()).toMatchObject({ stage: 'failed', reason, hash: '0xdead' });
    expect(await balances()).toEqual(untouched);
    expect(await announced()).toEqual(reachedAt('failed'));
    await failWith(null);
    expect(await stage()).toMatchObject({ hash: '0xdead' });
    await settleWith();
    expect(await stage()).toMatchObject({ stage: 'completed', hash: '0xabc' });
    expect(await balances()).toEqual(paid);
  });

  test('by failure that turned out to be a payment is one again once that is taken back, as often as it happens', async () => {
    await put('approved', 'broadcast');
    await withPayment((tx, payment) => fail(tx, payment, { reason: 'stage.reason.reverted', hash: null }));
    // Its failure was its first end.
    for (const finals of [1, 2, 3]) {
      await settleWith({ finals });
      expect([await stage(), await balances()]).toMatchObject([{ stage: 'completed' }, paid]);
      await reopenAt('broadcast', finals);
      expect([await stage(), await balances()]).toMatchObject([{ stage: 'failed', status: 'failed' }, untouched]);
    }
  });

  test('by failure without a transaction has no hash', async () => {
    await put('approved', 'signing');
    await withPayment((tx, payment) => fail(tx, payment, { reason: 'stage.reason.reverted', hash: null }));
    expect(await stage()).toMatchObject({ stage: 'failed', hash: null });
  });

  test('by refusal is in the audit log with its reason, and only where something was refused', async () => {
    const reason = 'stage.reason.stopped';
    const refuseAt = (from: LifecycleRow['stage']) =>
      withPayment((tx, payment) => refuse(tx, kind, payment, [from], { stage: 'refused', reason }));
    expect(await refuseAt('signing')).toBeNull();
    expect(await audited()).toEqual([]);
    expect(await balances()).toEqual(held);
    expect(await refuseAt('approved')).not.toBeNull();
    expect(await audited()).toEqual([{ action: kind.actions.fail, detail: { stage: 'refused', reason } }]);
    expect(await balances()).toEqual(untouched);
  });
});

describe('new lists and policies', () => {
  const stop = (of: OutgoingKind) => stopForbidden(world.db.worker, kindsByType([of]), tenant.id);

  test('stop what no rail has begun and risk forbids, with the reason in the audit log', async () => {
    await stop(kind);
    expect(await stage()).toMatchObject({ stage: 'approved' });
    await blacklist();
    await stop(never);
    expect(await stage()).toMatchObject({ stage: 'approved' });
    await stop(kind);
    expect(await stage()).toMatchObject({ stage: 'refused', reason: 'stage.reason.riskStopped' });
    const stopped = [{ action: kind.actions.stop, detail: { reason: 'stage.reason.riskStopped' } }];
    expect(await audited()).toEqual(stopped);
    await stop(kind);
    expect(await audited()).toEqual(stopped);
  });

  test('write nothing where a rail began meanwhile', async () => {
    await put('approved', 'signing');
    await withPayment((tx, payment) => stopLocked(tx, kind, payment));
    expect(await stage()).toMatchObject({ stage: 'signing' });
    expect(await audited()).toEqual([]);
    expect(await balances()).toEqual(held);
  });

  test('leave what a rail has begun', async () => {
    await put('approved', 'signing');
    await blacklist();
    await stop(kind);
    expect(await stage()).toMatchObject({ stage: 'signing' });
    expect(await audited()).toEqual([]);
  });
});
