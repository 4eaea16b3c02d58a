import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arriving, collected } from '../../../testing/bank-messages.ts';
import { type WrittenEntry, type WrittenStatement, writeCamt053 } from './camt053.ts';
import type { Entry } from './model.ts';
import { type BankFilePart, readBankFile } from './read.ts';

const entry: WrittenEntry = {
  reference: '1.0',
  accountServicerReference: '0193b5f0c1a27c3d9f00aabbccddeeff',
  amountMinor: 8500n,
  chargeMinor: 1500n,
  isReversal: false,
  bookedOn: '2026-11-23',
  valueOn: '2026-11-22',
  code: ['PMNT', 'RCDT', 'OTHR'],
  ownCode: 'deposit.credited',
  names: {
    bank: 'R-1',
    endToEnd: 'INV-7',
    uetr: 'eb6305c9-1f7f-49de-aed0-16487c27b42d',
    transaction: '0193b5f0c1a27c3d9f00aabbccddee00',
  },
  counterparty: { name: 'Kowloon Mills', account: 'DE89 3704 0044 0532 0130 00' },
  remittance: 'Invoice 7',
  description: 'Deposit credited',
};
const plain: WrittenEntry = {
  ...entry,
  chargeMinor: 0n,
  valueOn: null,
  names: { bank: null, endToEnd: null, uetr: null, transaction: null },
  counterparty: { name: null, account: null },
  remittance: '',
  description: '',
};

function statementOf(entries: readonly WrittenEntry[], more: Partial<WrittenStatement> = {}): WrittenStatement {
  const creditsMinor = sum(entries.map(({ amountMinor }) => (amountMinor > 0n ? amountMinor : 0n)));
  const debitsMinor = sum(entries.map(({ amountMinor }) => (amountMinor < 0n ? -amountMinor : 0n)));
  const opening = 10n ** 12n;
  return {
    id: '20261101-20261130-aabbccddeeff',
    createdAt: '2026-12-01T09:00:00+08:00',
    from: '2026-11-01T00:00:00+08:00',
    to: '2026-11-30T23:59:59+08:00',
    account: {
      iban: null,
      number: '100000001',
      currency: 'HKD',
      holder: '遠航貿易有限公司',
      bic: 'HARBHKHH',
      bank: 'Harbour Bank',
    },
    balances: [
      { type: 'OPBD', minor: opening, at: { day: '2026-11-01' } },
      { type: 'CLBD', minor: opening + creditsMinor - debitsMinor, at: { day: '2026-11-30' } },
    ],
    sums: { count: entries.length, creditsMinor, debitsMinor },
    entries,
    note: 'Balances are those of the ledger.',
    ...more,
  };
}
const sum = (minors: readonly bigint[]) => minors.reduce((all, minor) => all + minor, 0n);

const head = { messageId: 'M-1', createdAt: '2026-12-01T09:00:00+08:00' };
const write = async (...statements: WrittenStatement[]) => (await collected(writeCamt053(head, statements))).join('');
const read = async (xml: string): Promise<BankFilePart[]> => collected(readBankFile(arriving(xml, 65_536)));
const entriesIn = (parts: readonly BankFilePart[]): Entry[] =>
  parts.flatMap((part) => (part.part === 'entry' ? [part.entry] : []));

async function readOne(written: WrittenEntry): Promise<Entry> {
  const [found] = entriesIn(await read(await write(statementOf([written]))));
  if (!found) throw new Error('the entry is there');
  return found;
}

