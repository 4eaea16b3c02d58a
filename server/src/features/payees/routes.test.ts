import type { AddressCode } from '@causeway/contract/payees.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { chainFamilies } from '../../testing/chain-families.ts';
import { openTestCompany, randomAddress, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { findChains, isOwnAddress } from '../chains/index.ts';
import { type PayeesPorts, registerPayeesRoutes } from './index.ts';

const blacklisted = randomAddress();
const path = '/web/crypto/payee/crypto';
let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;
/** What the company is said to have dealt with. */
let dealtWith: { address: string; name: string | null }[] = [];
/** The addresses that nodes were asked about. */
let looked: string[] = [];
/** What is said to be at every address. */
let code: AddressCode = 'none';

const ports: PayeesPorts = {
  findChains,
  families: chainFamilies,
  isOwnAddress,
  countTransfersTo: async () => ({ count: 3, lastAt: new Date('2026-02-03T04:05:06.000Z') }),
  findDealtWith: async () => dealtWith,
  isBlacklisted: async (_tx, _kind, address) => address === blacklisted,
  // New payees need no approval here; with it, see approvals/new-payees.test.ts.
  approval: {
    ask: () => Promise.reject(new Error('approval is not asked for')),
    withdraw: async () => {},
    describe: () => Promise.reject(new Error('nothing waits for approval')),
  },
  // Accounts at banks: bank/routes.test.ts.
  bankApproval: {
    ask: () => Promise.reject(new Error('approval is not asked for')),
    withdraw: async () => {},
    describe: () => Promise.reject(new Error('nothing waits for approval')),
  },
  readCode: async (_, address) => {
    looked.push(address);
    return code;
  },
};

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (app) => registerPayeesRoutes(app, ports));
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  dealtWith = [];
  looked = [];
  code = 'none';
  company = await openTestCompany(db);
  caller = http.signIn(company.id);
});

function payee(change: Record<string, unknown> = {}) {
  return { label: 'Supplier', chain: 'ethereum', coin: 'USDT', address: randomAddress(), ...change };
}

describe('editing', () => {
  const auditOf = async (id: string) => {
    const { rows } = await db.app.withCompany(company.id, (tx) =>
      sql<{ action: string; detail: object }>`select action, detail from audit_event
        where company_id = company_id() and subject_id = ${id} and action = 'payees.edit'`.execute(tx),
    );
    return rows;
  };

  test('changes label and remark, keeps the address, and audits what was and what is', async () => {
    const { data } = await caller.post(path, payee({ remark: 'rent' }));
    const body = { id: data.id, label: 'Supplier Ltd', remark: '' };
    const edited = await caller.put(path, body);
    expect(edited.data).toEqual({ ...data, label: 'Supplier Ltd', remark: '' });
    expect((await caller.get(`${path}/${data.id}`)).data).toMatchObject({
      label: 'Supplier Ltd',
      address: data.address,
    });
    expect(await auditOf(data.id)).toMatchObject([
      { detail: { before: { label: 'Supplier', remark: 'rent' }, after: { label: 'Supplier Ltd', remark: '' } } },
    ]);
    // The same once more is no change.
    expect((await caller.put(path, body)).status).toBe(200);
    expect(await auditOf(data.id)).toHaveLength(1);
  });

  test('another address is refused, and so is a payee that is deleted or another company’s', async () => {
    const { data } = await caller.post(path, payee());
    const body = { id: data.id, label: 'Supplier Ltd', remark: '' };
    const other = await caller.put(path, { ...body, address: randomAddress() });
    expect(other).toMatchObject({ status: 400, key: 'validationFailed' });
    const stranger = http.signIn((await openTestCompany(db)).id);
    expect((await stranger.put(path, body)).key).toBe('payeeNotFound');
    await caller.inject({ method: 'DELETE', url: `${path}/${data.id}` });
    expect((await caller.put(path, body)).key).toBe('payeeNotFound');
  });
});

