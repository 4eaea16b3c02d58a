import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { registerTransferRoutes } from './index.ts';

const path = '/web/crypto/transaction';
let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;

beforeAll(async () => {
  db = await testDatabase();
  const refuse = () => Promise.reject(new Error('no transfer is submitted here'));
  http = await sessionApp((app) =>
    registerTransferRoutes(app, {
      database: db.app,
      verifyCode: refuse,
      seal: () => 'sealed',
      clock: systemClock,
      companyName: async () => '遠航貿易有限公司 Far Voyage Ltd',
    }),
  );
  company = await openTestCompany(db);
  caller = http.signIn(company.id);
});
afterAll(async () => {
  await http.close();
  await db.close();
});

const file = (url: string, locale = 'en-us') => caller.inject({ url, headers: { 'accept-language': locale } });

describe('CSV', () => {
  test('holds the filtered rows with headings in the language asked for, formulas neutralised', async () => {
    const notes = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\tx', 'plain, "quoted"\nline', '香港'];
    for (const note of notes) await insertTestTransaction(db, company, { notes: note, payeeName: '=cmd|calc' });
    await insertTestTransaction(db, company, { coin: 'ETH', quantityMinor: 10n ** 18n });
    const response = await file(`${path}/export?coin=USDT&order=asc`, 'zh-hk');
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toContain('attachment');
    const text = response.body;
    expect(text.startsWith('\ufeff交易編號,建立時間（UTC）')).toBe(true);
    expect(text.match(/鏈上充值/g)).toHaveLength(notes.length);
    expect(text).toContain('5.000000');
    for (const dangerous of ['=HYPERLINK', '+1', '-1', '@SUM', '\tx', '=cmd']) {
      expect(text).toContain(`'${dangerous}`);
      expect(text).not.toMatch(new RegExp(`[,"\\n]${dangerous.replaceAll(/[+@]/g, '\\$&')}`));
    }
    expect(text).toContain('"plain, ""quoted""\nline"');
    expect(text).toContain('香港');
  });

  test('streams every row once past a batch, and refuses more than 50,000', async () => {
    const big = await openTestCompany(db);
    await fill(big, 2345);
    const as = http.signIn(big.id);
    const lines = (await as.inject({ url: `${path}/export` })).body.trim().split('\r\n');
    expect(lines).toHaveLength(2346);
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(2346);
    await fill(big, 50_000);
    const refused = await as.get(`${path}/export`);
    expect(refused).toMatchObject({ status: 400, key: 'exportTooLarge' });
    const list = await as.get(path);
    expect(list.data).toMatchObject({ total: 10_000, totalExact: false });
  });
});

describe('receipt', () => {
  test.each([
    ['en-us', ['Transaction receipt', 'Completed', 'Payee', 'Page 1 of 1']],
    ['zh-hk', ['交易收據', '已完成', '收款人', '第 1 頁，共 1 頁']],
    ['zh-cn', ['交易回单', '已完成', '收款人', '第 1 页，共 1 页']],
  ])('in %s names company, status, amount, parties, hash and id', async (locale, words) => {
    const hash = `0x${'5f'.repeat(32)}`;
    const id = await insertTestTransaction(db, company, {
      type: 'chain_withdraw',
      payeeName: '简体汇款 與 繁體匯款',
      payeeAccount: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      feeMinor: 1_000_000n,
      initiatorName: 'Ada Wong',
      hash,
      notes: 'May <b>rent</b> 👩‍👧 مرحبا',
    });
    const response = await file(`${path}/${id}/receipt`, locale);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/pdf');
    const text = await pdfText(response.rawPayload);
    for (const word of words) expect(text).toContain(word);
    for (const fact of [
      '遠航貿易有限公司 Far Voyage Ltd',
      '−5.00 USDT',
      '6.00 USDT',
      '简体汇款 與 繁體匯款',
      hash,
      id,
    ]) {
      expect(text.replaceAll('\n', '')).toContain(fact);
    }
    expect(text).toContain('May <b>rent</b> □');
  });

  test('runs over to further pages when the notes are long', async () => {
    const id = await insertTestTransaction(db, company, { notes: `${'line\n'.repeat(90)}last` });
    const text = await pdfText((await file(`${path}/${id}/receipt`)).rawPayload);
    expect(text).toContain('Page 3 of 3');
    expect(text).toContain('last');
  });
});

/** The text of a PDF as PDF.js reads it, an implementation that is not ours; one line break a line. */
async function pdfText(pdf: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
  }
  await document.destroy();
  return pages.join('\n');
}

/** Many transactions at once. */
async function fill(target: TestCompany, count: number): Promise<void> {
  await db.worker.pool.query({
    text: `begin; select set_config('causeway.company_id', '${target.id}', true);
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity)
      select '${target.id}', gen_random_uuid(), 'chain_deposit', 'completed', 'credited', 'in', '${target.wallets.USDT}',
        'ethereum', 'USDT', n from generate_series(1, ${count}) n; commit`,
  });
}