describe('an entry', () => {
  test('names the payer of what came in, and the payee of what went out', async () => {
    const { details } = await readOne(entry);
    expect(details[0]).toMatchObject({
      debtor: { name: 'Kowloon Mills' },
      debtorAccount: { iban: 'DE89370400440532013000' },
      creditor: null,
    });
    const out = await readOne({
      ...entry,
      amountMinor: -8500n,
      counterparty: { name: 'Kobe Steel', account: '024-7' },
    });
    expect(out.details[0]).toMatchObject({
      debtor: null,
      creditor: { name: 'Kobe Steel' },
      creditorAccount: { iban: null, number: '024-7' },
      amounts: { transaction: { amount: '70' } },
    });
    const takenBack = await readOne({ ...entry, amountMinor: -8500n, isReversal: true });
    expect(takenBack.details[0]).toMatchObject({ debtor: { name: 'Kowloon Mills' }, creditor: null });
  });

  test('with nothing but an amount has no empty elements', async () => {
    const xml = await write(statementOf([plain]));
    for (const name of ['Refs', 'RltdPties', 'RmtInf', 'Chrgs', 'AddtlNtryInf', 'ValDt']) {
      expect(xml).not.toContain(`<${name}>`);
    }
    expect(await readOne(plain)).toMatchObject({ amount: { minor: 8500n }, valueDate: null, additional: null });
  });

  test('keeps names that Latin letters lack, folds the others, and cuts no reference', async () => {
    const found = await readOne({
      ...entry,
      names: { ...entry.names, bank: 'R'.repeat(36), endToEnd: `E\n${'1'.repeat(20)}`, uetr: 'no-uetr' },
      counterparty: { name: 'Crème & Söhne\u0000 “AG”', account: '9'.repeat(40) },
      remittance: `${'貨款'.repeat(200)}`,
    });
    expect(found.details[0]).toMatchObject({
      references: { accountServicer: null, endToEnd: `E ${'1'.repeat(20)}`, uetr: null },
      debtor: { name: "Creme + Sohne 'AG'" },
      debtorAccount: null,
    });
    const texts = found.details[0]?.remittance.unstructured ?? [];
    expect(texts.map((text) => text.length)).toEqual([140, 140, 120]);
    expect(texts.join('')).toBe('貨款'.repeat(200));
    expect(
      (await readOne({ ...entry, counterparty: { name: 'Kobe 製鋼', account: null } })).details[0]?.debtor,
    ).toEqual(expect.objectContaining({ name: 'Kobe 製鋼' }));
  });
});

test('an account with an IBAN has it, and one with a number has that', async () => {
  const account = { ...statementOf([]).account, iban: 'DE89370400440532013000', currency: 'EUR' };
  const parts = await read(await write(statementOf([], { account }), statementOf([])));
  expect(parts.flatMap((part) => (part.part === 'statement' ? [part.statement.account] : []))).toMatchObject([
    { iban: 'DE89370400440532013000', number: null, currency: 'EUR', owner: { name: '遠航貿易有限公司' } },
    { iban: null, number: '100000001', currency: 'HKD', servicer: { bic: 'HARBHKHH' } },
  ]);
});

test('sums that are not those of the entries are never written to the end', async () => {
  const right = statementOf([entry, { ...entry, amountMinor: -1n }]);
  for (const wrong of [{ count: 1 }, { creditsMinor: 8501n }, { debitsMinor: 0n }]) {
    await expect(write({ ...right, sums: { ...right.sums, ...wrong } })).rejects.toThrow(/statement/);
  }
});

test('whatever is written is read again, to the last unit of currencies with and without decimals', async () => {
  const textual = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('', ' ', ']]>', '&amp;', 'é'),
  );
  const written = fc.record({
    amountMinor: fc.bigInt(-(10n ** 15n), 10n ** 15n).filter((minor) => minor !== 0n),
    chargeMinor: fc.bigInt(-(10n ** 6n), 10n ** 6n),
    isReversal: fc.boolean(),
    name: fc.option(textual),
    account: fc.option(textual),
    bank: fc.option(textual),
    endToEnd: fc.option(textual),
    remittance: textual,
    description: textual,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('HKD', 'JPY', 'USD', 'KWD'),
      fc.bigInt(-(10n ** 15n), 10n ** 15n),
      fc.array(written, { maxLength: 8 }),
      async (currency, opening, given) => {
        const entries = given.map(
          ({ name, account, bank, endToEnd, ...more }): WrittenEntry => ({
            ...plain,
            ...more,
            names: { ...plain.names, bank, endToEnd },
            counterparty: { name, account },
          }),
        );
        const account = { ...statementOf([]).account, currency };
        const closing = opening + sum(entries.map(({ amountMinor }) => amountMinor));
        const balances = [
          { type: 'OPBD', minor: opening, at: { day: '2026-11-01' } },
          { type: 'CLBD', minor: closing, at: { day: '2026-11-30' } },
        ] as const;
        const parts = await read(await write(statementOf(entries, { account, balances })));
        const found = entriesIn(parts);
        expect(found.map(({ amount, direction }) => (direction === 'credit' ? amount.minor : -amount.minor))).toEqual(
          entries.map(({ amountMinor }) => amountMinor),
        );
        expect(new Set(found.map(({ amount }) => amount.currency)).size).toBeLessThan(2);
        expect(parts.at(-1)).toMatchObject({
          part: 'statementEnd',
          findings: [],
          checks: [{ currency, opening: { minor: opening }, closing: { minor: closing }, difference: 0n }],
        });
        expect(minorUnitsOf(currency)).not.toBeNull();
      },
    ),
  );
});
