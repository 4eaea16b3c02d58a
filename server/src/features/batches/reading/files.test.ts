import { gzipSync } from 'node:zlib';
import { maxBatchColumns, maxBatchRows } from '@causeway/contract/batches-rules.ts';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv } from './csv.ts';
import { decode } from './decode.ts';
import { matchColumns } from './headers.ts';
import { kindOf } from './kind.ts';
import { readPain001 } from './pain001.ts';
import { BatchFileError } from './problem.ts';
import { writtenOf } from './written.ts';

async function refusal(read: () => unknown) {
  try {
    await read();
  } catch (error) {
    if (error instanceof BatchFileError) return { problem: error.problem, ...error.details };
    throw error;
  }
  return null;
}
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

// Made with Python's codecs, which are not this program's: payee, bank and a note.
const hongKong = '收款人,金額,備註\n香港貿易有限公司,1234.50,二零二六年十一月份租金及管理費\n';
const mainland = '收款人,金额,备注\n深圳市海港贸易有限公司,1234.50,二零二六年十一月份货款及运费\n';
const big5 = Buffer.from(
  'a6acb4daa4482caaf7c3422cb3c6b5f90aadbbb4e4b654a9f6a6b3adada4bda5712c313233342e35302ca447b973a447a4bba67ea451a440a4eba5f7afb2aaf7a4cebadeb27ab64f0a',
  'hex',
);

const gbMainland = Buffer.from(
  'cad5bfeec8cb2cbdf0b6ee2cb1b8d7a20ac9eedbdacad0baa3b8dbc3b3d2d7d3d0cfdeb9abcbbe2c313233342e35302cb6fec1e3b6fec1f9c4eacaaed2bbd4c2b7ddbbf5bfeebcb0d4cbb7d10a',
  'hex',
);

describe('what a file is', () => {
  test.each([
    ['Excel', bytes([0x50, 0x4b, 3, 4], 'xl/workbook.xml'), 'spreadsheet'],
    ['Excel of 1997', bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'spreadsheet'],
    ['a zip bomb', bytes([0x50, 0x4b, 3, 4], '0.txt', Array(1000).fill(0)), 'archive'],
    ['gzip that holds a CSV file', gzipSync('payee,amount\nA,1\n'), 'archive'],
    ['gzip in gzip', gzipSync(gzipSync(Buffer.alloc(1024 * 1024))), 'archive'],
    ['bzip2', bytes('BZh9'), 'archive'],
    ['xz', bytes([0xfd], '7zXZ', [0]), 'archive'],
    ['7-Zip', bytes('7z', [0xbc, 0xaf, 0x27, 0x1c]), 'archive'],
    ['RAR', bytes('Rar!', [0x1a, 7]), 'archive'],
    ['a spreadsheet of LibreOffice', bytes([0x50, 0x4b, 3, 4], 'mimetypeapplication/vnd.oasis'), 'spreadsheet'],
    ['PDF', bytes('%PDF-1.7'), 'pdf'],
    ['a web page named .xls', bytes([0xef, 0xbb, 0xbf], '\n<html xmlns:x="urn:schemas-microsoft-com">'), 'page'],
  ])('%s is refused with what to do', async (_, content, problem) => {
    expect(await refusal(() => kindOf(content))).toEqual({ problem });
  });

  test('XML is a payment message, everything else is CSV', () => {
    expect(kindOf(Buffer.from('\ufeff<?xml version="1.0"?>'))).toBe('pain001');
    expect(kindOf(Buffer.from('\ufeff <?xml version="1.0"?>', 'utf16le'))).toBe('pain001');
    expect(kindOf(Buffer.from('payee,amount'))).toBe('csv');
  });
});

