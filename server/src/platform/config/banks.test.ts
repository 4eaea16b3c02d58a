import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { exampleBank, exampleText } from '../../testing/bank-registry.ts';
import { readBanks } from './banks.ts';

const dir = mkdtempSync(join(tmpdir(), 'causeway-banks-'));
afterAll(() => rmSync(dir, { recursive: true }));

function read(text: string) {
  const file = join(dir, 'banks.json');
  writeFileSync(file, text);
  return readBanks(file);
}

type Json = { banks: Record<string, unknown>[] };
function changed(change: (bank: Record<string, unknown>) => void): string {
  const content = JSON.parse(exampleText()) as Json;
  const [bank] = content.banks;
  if (bank) change(bank);
  return JSON.stringify(content);
}

describe('the file of banks', () => {
  test('the install kit’s file is read, with defaults for fields that it leaves out', () => {
    const { id, enabled, accounts, currencies } = exampleBank();
    expect({ id, enabled, accounts }).toEqual({
      id: 'first',
      enabled: true,
      accounts: { prefix: '999001', digits: 7, first: 1 },
    });
    expect(currencies.map(({ currency, fee, minimum, days }) => [currency, fee, minimum, days])).toEqual([
      ['HKD', '0', undefined, [0, 2]],
      ['USD', '10', undefined, [1, 3]],
      ['JPY', '0', '100', [1, 3]],
    ]);
  });

  test.each<[string, string, RegExp]>([
    ['no JSON', '{', /cannot be read/],
    [
      'an unknown currency',
      changed((bank) => Object.assign(bank, { calendars: ['ZZZ'] })),
      /banks\.0\.calendars\.0: is not a currency/,
    ],
    [
      'a time zone that is none',
      changed((bank) => Object.assign(bank, { timeZone: 'Asia/Nowhere' })),
      /timeZone: wants a time zone/,
    ],
    [
      'another country’s clearing system',
      changed((bank) => Object.assign(bank, { clearingSystem: 'GBDSC' })),
      /is not a clearing system of HK/,
    ],
    [
      'a clearing code of another form',
      changed((bank) => Object.assign(bank, { clearingCode: '99' })),
      /no member's number of HKNCC/,
    ],
    ['a clearing code without its system', changed((bank) => delete bank['clearingSystem']), /together/],
    ['a wrong name of a part', changed((bank) => Object.assign(bank, { cutoff: '17:00' })), /cutoff/],
    [
      'days the wrong way round',
      changed((bank) => Object.assign((bank['currencies'] as object[])[0] ?? {}, { days: [3, 1] })),
      /at least, then at most/,
    ],
    [
      'a cut-off that is no time',
      changed((bank) => Object.assign((bank['currencies'] as object[])[0] ?? {}, { cutOff: '5pm' })),
      /HH:MM/,
    ],
    [
      'a currency twice',
      changed((bank) => (bank['currencies'] as object[]).push((bank['currencies'] as object[])[0] ?? {})),
      /names HKD twice/,
    ],
    ['a bank twice', JSON.stringify({ banks: [exampleBank(), exampleBank()] }), /names first twice/],
  ])('with %s is refused', (_, text, reason) => {
    expect(() => read(text)).toThrow(reason);
  });
});
