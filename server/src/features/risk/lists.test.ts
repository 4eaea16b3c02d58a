import { addCryptoPayee, getCryptoPayee } from '@causeway/contract/payees.ts';
import {
  addListEntry,
  deleteListEntry,
  editListEntry,
  exportNamelist,
  getRiskSetting,
  importNamelist,
  listNamelist,
  listNamelistLogs,
  setRiskSetting,
} from '@causeway/contract/risk-lists.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { randomAddress } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { riskSubject } from '../../testing/risk.ts';
import { assess } from './index.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const limits = { single: '100', daily: '200', cumulative: '300.50' };

function add(body: object) {
  return world.ask(addListEntry, { as: tenant.admin, body });
}

function white(account: string, more: object = {}) {
  return add({ kind: 'white', payeeType: 'crypto_address', account, remark: 'supplier', limits, ...more });
}

function black(account: string, payeeType = 'crypto_address') {
  return add({ kind: 'black', payeeType, account });
}

async function list(query: Record<string, string>) {
  const answer = await world.ask(listNamelist, { as: tenant.admin, query });
  expect(answer.status, answer.raw.body).toBe(200);
  return answer.data;
}

function announced(): Promise<unknown[]> {
  return world.db.app
    .withCompany(tenant.id, (tx) =>
      sql<{ payload: unknown }>`select payload from outbox where company_id = company_id() and name = 'risk.listChanged'
        order by id`.execute(tx),
    )
    .then(({ rows }) => rows.map(({ payload }) => payload));
}