describe('encodings', () => {
  test('UTF-8 with and without its mark, and UTF-16 of both orders', () => {
    const le = Buffer.from(hongKong, 'utf16le');
    const be = Buffer.from(le).swap16();
    for (const [content, encoding] of [
      [Buffer.from(hongKong), 'utf-8'],
      [Buffer.from(`\ufeff${hongKong}`), 'utf-8'],
      [Buffer.concat([Buffer.from([0xff, 0xfe]), le]), 'utf-16le'],
      [Buffer.concat([Buffer.from([0xfe, 0xff]), be]), 'utf-16be'],
      [le, 'utf-16le'],
      [be, 'utf-16be'],
    ] as const) {
      expect(decode(content)).toMatchObject({ text: hongKong, encoding, sure: true });
    }
  });

  test('Big5 and GB18030 differ by their common characters', () => {
    expect(decode(big5)).toMatchObject({ text: hongKong, encoding: 'big5', sure: true });
    expect(decode(gbMainland)).toMatchObject({ text: mainland, encoding: 'gb18030', sure: true });
  });

  test('a person’s choice counts where the bytes can be read in it', async () => {
    const { encodings } = decode(gbMainland);
    for (const encoding of encodings) expect(decode(gbMainland, encoding)).toMatchObject({ encoding, sure: true });
    expect(await refusal(() => decode(gbMainland, 'utf-8'))).toEqual({ problem: 'encoding' });
  });

  test.each([
    ['Latin letters of Windows', bytes('payee,amount\nM', [0xfc], 'ller GmbH,1\nCaf', [0xe9], ' Ltd,2\n'), 'encoding'],
    [
      'UTF-8 that changes to another encoding',
      Buffer.concat([Buffer.from('收款人,金額\n'), Buffer.from([0xff, 0xff]), gbMainland]),
      'encoding',
    ],
    ['UTF-16 that ends in the middle', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from([0x61])]), 'encoding'],
    ['bytes of no text', Buffer.from([0, 1, 2, 0, 255, 0, 7]), 'binary'],
    ['text with NUL', Buffer.from('payee,amount\nA\0B,1\n'), 'binary'],
  ])('%s is refused', async (_, content, problem) => {
    expect(await refusal(() => decode(content))).toEqual({ problem });
  });

  test('whatever the bytes, they are read whole or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (content) => {
        try {
          const { text } = decode(Buffer.from(content));
          expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(BatchFileError);
        }
      }),
    );
  });
});

describe('CSV', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '香', ' ', ',', ';', '\t', '"', '\n', '\r\n', '.', '1'),
    maxLength: 12,
  });
  const table = fc
    .integer({ min: 2, max: 6 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }),
    );

  test('what a spreadsheet writes comes back: separators, quotation marks and line breaks within values', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\r\n', '\n'),
        async (cells, delimiter, record_delimiter) => {
          const columns = (cells[0] ?? []).map((_, i) => `column${i}`);
          const records = cells.filter((record) => record.some((value) => value.trim() !== ''));
          fc.pre(records.length > 0);
          const text = stringify([columns, ...records], { delimiter, record_delimiter, quoted: true });
          const read = await readCsv(text);
          expect(read).toMatchObject({ delimiter, columns });
          expect(read.records).toEqual(records.map((record) => record.map((value) => value.trim())));
        },
      ),
    );
  });

  test('line breaks within quotation marks are part of a value, also in the first record and in a file that mixes them', async () => {
    const { columns, records } = await readCsv('"pay\r\nee",amount,notes\rA,1,"two\nlines"\r\nB,2,"\n\n"\n');
    expect(columns).toEqual(['pay\r\nee', 'amount', 'notes']);
    expect(records).toEqual([
      ['A', '1', 'two\nlines'],
      ['B', '2', ''],
    ]);
  });

  test('an amount whose separator splits it refuses the file, not the amount', async () => {
    expect(await refusal(() => readCsv('payee,amount\nA,500.00\nB,1,000.00\n'))).toEqual({
      problem: 'ragged',
      line: '3',
      values: 3,
      columns: 2,
    });
  });

  test('the guard of an export is taken off again, and formulas are text', async () => {
    const { records } = await readCsv(`payee,amount\n"'=cmd|' /C calc'!A0",1\n=1+1,2\n`);
    expect(records.map(([payee]) => payee)).toEqual([`=cmd|' /C calc'!A0`, '=1+1']);
  });

  test('Excel’s first line names the separator; columns without a name get one', async () => {
    expect(await readCsv('sep=;\npayee;;amount\nA;;1,5\n')).toMatchObject({
      columns: ['payee', '#2', 'amount'],
      records: [['A', '', '1,5']],
    });
  });

  test('more than 5,000 rows, 10,000 columns and open quotation marks are refused', async () => {
    const rows = (count: number) => `payee,amount\n${'A,1\n'.repeat(count)}`;
    expect((await readCsv(rows(maxBatchRows))).records).toHaveLength(maxBatchRows);
    expect(await refusal(() => readCsv(rows(maxBatchRows + 1)))).toEqual({
      problem: 'tooManyRows',
      most: maxBatchRows,
    });
    expect(await refusal(() => readCsv(`${'a,'.repeat(9_999)}a\n1\n`))).toEqual({
      problem: 'tooManyColumns',
      most: maxBatchColumns,
      columns: 10_000,
    });
    expect(await refusal(() => readCsv(`payee,amount\nA,1\n${'a;'.repeat(9_999)}a${',a'.repeat(9_999)}\n`))).toEqual({
      problem: 'tooManyColumns',
      most: maxBatchColumns,
      columns: 10_000,
    });
    expect(await refusal(() => readCsv(`payee,amount\n"A,1\n${'B,2\n'.repeat(200_000)}`))).toMatchObject({
      problem: 'quotes',
    });
    expect(await refusal(() => readCsv('payee,amount\nA"B",1\n'))).toMatchObject({ problem: 'quotes' });
    expect(await refusal(() => readCsv('payee,amount\n\n,\n'))).toEqual({ problem: 'noRows' });
    expect(await refusal(() => readCsv(''))).toEqual({ problem: 'noRows' });
  });

  test('other work is served while a large file is read', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await readCsv(`payee,amount,notes\n${`A,1,"${'x'.repeat(400)}"\n`.repeat(maxBatchRows)}`);
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });

  test('a value that is too long is kept one character too long, so that its row says so', async () => {
    const { records } = await readCsv(`payee,amount\n${'x'.repeat(9_000)},1\n`);
    expect(records[0]?.[0]).toHaveLength(501);
  });
});

