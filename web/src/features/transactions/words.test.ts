import { stages } from '@causeway/contract/transactions-rules.ts';
import { expect, it } from 'vitest';
import { pendingTone } from './words.ts';

it('is amber for what waits for a person, and for nothing else', () => {
  expect(stages.filter((stage) => pendingTone({ stage }) === 'pending')).toEqual(['waiting_approval']);
  expect(pendingTone({ stage: 'confirming' })).toBe('progress');
  expect(pendingTone({ stage: 'confirming', heldUp: true })).toBe('pending');
});