describe('an entry', () => {
  test('is kept as its own rule writes it, with its limits and what was sent', async () => {
    const account = randomAddress();
    const { data } = await white(account.toLowerCase());
    expect(data).toMatchObject({ account, limits: { single: '100.00', daily: '200.00', cumulative: '300.50' } });
    const subject = riskSubject({ account, usd: 99.99 });
    await world.db.app.withCompany(tenant.id, (tx) => assess(tx, subject, 'submission'));
    const { items, total } = await list({ kind: 'white' });
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({ id: data.id, used: { daily: '99.99', cumulative: '99.99' }, hitCount: 0 });
    expect(await announced()).toEqual([{ entryId: data.id, kind: 'white' }]);
  });

  test.each([
    ['crypto_address', '0x52908400098527886E0F7030069857D2E4169EE8', 'addressChecksum'],
    ['crypto_address', '0x1234', 'addressInvalid'],
    ['bank_no', '12345', 'bankAccountInvalid'],
    ['bank_no', '1'.repeat(36), 'bankAccountInvalid'],
    ['bank_no', '123-456-789', 'bankAccountInvalid'],
    ['bank_no', 'GB82 WEST 1234 5698 7654 33', 'ibanChecksum'],
    // One digit short.
    ['bank_no', 'DE8937040044053201300', 'ibanChecksum'],
  ])('of %s %s is refused: %s', async (payeeType, account, key) => {
    const answer = await black(
      account === '0x52908400098527886E0F7030069857D2E4169EE8' ? `${account.slice(0, -2)}e8` : account,
      payeeType,
    );
    expect(answer).toMatchObject({ key });
    expect(answer.fields['account']).toMatch(/\S/);
  });

  test.each(['gb82 west 1234 5698 7654 32', '012 345 678 901', 'ABCDEF', 'US12345678901234'])(
    'of the bank account %s is taken, and every spelling is the same account',
    async (account) => {
      const { data } = await black(account, 'bank_no');
      expect(data.account).toBe(account.replaceAll(' ', '').toUpperCase());
      const twin = await black(` ${account.toUpperCase().replaceAll(' ', '')} `, 'bank_no');
      expect(twin).toMatchObject({ status: 409, key: 'listEntryExists' });
    },
  );

  test('stands on one list at most', async () => {
    const account = randomAddress();
    const { data } = await white(account);
    expect(await black(account.toLowerCase())).toMatchObject({ status: 409, key: 'listEntryOnOtherList' });
    await world.ask(deleteListEntry, { as: tenant.admin, params: { id: data.id } });
    expect((await black(account)).status).toBe(200);
    expect(await white(account)).toMatchObject({ status: 409, key: 'listEntryOnOtherList' });
  });

  test('on the white list has three limits in their order, on the black list none', async () => {
    const account = randomAddress();
    expect((await white(account, { limits: { ...limits, single: '200.01' } })).fields).toEqual({
      'limits.daily': 'The daily limit must be at least the single-transaction limit',
    });
    expect(Object.keys((await white(account, { limits: undefined })).fields)).toEqual(['limits']);
    expect(Object.keys((await white(account, { limits: { single: '1', daily: '2' } })).fields)).toEqual([
      'limits.cumulative',
    ]);
    expect(
      Object.keys((await add({ kind: 'black', payeeType: 'bank_no', account: 'ABC1234', limits })).fields),
    ).toEqual(['limits']);
    const blackId = (await black(account)).data.id;
    const answer = await world.ask(editListEntry, { as: tenant.admin, body: { id: blackId, limits } });
    expect(Object.keys(answer.fields)).toEqual(['limits']);
  });

  test('is changed and deleted, and its log says by whom, from what to what', async () => {
    const { data } = await white(randomAddress());
    const raised = { single: '150', daily: '200', cumulative: '300.50' };
    await world.ask(editListEntry, { as: tenant.admin, body: { id: data.id, limits: raised } });
    await world.ask(editListEntry, { as: tenant.admin, body: { id: data.id, remark: 'checked' } });
    await world.ask(deleteListEntry, { as: tenant.admin, params: { id: data.id } });
    expect(await world.ask(deleteListEntry, { as: tenant.admin, params: { id: data.id } })).toMatchObject({
      status: 404,
    });
    expect(await world.ask(editListEntry, { as: tenant.admin, body: { id: data.id, remark: '' } })).toMatchObject({
      status: 404,
    });
    const { data: log } = await world.ask(listNamelistLogs, { as: tenant.admin, query: { entryId: data.id } });
    expect(log.items.map((item) => item.type === 'change' && item.action)).toEqual([
      'deleted',
      'edited',
      'edited',
      'added',
    ]);
    expect(log.items[2]).toMatchObject({
      by: 'Ada Wong',
      account: data.account,
      before: { remark: 'supplier', limits: { single: '100.00' } },
      after: { remark: 'supplier', limits: { single: '150.00', daily: '200.00', cumulative: '300.50' } },
    });
    expect(await list({ kind: 'white', status: 'in_use' })).toMatchObject({ items: [], total: 0 });
    expect((await list({ kind: 'white' })).items).toMatchObject([{ status: 'deleted', deletedBy: 'Ada Wong' }]);
  });

  test('is found by account and remark, page by page', async () => {
    const accounts = Array.from({ length: 12 }, () => randomAddress());
    for (const account of accounts) await black(account);
    await black('REMARKABLE', 'bank_no');
    expect((await list({ kind: 'black', keyword: accounts[3]?.slice(4, 30).toLowerCase() ?? '' })).items).toMatchObject(
      [{ account: accounts[3] }],
    );
    expect((await list({ kind: 'black', payeeType: 'bank_no' })).items).toMatchObject([{ account: 'REMARKABLE' }]);
    const first = await list({ kind: 'black', size: '10' });
    const second = await list({ kind: 'black', size: '10', cursor: first.next! });
    expect(second.next).toBeNull();
    const seen = [...first.items, ...second.items].map((item: { account: string }) => item.account);
    expect(seen).toEqual(['REMARKABLE', ...accounts.reverse()]);
  });
});

