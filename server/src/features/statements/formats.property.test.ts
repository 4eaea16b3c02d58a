import { Readable } from 'node:stream';
import { formatAmount, parseAmount, sayAmount } from '@causeway/contract/money.ts';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestBank, openTestBankWallet } from '../../testing/banks.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { pdfText } from '../../testing/pdf.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import {
  companyIn,
  type HistoryLeg,
  type HistoryWallet,
  legOf,
  periodsOf,
  postAll,
  setTimes,
  type Zone,
  zones,
} from '../../testing/statement-histories.ts';
import { readBankFile } from '../banks/index.ts';
import { registerStatementRoutes } from './index.ts';

/**
 * Statements over random histories of a currency with decimals, one without, and a coin with 18: every format has the same figures, and
 * of periods that follow each other the closing balance of one is the opening balance of the next.
 */

let db: TestDatabase;
let superuser: pg.Client;
let http: SessionApp;
beforeAll(async () => {
  db = await testDatabase();
  await openTestBank(db);
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  await superuser.query('alter table causeway.ledger_entry disable trigger append_only');
  http = await sessionApp(db.app, (app) => registerStatementRoutes(app, { companyName: async () => 'Far Voyage' }), {
    now: () => new Date('2027-06-01T00:00:00Z'),
  });
});
afterAll(async () => {
  await http.close();
  await superuser.end();
  await db.close();
});

/** The figures of one statement in minor units, as a reader of the file finds them. */
interface Figures {
  opening: bigint;
  movements: bigint[];
  closing: bigint;
}
interface Period {
  from: string;
  to: string;
}
interface Asked extends HistoryWallet {
  asset: string;
  decimals: number;
}

/** A camt.053 has room for 18 digits, and the sum of all entries is one of its figures. */
const mostAtBank = 10n ** 14n;
const history = (most: bigint) => fc.array(legOf(most), { minLength: 1, maxLength: 8 });

test('closing is the next opening and entries lead from one to the other, in every format', {
  timeout: 240_000,
}, async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...(Object.keys(zones) as Zone[])),
    fc.record({ HKD: history(mostAtBank), JPY: history(mostAtBank), ETH: history(10n ** 22n) }),
    fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    fc.constantFrom('HKD', 'JPY', 'ETH'),
    async (zone, histories, cuts, drawn) => {
      const company = await companyIn({ db }, zone);
      const [dollars, yen] = [
        await openTestBankWallet(db, company.id, 'HKD'),
        await openTestBankWallet(db, company.id, 'JPY'),
      ];
      const wallets: Asked[] = [
        { id: dollars.id, outside: 'bank', asset: 'HKD', decimals: 2 },
        { id: yen.id, outside: 'bank', asset: 'JPY', decimals: 0 },
        { id: company.wallets.ETH, outside: 'chain', asset: 'ETH', decimals: 18 },
      ];
      const legs: HistoryLeg[] = [];
      for (const wallet of wallets) {
        const own = histories[wallet.asset as keyof typeof histories];
        await postAll({ db }, company.id, wallet, own);
        legs.push(...own);
      }
      await setTimes({ superuser }, company.id, zone, legs);
      const caller = http.signIn(company.id);
      const periods = periodsOf(zones[zone], cuts);
      for (const wallet of wallets) await checkWallet(caller, wallet, periods);
      const shown = wallets.find(({ asset }) => asset === drawn);
      if (shown) await checkPdf(caller, shown, { from: periods[0]?.from ?? '', to: periods.at(-1)?.to ?? '' });
    },
  );
  // Clocks of Havana go back over midnight: what is booked between the two midnights is of the new day.
  const booked = (day: number, microseconds: number): HistoryLeg => ({
    ...{ from: 'outside', to: 'available', fee: false, amount: 1n, at: { day, microseconds } },
  });
  const twice: [Zone, Record<'HKD' | 'JPY' | 'ETH', HistoryLeg[]>, boolean[], 'JPY'] = [
    'America/Havana',
    { HKD: [booked(1, -1)], JPY: [booked(1, -1), booked(1, -3_600_000_001)], ETH: [booked(1, 0)] },
    [true, true, true, true, true],
    'JPY',
  ];
  await fc.assert(property, {
    numRuns: Math.ceil(Number(process.env['PROOF_ROUNDS'] ?? 8) / 4),
    examples: [twice],
  });
});

