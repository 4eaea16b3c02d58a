import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError, errorFrom } from './api-error.ts';
import { isAvailable, noteOutage, watchOutages } from './service-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('asks until the service is back, says so once, and rests until the next outage', async () => {
  const answers = [() => Promise.reject(new Error('no answer')), async () => false, async () => true, async () => true];
  const ask = vi.fn(() => answers.shift()?.() ?? Promise.resolve(true));
  const onBack = vi.fn();
  const stop = watchOutages({ ask, onBack });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).not.toHaveBeenCalled();

  noteOutage();
  noteOutage();
  expect(isAvailable()).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(onBack).toHaveBeenCalledTimes(1);
  expect(isAvailable()).toBe(true);

  noteOutage();
  await vi.advanceTimersByTimeAsync(2000);
  expect(onBack).toHaveBeenCalledTimes(2);
  stop();
});

it('stops asking when it is stopped, even in the middle of a question', async () => {
  let answer: (available: boolean) => void = () => undefined;
  const ask = vi.fn(() => new Promise<boolean>((resolve) => (answer = resolve)));
  const onBack = vi.fn();
  const stop = watchOutages({ ask, onBack });
  noteOutage();
  await vi.advanceTimersByTimeAsync(2000);
  expect(ask).toHaveBeenCalledTimes(1);
  stop();
  answer(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(onBack).not.toHaveBeenCalled();
});

it.each([
  [new ApiError({ key: 'unavailable', status: 503 }), true],
  [new ApiError({ key: 'network', status: 0 }), true],
  [errorFrom(502, '<html>'), true],
  [errorFrom(504, null), true],
  [errorFrom(500, null), false],
  [new ApiError({ key: 'rateStale', status: 503 }), false],
  [new ApiError({ key: 'unexpected', status: 500 }), false],
  [new ApiError({ key: 'noPermission', status: 403 }), false],
])('tells an outage from other failures: %s', (error, outage) => {
  expect(error.isOutage).toBe(outage);
});