describe('columns', () => {
  test.each([
    [['Payee', 'Account or address', 'Currency or coin', 'Amount'], { payee: 0, account: 1, asset: 2, amount: 3 }],
    [['收款人', '金額', '幣種', '備註'], { payee: 0, amount: 1, asset: 2, notes: 3 }],
    [['户名', '账号', '联行号', '付款金额', '附言'], { name: 0, account: 1, bankCode: 2, amount: 3, remittance: 4 }],
    [['Beneficiary_Name', 'IBAN', 'SWIFT', 'CCY', 'AMT.'], { name: 0, account: 1, bic: 2, asset: 3, amount: 4 }],
    [['foo', 'amount', 'Amount'], { amount: 1 }],
    [['Beneficiary', 'Wallet', 'Coin', 'Amt', 'Ref'], { payee: 0, account: 1, asset: 2, amount: 3, remittance: 4 }],
    [['Supplier', 'Beneficiary address', 'Amount'], { payee: 0, account: 1, amount: 2 }],
    [['收款人', '錢包', '金額', '參考編號'], { payee: 0, account: 1, amount: 2, remittance: 3 }],
    [['收款人', '收款钱包', '金额', '参考'], { payee: 0, account: 1, amount: 2, remittance: 3 }],
  ])('%j', (columns, mapping) => {
    expect(matchColumns(columns)).toEqual(mapping);
  });

  test('a row keeps the matched fields that are filled, in one spelling', () => {
    expect(writtenOf(['  A \n B ', '', 'two\r\nlines'], { payee: 0, amount: 1, notes: 2 })).toEqual({
      payee: 'A B',
      notes: 'two\nlines',
    });
  });
});

const payment = (amount: string, { account = 'GB33BUKB20201555555555', currency = 'GBP' } = {}) => `<CdtTrfTxInf>
  <PmtId><EndToEndId>INV-7</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>
  <CdtrAgt><FinInstnId><BICFI>BUKBGB22XXX</BICFI></FinInstnId></CdtrAgt>
  <Cdtr><Nm>Blue Cedar Ltd</Nm><PstlAdr><TwnNm>London</TwnNm><Ctry>GB</Ctry></PstlAdr></Cdtr>
  <CdtrAcct><Id><IBAN>${account}</IBAN></Id></CdtrAcct><Purp><Cd>SUPP</Cd></Purp>
  <RmtInf><Ustrd>November</Ustrd><Ustrd>rent</Ustrd></RmtInf></CdtTrfTxInf>`;
function pain001({
  version = '09',
  count = 2,
  sum = '30.75' as string | null,
  payments = payment('10.25') + payment('20.5'),
  before = '',
  day = '',
} = {}) {
  return `<?xml version="1.0" encoding="UTF-8"?>${before}
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn>
  <GrpHdr><MsgId>M1</MsgId><NbOfTxs>${count}</NbOfTxs>${sum === null ? '' : `<CtrlSum>${sum}</CtrlSum>`}</GrpHdr>
  <PmtInf><PmtInfId>P1</PmtInfId><PmtMtd>TRF</PmtMtd>${day === '' ? '' : `<ReqdExctnDt>${day}</ReqdExctnDt>`}<DbtrAcct><Id><Othr><Id>123456</Id></Othr></Id></DbtrAcct><ChrgBr>SHAR</ChrgBr>${payments}</PmtInf>
</CstmrCdtTrfInitn></Document>`;
}
const readMessage = async (text: string) => (await readPain001(Buffer.from(text), 'en-us')).rows;
const askedOf = async (text: string) => (await readPain001(Buffer.from(text), 'en-us')).asked;