async function checkWallet(caller: Caller, wallet: Asked, periods: readonly Period[]): Promise<void> {
  let before = 0n;
  for (const period of periods) {
    const csv = await csvFigures(caller, wallet, period);
    expect(csv.opening).toBe(before);
    expect(csv.opening + sum(csv.movements)).toBe(csv.closing);
    if (wallet.outside === 'bank') expect(await camtFigures(caller, wallet, period)).toEqual(csv);
    before = csv.closing;
  }
  expect(before).toBe(await balanceOf(wallet));
}

const sum = (minors: readonly bigint[]) => minors.reduce((all, minor) => all + minor, 0n);

/** What the accounts of the wallet hold in the end, without their entries. */
async function balanceOf(wallet: Asked): Promise<bigint> {
  const { rows } = await superuser.query<{ sum: string }>(
    `select sum(balance)::text from causeway.ledger_account where owner_id = $1 and kind in ('available', 'outbound')`,
    [wallet.id],
  );
  return BigInt(rows[0]?.sum ?? '0');
}

async function file(caller: Caller, wallet: Asked, { from, to }: Period, format: string): Promise<Buffer> {
  const url = `/web/account/statements/export?walletId=${wallet.id}&from=${from}&to=${to}&format=${format}`;
  const response = await caller.inject({ url });
  expect(response.statusCode, response.body).toBe(200);
  return response.rawPayload;
}

async function csvFigures(caller: Caller, wallet: Asked, period: Period): Promise<Figures> {
  const rows: Record<string, string>[] = parse(await file(caller, wallet, period, 'csv'), { bom: true, columns: true });
  const minor = (text: string | undefined) => {
    expect(text?.split('.')[1]?.length ?? 0).toBe(wallet.decimals);
    const parsed = parseAmount((text ?? '').replace('-', ''), wallet.decimals);
    if (!parsed.ok) throw new Error(`${text} is an amount`);
    return text?.startsWith('-') ? -parsed.minor : parsed.minor;
  };
  return {
    opening: minor(rows[0]?.['Balance']),
    movements: rows.slice(1, -1).map((row) => minor(row['Amount'])),
    closing: minor(rows.at(-1)?.['Balance']),
  };
}

async function camtFigures(caller: Caller, wallet: Asked, period: Period): Promise<Figures> {
  const figures: Figures = { opening: 0n, movements: [], closing: 0n };
  const bytes = Readable.from([await file(caller, wallet, period, 'camt053')]);
  for await (const part of readBankFile(bytes)) {
    if (part.part === 'entry') {
      const { amount, direction, bookingDate } = part.entry;
      figures.movements.push(direction === 'credit' ? amount.minor : -amount.minor);
      expect(amount.currency).toBe(wallet.asset);
      const day = bookingDate?.date ?? '';
      expect(day >= period.from && day <= period.to, `${day} is within ${period.from} and ${period.to}`).toBe(true);
    }
    if (part.part === 'statementEnd') {
      expect(part.findings).toEqual([]);
      const [check] = part.checks;
      expect(check).toMatchObject({ currency: wallet.asset, difference: 0n });
      figures.opening = check?.opening?.minor ?? -1n;
      figures.closing = check?.closing?.minor ?? -1n;
    }
  }
  return figures;
}

/** What is printed: the balance after each movement, as people read it. */
async function checkPdf(caller: Caller, wallet: Asked, period: Period): Promise<void> {
  const { opening, movements, closing } = await csvFigures(caller, wallet, period);
  const text = (await pdfText(await file(caller, wallet, period, 'pdf'))).replaceAll(/\s/g, '');
  let balance = opening;
  for (const movement of movements) {
    balance += movement;
    expect(text).toContain(sayAmount(balance, wallet.decimals));
    const unsigned = movement < 0n ? -movement : movement;
    expect(text).toContain(`${movement < 0n ? '\u2212' : '+'}${sayAmount(unsigned, wallet.decimals)}`);
  }
  expect(balance).toBe(closing);
  expect(text, formatAmount(closing, wallet.decimals)).toContain(
    `${sayAmount(closing, wallet.decimals)}${wallet.asset}`,
  );
}
