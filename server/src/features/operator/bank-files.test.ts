import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moneysOf, notification } from '../../testing/bank-intake.ts';
import { bal, camt053, document, header, ntry } from '../../testing/bank-messages.ts';
import { openTestBank } from '../../testing/banks.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { operatorCommand } from '../../testing/operator-command.ts';
import { readMessages } from '../banks/index.ts';
import { settleMoneys } from '../rails/index.ts';
import { RefusedError, runFileCommand, UsageError, usage } from './command-line.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-bank-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function dryRun(content: string | Uint8Array) {
  const path = join(folder, 'from-bank.xml');
  await writeFile(path, content);
  return runFileCommand(['bank', 'import', path, '--dry-run']);
}

test('a statement is said as JSON: balances, entries, and whether they agree', async () => {
  const details =
    '<BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>B-1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E-1</EndToEndId></Refs>' +
    '<RltdPties><Dbtr><Pty><Nm>Ann\u202e\u009bLee</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls>';
  const output = await dryRun(
    camt053({
      balances: bal('OPBD', '100') + bal('CLBD', '95.5', {}),
      entries:
        ntry({ amount: '4.5', sign: 'DBIT', rest: details }) + ntry({ amount: '3', state: '<Sts><Cd>PDNG</Cd></Sts>' }),
    }),
  );
  expect(output).not.toMatch(/[\u202e\u009b]/);
  expect(JSON.parse(output ?? '')).toMatchObject({
    file: { name: 'from-bank.xml', bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    messages: [{ name: 'camt.053.001.08', id: 'MSG-1' }],
    statements: [
      {
        messageId: 'MSG-1',
        account: { iban: 'DE89370400440532013000' },
        balances: [
          { type: { code: 'OPBD' }, amount: '100.00', currency: 'EUR', direction: 'credit' },
          { amount: '95.50' },
        ],
        entries: [
          {
            amount: '4.50',
            currency: 'EUR',
            direction: 'debit',
            state: 'booked',
            bookingDate: { date: '2026-11-20' },
            accountServicerReference: 'B-1',
            details: [
              {
                amount: '4.50',
                references: { endToEnd: 'E-1' },
                debtor: { name: 'Ann\u202e\u009bLee' },
                creditor: null,
              },
            ],
          },
          { amount: '3.00', state: 'pending' },
        ],
        checks: [
          {
            currency: 'EUR',
            opening: { type: 'OPBD', amount: '100.00' },
            credits: '0.00',
            debits: '4.50',
            closing: { type: 'CLBD', amount: '95.50' },
            difference: '0.00',
            agrees: true,
          },
        ],
        findings: [],
      },
    ],
    statuses: [],
  });
});

test('balances that do not agree are said, as a figure and as a sentence', async () => {
  const output = await dryRun(camt053({ balances: bal('OPBD', '0') + bal('CLBD', '12'), entries: ntry() }));
  expect(JSON.parse(output ?? '').statements).toMatchObject([
    {
      checks: [{ difference: '2.00', agrees: false }],
      findings: ['Opening balance plus booked entries is not the closing balance; the difference is 2.00 EUR.'],
    },
  ]);
});

test('a report of payments is said with its statuses', async () => {
  const group =
    '<OrgnlGrpInfAndSts><OrgnlMsgId>OUT-1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>ACTC</GrpSts></OrgnlGrpInfAndSts>';
  const output = await dryRun(document('pain.002.001.10', 'CstmrPmtStsRpt', header + group));
  expect(JSON.parse(output ?? '')).toMatchObject({
    statements: [],
    statuses: [{ messageId: 'MSG-1', of: 'message', originalMessage: 'OUT-1', state: 'accepted', status: 'ACTC' }],
  });
});

test.each([
  ['', 'The file is empty.'],
  [
    camt053({ entries: ntry({ amount: '0.123' }) }),
    'Document/BkToCstmrStmt/Stmt[1]/Ntry[1]/Amt: 0.123 has more decimals than EUR, which has 2.',
  ],
  ['<a>', 'The file is not well-formed XML, or not complete (line 1, column 3).'],
  [
    camt053({ version: '13' }),
    'camt.053.001.13 is a version that is not read here; camt.053.001.02 to camt.053.001.08 are.',
  ],
])('a file that cannot be read is refused in one sentence', async (content, sentence) => {
  await expect(dryRun(content)).rejects.toThrow(new RefusedError(sentence));
});

test('a path that is no readable file is refused in one sentence', async () => {
  const run = (...args: string[]) => runFileCommand(['bank', 'import', ...args]);
  await expect(run(join(folder, 'nothing.xml'), '--dry-run')).rejects.toThrow(/^There is no file .*nothing\.xml\.$/);
  await expect(run(folder, '--dry-run')).rejects.toThrow(/ is a folder, not a file\.$/);
  await expect(run('--dry-run')).rejects.toBeInstanceOf(UsageError);
  await expect(run('any.xml', '--dry-run', '--reason', 'x')).rejects.toBeInstanceOf(UsageError);
  expect(usage).toContain('bank import FILE --dry-run');
});

test('other commands are left to the database', async () => {
  expect(await runFileCommand(['wallet', 'list'])).toBeNull();
});

describe('taking a file in by hand', () => {
  let db: TestDatabase;
  let path: string;
  beforeAll(async () => {
    db = await testDatabase();
    path = join(folder, 'by-hand.xml');
  });
  afterAll(() => db.close());
  const run = (...words: string[]) => operatorCommand(db, ['bank', 'import', ...words]);

  test('stores it once, and what the worker read is posted', async () => {
    await writeFile(path, notification([{ amount: '12.00', ref: 'H-1' }]));
    await expect(run(path)).rejects.toThrow(/^Name the bank with --bank: this installation has none/);
    await openTestBank(db);
    expect(await run(path)).toMatchObject({ bank: 'harbour-hk', result: expect.stringMatching(/^Stored/) });
    expect(await run(path, '--bank', 'harbour-hk')).toMatchObject({
      result: expect.stringMatching(/taken in as by-hand\.xml at .* is received/),
    });
    await readMessages(db.worker);
    await settleMoneys(db.worker);
    expect(await moneysOf(db)).toMatchObject([{ amount: 1200n, state: 'suspense' }]);
    expect(await run(path)).toMatchObject({ result: expect.stringMatching(/is read\.$/) });
  });

  test('refuses what cannot be read, stores nothing of it, and names the banks', async () => {
    await writeFile(path, 'no xml');
    await expect(run(path)).rejects.toBeInstanceOf(RefusedError);
    await expect(run(path, '--bank', 'nowhere')).rejects.toThrow('Name the bank with --bank: harbour-hk.');
    await expect(run(join(folder, 'nothing.xml'))).rejects.toThrow(/^There is no file/);
  });
});
