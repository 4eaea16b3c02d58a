import { expect, it } from 'vitest';
import { stepsOf } from './points.ts';

it('every step of the time shown has its rate, or none', () => {
  const history = { from: '2026-11-25T10:05:00.000Z', to: '2026-11-25T10:45:00.000Z', stepSeconds: 600 };
  const points = [
    { at: '2026-11-25T10:10:00.000Z', rate: '3000' },
    { at: '2026-11-25T10:40:00.000Z', rate: '3010' },
    { at: '2026-11-25T10:00:00.000Z', rate: '1' },
  ];
  expect(stepsOf({ ...history, points }).map(({ at, value }) => [at.slice(11, 16), value])).toEqual([
    ['10:10', '3000'],
    ['10:20', null],
    ['10:30', null],
    ['10:40', '3010'],
  ]);
});