describe('the black list', () => {
  const payee = (address: string) => ({ label: 'Supplier', chain: 'ethereum', coin: 'USDT', address });
  const status = async (id: string) =>
    (await world.ask(getCryptoPayee, { as: tenant.admin, params: { id } })).data.status;

  test('makes payees unusable at once, and usable again when the entry goes', async () => {
    const address = randomAddress();
    const saved = await world.ask(addCryptoPayee, { as: tenant.admin, body: payee(address) });
    const other = await world.ask(addCryptoPayee, { as: tenant.admin, body: payee(randomAddress()) });
    const { data } = await black(address.toUpperCase().replace('0X', '0x'));
    expect([await status(saved.data.id), await status(other.data.id)]).toEqual(['unusable', 'usable']);
    await world.ask(deleteListEntry, { as: tenant.admin, params: { id: data.id } });
    expect(await status(saved.data.id)).toBe('usable');
  });

  test('refuses a new payee', async () => {
    const address = randomAddress();
    await black(address);
    const answer = await world.ask(addCryptoPayee, { as: tenant.admin, body: payee(address.toLowerCase()) });
    expect(answer).toMatchObject({ status: 409, key: 'accountBlacklisted' });
  });

  test('of another company says nothing here', async () => {
    const address = randomAddress();
    await black(address);
    tenant = await world.company();
    expect((await world.ask(addCryptoPayee, { as: tenant.admin, body: payee(address) })).status).toBe(200);
  });

  test('logs what it stopped, with what was to be sent', async () => {
    const subject = riskSubject({ usd: 12.5 });
    const { data } = await black(subject.account);
    await world.db.app.withCompany(tenant.id, (tx) => assess(tx, subject, 'submission'));
    const { data: log } = await world.ask(listNamelistLogs, { as: tenant.admin, query: { type: 'hit' } });
    expect(log.items).toMatchObject([
      { type: 'hit', entryId: data.id, kind: 'black', hit: { quantity: '12.500000', transactionId: null } },
    ]);
    const [hit] = log.items;
    expect(hit?.type === 'hit' && hit.hit.sentence).toBe(`The account ${subject.account} is on the blacklist.`);
    expect((await list({ kind: 'black' })).items).toMatchObject([{ hitCount: 1 }]);
  });
});

test('"only whitelisted" is a setting; what it stops is in the log of the white list', async () => {
  expect((await world.ask(getRiskSetting, { as: tenant.admin })).data.onlyWhitelisted).toBe(false);
  await world.ask(setRiskSetting, { as: tenant.admin, body: { onlyWhitelisted: true } });
  expect((await world.ask(getRiskSetting, { as: tenant.admin })).data).toMatchObject({
    onlyWhitelisted: true,
    updatedBy: 'Ada Wong',
  });
  expect(await announced()).toEqual([{ entryId: null, kind: 'setting' }]);
  const subject = riskSubject();
  await world.db.app.withCompany(tenant.id, (tx) => assess(tx, subject, 'submission'));
  const { data: log } = await world.ask(listNamelistLogs, { as: tenant.admin, query: { kind: 'white' } });
  expect(log.items).toMatchObject([{ type: 'hit', entryId: null, account: subject.account }]);
});