describe('adding', () => {
  test('saves the address with its checksum, under the id the client chose, and audits it', async () => {
    const address = randomAddress();
    const id = newId();
    const answer = await caller.post(path, payee({ id, address: ` ${address.toLowerCase()} `, remark: 'rent\nMay' }));
    expect(looked).toEqual([address]);
    expect(answer.data).toMatchObject({
      id,
      address,
      label: 'Supplier',
      chainName: 'Ethereum',
      remark: 'rent\nMay',
      status: 'usable',
      createdBy: 'Ada Wong',
    });
    const { rows } = await db.app.withCompany(company.id, (tx) =>
      sql<{ action: string }>`select action from audit_event where company_id = company_id()
        and subject_id = ${id}`.execute(tx),
    );
    expect(rows).toEqual([{ action: 'payees.add' }]);
  });

  test.each([
    [{ chain: 'tron' }, 'chainUnknown', 'chain'],
    [{ coin: 'BTC' }, 'coinNotOnChain', 'coin'],
    [{ address: '0x123' }, 'addressInvalid', 'address'],
    [{ address: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'addressChecksum', 'address'],
  ])('%o is refused: %s', async (change, key, field) => {
    const answer = await caller.post(path, payee(change));
    expect(answer).toMatchObject({ status: 400, key });
    // No node is asked about an address that was not read.
    if (field !== 'coin') expect(looked).toEqual([]);
    expect(answer.fields[field]).toBe(answer.errors[0]);
  });

  test.each([
    [{ label: 'ab' }, 'label', 'The account label must be at least 3 characters'],
    [{ label: '王' }, 'label', 'or 2 in Chinese'],
    [{ label: 'a\u200bb\ufeffc' }, 'label', 'invisible characters'],
    [{ label: '   ' }, 'label', 'required'],
    [{ address: '  ' }, 'address', 'required'],
    [{ address: undefined, chain: '', coin: '' }, 'chain', 'required'],
    [{ chain: '', coin: '' }, 'coin', 'required'],
    [{ remark: 'a\u0000b' }, 'remark', 'Contains characters'],
    [{ label: 'abc\u202e' }, 'label', 'Contains characters'],
    [{ remark: 'x'.repeat(201) }, 'remark', 'Too long'],
    [{ more: 1 }, 'more', 'Unknown field'],
  ])('%o fails its field', async (change, field, message) => {
    const answer = await caller.post(path, payee(change));
    expect(answer).toMatchObject({ status: 400, key: 'validationFailed', errors: ['Form validation failed'] });
    expect(answer.fields[field]).toContain(message);
  });

  test('refuses an address of one’s own, a second time, and an id in use', async () => {
    expect((await caller.post(path, payee({ address: company.address }))).key).toBe('addressOwn');
    const first = { ...payee(), id: newId() };
    expect((await caller.post(path, first)).status).toBe(200);
    expect(await caller.post(path, { ...first, id: newId() })).toMatchObject({ status: 409, key: 'payeeExists' });
    expect((await caller.post(path, { ...first, id: newId(), coin: 'USDC' })).status).toBe(200);
    expect((await caller.post(path, payee({ id: first.id }))).key).toBe('idTaken');
  });

  test.each([
    'שלום مرحبا العالم',
    '<script>alert(1)</script>',
    "'; drop table crypto_payee; --",
    '=cmd|calc',
    '王五',
    '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
    '香港收款人',
    '{{7*7}} %s \\n',
  ])('stores the label %s exactly', async (label) => {
    const added = await caller.post(path, payee({ label }));
    const read = await caller.get(`${path}/${added.data.id}`);
    expect(read.data.label).toBe(label);
  });

  test('needs the permission', async () => {
    const viewer = http.signIn(company.id, 'viewer');
    expect(await viewer.post(path, payee())).toMatchObject({ status: 403, errors: ['No permission'] });
    expect((await viewer.get(path)).status).toBe(200);
  });
});

describe('an address that keeps whatever it is sent', () => {
  test.each([
    ['0x0000000000000000000000000000000000000001', 'addressReserved'],
    ['0x000000000000000000000000000000000000dEaD', 'addressReserved'],
    ['a listed token', 'addressIsToken'],
    ['the company’s own', 'addressOwn'],
  ])('%s is refused when it is saved and while it is typed: %s', async (named, key) => {
    const contract = randomAddress();
    await asSuperuser("update causeway.chain_asset set contract = $1 where coin = 'USDC'", [contract]);
    const addresses: Record<string, string> = {
      'a listed token': contract.toLowerCase(),
      'the company’s own': company.address,
    };
    const address = addresses[named] ?? named;
    const saved = await caller.post(path, payee({ address }));
    expect(saved).toMatchObject({ status: 400, key });
    expect(saved.fields['address']).toBe(saved.errors[0]);
    expect(await check(address)).toMatchObject({ status: 400, key });
  });

  test('one that is blacklisted, or saved for this coin already, is refused while it is typed too', async () => {
    expect(await check(blacklisted)).toMatchObject({ key: 'accountBlacklisted' });
    const saved = await caller.post(path, payee());
    const { address } = saved.data;
    expect(await check(`${address}&coin=USDT`)).toMatchObject({ key: 'payeeExists' });
    expect((await check(`${address}&coin=USDC`)).data.knownAs).toBe(saved.data.label);
  });

  const check = (address: string) => caller.get(`/web/crypto/payee/check-address?chain=ethereum&address=${address}`);

  test.each(['none', 'token', 'contract', 'unknown'] as const)(
    'what the nodes say is there is told, and keeps none from being saved: %s',
    async (said) => {
      code = said;
      const address = randomAddress();
      expect((await check(address)).data.code).toBe(said);
      const saved = await caller.post(path, payee({ address }));
      expect(saved.data.code).toBe(said);
      expect((await caller.get(path)).data.items[0]).toMatchObject({ code: said });
    },
  );

  test('is looked at anew with the payee; a node that does not answer takes no warning away', async () => {
    const saved = await caller.post(path, payee());
    const seen = async () => (await caller.get(`${path}/${saved.data.id}`)).data.code;
    code = 'contract';
    expect(await seen()).toBe('contract');
    code = 'unknown';
    expect(await seen()).toBe('contract');
  });
});

describe('the book', () => {
  test('lists newest first, page by page, without those deleted', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push((await caller.post(path, payee({ label: `Payee ${i}` }))).data.id);
    const first = await caller.get(`${path}?size=10`);
    expect(first.data).toMatchObject({ total: 12, totalExact: true });
    const second = await caller.get(`${path}?size=10&cursor=${first.data.next}`);
    const listed = [...first.data.items, ...second.data.items].map(({ id }) => id);
    expect(listed).toEqual([...ids].reverse());
    expect(second.data.next).toBeNull();
    expect((await caller.delete(`${path}/${ids[0]}`)).status).toBe(200);
    expect((await caller.get(path)).data.total).toBe(11);
  });

  test('filters by coin, keyword and status; a coin switched off makes unusable', async () => {
    await caller.post(path, payee({ label: '100%_rent' }));
    await caller.post(path, payee({ label: 'Electric', coin: 'HKDT' }));
    const labels = async (query: string) => (await caller.get(`${path}?${query}`)).data.items.map(({ label }) => label);
    expect(await labels('coin=HKDT')).toEqual(['Electric']);
    expect(await labels('keyword=%25_r')).toEqual(['100%_rent']);
    expect(await labels('keyword=_')).toEqual(['100%_rent']);
    expect(await labels('status=usable')).toHaveLength(2);
    await switchHkdt(false);
    expect(await labels('status=usable')).toEqual(['100%_rent']);
    expect(await labels('status=unusable')).toEqual(['Electric']);
    const unusable = await caller.get(`${path}?coin=HKDT`);
    expect(unusable.data.items[0]!.status).toBe('unusable');
    await switchHkdt(true);
  });

  test.each(['x', Buffer.from('["2026-99-99T00:00:00.000000Z","a"]').toString('base64url')])(
    'the cursor %s is refused',
    async (cursor) => expect((await caller.get(`${path}?cursor=${cursor}`)).key).toBe('cursorInvalid'),
  );

  test('a deleted address can be saved again', async () => {
    const body = payee();
    const first = await caller.post(path, body);
    await caller.delete(`${path}/${first.data.id}`);
    expect((await caller.get(`${path}/${first.data.id}`)).key).toBe('payeeNotFound');
    expect((await caller.delete(`${path}/${first.data.id}`)).key).toBe('payeeNotFound');
    expect((await caller.post(path, body)).status).toBe(200);
  });

  test("another company's payee answers as one that never existed", async () => {
    const added = await caller.post(path, payee());
    const other = http.signIn((await openTestCompany(db)).id);
    expect((await caller.get(`${path}/${added.data.id}`)).data.transferCount).toBe(3);
    for (const id of [added.data.id, newId(), 'nonsense']) {
      expect((await other.get(`${path}/${id}`)).status).toBe(404);
      expect((await other.delete(`${path}/${id}`)).status).toBe(404);
    }
    expect((await caller.get(`${path}/${added.data.id}`)).status).toBe(200);
  });
});

