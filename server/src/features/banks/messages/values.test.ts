import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arriving, camt053, collected, ntry } from '../../../testing/bank-messages.ts';
import type { BankFileError } from './problem.ts';
import { readBankFile } from './read.ts';

const path = 'Document/BkToCstmrStmt/Stmt[1]/Ntry[2]';

/** The second entry of a statement, or why it was refused. */
async function second(pieces: Parameters<typeof ntry>[0]) {
  const parts = await collected(readBankFile(arriving(camt053({ entries: ntry() + ntry(pieces) }), 4096))).catch(
    (failure: BankFileError) => ({ problem: failure.problem, ...failure.details }),
  );
  if (!Array.isArray(parts)) return parts;
  const [, entry] = parts.flatMap((part) => (part.part === 'entry' ? part.entry : []));
  return entry?.amount;
}

test.each([
  ['JPY', '1000.00', 1000n],
  ['JPY', '1000', 1000n],
  ['KWD', '1.234', 1234n],
  ['EUR', '100.00000', 10000n],
  ['EUR', '12.5', 1250n],
  ['EUR', '.5', 50n],
  ['EUR', '7.', 700n],
  ['EUR', '+0012.50', 1250n],
  ['EUR', '\n 12.50 ', 1250n],
  ['EUR', '-0.00', 0n],
  ['CLF', '0.0001', 1n],
  ['USD', '9999999999999999.99', 999999999999999999n],
])('%s %s is %s minor units', async (currency, amount, minor) => {
  expect(await second({ currency, amount })).toEqual({ currency, minor });
});

test.each([
  ['JPY', '0.5', 'amountDecimals'],
  ['EUR', '0.12345', 'amountDecimals'],
  ['EUR', '-1', 'amountNegative'],
  ['EUR', '1e3', 'amountFormat'],
  ['EUR', '1,000.00', 'amountFormat'],
  ['EUR', '1 000', 'amountFormat'],
  ['EUR', '.', 'amountFormat'],
  ['EUR', '', 'amountFormat'],
  ['EUR', 'NaN', 'amountFormat'],
  ['EUR', '١٢', 'amountFormat'],
  ['EUR', '12345678901234567.89', 'amountFormat'],
])('%s %s is refused with its path', async (currency, amount, problem) => {
  expect(await second({ currency, amount })).toMatchObject({ problem, path: `${path}/Amt`, value: amount });
});

test('every amount that a currency has is read exactly, with whatever zeros around it', async () => {
  const amounts = fc.record({
    currency: fc.constantFrom('JPY', 'EUR', 'HKD', 'KWD', 'CLF'),
    minor: fc.bigInt({ min: 0n, max: 10n ** 13n }),
    zeros: fc.nat({ max: 4 }),
    before: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(amounts, async ({ currency, minor, zeros, before }) => {
      const plain = formatAmount(minor, minorUnitsOf(currency) ?? 0);
      const point = plain.includes('.') || zeros === 0 ? '' : '.';
      const amount = `${'0'.repeat(before)}${plain}${point}${'0'.repeat(zeros)}`;
      expect(await second({ currency, amount })).toEqual({ currency, minor });
    }),
    { numRuns: 100 },
  );
});

test('currencies are ISO 4217’s, with their minor units', async () => {
  expect(await second({ currency: 'BTC' })).toEqual({ problem: 'currency', path: `${path}/Amt/@Ccy`, value: 'BTC' });
  expect(await second({ currency: 'eur' })).toMatchObject({ problem: 'currency' });
  expect([minorUnitsOf('VND'), minorUnitsOf('BHD'), minorUnitsOf('HUF'), minorUnitsOf('ZZZ')]).toEqual([0, 3, 2, null]);
});

test.each([
  ['<BookgDt><Dt>2026-02-30</Dt></BookgDt>', 'date', 'BookgDt/Dt'],
  ['<BookgDt><Dt>20.11.2026</Dt></BookgDt>', 'date', 'BookgDt/Dt'],
  ['<BookgDt><DtTm>2026-11-20T25:00:00</DtTm></BookgDt>', 'dateTime', 'BookgDt/DtTm'],
  ['<BookgDt><DtTm>2026-11-20 10:00</DtTm></BookgDt>', 'dateTime', 'BookgDt/DtTm'],
  ['<ValDt/>', 'missing', 'ValDt/Dt'],
  ['<RvslInd>yes</RvslInd>', 'flag', 'RvslInd'],
  ['<AmtDtls><InstdAmt><Amt Ccy="dem">1</Amt></InstdAmt></AmtDtls>', 'currency', 'AmtDtls/InstdAmt/Amt/@Ccy'],
  ['<AmtDtls><InstdAmt><Amt Ccy="DEM">0.123456</Amt></InstdAmt></AmtDtls>', 'amountFormat', 'AmtDtls/InstdAmt/Amt'],
  ['<AmtDtls><InstdAmt><Amt>1</Amt></InstdAmt></AmtDtls>', 'missing', 'AmtDtls/InstdAmt/Amt/@Ccy'],
  ['<Chrgs><Rcrd/></Chrgs>', 'missing', 'Chrgs[1]/Rcrd[1]/Amt'],
  ['<Amt Ccy="EUR">11</Amt>', 'twice', 'Amt[2]'],
  ['<NtryDtls><Btch><NbOfTxs>1.5</NbOfTxs></Btch></NtryDtls>', 'number', 'NtryDtls[1]/Btch/NbOfTxs'],
])('%s is refused: %s', async (rest, problem, end) => {
  expect(await second({ rest })).toMatchObject({ problem, path: `${path}/${end}` });
});

test('a direction is one of two', async () => {
  expect(await second({ sign: 'CREDIT' })).toEqual({
    problem: 'direction',
    path: `${path}/CdtDbtInd`,
    value: 'CREDIT',
  });
});

test('what a refusal quotes is short, and nothing in it steers a terminal', async () => {
  const answer = await second({ amount: `\u009b31m${'9'.repeat(500)}` });
  expect(answer).toMatchObject({ problem: 'amountFormat', value: `\ufffd31m${'9'.repeat(196)}…` });
});