describe('a CSV file', () => {
  const send = (content: string | Buffer, kind: string, dryRun: boolean, language = 'en-us') =>
    world.ask(importNamelist, {
      as: tenant.admin,
      query: { kind, dryRun: String(dryRun) },
      upload: { name: 'list.csv', content: Buffer.from(content) },
      headers: { 'accept-language': language },
    });

  test('is tried row by row, and then imported whole', async () => {
    const [one, two] = [randomAddress(), randomAddress()];
    const file = `\ufeffPayee type,Account,Remark,Single limit (USD),Daily limit (USD),Cumulative limit (USD)\r
Wallet address,${one.toLowerCase()},"Paper, ink",100,"1,000.50",2000\r
\r
bank_no,gb82 west 1234 5698 7654 32,'=rent,1,1,1\r
Wallet address,${two},,5,5,5\r
`;
    const { data: tried } = await send(file, 'white', true);
    expect(tried).toMatchObject({ imported: false, accepted: 3, refused: 0 });
    expect(tried.rows[0]).toEqual({
      line: 2,
      payeeType: 'Wallet address',
      account: one,
      remark: 'Paper, ink',
      limits: { single: '100.00', daily: '1000.50', cumulative: '2000.00' },
      problem: null,
    });
    expect(tried.rows[1]).toMatchObject({ line: 4, account: 'GB82WEST12345698765432', remark: '=rent' });
    expect(await list({ kind: 'white' })).toMatchObject({ total: 0 });

    expect((await send(file, 'white', false)).data).toMatchObject({ imported: true, accepted: 3 });
    expect(await list({ kind: 'white' })).toMatchObject({ total: 3 });
    const { data: again } = await send(file, 'white', true);
    expect(again).toMatchObject({ accepted: 0, refused: 3 });
    expect(again.rows[0]!.problem).toBe('This account is already on this list.');
  });

  test('with a row that cannot be imported imports none, and a dry run says which and why', async () => {
    const [good, listed] = [randomAddress(), randomAddress()];
    await white(listed);
    const rows = [
      `錢包地址;${good};好`,
      `银行账户;12345;`,
      `錢包地址;${good.toLowerCase()};`,
      `錢包地址;${listed};`,
      `現金;1;`,
    ];
    const file = ['收款類型;帳戶;備註', ...rows].join('\n');
    const { data } = await send(file, 'black', true, 'zh-hk');
    expect(data.rows.map(({ problem }: { problem: string | null }) => problem)).toEqual([
      null,
      '銀行帳號須為 6 至 35 位字母或數字。',
      '與第 2 行的帳戶重複',
      '此帳戶在另一份名單上，請先從該名單移除。',
      '收款類型須為「銀行帳戶」或「錢包地址」',
    ]);
    const refused = await send(file, 'black', false);
    expect(refused).toMatchObject({ status: 409, key: 'listImportRefused' });
    expect(refused.errors).toEqual(['4 rows cannot be imported; the first is line 3. Nothing was imported.']);
    expect(await list({ kind: 'black' })).toMatchObject({ total: 0 });
  });

  test.each([
    ['an empty file', ''],
    ['no header', `crypto_address,${randomAddress()}`],
    ['a column too few', 'payeeType,remark\nbank_no,x'],
    ['another encoding', Buffer.from('payeeType,account\nbank_no,ABC\xff123', 'latin1')],
    ['a quote left open', 'payeeType,account\nbank_no,"ABC'],
  ])('that is %s is refused as unreadable', async (_, content) => {
    expect(await send(content, 'black', true)).toMatchObject({ status: 400, key: 'listImportUnreadable' });
  });

  test('of more rows than are taken at a time is refused', async () => {
    const rows = Array.from({ length: 5001 }, (_, i) => `bank_no,ACC${i}00000`);
    const answer = await send(['payeeType,account', ...rows].join('\n'), 'black', true);
    expect(answer).toMatchObject({ status: 400, key: 'listImportTooLong' });
  });

  test('of five thousand rows is imported, and can be exported and read again', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `bank_no,ACC${i}00000,row ${i}`);
    const { data } = await send(['payeeType,account,remark', ...rows].join('\n'), 'black', false);
    expect(data).toMatchObject({ imported: true, accepted: 5000 });
    const file = (await world.ask(exportNamelist, { as: tenant.admin, query: { kind: 'black' } })).raw.rawPayload;
    expect(file.subarray(0, 3).toString('hex')).toBe('efbbbf');
    tenant = await world.company();
    expect((await send(file, 'black', true)).data).toMatchObject({ accepted: 5000, refused: 0 });
  });

  test('as it is exported has no cell that a spreadsheet would run, and reads back the same', async () => {
    const remark = '=HYPERLINK("http://example.com")';
    // As a Chinese keyboard types it: spreadsheets take it for the same.
    const wide = '＋852 2345 6789';
    await white(randomAddress(), { remark });
    await white(randomAddress(), { remark: wide });
    const { raw } = await world.ask(exportNamelist, { as: tenant.admin, query: { kind: 'white' } });
    expect(raw.body).toContain(`"'=HYPERLINK(""http://example.com"")"`);
    expect(raw.body).toContain('100.00,200.00,300.50');
    tenant = await world.company();
    const { data } = await send(raw.rawPayload, 'white', true);
    expect(data.rows).toMatchObject([
      { remark: wide, problem: null },
      { remark, problem: null },
    ]);
  });
});
