import { describe, expect, it } from 'vitest';
import { checkFreeze, freezeBody, noFreeze } from './freeze-rules.ts';

const wrong = (values: Partial<typeof noFreeze>) => {
  const checked = checkFreeze({ ...noFreeze, ...values });
  return checked.ok ? [] : checked.problems.map(({ path }) => path.join('.'));
};

describe('what is asked before something is frozen', () => {
  it('is a reason and a note', () => {
    expect(wrong({})).toEqual(['reason', 'note']);
    expect(wrong({ reason: 'asked', note: 'call of Monday' })).toEqual([]);
    expect(wrong({ reason: 'asked', note: 'x'.repeat(501) })).toEqual(['note']);
  });

  it('is the operator’s own words in each language where no reason says it', () => {
    expect(wrong({ reason: 'other', note: 'n' })).toEqual(['en', 'hk', 'cn']);
    expect(wrong({ reason: 'other', note: 'n', en: 'a', hk: '甲', cn: 'x'.repeat(301) })).toEqual(['cn']);
  });

  it('sends the words with that reason alone', () => {
    const values = { ...noFreeze, note: ' n ', en: ' a ', hk: '甲', cn: '乙' };
    expect(freezeBody({ ...values, reason: 'other' })).toEqual({
      reason: 'other',
      note: 'n',
      texts: { 'en-us': 'a', 'zh-hk': '甲', 'zh-cn': '乙' },
    });
    expect(freezeBody({ ...values, reason: 'asked' })).toEqual({ reason: 'asked', note: 'n' });
  });
});
