import { type Call, stopsWhileFrozen } from '@causeway/contract/call.ts';
import { calls } from '@causeway/contract/calls.ts';
import { callsWhileFrozen } from '@causeway/contract/freeze-rules.ts';
import { getUser } from '@causeway/contract/identity.ts';
import * as staff from '@causeway/contract/operator.ts';
import * as freezing from '@causeway/contract/operator-freezing.ts';
import { listMembers, setMemberStatus } from '@causeway/contract/organisation.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { listWallets } from '@causeway/contract/wallets.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvalSubjects, subjectsByKind } from '../../../approval-subjects.ts';
import { systemClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { openTestBank, openTestBankWallet } from '../../../testing/banks.ts';
import { chainFamilies } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { companyOf, type FreezingWorld, freezingWorld, type Subject } from '../../../testing/freezing.ts';
import type { Member } from '../../../testing/main-app.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { type NoticeValues, render } from '../../notices/domain.ts';
import { freezingJobs } from './jobs.ts';
import { freezingSources } from './sources.ts';

let made: FreezingWorld;
let db: FreezingWorld['db'];
let main: FreezingWorld['main'];
let world: FreezingWorld['world'];
let tenant: FreezingWorld['tenant'];
let compliance: FreezingWorld['compliance'];
let colleague: FreezingWorld['colleague'];

beforeAll(async () => {
  made = await freezingWorld();
  ({ db, main, world, tenant, compliance, colleague } = made);
});
afterAll(() => made.close());

const freeze: FreezingWorld['freeze'] = (...given) => made.freeze(...given);
const propose: FreezingWorld['propose'] = (...given) => made.propose(...given);
const confirming: FreezingWorld['confirming'] = (...given) => made.confirming(...given);
const work: FreezingWorld['work'] = (...given) => made.work(...given);
const unfreeze: FreezingWorld['unfreeze'] = (...given) => made.unfreeze(...given);
const shownTo: FreezingWorld['shownTo'] = (...given) => made.shownTo(...given);

const support = { email: 'help@provider.example', phone: '+852 1234 5678' };
const subjects = subjectsByKind(approvalSubjects(systemClock, chainFamilies, {}));

interface Given {
  kind: string;
  recipients: string[] | null;
  values: unknown;
  facts: unknown;
}

/** Gives the notices of what was announced in the company's outbox, as the worker does. */
async function tellPeople(companyId: string): Promise<Given[]> {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      delete from outbox where company_id = ${companyId} and name in ('operator.frozen', 'operator.unfrozen')
      returning name, payload`.execute(tx),
  );
  for (const { name, payload } of rows) {
    for (const job of freezingJobs({ subjects, support }).filter(({ on = [] }) => on.includes(name))) {
      await job.run({ database: db.worker, companyId } as never, payload);
      await job.run({ database: db.worker, companyId } as never, payload);
    }
  }
  const notices = await db.worker.withCompany(companyId, (tx) =>
    sql<Given>`
      select kind, recipients, values, facts from notice where company_id = company_id() order by id`.execute(tx),
  );
  return notices.rows;
}

describe('a company', () => {
  test('is frozen by one operator at once, and reads why in its language; the note stays with the firm', async () => {
    expect(await shownTo(tenant.admin)).toBeNull();
    const made = await freeze(companyOf(tenant));
    expect(made.status).toBe(200);
    expect(await shownTo(tenant.admin)).toMatchObject({
      reason: 'Someone may have gained access who should not have it',
      reference: expect.stringMatching(/^FZ-[0-9A-F]{4}-[0-9A-F]{4}$/),
    });
    expect((await shownTo(tenant.admin, 'zh-hk'))?.reason).toBe('懷疑有人未經授權取得存取權');
    expect((await shownTo(tenant.admin, 'zh-cn'))?.reason).toBe('疑似有人未经授权取得访问权限');
    expect(await freeze(companyOf(tenant))).toMatchObject({ key: 'alreadyFrozen' });

    const { rows } = await db.app.withCompany(tenant.id, (tx) =>
      sql<{
        detail: unknown;
      }>`select detail from audit_event where company_id = company_id() and action = 'operator.freezeCompany'`.execute(
        tx,
      ),
    );
    expect(rows).toEqual([{ detail: { cause: 'compromise' } }]);
    expect(await world.audited()).toContain('operator.freezeCompany');
    const listed = await world.ask(freezing.listFreezes, { as: compliance, params: { id: tenant.id } });
    expect(listed.data?.items).toMatchObject([
      { kind: 'company', name: 'Far Voyage', note: 'seen in the logs of the night' },
    ]);

    const notices = await tellPeople(tenant.id);
    expect(notices).toMatchObject([{ kind: 'security.companyFrozen', recipients: [tenant.admin.session.userId] }]);
    expect(JSON.stringify(notices)).not.toContain('night');
    const shown = await shownTo(tenant.admin);
    expect(notices[0]?.facts).toEqual([
      { label: 'notice.support.email', value: support.email },
      { label: 'notice.support.phone', value: support.phone },
      { label: 'notice.freeze.reference', value: shown?.reference },
    ]);
  });

  test('can read, and change nothing but what the list names', async () => {
    const asked = calls.filter(({ access }) => access !== 'public');
    const stopped: string[] = [];
    for (const call of asked) {
      if (call.answer === 'stream') continue;
      const { key } = await main.ask(call as Call, { as: tenant.admin, params: { id: newId() }, body: {} });
      if (key === 'companyFrozen') stopped.push(call.name);
      // Signed out on the way: a new session for the rest.
      if (['logout', 'changePassword', 'endSession', 'endOtherSessions'].includes(call.name)) {
        tenant.admin = await main.member(tenant, 'administrator');
      }
    }
    const expected = asked.filter(({ method, name }) => method !== 'GET' && !callsWhileFrozen.has(name));
    expect(stopped.sort()).toEqual(expected.map(({ name }) => name).sort());
    expect(asked.filter(stopsWhileFrozen).length).toBeGreaterThan(30);
    // The list names calls that there are.
    for (const name of callsWhileFrozen) expect(asked.map((call) => call.name)).toContain(name);
  });

  test('is unfrozen by two, the second not being the first, and done once', async () => {
    const id = await propose(companyOf(tenant));
    expect(await world.ask(staff.confirmProposal, await confirming(id, compliance))).toMatchObject({
      key: 'proposalOwn',
    });
    expect(
      await world.ask(staff.confirmProposal, await confirming(id, await world.operator('treasury'))),
    ).toMatchObject({
      key: 'noPermission',
    });
    expect((await world.ask(staff.confirmProposal, await confirming(id))).status).toBe(200);
    // Confirmed, and not done yet.
    expect(await shownTo(tenant.admin)).not.toBeNull();
    await Promise.all([work(id), work(id)]);
    expect(await shownTo(tenant.admin)).toBeNull();
    const { rows } = await db.app.withCompany(tenant.id, (tx) =>
      sql`select from audit_event where company_id = company_id() and action = 'operator.unfreezeCompany'`.execute(tx),
    );
    expect(rows).toHaveLength(1);
    expect((await tellPeople(tenant.id)).map(({ kind }) => kind)).toContain('security.companyUnfrozen');
    const again = { as: compliance, params: { id: tenant.id }, body: { ...companyOf(tenant), reason: 'x' } };
    expect(await world.ask(freezing.proposeUnfreeze, again)).toMatchObject({ key: 'notFrozen' });
  });

  test('stays frozen where it was frozen again after two had agreed', async () => {
    const own = await main.company('Lantau');
    await freeze(companyOf(own), { owner: own });
    const id = await propose(companyOf(own), own);
    expect((await world.ask(staff.confirmProposal, await confirming(id))).status).toBe(200);
    // As if another act had ended the first freeze.
    await db.worker.withCompany(own.id, async (tx) => {
      await sql`update company set frozen_at = null where company_id = company_id()`.execute(tx);
      await sql`update frozen_subject set ended_at = now() where company_id = company_id()`.execute(tx);
    });
    await freeze(companyOf(own), { owner: own });
    await work(id);
    expect(await shownTo(own.admin)).not.toBeNull();
    const { data } = await world.ask(staff.getProposal, { as: colleague, params: { id } });
    expect(data?.act?.state).toBe('refused');
  });

  test('is shown the operator’s own words, which another reason does not take, in each language', async () => {
    const own = await main.company('Peak');
    const texts = { 'en-us': 'Your licence has expired', 'zh-hk': '你的牌照已過期', 'zh-cn': '您的牌照已过期' };
    expect(await freeze(companyOf(own), { owner: own, reason: 'other' })).toMatchObject({ key: 'validationFailed' });
    expect(await freeze(companyOf(own), { owner: own, texts })).toMatchObject({ key: 'validationFailed' });
    expect((await freeze(companyOf(own), { owner: own, reason: 'other', texts })).status).toBe(200);
    expect((await shownTo(own.admin))?.reason).toBe(texts['en-us']);
    expect((await shownTo(own.admin, 'zh-hk'))?.reason).toBe(texts['zh-hk']);
    expect(await freeze({ kind: 'wallet', subjectId: own.wallets.ETH })).toMatchObject({ key: 'notFound' });
    const causes = await db.console.withoutCompany(async (tx) => (await freezingSources[0]?.find(tx)) ?? []);
    expect(causes.map(({ companyId }) => companyId)).toContain(own.id);
  });
});

describe('a wallet', () => {
  test('is shown as frozen with the reason, and free again after two agreed', async () => {
    const wallet: Subject = { kind: 'wallet', subjectId: tenant.wallets.USDT };
    await credit(db, tenant, 'USDT', 9_000_000n);
    expect((await freeze(wallet, { reason: 'authority' })).status).toBe(200);
    const shown = async () =>
      (await main.ask(listWallets, { as: tenant.admin })).data?.items.find(({ id }) => id === tenant.wallets.USDT);
    expect(await shown()).toMatchObject({ frozen: true, frozenBy: { reason: 'A court or an authority ordered it' } });
    await unfreeze(wallet);
    expect(await shown()).toMatchObject({ frozen: false, frozenBy: null });
  });

  test('at a bank is named in the reader’s language: in the file, in a proposal, in notices', async () => {
    await openTestBank(db);
    const { id: subjectId } = await openTestBankWallet(db, tenant.id, 'HKD');
    const wallet: Subject = { kind: 'wallet', subjectId };
    expect((await freeze(wallet)).status).toBe(200);
    const proposalId = await propose(wallet);
    const asked = { as: compliance, headers: { 'accept-language': 'zh-hk' } };
    const { data: file } = await world.ask(freezing.listFreezes, { ...asked, params: { id: tenant.id } });
    expect(file?.items.find((one) => one.subjectId === subjectId)?.name).toBe('HKD · 海港銀行');
    const { data: proposal } = await world.ask(staff.getProposal, { ...asked, params: { id: proposalId } });
    expect(proposal?.subject.name).toBe('HKD · 海港銀行 (Far Voyage)');
    expect(proposal?.title).toContain('海港銀行');
    expect((await world.ask(staff.confirmProposal, await confirming(proposalId))).status).toBe(200);
    await work(proposalId);
    const told = (await tellPeople(tenant.id)).filter(({ kind }) => /^security.wallet/.test(kind)).slice(-2);
    expect(told.map(({ kind }) => kind).sort()).toEqual(['security.walletFrozen', 'security.walletUnfrozen']);
    for (const { kind, values } of told) {
      expect(render(kind, values as NoticeValues, { locale: 'zh-cn', timeZone: 'UTC' }).title).toContain(
        'HKD · 海港银行',
      );
      expect(render(kind, values as NoticeValues, { locale: 'en-us', timeZone: 'UTC' }).title).toContain(
        'HKD · Harbour Bank',
      );
    }
  });

  test('that the program froze is unfrozen in the same way', async () => {
    await db.worker.withCompany(tenant.id, (tx) =>
      sql`update wallet set frozen_at = now(), frozen_reason = 'deficit' where company_id = company_id() and id = ${tenant.wallets.ETH}`.execute(
        tx,
      ),
    );
    await unfreeze({ kind: 'wallet', subjectId: tenant.wallets.ETH });
    const { rows } = await db.worker.withCompany(tenant.id, (tx) =>
      sql`select from wallet where company_id = company_id() and frozen_at is not null`.execute(tx),
    );
    expect(rows).toEqual([]);
  });
});

describe('a member', () => {
  const memberOf = (member: Member): Subject => ({ kind: 'member', subjectId: member.session.userId });

  test('is signed out at once, and is the operator’s alone to enable', async () => {
    const approver = await main.member(tenant, 'approver');
    expect((await main.ask(getUser, { as: approver })).status).toBe(200);
    expect((await freeze(memberOf(approver))).status).toBe(200);
    expect((await main.ask(getUser, { as: approver })).key).toBe('sessionEnded');
    const { data } = await main.ask(listMembers, { as: tenant.admin, query: { keyword: approver.email } });
    expect(data?.items).toMatchObject([{ status: 'disabled', frozen: { reason: expect.any(String) } }]);
    const enabling = { as: tenant.admin, body: { id: approver.session.userId, enabled: true } };
    expect((await main.ask(setMemberStatus, enabling)).key).toBe('memberFrozen');
    const notice = (await tellPeople(tenant.id)).find(({ kind }) => kind === 'security.memberFrozen');
    expect(notice?.recipients).toContain(approver.session.userId);
    expect(notice?.recipients).toContain(tenant.admin.session.userId);

    await unfreeze(memberOf(approver));
    const after = await main.ask(listMembers, { as: tenant.admin, query: { keyword: approver.email } });
    expect(after.data?.items).toMatchObject([{ frozen: null }]);
    expect(after.data?.items[0]?.status).not.toBe('disabled');
    // The session that was ended stays ended.
    expect((await main.ask(getUser, { as: approver })).key).toBe('sessionEnded');
  });

  test('freezing the last possible approver notifies initiator and administrators once', async () => {
    const own = await main.company('Cheung Chau');
    await credit(db, own, 'USDT', 9_000_000n);
    await reviewOf(main, own)(true);
    const [one, two, finance] = [
      await main.member(own, 'approver'),
      await main.member(own, 'approver'),
      await main.member(own, 'finance'),
    ];
    const request = await transferRequest(main, own, await transferContent(main, own), finance);
    await succeed(main, transferOut, request);
    const stuck = async () => (await tellPeople(own.id)).filter(({ kind }) => kind.endsWith('Stuck'));
    expect((await freeze(memberOf(one), { owner: own })).status).toBe(200);
    // The other approver still can.
    expect(await stuck()).toEqual([]);
    expect((await freeze(memberOf(two), { owner: own })).status).toBe(200);
    const told = await stuck();
    expect(told).toHaveLength(1);
    expect(told[0]?.kind).toBe('approvalStuck');
    expect(told[0]?.recipients?.toSorted()).toEqual([own.admin.session.userId, finance.session.userId].sort());
  });

  test('whom the company had disabled before takes nothing along', async () => {
    const own = await main.company('Tuen Mun');
    await credit(db, own, 'USDT', 9_000_000n);
    await reviewOf(main, own)(true);
    const [approver, finance] = [await main.member(own, 'approver'), await main.member(own, 'finance')];
    const request = await transferRequest(main, own, await transferContent(main, own), finance);
    await succeed(main, transferOut, request);
    await db.app.withCompany(own.id, (tx) =>
      sql`update member set disabled_at = now() where company_id = company_id() and id = ${approver.session.userId}`.execute(
        tx,
      ),
    );
    await freeze(memberOf(approver), { owner: own });
    expect((await tellPeople(own.id)).filter(({ kind }) => kind.endsWith('Stuck'))).toEqual([]);
  });

  test('comes to what they could do anew, so that they decide on nothing that began before', async () => {
    const approver = await main.member(tenant, 'approver');
    await freeze(memberOf(approver));
    await unfreeze(memberOf(approver));
    const { rows } = await db.app.withCompany(tenant.id, (tx) =>
      sql`select gained, before from authority_change where company_id = company_id() and member_id = ${approver.session.userId}`.execute(
        tx,
      ),
    );
    expect(rows).toEqual([{ gained: true, before: null }]);
  });

  test('whom the company had disabled stays disabled', async () => {
    const viewer = await main.member(tenant, 'viewer');
    await db.app.withCompany(tenant.id, (tx) =>
      sql`update member set disabled_at = now() where company_id = company_id() and id = ${viewer.session.userId}`.execute(
        tx,
      ),
    );
    await freeze(memberOf(viewer));
    await unfreeze(memberOf(viewer));
    const { data } = await main.ask(listMembers, { as: tenant.admin, query: { keyword: viewer.email } });
    expect(data?.items).toMatchObject([{ status: 'disabled', frozen: null }]);
  });
});

describe('the roles of the database', () => {
  test('the console’s freezes, and can unfreeze nothing', async () => {
    for (const statement of [
      'update company set frozen_at = null',
      'update wallet set frozen_at = null',
      'update member set frozen_at = null',
      'update frozen_subject set ended_at = now()',
    ]) {
      await expect(db.console.pool.query(statement)).rejects.toThrow(/permission denied/);
    }
    await expect(
      db.app.pool.query("select freeze_subject(null, null, 'company', null, 'asked', null, '', '', '', null, '{}')"),
    ).rejects.toThrow(/permission denied/);
    // Freezing is the function's, with a row for it.
    await expect(
      db.worker.withCompany(tenant.id, (tx) =>
        sql`update company set frozen_at = now() where company_id = company_id()`.execute(tx),
      ),
    ).rejects.toThrow(/row-level security/);
  });

  test('the caller’s setting of the company is put back', async () => {
    const own = await main.company('Sai Kung');
    const nil = '00000000-0000-0000-0000-000000000000';
    const seen = await db.console.withCompany(nil, async (tx) => {
      const asked = sql<{ company: string }>`select current_setting('causeway.company_id') as company`;
      const freezeOnce = sql<{ changed: boolean }>`
        select freeze_subject(${newId()}, ${own.id}, 'company', ${own.id}, 'asked', null, 'n', 'x', 'x', ${newId()},
          ${[newId(), newId(), newId()]}::uuid[]) as changed`;
      const first = (await freezeOnce.execute(tx)).rows[0]?.changed;
      const afterFirst = (await asked.execute(tx)).rows[0]?.company;
      const second = (await freezeOnce.execute(tx)).rows[0]?.changed;
      return [first, afterFirst, second, (await asked.execute(tx)).rows[0]?.company];
    });
    expect(seen).toEqual([true, nil, false, nil]);
  });
});