describe('look-alikes', () => {
  const genuine = '0xaB7c3e1111111111111111111111111111119F2d';
  const poisoned = genuine.toLowerCase().replaceAll('1', '2');
  const check = (address: string) => caller.get(`/web/crypto/payee/check-address?chain=ethereum&address=${address}`);

  test('a saved address is pointed out beside one with the same ends, even after it was deleted', async () => {
    const saved = await caller.post(path, payee({ label: 'Genuine', address: genuine.toLowerCase() }));
    const alike = await check(poisoned);
    expect(alike.data.knownAs).toBeNull();
    expect(alike.data.lookAlikes).toEqual([{ address: saved.data.address, label: 'Genuine', payeeId: saved.data.id }]);
    const same = await check(genuine.toLowerCase());
    expect(same.data).toMatchObject({ knownAs: 'Genuine', lookAlikes: [] });
    const second = await caller.post(path, payee({ label: 'Poisoned', address: poisoned }));
    const detail = await caller.get(`${path}/${second.data.id}`);
    expect(detail.data.lookAlikes).toHaveLength(1);
    await caller.delete(`${path}/${saved.data.id}`);
    expect((await check(poisoned)).data.lookAlikes).toMatchObject([{ label: 'Genuine', payeeId: null }]);
  });

  test('so is an address the company has dealt with', async () => {
    dealtWith = [
      { address: genuine, name: null },
      { address: poisoned, name: 'itself' },
    ];
    expect((await check(poisoned)).data.lookAlikes).toEqual([{ address: genuine, label: '', payeeId: null }]);
  });

  test("another company's payees are not told", async () => {
    await caller.post(path, payee({ address: genuine.toLowerCase() }));
    const other = http.signIn((await openTestCompany(db)).id);
    const answer = await other.get(`/web/crypto/payee/check-address?chain=ethereum&address=${poisoned}`);
    expect(answer.data).toMatchObject({ knownAs: null, lookAlikes: [] });
  });
});

async function switchHkdt(enabled: boolean): Promise<void> {
  await asSuperuser("update causeway.chain_asset set enabled = $1 where coin = 'HKDT'", [enabled]);
}

async function asSuperuser(statement: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  await client.query(statement, values);
  await client.end();
}
