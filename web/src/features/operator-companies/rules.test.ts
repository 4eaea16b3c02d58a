import { expect, it } from 'vitest';
import { checkInvitation, checkNote, daysOfMonth, paymentsOf } from './rules.ts';

it.each([
  ['1', true],
  ['365', true],
  [' 30 ', true],
  ['0', false],
  ['366', false],
  ['1.5', false],
  ['', false],
  ['thirty', false],
])('an invitation for %j days: %j', (days, isFine) => {
  expect(checkInvitation({ note: 'Lantau', days }).ok).toBe(isFine);
});

it('a note and the name of whom an invitation is for are more than blanks', () => {
  expect(checkNote({ text: '  ' }).ok).toBe(false);
  expect(checkNote({ text: ' called ' })).toEqual({ ok: true, values: { text: 'called' } });
  expect(checkInvitation({ note: ' ', days: '3' }).ok).toBe(false);
  expect(checkInvitation({ note: 'x'.repeat(201), days: '3' }).ok).toBe(false);
});

it('figures lead to their rows: a company, a month with all of its days, an asset', () => {
  expect(daysOfMonth('2026-11')).toEqual({ from: '2026-11-01', to: '2026-11-30' });
  expect(daysOfMonth('2028-02').to).toBe('2028-02-29');
  expect(daysOfMonth('2026-12').to).toBe('2026-12-31');
  expect(paymentsOf('c', { from: '2026-11-01', to: '2026-11-30' }, 'USDT')).toBe(
    '/app/payments?company=c&status=completed&from=2026-11-01&to=2026-11-30&coin=USDT',
  );
});
