import type { Locale } from '@causeway/contract/locale.ts';
import { expect, test } from 'vitest';
import { letterOf } from './letters.ts';
import type { Known } from './service/reading.ts';
import { exactly } from './values.ts';

const facts = { companyName: 'Jasmine Teas', publicUrl: 'https://causeway.example' };
const row = {
  ...{ token: 'a'.repeat(32), kind: 'single', title: 'Invoice 118', reference: '', note: '', payerName: 'Wong' },
  ...{ asset: 'HKD', decimals: 2, amountMinor: 100_000n, dueOn: null, reminderDays: [] as number[] },
};

/** To the payer of 1,000.00 HKD, of which so much has come. */
function letter(
  came: { paid?: bigint; pending?: bigint },
  locale: Locale = 'en-us',
  day: number | null = null,
  days = [] as number[],
) {
  const judgement = { paid: exactly(came.paid ?? 0n), pending: exactly(came.pending ?? 0n) };
  const standing = { kind: 'single', amountMinor: row.amountMinor };
  const known = { row: { ...row, reminderDays: days }, standing, judgement };
  return letterOf(known as unknown as Known, { ...facts, locale, day });
}
const amounts = (...given: Parameters<typeof letter>) =>
  letter(...given)
    .facts?.slice(1)
    .map(({ label, value }) => `${label}: ${value}`);

test.each([
  ['en-us', ['Amount: 1,000.00 HKD', 'Received: 999.99 HKD', 'Remaining: 0.01 HKD']],
  ['zh-hk', ['金額: 1,000.00 HKD', '已收款項: 999.99 HKD', '尚欠金額: 0.01 HKD']],
  ['zh-cn', ['金额: 1,000.00 HKD', '已收款项: 999.99 HKD', '待付金额: 0.01 HKD']],
] as const)('a payer who has paid a part reads in %s the amount, what has come and what lacks', (locale, lines) => {
  expect(amounts({ paid: 99_999n }, locale)).toEqual(lines);
});

test('what is being confirmed is said beside what has come, and before a payment the amount alone', () => {
  const [amount, rest] = ['Amount: 1,000.00 HKD', 'Remaining: 600.00 HKD'];
  expect(amounts({})).toEqual([amount]);
  expect(amounts({ pending: 40_000n })).toEqual([amount, 'Being confirmed: 400.00 HKD', rest]);
  expect(amounts({ paid: 10_000n, pending: 30_000n })).toEqual([
    ...[amount, 'Received: 100.00 HKD', 'Being confirmed: 300.00 HKD', rest],
  ]);
});

test('reminders can be stopped where there are some: not in a mail that is sent once by hand', () => {
  const stop = 'You can stop these reminders on the same page.';
  expect(letter({}).paragraphs).not.toContain(stop);
  expect(letter({}, 'en-us', null, [-1]).paragraphs).toContain(stop);
  expect(letter({}, 'en-us', 0, [0]).paragraphs).toContain(stop);
});
