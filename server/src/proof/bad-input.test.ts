import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Call } from '@causeway/contract/call.ts';
import { calls } from '@causeway/contract/calls.ts';
import { downloadFile, uploadFile } from '@causeway/contract/files.ts';
import { withoutInvisible } from '@causeway/contract/names.ts';
import { addCryptoPayee, getCryptoPayee, listCryptoPayees } from '@causeway/contract/payees.ts';
import { exportTransactions, getTransaction, listTransactions } from '@causeway/contract/transactions.ts';
import { notesMaxLength, transferOut } from '@causeway/contract/transfers.ts';
import { getAddressV2, getFee } from '@causeway/contract/wallets.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { transferDigest } from '../features/transfers/index.ts';
import { newId } from '../platform/ids.ts';
import { credit, randomAddress } from '../testing/company.ts';
import { expectLedgerToAgree, walletBalances } from '../testing/company-books.ts';
import { textFields, valueAt, withValue } from '../testing/contract-fields.ts';
import { testDatabase } from '../testing/database.ts';
import { type Answer, readAnswer } from '../testing/envelope.ts';
import { type MainApp, mainApp, type Request, type Tenant } from '../testing/main-app.ts';
import { succeed, testPdf, transferContent, transferRequest, validRequests } from '../testing/valid-requests.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
});
afterAll(async () => {
  await expectLedgerToAgree(world.db);
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

/** Refused with a reason in words, and at this field. */
function expectRefused(answer: Answer, field: string): void {
  expect(answer.status, answer.raw.body).toBeGreaterThanOrEqual(400);
  expect(answer.status, answer.raw.body).toBeLessThan(500);
  expect(answer.fields[field], answer.raw.body).toMatch(/\S/);
}

describe('an amount', () => {
  const thirty = `1${'0'.repeat(30)}`;
  /** What the amount of a transfer from a wallet of 1000 USDT is refused as. */
  const bad: [amount: unknown, key: string][] = [
    ...['1e400', '1e3', '-1', '+5', '0x1', '0b1', '١٢', '１２', '५', '1,0', '1.5.0', '1.', '.5', '5.', '1 000'].map(
      (amount): [string, string] => [amount, 'validationFailed'],
    ),
    ...['', ' ', ' 5', '5 ', '5\n', '\t5', '5\u200b', '\u202e5', '5\u0000', 'NaN', 'Infinity', '1_000', '5n'].map(
      (amount): [string, string] => [amount, 'validationFailed'],
    ),
    ...[5, 5.5, null, [], ['5'], {}, true].map((amount): [unknown, string] => [amount, 'validationFailed']),
    ['9'.repeat(80), 'validationFailed'],
    ['9'.repeat(79), 'amountTooLarge'],
    ['5.0000001', 'amountTooManyDecimals'],
    [`5.${'0'.repeat(18)}`, 'amountTooManyDecimals'],
    ['0', 'amountBelowMinimum'],
    ['0.000001', 'amountBelowMinimum'],
    ['1', 'amountBelowMinimum'],
    ['1.000000', 'amountBelowMinimum'],
    [thirty, 'amountAboveBalanceMinusFee'],
    ['999.000001', 'amountAboveBalanceMinusFee'],
  ];

  test.each(bad)('%j cannot be sent, and the reason stands at the field', async (amount, key) => {
    const content = await transferContent(world, tenant);
    const before = await walletBalances(world.db, tenant.id, tenant.wallets.USDT);
    const body = { ...content, amount, fee: '1', codeMethod: 'email', code: '000000' };
    const answer = await world.ask(transferOut, { as: tenant.admin, body });
    expect(answer.key).toBe(key);
    expectRefused(answer, 'amount');
    expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toEqual(before);
  });

  const misread = bad.filter(([amount, key]) => key === 'validationFailed' && typeof amount === 'string');
  test.each(misread)('%j is no fee, no quantity, no filter', async (amount) => {
    const text = String(amount);
    const as = tenant.admin;
    const content = await transferContent(world, tenant);
    const body = { ...content, fee: text, codeMethod: 'email', code: '000000' };
    expectRefused(await world.ask(transferOut, { as, body }), 'fee');
    const of = { chain: 'ethereum', amount: text };
    const feeOf = { feeType: 'crypto_withdraw_fee', asset: 'USDT', ...of };
    expectRefused(await world.ask(getFee, { as, query: feeOf }), 'amount');
    expectRefused(await world.ask(getAddressV2, { as, query: { coin: 'USDT', ...of } }), 'amount');
    expectRefused(await world.ask(listTransactions, { as, query: { amountMin: text } }), 'amountMin');
    expectRefused(await world.ask(exportTransactions, { as, query: { amountMax: text } }), 'amountMax');
  });

  test('past every balance is compared and quoted to the last digit', async () => {
    const as = tenant.admin;
    for (const amount of [thirty, `${thirty}.000001`]) {
      const query = { feeType: 'crypto_withdraw_fee', asset: 'USDT', chain: 'ethereum', amount };
      const { received } = (await succeed(world, getFee, { as, query })).data;
      expect(received).toBe(amount.includes('.') ? amount : `${amount}.000000`);
      expect((await succeed(world, listTransactions, { as, query: { amountMin: amount } })).data.items).toEqual([]);
    }
    const longest = { amountMin: `0.${'0'.repeat(76)}1`, amountMax: '9'.repeat(79) };
    await succeed(world, listTransactions, { as, query: longest });
  });

  test('is sent to the last unit, leading zeros or not', async () => {
    for (const [amount, kept] of [
      ['2.000001', '2.000001'],
      ['0000000003.5', '3.500000'],
    ]) {
      const request = await transferRequest(world, tenant, { ...(await transferContent(world, tenant)), amount });
      const { data } = await succeed(world, transferOut, request);
      const seen = await succeed(world, getTransaction, { as: tenant.admin, params: { id: data.id } });
      expect(seen.data.quantity).toBe(kept);
    }
  });
});

const family = '\u{1F469}\u200d\u{1F469}\u200d\u{1F467}';
/** Texts that people do type; they are kept to the last code unit. */
const odd = {
  'right-to-left': '\u05e9\u05dc\u05d5\u05dd \u200fמשלוח\u200e שכר',
  'zero-width': 'a\u200b\u200c\u200d\ufeffb',
  script: '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>',
  SQL: "Robert'); drop table causeway.member; --",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it must come through as it is
  template: '%s %n {0} ${7*7} {{7*7}} \\u0041 \\',
  joined: `${family} ${'e\u0301'}`,
  formula: '=HYPERLINK("http://x.example","y")',
  path: '../../../etc/passwd',
  'wide spaces': '\u3000\u00a0text\u2003',
};
/** Texts that cannot be kept, or that read as another. */
const impossible = {
  NUL: 'a\u0000b',
  control: 'a\u0007\u001bb',
  override: 'a\u202egpj.exe',
  isolate: 'a\u2067b\u2069',
  'lone surrogate': 'a\ud800b',
  'turned surrogates': '\udc00\ud800',
};
const wrongTypes = { number: 5, null: null, list: ['x'], object: { $ne: 1 }, true: true };

describe('every text field of', () => {
  const long = { long: 'x'.repeat(100_000) };
  /** `npm run proof` tries every text in every field; `npm test` an eighth of them in each, by turns, so that each is tried in many. */
  const share = process.env['PROOF_ROUNDS'] === undefined ? 8 : 1;
  let turn = 0;
  test.each(calls.filter(({ answer }) => answer !== 'stream').map((call) => [call.name, call] as const))(
    '%s takes any text, or refuses it and says where',
    async (name, call) => {
      const request = (await validRequests[name]?.(world, tenant)) ?? {};
      for (const { path } of textFields(call)) {
        const isBody = path.startsWith('body.');
        // What travels in an address is text, and no longer than an address may be.
        const texts = { ...odd, ...impossible, empty: '', ...(isBody ? { ...wrongTypes, ...long } : {}) };
        turn += 1;
        for (const [place, [kind, value]] of Object.entries(texts).entries()) {
          if ((place + turn) % share !== 0 && kind !== 'NUL') continue;
          const answer = await world.ask(call, withValue(request, path, value));
          const where = `${path}, ${kind}: ${answer.raw.body.slice(0, 300)}`;
          expect(answer.status, where).toBeLessThan(500);
          if (answer.key === 'validationFailed') {
            expect(Object.keys(answer.fields), where).not.toEqual([]);
            for (const message of Object.values(answer.fields)) expect(message, where).toMatch(/\S/);
          }
        }
      }
    },
  );

  test.each(calls.filter(({ body, query }) => body ?? query).map((call) => [call.name, call] as const))(
    '%s: a field that it does not know is refused',
    async (name, call) => {
      const request = (await validRequests[name]?.(world, tenant)) ?? {};
      for (const part of ['body', 'query'] as const) {
        if (!call[part]) continue;
        const answer = await world.ask(call, withValue(request, `${part}.surprise`, 'x'));
        expect(answer, part).toMatchObject({ status: 400, key: 'validationFailed' });
        expect(Object.values(answer.fields).join(), part).toMatch(/\S/);
      }
    },
  );
});

describe('what is typed', () => {
  const kept: [string, string][] = [...Object.entries(odd), ['longest', '\u{1F4B0}'.repeat(notesMaxLength / 2)]];

  test.each(kept)('as notes, %s: stored exactly', async (_, notes) => {
    const request = await transferRequest(world, tenant, { ...(await transferContent(world, tenant)), notes });
    const { data } = await succeed(world, transferOut, request);
    const seen = await succeed(world, getTransaction, { as: tenant.admin, params: { id: data.id } });
    expect(seen.data.notes).toBe(notes);
  });

  test.each(Object.entries(odd))(
    'as a payee’s remark, and what is visible of it as the label, %s: stored exactly, and found',
    async (_, text) => {
      const label = withoutInvisible(text).trim().padEnd(3, '!');
      const body = { label, chain: 'ethereum', coin: 'USDT', address: randomAddress(), remark: text };
      const { data } = await succeed(world, addCryptoPayee, { as: tenant.admin, body });
      const seen = await succeed(world, getCryptoPayee, { as: tenant.admin, params: { id: data.id } });
      expect(seen.data).toMatchObject({ label, remark: text });
      const found = await succeed(world, listCryptoPayees, { as: tenant.admin, query: { keyword: label } });
      expect(found.data.items.map(({ id }) => id)).toContain(data.id);
    },
  );

  test.each(Object.entries(impossible))('and cannot be kept, %s: is refused at its field', async (_, text) => {
    const content = await transferContent(world, tenant);
    const transfer = { ...content, notes: text, fee: '1', codeMethod: 'email', code: '000000' };
    expectRefused(await world.ask(transferOut, { as: tenant.admin, body: transfer }), 'notes');
    const payee = { label: `abc${text}`, chain: 'ethereum', coin: 'USDT', address: randomAddress() };
    expectRefused(await world.ask(addCryptoPayee, { as: tenant.admin, body: payee }), 'label');
    const remark = { ...payee, label: 'abc', remark: text };
    expectRefused(await world.ask(addCryptoPayee, { as: tenant.admin, body: remark }), 'remark');
  });

  test('comes out of the export as text, never as a formula', async () => {
    for (const notes of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1']) {
      const request = await transferRequest(world, tenant, { ...(await transferContent(world, tenant)), notes });
      await succeed(world, transferOut, request);
    }
    const { raw } = await succeed(world, exportTransactions, { as: tenant.admin });
    const cells = raw.body.slice(1).matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g);
    const texts = [...cells].map(([, quoted, plain]) => quoted ?? plain ?? '');
    expect(texts).toContain("'=1+1");
    expect(texts.filter((text) => /^[=+\-@\t\r]/.test(text))).toEqual([]);
  });
});

test('an id in capitals is the same id, all the way to what is signed', async () => {
  const content = await transferContent(world, tenant);
  const { USDT: walletId } = tenant.wallets;
  const [id, payeeId] = [content.id, content.payeeId].map((each) => each.toUpperCase());
  const attachmentIds = content.attachmentIds.map((each) => each.toUpperCase());
  const shouted = { ...content, id, payeeId, attachmentIds, walletId: walletId.toUpperCase() };
  const { data } = await succeed(world, transferOut, await transferRequest(world, tenant, shouted));
  expect(data.id).toBe(content.id);
  // The signer recomputes the digest from the current rows.
  const { rows } = await world.db.worker.withCompany(tenant.id, (tx) =>
    sql<{ digest: string; address: string }>`select encode(digest, 'hex') as digest, payee_account as address
      from transaction where company_id = company_id() and id = ${content.id}`.execute(tx),
  );
  const digest = transferDigest({
    companyId: tenant.id,
    transferId: content.id,
    walletId,
    payeeId: content.payeeId,
    payeeAddress: rows[0]?.address ?? '',
    chainId: 'ethereum',
    coin: 'USDT',
    amountMinor: 5_000_000n,
    notes: content.notes,
    attachmentIds: content.attachmentIds,
  });
  expect(rows[0]?.digest).toBe(digest);
});

describe('a body', () => {
  const withBody = calls.filter(({ body }) => body).map((call) => [call.name, call] as const);

  /** What is sent, who sends it and as what; the request beside its body is a valid one. */
  async function senderOf(call: Call) {
    const { as }: Request = (await validRequests[call.name]?.(world, tenant)) ?? {};
    return (payload: string, type = 'application/json') => send(call, as, payload, type);
  }

  async function send(call: Call, as: Request['as'], payload: string, type: string): Promise<Answer> {
    const raw = await world.app.inject({
      method: call.method,
      url: call.path.replaceAll(/\{\w+\}/g, newId()),
      remoteAddress: `10.99.${Math.floor(Math.random() * 250)}.1`,
      payload,
      headers: {
        ...(as ? { authorization: `Bearer ${as.token}` } : {}),
        'content-type': type,
        'idempotency-key': newId(),
      },
    });
    return readAnswer(call, raw);
  }

  test.each(withBody)('of %s that is no JSON object is refused', async (_, call) => {
    const sent = await senderOf(call);
    for (const payload of [
      '{',
      '{"a":',
      'null',
      '[]',
      '"x"',
      '1e400',
      '{"__proto__":{"a":1}}',
      '['.repeat(60_000),
      '',
    ]) {
      expect(await sent(payload), payload.slice(0, 20)).toMatchObject({ status: 400, key: 'validationFailed' });
    }
  });

  test.each(withBody)('of %s that is huge, or no JSON at all, is refused by its kind', async (_, call) => {
    const sent = await senderOf(call);
    const huge = JSON.stringify({ notes: 'x'.repeat(200_000) });
    expect(await sent(huge)).toMatchObject({ status: 413, key: 'bodyTooLarge' });
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
      expect([400, 415], type).toContain((await sent('{"a":1}', type)).status);
    }
  });
});