describe('pain.001', () => {
  test.each(['03', '09'])('version %s: each payment is a row', async (version) => {
    const rows = await readMessage(pain001({ version }));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      account: 'GB33BUKB20201555555555',
      asset: 'GBP',
      place: '123456',
      amount: '10.25',
      remittance: 'November rent',
      invoiceNumber: 'INV-7',
      purpose: 'SUPP',
      charges: 'shared',
      name: 'Blue Cedar Ltd',
      country: 'GB',
      bic: 'BUKBGB22XXX',
      town: 'London',
    });
  });

  test.each([
    ['03', '2026-12-01', '2026-12-01'],
    ['09', '<Dt>2026-12-01</Dt>', '2026-12-01'],
    ['09', '<DtTm>2026-12-01T09:30:00+08:00</DtTm>', '2026-12-01'],
    ['03', '2026-02-30', null],
    ['03', '0000-01-01', null],
    ['03', 'soon', null],
    ['03', '', null],
  ])('version %s asks for payment on %s', async (version, day, said) => {
    expect(await askedOf(pain001({ version, day }))).toEqual(said && { from: said, to: said });
  });

  test('the days of all its parts are a span; one without a day has none of another', async () => {
    const part = (day: string) =>
      `<PmtInf><PmtInfId>P2</PmtInfId><PmtMtd>TRF</PmtMtd>${day}${payment('10.25')}${payment('20.5')}</PmtInf>`;
    const parts = (...days: string[]) =>
      pain001({ day: '2026-12-05', count: 2 + 2 * days.length, sum: null }).replace(
        '</PmtInf>',
        `</PmtInf>${days.map(part).join('')}`,
      );
    const said = (day: string) => `<ReqdExctnDt><Dt>${day}</Dt></ReqdExctnDt>`;
    expect(await askedOf(parts(said('2026-12-24'), said('2026-12-01')))).toEqual({
      from: '2026-12-01',
      to: '2026-12-24',
    });
    expect(await askedOf(parts(''))).toEqual({ from: '2026-12-05', to: '2026-12-05' });
  });

  test('number of payments and control sum have to agree', async () => {
    expect(await readMessage(pain001({ sum: null }))).toHaveLength(2);
    expect(await readMessage(pain001({ sum: '30.750' }))).toHaveLength(2);
    expect(await refusal(() => readMessage(pain001({ count: 3 })))).toEqual({ problem: 'count', said: 3, found: 2 });
    expect(await refusal(() => readMessage(pain001({ sum: '30.74' })))).toEqual({
      problem: 'controlSum',
      said: '30.74',
      found: '30.75',
    });
  });

  test.each([
    ['a document type', pain001({ before: '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>' })],
    ['an entity', pain001({ payments: payment('&x;') })],
    ['deep XML', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`],
    [
      'a message without a header',
      pain001()
        .replace(/<GrpHdr>.*<.GrpHdr>/, '')
        .replace(/<PmtInf>[\s\S]*<.PmtInf>/, ''),
    ],
    ['a later version', pain001({ version: '11' })],
    ['half a file', pain001().slice(0, 900)],
    ['a negative amount', pain001({ payments: payment('-1'), count: 1, sum: null })],
    ['text that is much too long', pain001({ payments: payment('1', { account: '1'.repeat(5_000) }) })],
  ])('%s is refused with the reason', async (_, text) => {
    expect(await refusal(() => readMessage(text))).toMatchObject({
      problem: 'message',
      reason: expect.stringMatching(/./),
    });
  });

  test.each([
    ['camt.053.001.08', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt/></Document>'],
    ['<Document xmlns="urn:orders">', '<Document xmlns="urn:orders"/>'],
    ['<orders>', '<orders><order/></orders>'],
  ])('another message is refused as what it is: %s', async (value, text) => {
    expect(await refusal(() => readMessage(text))).toEqual({ problem: 'otherMessage', value });
  });

  test('payments by cheque are refused as such', async () => {
    const cheques = pain001().replace('<PmtMtd>TRF', '<PmtMtd>CHK');
    expect(await refusal(() => readMessage(cheques))).toEqual({
      problem: 'message',
      reason: expect.stringMatching(/PmtMtd: payments by CHK are not made here/),
    });
  });

  test('more payments than a batch holds are refused', async () => {
    const payments = payment('1').repeat(maxBatchRows + 1);
    expect(await refusal(() => readMessage(pain001({ payments, count: maxBatchRows + 1, sum: null })))).toMatchObject({
      problem: 'tooManyRows',
    });
  });
});
