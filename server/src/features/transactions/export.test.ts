import { sql } from 'kysely';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { pdfText } from '../../testing/pdf.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { insertTestTransaction, noParts } from '../../testing/transactions.ts';
import { registerTransactionRoutes, type TransactionParts } from './index.ts';

const path = '/web/crypto/transaction';
let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;
/** What its approvers are said to have decided of a transfer; null: none was asked. */
let approval: Awaited<ReturnType<TransactionParts['approvalOf']>> = null;

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (app) =>
    registerTransactionRoutes(app, {
      ...noParts,
      approvalOf: async () => approval,
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
    expect(text).toContain({ 'en-us': 'No approval needed', 'zh-hk': '無須審批', 'zh-cn': '无需审批' }[locale]);
  });

  const said = {
    'en-us': {
      head: ['Transaction receipt', 'Failed', 'Page 1 of 1', 'Produced by Causeway on '],
      rows: [
        ['Type', 'On-chain transfer'],
        ['Stage', 'Failed'],
        ['Reason', 'The network would reject the transfer, so it was not sent'],
        ['Amount', '5.00 USDT'],
        ['Fee', '1.00 USDT'],
        ['Total debited', '6.00 USDT'],
        ['Chain', 'Ethereum'],
        ['Payer', 'Far Voyage'],
        ['Payee', 'Pearl River'],
        ['Transaction hash', '0xhash'],
        ['Block', '1234567'],
        ['Created', 'November 20, 2026 at 01:02:03 UTC'],
        ['Finished', 'November 20, 2026 at 01:02:03 UTC'],
        ['Initiated by', 'Ada Wong'],
        ['Approval', 'Approved by Wing Cheung, November 20, 2026 at 02:03:04 UTC'],
        ['Related transaction', 'the refund'],
        ['Invoice number', 'INV-7'],
        ['Category', 'Rent'],
        ['Notes', 'rent'],
        ['Transaction ID', 'its id'],
      ],
    },
    'zh-hk': {
      head: ['交易收據', '失敗', '第 1 頁，共 1 頁', '由 Causeway 於 '],
      rows: [
        ['類型', '鏈上轉帳'],
        ['階段', '失敗'],
        ['原因', '網絡會拒絕這筆轉帳，因此沒有送出'],
        ['金額', '5.00 USDT'],
        ['手續費', '1.00 USDT'],
        ['扣款總額', '6.00 USDT'],
        ['區塊鏈', 'Ethereum'],
        ['付款人', 'Far Voyage'],
        ['收款人', 'Pearl River'],
        ['交易哈希', '0xhash'],
        ['區塊', '1234567'],
        ['建立時間', '2026年11月20日 01:02:03 UTC'],
        ['完結時間', '2026年11月20日 01:02:03 UTC'],
        ['發起人', 'Ada Wong'],
        ['審批', 'Wing Cheung 於 2026年11月20日 02:03:04 UTC 批准'],
        ['相關交易', 'the refund'],
        ['發票號碼', 'INV-7'],
        ['類別', 'Rent'],
        ['備註', 'rent'],
        ['交易編號', 'its id'],
      ],
    },
    'zh-cn': {
      head: ['交易回单', '失败', '第 1 页，共 1 页', '由 Causeway 于 '],
      rows: [
        ['类型', '链上转账'],
        ['阶段', '失败'],
        ['原因', '网络会拒绝这笔转账，因此没有发出'],
        ['金额', '5.00 USDT'],
        ['手续费', '1.00 USDT'],
        ['扣款总额', '6.00 USDT'],
        ['链', 'Ethereum'],
        ['付款人', 'Far Voyage'],
        ['收款人', 'Pearl River'],
        ['交易哈希', '0xhash'],
        ['区块', '1234567'],
        ['创建时间', '2026年11月20日 01:02:03 UTC'],
        ['完结时间', '2026年11月20日 01:02:03 UTC'],
        ['发起人', 'Ada Wong'],
        ['审批', 'Wing Cheung 于 2026年11月20日 02:03:04 UTC 批准'],
        ['关联交易', 'the refund'],
        ['发票号码', 'INV-7'],
        ['类别', 'Rent'],
        ['备注', 'rent'],
        ['交易编号', 'its id'],
      ],
    },
  } as const;

  test.each(['en-us', 'zh-hk', 'zh-cn'] as const)('in %s has every fact beside its own label', async (locale) => {
    const refundId = await insertTestTransaction(db, company, { type: 'failed_refund' });
    const id = await insertTestTransaction(db, company, {
      type: 'chain_withdraw',
      status: 'failed',
      stage: 'failed',
      failureReason: 'stage.reason.wouldRevert',
      feeMinor: 1_000_000n,
      payerName: 'Far Voyage',
      payeeName: 'Pearl River',
      hash: '0xhash',
      createdAt: '2026-11-20T01:02:03Z',
      initiatorName: 'Ada Wong',
      notes: 'rent',
      invoiceNumber: 'INV-7',
      category: 'Rent',
    });
    await db.worker.withCompany(company.id, (tx) =>
      sql`with placed as (
          update transaction_chain set block_number = 1234567 where company_id = company_id() and transaction_id = ${id}
        )
        update transaction set related_id = ${refundId} where company_id = company_id() and id = ${id}`.execute(tx),
    );
    const at = new Date('2026-11-20T02:03:04Z');
    const decisions = [{ name: 'Wing Cheung', outcome: 'approved' as const, at, deputyFor: null }];
    approval = { taskId: newId(), waitingFor: null, reason: null, decisions };
    const pdf = (await file(`${path}/${id}/receipt`, locale)).rawPayload;
    approval = null;
    const known: Record<string, string> = { [id]: 'its id', [refundId]: 'the refund' };
    const rows = (await factsOf(pdf)).map(([label, value]) => [label, known[value] ?? value]);
    expect(rows).toEqual(said[locale].rows);
    const text = await pdfText(pdf);
    for (const words of said[locale].head) expect(text).toContain(words);
  });

  test('runs over to further pages when the notes are long', async () => {
    const id = await insertTestTransaction(db, company, { notes: `${'line\n'.repeat(90)}last` });
    const text = await pdfText((await file(`${path}/${id}/receipt`)).rawPayload);
    expect(text).toContain('Page 3 of 3');
    expect(text).toContain('last');
  });
});

/** The facts of a receipt's first page: labels of the left column, with the values beside them. */
async function factsOf(pdf: Buffer): Promise<[label: string, value: string][]> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  const pieces = items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? [
          {
            text: item.str,
            x: Math.round(item.transform[4]),
            y: Math.round(item.transform[5]),
            size: item.transform[0],
          },
        ]
      : [],
  );
  await document.destroy();
  const lineOf = (column: number, y: number) =>
    pieces
      .filter((piece) => piece.y === y && (column === 56 ? piece.x < 186 : piece.x >= 186))
      .map(({ text }) => text)
      .join('');
  const labels = pieces.filter(({ x, size }) => x === 56 && Math.abs(size - 9.5) < 0.1);
  return labels.map(({ y }) => [lineOf(56, y), lineOf(186, y)]);
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
