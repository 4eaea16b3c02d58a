import { stages } from '@causeway/contract/transactions-rules.ts';
import { expect, it } from 'vitest';
import { pendingTone, stageText } from './words.ts';

it('is amber for what waits for a person, and for nothing else', () => {
  expect(stages.filter((stage) => pendingTone({ stage }) === 'pending')).toEqual(['waiting_approval']);
  expect(pendingTone({ stage: 'confirming' })).toBe('progress');
  expect(pendingTone({ stage: 'confirming', heldUp: true })).toBe('pending');
});

it('says of a deposit that is seen that it waits for a block, as long as it has no confirmations to count', () => {
  const seen = { status: 'pending', stage: 'seen', confirmations: null } as const;
  expect(stageText(seen)).toBe('transactions.stage.waitingBlock');
  expect(stageText({ ...seen, confirmations: 0 })).toBe('transactions.stage.seen');
  expect(stageText({ ...seen, status: 'failed', stage: 'orphaned' })).toBe('transactions.stage.orphaned');
});
