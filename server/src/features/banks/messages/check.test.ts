import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arriving, bal, camt053, collected, ntry, type StatementPieces } from '../../../testing/bank-messages.ts';
import { readBankFile } from './read.ts';

async function endOf(pieces: StatementPieces) {
  const parts = await collected(readBankFile(arriving(camt053(pieces), 4096)));
  const end = parts.at(-1);
  if (end?.part !== 'statementEnd') throw new Error('no end');
  return end;
}
const text = (minor: number) => (minor / 100).toFixed(2);
const balance = (type: string, minor: number, date = '2026-11-20') =>
  bal(type, text(Math.abs(minor)), { sign: minor < 0 ? 'DBIT' : 'CRDT', date });

test('booked entries lead from the opening to the closing balance, and the difference is exact where they do not', async () => {
  const entry = fc.record({
    minor: fc.nat({ max: 1_000_000 }),
    sign: fc.constantFrom('CRDT', 'DBIT'),
    status: fc.constantFrom('BOOK', 'PDNG', 'INFO', 'FUTR'),
  });
  const history = fc.record({
    opening: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    entries: fc.array(entry, { maxLength: 12 }),
    off: fc.constantFrom(0, 0, 1, -25_000),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ opening, entries, off }) => {
      const moved = entries
        .filter(({ status }) => status === 'BOOK')
        .reduce((sum, { minor, sign }) => sum + (sign === 'CRDT' ? minor : -minor), 0);
      const { checks, findings } = await endOf({
        balances: balance('OPBD', opening) + balance('CLBD', opening + moved + off),
        entries: entries
          .map(({ minor, sign, status }) => ntry({ amount: text(minor), sign, state: `<Sts><Cd>${status}</Cd></Sts>` }))
          .join(''),
      });
      expect(checks).toMatchObject([{ difference: BigInt(off) }]);
      const differs = { finding: 'balancesDiffer', currency: 'EUR', difference: BigInt(off) };
      expect(findings).toEqual(off === 0 ? [] : [differs]);
    }),
    { numRuns: 60 },
  );
});

test.each([
  [
    'the previous closing balance opens',
    [
      ['PRCD', 500],
      ['CLBD', 1500],
    ],
    500n,
    1500n,
  ],
  [
    'opening before previous closing',
    [
      ['PRCD', 400],
      ['OPBD', 500],
      ['CLBD', 1500],
    ],
    500n,
    1500n,
  ],
  [
    'first page',
    [
      ['OPBD', 500],
      ['ITBD', 1500],
    ],
    500n,
    1500n,
  ],
  [
    'middle page',
    [
      ['ITBD', 500],
      ['ITBD', 1500],
    ],
    500n,
    1500n,
  ],
  [
    'last page',
    [
      ['ITBD', 500],
      ['CLBD', 1500],
    ],
    500n,
    1500n,
  ],
  [
    'available balances do not count',
    [
      ['OPBD', 500],
      ['CLBD', 1500],
      ['CLAV', 99],
      ['FWAV', 98],
    ],
    500n,
    1500n,
  ],
  ['one balance alone leads nowhere', [['CLBD', 1500]], undefined, 1500n],
] as const)('%s', async (_, balances, opening, closing) => {
  const { checks } = await endOf({
    balances: balances.map(([type, minor]) => balance(type, minor)).join(''),
    entries: ntry(),
  });
  expect([checks[0]?.opening?.minor, checks[0]?.closing?.minor]).toEqual([opening, closing]);
  expect(checks[0]?.difference).toBe(opening === undefined ? null : 0n);
});

test('of the balances of several days the first opens and the last closes', async () => {
  const days =
    balance('OPBD', 600, '2026-11-20') + balance('CLBD', 600, '2026-11-19') + balance('CLBD', 1600, '2026-11-20');
  const { checks } = await endOf({ balances: balance('OPBD', 600, '2026-11-19') + days, entries: ntry() });
  expect(checks).toMatchObject([{ opening: { minor: 600n }, closing: { minor: 1600n }, difference: 0n }]);
});

test('each currency of an account is added up by itself', async () => {
  const usd = bal('OPBD', '0', { currency: 'USD' }) + bal('CLBD', '7', { currency: 'USD' });
  const { checks } = await endOf({
    balances: balance('OPBD', 0) + balance('CLBD', 1000) + usd,
    entries: ntry() + ntry({ currency: 'USD', amount: '7' }) + ntry({ currency: 'CHF', amount: '1' }),
  });
  expect(checks.map(({ currency, difference }) => [currency, difference])).toEqual([
    ['EUR', 0n],
    ['USD', 0n],
    ['CHF', null],
  ]);
});

test('what the bank counts, and a batch and its parts, are compared', async () => {
  const detail = (amount: string, rest = '') =>
    `<TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>${rest}</TxDtls>`;
  const batch = (...details: string[]) => `<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>${details.join('')}</NtryDtls>`;
  const summary = '<TxsSummry><TtlNtries><NbOfNtries>9</NbOfNtries></TtlNtries></TxsSummry>';
  const { findings } = await endOf({
    balances: balance('OPBD', 0) + balance('CLBD', 4000) + summary,
    entries:
      ntry({ rest: batch(detail('4'), detail('6')) }) +
      ntry({ rest: batch(detail('4'), detail('5')) }) +
      ntry({ rest: batch(detail('10')) }) +
      ntry({ rest: batch(detail('4'), detail('6.5', '<Chrgs><Rcrd><Amt Ccy="EUR">0.5</Amt></Rcrd></Chrgs>')) }),
  });
  expect(findings).toEqual([
    { finding: 'sumDiffers', entry: 2, difference: 100n, currency: 'EUR' },
    { finding: 'batchCountDiffers', entry: 3, said: 2, found: 1 },
    { finding: 'countDiffers', said: 9, found: 4 },
  ]);
});
