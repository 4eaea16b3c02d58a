import { type SystemRole, systemRoleIds } from '@causeway/contract/permission.ts';
import { inFours } from '@causeway/contract/recharges-rules.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import { sayInstant } from '../../../platform/text/instant.ts';
import { exampleBank, registerTestBanks } from '../../../testing/bank-registry.ts';
import { insertBankDeposit } from '../../../testing/banks.ts';
import { chainFamilies, noTrades } from '../../../testing/chain-families.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { pdfText } from '../../../testing/pdf.ts';
import { type Caller, type SessionApp, sessionApp } from '../../../testing/session-app.ts';
import { evmAddresses, sourcesByFamily } from '../../chains/index.ts';
import { findOpenRechargeNotices, matchRechargeNotice, registerWalletsRoutes, remindOfLate } from '../index.ts';
import { createWalletOpening } from '../opening.ts';

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const log = createLog('worker', 'silent');
const xpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';

let db: TestDatabase;
let http: SessionApp;
/** Monday in Hong Kong, an hour before the cut-off of Hong Kong dollars. */
const monday = new Date('2026-11-23T08:00:00Z');
let now = monday;
let companyId: string;
let admin: Caller;
let finance: Caller;
let wallets: Map<string, { id: string; number: string }>;
let ether: string;

beforeAll(async () => {
  db = await testDatabase();
  await registerTestBanks(db);
  http = await sessionApp(db.app, (http) => registerWalletsRoutes(http, { families: chainFamilies, ...noTrades }), {
    now: () => now,
  });
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  now = monday;
  companyId = newId();
  const write = (statement: ReturnType<typeof sql>) => db.app.withCompany(companyId, (tx) => statement.execute(tx));
  await write(sql`insert into company (company_id, name) values (company_id(), 'Pearl River Trading Limited')`);
  const gasTank = '0x00000000000000000000000000000000000000a1' as const;
  const treasury = '0x00000000000000000000000000000000000000a2';
  await createWalletOpening(db.worker, sourcesByFamily([evmAddresses({ xpub, gasTank, treasury })])).open(companyId);
  admin = await member('administrator');
  finance = await member('finance');
  const { items } = (await admin.get('/web/crypto/wallets')).data;
  wallets = new Map(
    items.flatMap(({ id, asset, place }) =>
      place.kind === 'bank' ? [[asset, { id, number: place.account.number }] as const] : [],
    ),
  );
  ether = items.find(({ asset }) => asset === 'ETH')?.id ?? '';
});

async function member(role: SystemRole): Promise<Caller> {
  const caller = http.signIn(companyId, role);
  const { userId } = caller.session;
  await db.app.withCompany(companyId, (tx) =>
    sql`insert into member (company_id, id, identifier, email, language, role_id, activated_at)
      values (company_id(), ${userId}, ${newId()}, ${`${userId}@example.com`}, 'en_US', ${systemRoleIds[role]}, now())`.execute(
      tx,
    ),
  );
  return caller;
}

const walletIn = (asset: string) => {
  const wallet = wallets.get(asset);
  if (!wallet) throw new Error(`the company has a wallet in ${asset}`);
  return wallet;
};

async function storeProof(name = 'advice.pdf'): Promise<string> {
  const id = newId();
  await db.app.withCompany(companyId, (tx) =>
    sql`insert into file (company_id, id, storage_name, name, type, size_bytes, sha256, uploaded_by)
      values (company_id(), ${id}, ${id.replaceAll('-', '')}, ${name}, 'application/pdf', 5, ${Buffer.alloc(32)}, ${finance.session.userId})`.execute(
      tx,
    ),
  );
  return id;
}

async function announcement(changes: Record<string, unknown> = {}) {
  return {
    id: newId(),
    walletId: walletIn('HKD').id,
    amount: '1000.50',
    paidAt: '2026-11-23T07:30:00.000Z',
    remark: 'Invoice 7',
    proofIds: [await storeProof()],
    ...changes,
  };
}

const path = '/web/crypto/recharge';
const announceIn = async (changes: Record<string, unknown> = {}) =>
  (await finance.post(path, await announcement(changes))).data;

