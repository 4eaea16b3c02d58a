import { expect, test } from 'vitest';
import { timeCursor } from './page.ts';

const id = '01a20015-0000-7000-8000-000000000001';
const read = (time: string) => timeCursor(Buffer.from(JSON.stringify([time, id])).toString('base64url'));

test('a time that the database has is read as it is, to the microsecond', () => {
  for (const time of ['2026-02-28T23:59:59.999999Z', '2024-02-29T00:00:00.000001Z', '1969-12-31T12:00:00.500000Z']) {
    expect(read(time)).toEqual({ time, id });
  }
});

test.each([
  ['2026-02-31T00:00:00.000000Z'],
  ['2025-02-29T00:00:00.000000Z'],
  ['2026-01-01T24:00:00.000000Z'],
  ['2026-01-01T00:00:60.000000Z'],
  ['2026-13-01T00:00:00.000000Z'],
  ['0000-01-01T00:00:00.000000Z'],
])('%s is a time of no row', (time) => {
  expect(() => read(time)).toThrow(expect.objectContaining({ key: 'cursorInvalid' }));
});