describe('an upload', () => {
  test.each([
    '../../../etc/passwd',
    '..\\..\\boot.ini',
    '/etc/passwd',
    'C:\\Windows\\win.ini',
    '....//....//x',
    '.',
    '..',
    '~/.ssh/id_rsa',
    'a%00.pdf',
    '%2e%2e%2fx.pdf',
    'CON.pdf',
    '=1+1.pdf',
  ])('called %s stands under a random name, and its own says nothing of a path', async (name) => {
    const answer = await world.ask(uploadFile, { as: tenant.admin, upload: { name, content: testPdf } });
    expect(answer.status, answer.raw.body).toBeLessThan(500);
    const stored = readdirSync(world.filesDirectory, { recursive: true, withFileTypes: true });
    for (const entry of stored.filter((each) => each.isFile())) expect(entry.name).toMatch(/^[0-9a-f]{32}$/);
    if (answer.status !== 200) return;
    expect(answer.data.name).not.toMatch(/[/\\]/);
    const { raw } = await succeed(world, downloadFile, { as: tenant.admin, params: { id: answer.data.id } });
    expect(raw.rawPayload).toEqual(testPdf);
    expect(basename(String(raw.headers['content-disposition']))).toBe(raw.headers['content-disposition']);
  });

  test.each(Object.entries(impossible))('whose name holds %s is refused', async (_, name) => {
    const answer = await world.ask(uploadFile, { as: tenant.admin, upload: { name, content: testPdf } });
    if (name.isWellFormed()) expectRefused(answer, 'file');
    // A lone surrogate does not survive the way into the request's bytes.
    else expect(answer.status).toBeLessThan(500);
  });
});

test.each(['/web/file/%', '/web/file/%E0%A4%A', '/web/file/%00', '/web/file/..%2f..%2fetc', '/web/%2e%2e/x', '//'])(
  'the address %s is no place',
  async (url) => {
    const answer = await world.app.inject({ url, headers: { authorization: `Bearer ${tenant.admin.token}` } });
    expect([answer.statusCode, answer.json().key]).toEqual([404, 'notFound']);
  },
);

/** Three calls take numbers and switches alone. */
test('the walk looks into every call that takes a text', () => {
  const counted = calls.map((call) => [call.name, textFields(call).length] as const);
  const names = counted.filter(([, count]) => count > 0).map(([name]) => name);
  const withInput = calls.filter(({ body, query, params }) => body ?? query ?? params).map(({ name }) => name);
  expect(names).toEqual(
    withInput.filter((name) => !['setRiskSetting', 'setReviewOptions', 'dismissFirstSteps'].includes(name)),
  );
  expect(valueAt({ a: [{ b: 1 }] }, 'a.0.b')).toBe(1);
});
