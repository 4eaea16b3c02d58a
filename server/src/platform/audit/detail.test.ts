import { describe, expect, test } from 'vitest';
import { listSeparator, readDetail } from './detail.ts';

describe('the detail of an event', () => {
  test('says what changed, side by side, and leaves out what stayed', () => {
    const before = { name: 'Ops', quotaUsd: '10', people: ['a', 'b'], nodes: [{ needed: 1 }], same: 1 };
    const after = { name: 'Ops', quotaUsd: null, people: ['a'], nodes: [{ needed: 2 }, { needed: 1 }], same: 1 };
    expect(readDetail({ before, after, reason: 'asked' })).toEqual({
      changes: [
        { path: ['quotaUsd'], before: '10', after: null },
        { path: ['people'], before: ['a', 'b'].join(listSeparator), after: 'a' },
        { path: ['nodes', '0', 'needed'], before: '1', after: '2' },
        { path: ['nodes', '1', 'needed'], before: null, after: '1' },
      ],
      facts: [{ path: ['reason'], value: 'asked' }],
    });
  });

  test('of one field, of something new, of something gone', () => {
    expect(readDetail({ language: { before: 'en_US', after: 'zh_HK' } }).changes).toEqual([
      { path: ['language'], before: 'en_US', after: 'zh_HK' },
    ]);
    expect(readDetail({ after: { on: false } }).changes).toEqual([{ path: ['on'], before: null, after: 'false' }]);
    expect(readDetail({ opinion: ' ', people: [], texts: { text: 'control.value.on' } })).toEqual({
      changes: [],
      facts: [{ path: ['texts'], value: 'control.value.on' }],
    });
    expect(readDetail({ before: 'x' }).changes).toEqual([{ path: [], before: 'x', after: null }]);
    expect(readDetail({ label: 'P', list: ['a', 'b'], none: null })).toEqual({
      changes: [],
      facts: [
        { path: ['label'], value: 'P' },
        { path: ['list'], value: ['a', 'b'].join(listSeparator) },
      ],
    });
  });
});