async function noticesOf(caller: Caller, kind: string): Promise<number> {
  return db.app.withCompany(companyId, async (tx) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from notice where company_id = company_id() and kind = ${kind}
        and ${caller.session.userId}::uuid = any (recipients)`.execute(tx);
    return rows[0]?.count ?? 0;
  });
}

async function balances(): Promise<string> {
  const { items } = (await admin.get('/web/crypto/wallets')).data;
  return JSON.stringify(items.map(({ quantity, inbound }) => [quantity, inbound]));
}

describe('funding details', () => {
  const of = async (asset: string, locale?: 'zh-hk' | 'zh-cn') =>
    (await finance.get(`/web/crypto/wallets/${walletIn(asset).id}/funding`, locale)).data;

  test('say what a payer writes, the minimum and the fee in the currency’s decimals', async () => {
    const { number } = walletIn('USD');
    expect(await of('USD')).toMatchObject({
      asset: 'USD',
      bankName: 'First Example Bank',
      bankEnglishName: null,
      bankAddress: '1 Example Road, Central, Hong Kong',
      account: { holder: 'Pearl River Trading Limited', number, bic: 'FEXBHKHH', clearingCode: '999', country: 'HK' },
      minimum: '1.00',
      fee: '10.00',
      timeZone: 'Asia/Hong_Kong',
      cutOff: '16:00',
    });
    expect((await of('USD')).reference).toMatch(new RegExp(`^RF\\d{2}${number}$`));
    expect(await of('JPY')).toMatchObject({ decimals: 0, minimum: '100', fee: '0' });
    expect(await of('JPY', 'zh-hk')).toMatchObject({ bankName: '範例第一銀行', bankEnglishName: 'First Example Bank' });
    expect((await of('JPY', 'zh-cn')).bankName).toBe('示例第一银行');
  });

  test.each([
    ['before the cut-off: from today', '2026-11-23T08:59:00Z', '2026-11-23', '2026-11-23', '2026-11-25'],
    ['at the cut-off: from the next working day', '2026-11-23T09:00:00Z', '2026-11-24', '2026-11-24', '2026-11-26'],
    ['on Friday evening: from Monday', '2026-11-27T12:00:00Z', '2026-11-30', '2026-11-30', '2026-12-02'],
    ['late in UTC, already the next day there', '2026-11-23T20:00:00Z', '2026-11-24', '2026-11-24', '2026-11-26'],
    ['over Christmas', '2026-12-24T10:00:00Z', '2026-12-28', '2026-12-28', '2026-12-30'],
  ])('count working days %s', async (_, at, counted, earliest, latest) => {
    now = new Date(at);
    expect((await of('HKD')).expected).toEqual({ counted, earliest, latest, certain: true });
  });

  test('say when the holidays on the way are not known', async () => {
    now = new Date('2027-12-30T02:00:00Z');
    expect((await of('HKD')).expected.certain).toBe(false);
  });

  test.each([
    ['a coin’s wallet', () => ether, 'rechargeNotAtBank'],
    ['a wallet that is not there', () => newId(), 'walletNotFound'],
  ])('of %s are refused', async (_, id, key) => {
    expect((await finance.get(`/web/crypto/wallets/${id()}/funding`)).key).toBe(key);
    expect((await finance.get(`/web/crypto/wallets/${id()}/funding/pdf`)).key).toBe(key);
  });

  test('of a bank or a currency that is switched off are refused', async () => {
    const at = `/web/crypto/wallets/${walletIn('USD').id}/funding`;
    await registerTestBanks(db, []);
    expect((await finance.get(at)).key).toBe('bankUnknown');
    await registerTestBanks(db);
    const currencies = exampleBank().currencies.filter(({ currency }) => currency !== 'USD');
    await registerTestBanks(db, [exampleBank({ currencies })]);
    expect((await finance.get(at)).key).toBe('currencyNotAtBank');
    expect((await finance.post(path, await announcement({ walletId: walletIn('USD').id }))).key).toBe(
      'currencyNotAtBank',
    );
    await registerTestBanks(db);
  });
});

describe('their PDF', () => {
  test.each([
    [
      'en-us',
      ['Funding details', 'First Example Bank', 'Payment reference', '10.00 USD', '16:00 (Hong Kong Standard Time)'],
    ],
    ['zh-hk', ['收款資料', '範例第一銀行', '付款參考編號', '帳戶名稱', 'First Example Bank', '10.00 USD']],
    ['zh-cn', ['收款信息', '示例第一银行', '付款附言编号', '账户名称', '10.00 USD']],
  ] as const)('in %s has every detail', async (locale, words) => {
    const { id, number } = walletIn('USD');
    const url = `/web/crypto/wallets/${id}/funding`;
    const { reference } = (await finance.get(url)).data;
    const answer = await finance.inject({ method: 'GET', url: `${url}/pdf`, headers: { 'accept-language': locale } });
    expect(answer.headers['content-type']).toBe('application/pdf');
    const text = await pdfText(answer.rawPayload);
    const details = [
      'Pearl River Trading Limited',
      number,
      'FEXBHKHH',
      '999',
      '1 Example Road, Central, Hong Kong',
      inFours(reference),
      sayInstant({ at: now.toISOString(), timeZone: 'Asia/Hong_Kong' }, locale),
    ];
    for (const each of [...words, ...details]) expect(text).toContain(each);
  });
});

describe('an announced payment', () => {
  test('waits, with its proof and its dates, and credits nothing', async () => {
    const before = await balances();
    const made = await announceIn();
    expect(made).toMatchObject({
      asset: 'HKD',
      amount: '1000.50',
      paidAt: '2026-11-23T07:30:00.000Z',
      remark: 'Invoice 7',
      status: 'waiting',
      expected: { earliest: '2026-11-23', latest: '2026-11-25' },
      late: false,
      transactionId: null,
      proofs: [{ name: 'advice.pdf' }],
      withdrawable: true,
    });
    expect(await balances()).toBe(before);
    expect((await finance.get(`${path}/${made.id}`)).data).toEqual(made);
  });

  test('notifies those who may move money, and not its sender', async () => {
    const viewer = await member('viewer');
    await announceIn();
    expect(await noticesOf(admin, 'recharge.announced')).toBe(1);
    expect(await noticesOf(finance, 'recharge.announced')).toBe(0);
    expect(await noticesOf(viewer, 'recharge.announced')).toBe(0);
  });

  test('sent again is the same one; another one under its id is refused', async () => {
    const body = await announcement();
    const first = (await finance.post(path, body)).data;
    expect((await finance.post(path, body)).data).toEqual(first);
    expect(await noticesOf(admin, 'recharge.announced')).toBe(1);
    expect((await finance.post(path, { ...body, amount: '2' })).key).toBe('idTaken');
    expect((await admin.post(path, body)).key).toBe('idTaken');
  });

  test.each<[string, () => Record<string, unknown> | Promise<Record<string, unknown>>]>([
    ['rechargeBelowMinimum', () => ({ walletId: walletIn('JPY').id, amount: '99' })],
    ['amountTooManyDecimals', () => ({ walletId: walletIn('JPY').id, amount: '100.5' })],
    ['amountTooManyDecimals', () => ({ amount: '1.005' })],
    ['rechargePaidLater', () => ({ paidAt: '2026-11-23T08:06:00.000Z' })],
    ['rechargeProofUnknown', () => ({ proofIds: [newId()] })],
    ['validationFailed', () => ({ proofIds: [] })],
    ['rechargeNotAtBank', () => ({ walletId: ether })],
    ['walletNotFound', () => ({ walletId: newId() })],
  ])('is refused: %s', async (key, changes) => {
    expect((await finance.post(path, await announcement(await changes()))).key).toBe(key);
  });

  test('of another company’s file is refused, and of another company is not there', async () => {
    const made = await announceIn();
    const stranger = http.signIn(newId());
    expect((await stranger.get(`${path}/${made.id}`)).key).toBe('rechargeNotFound');
    expect((await stranger.put(`${path}/withdraw`, { id: made.id })).key).toBe('rechargeNotFound');
    expect((await stranger.get(path)).data.items).toEqual([]);
  });

  test('is seen by a viewer, who can announce and withdraw none', async () => {
    const made = await announceIn();
    const viewer = await member('viewer');
    expect((await viewer.get(`${path}/${made.id}`)).data.withdrawable).toBe(false);
    expect((await viewer.post(path, await announcement())).key).toBe('noPermission');
    expect((await viewer.put(`${path}/withdraw`, { id: made.id })).key).toBe('noPermission');
  });

  test('is withdrawn by its sender or an administrator, once, and by no one else', async () => {
    const other = await member('finance');
    const [one, two] = [await announceIn(), await announceIn()];
    expect((await other.put(`${path}/withdraw`, { id: one.id })).key).toBe('rechargeNotOwn');
    expect((await finance.put(`${path}/withdraw`, { id: one.id })).data).toMatchObject({
      status: 'withdrawn',
      withdrawable: false,
      late: false,
    });
    expect((await admin.put(`${path}/withdraw`, { id: two.id })).data.status).toBe('withdrawn');
    expect((await admin.put(`${path}/withdraw`, { id: one.id })).key).toBe('rechargeNotWaiting');
  });

  test('is listed newest first, by wallet and status, page by page', async () => {
    const made = [];
    for (let n = 0; n < 12; n++) made.push((await announceIn()).id);
    await announceIn({ walletId: walletIn('JPY').id, amount: '5000' });
    await finance.put(`${path}/withdraw`, { id: made[0] });
    const list = async (query: string) => (await finance.get(`${path}?${query}`)).data;
    const walletId = walletIn('HKD').id;
    const first = await list(`walletId=${walletId}&size=10`);
    expect(first).toMatchObject({ total: 12, totalExact: true });
    const second = await list(`walletId=${walletId}&size=10&cursor=${first.next}`);
    expect(second.next).toBeNull();
    expect([...first.items, ...second.items].map(({ id }: { id: string }) => id)).toEqual(made.reverse());
    expect((await list('status=waiting')).total).toBe(12);
    expect((await list('status=withdrawn')).total).toBe(1);
    expect((await finance.get(`${path}?cursor=x`)).key).toBe('cursorInvalid');
  });
});

describe('matching', () => {
  const depositFor = () =>
    insertBankDeposit(db, companyId, walletIn('HKD'), {
      currency: 'HKD',
      quantityMinor: 100_050n,
      payerName: 'Payer',
      payerAccount: '123',
    });
  const match = (noticeId: string, transactionId: string) =>
    db.worker.withCompany(companyId, (tx) => matchRechargeNotice(tx, { noticeId, transactionId }));

  test('finds the open notices of a wallet, the earliest payment first', async () => {
    const later = await announceIn();
    const earlier = await announceIn({ paidAt: '2026-11-20T01:00:00.000Z' });
    const gone = await announceIn();
    await finance.put(`${path}/withdraw`, { id: gone.id });
    const open = await db.worker.withCompany(companyId, (tx) =>
      findOpenRechargeNotices(tx, { walletId: walletIn('HKD').id }),
    );
    expect(open.map(({ id, amountMinor }) => [id, amountMinor])).toEqual([
      [earlier.id, 100_050n],
      [later.id, 100_050n],
    ]);
    const others = await db.worker.withCompany(companyId, (tx) =>
      findOpenRechargeNotices(tx, { walletId: walletIn('JPY').id }),
    );
    expect(others).toEqual([]);
  });

  test('completes the notice with its transaction; the same again changes nothing, another deposit does not match', async () => {
    const made = await announceIn();
    const transactionId = await depositFor();
    expect(await match(made.id, transactionId)).toBe(true);
    expect(await match(made.id, transactionId)).toBe(true);
    expect(await match(made.id, await depositFor())).toBe(false);
    expect(await match(newId(), transactionId)).toBe(false);
    expect((await finance.get(`${path}/${made.id}`)).data).toMatchObject({
      status: 'matched',
      transactionId,
      withdrawable: false,
    });
    expect((await finance.put(`${path}/withdraw`, { id: made.id })).key).toBe('rechargeNotWaiting');
  });

  test(`in ${rounds} races of a match with a withdrawal, one of them ends the notice`, async () => {
    for (let round = 0; round < rounds; round++) {
      const made = await announceIn();
      const transactionId = await depositFor();
      const [matched, withdrawn] = await Promise.all([
        match(made.id, transactionId),
        finance.put(`${path}/withdraw`, { id: made.id }),
      ]);
      const { status } = (await finance.get(`${path}/${made.id}`)).data;
      expect([matched, withdrawn.status === 200]).toEqual([status === 'matched', status === 'withdrawn']);
    }
  });
});

describe('a payment that is later than expected', () => {
  const remind = () => remindOfLate({ database: db.worker, log, now });

  test('says so when its last day has ended at the bank, and its watchers are reminded once', async () => {
    const made = await announceIn();
    now = new Date('2026-11-25T15:59:00Z');
    expect((await finance.get(`${path}/${made.id}`)).data.late).toBe(false);
    await remind();
    expect(await noticesOf(finance, 'recharge.late')).toBe(0);
    now = new Date('2026-11-25T16:00:00Z');
    expect((await finance.get(`${path}/${made.id}`)).data.late).toBe(true);
    await Promise.all([remind(), remind()]);
    await remind();
    expect(await noticesOf(finance, 'recharge.late')).toBe(1);
    expect(await noticesOf(admin, 'recharge.late')).toBe(1);
  });

  test('is not reminded of once it was withdrawn', async () => {
    const made = await announceIn();
    await finance.put(`${path}/withdraw`, { id: made.id });
    now = new Date('2026-12-25T16:00:00Z');
    await remind();
    expect(await noticesOf(finance, 'recharge.late')).toBe(0);
  });
});
