import type { Stage, TimelineEntry } from '@causeway/contract/transactions.ts';
import { describe, expect, it } from 'vitest';
import { timelineSteps } from './timeline-steps.ts';

const at = (stage: Stage): TimelineEntry => ({
  stage,
  at: '2026-11-21T10:00:00.000Z',
  actor: null,
  hash: null,
  reason: null,
  confirmations: null,
});
const row = (steps: ReturnType<typeof timelineSteps>) =>
  steps.map(({ stage, entry }) => (entry ? stage : `(${stage})`));

describe('the timeline of a transfer', () => {
  it('shows what is still to come, and what goes on now', () => {
    const steps = timelineSteps({ type: 'chain_withdraw', status: 'pending', stage: 'broadcast' }, [
      at('submitted'),
      at('approved'),
      at('signing'),
      at('broadcast'),
    ]);
    expect(row(steps)).toEqual(['submitted', 'approved', 'signing', 'broadcast', '(confirming)', '(completed)']);
    expect(steps.filter(({ active }) => active).map(({ stage }) => stage)).toEqual(['broadcast']);
  });

  it('keeps a replaced payment on its way', () => {
    const steps = timelineSteps({ type: 'chain_withdraw', status: 'pending', stage: 'replaced' }, [
      at('submitted'),
      at('signing'),
      at('broadcast'),
      at('replaced'),
    ]);
    expect(row(steps).slice(-2)).toEqual(['(confirming)', '(completed)']);
  });

  it('ends with what ended it', () => {
    const steps = timelineSteps({ type: 'chain_withdraw', status: 'failed', stage: 'cancelled' }, [
      at('submitted'),
      at('cancelled'),
    ]);
    expect(row(steps)).toEqual(['submitted', 'cancelled']);
    expect(steps.some(({ active }) => active)).toBe(false);
  });
});

describe('a stage that is over', () => {
  const overOf = (status: 'pending' | 'failed' | 'completed', stages: Stage[]) =>
    timelineSteps({ type: 'chain_withdraw', status, stage: stages.at(-1) ?? 'submitted' }, stages.map(at))
      .filter(({ entry }) => entry !== null)
      .map(({ over }) => over);

  it('is done when the next one was reached, also behind a payment that was sent again', () => {
    expect(overOf('pending', ['approved', 'signing', 'broadcast', 'replaced'])).toEqual(['done', 'done', 'cut', null]);
    expect(overOf('completed', ['approved', 'signing', 'broadcast', 'confirming', 'completed'])).toEqual([
      'done',
      'done',
      'done',
      'done',
      'cut',
    ]);
  });

  it('is not done when it failed, or went back', () => {
    expect(overOf('failed', ['approved', 'signing', 'failed'])).toEqual(['done', 'cut', 'cut']);
    expect(overOf('pending', ['signing', 'approved'])).toEqual(['cut', null]);
  });
});

it('the timeline of a deposit leads to the credit', () => {
  const steps = timelineSteps({ type: 'chain_deposit', status: 'pending', stage: 'seen' }, [at('seen')]);
  expect(row(steps)).toEqual(['seen', '(confirming)', '(credited)']);
});

it('promises nothing for types whose way it does not know', () => {
  const steps = timelineSteps({ type: 'crypto_exchange_out', status: 'pending', stage: 'submitted' }, [
    at('submitted'),
  ]);
  expect(row(steps)).toEqual(['submitted']);
});
