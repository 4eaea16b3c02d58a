import { beforeEach, expect, it, vi } from 'vitest';
import { dismissFailures, dismissToast, shownToasts, toast } from './toasts.ts';

const texts = () => shownToasts().map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers();
  for (const { id } of shownToasts()) dismissToast(id);
});

it('shows the last two, each text once, and of what is wrong the last', () => {
  toast('success', 'first');
  toast('error', 'second');
  toast('error', 'second');
  expect(texts()).toEqual(['first', 'second']);
  toast('success', 'third');
  expect(texts()).toEqual(['second', 'third']);
  toast('error', 'fourth');
  expect(texts()).toEqual(['third', 'fourth']);
});

it('takes failures away with the page they are about, and nothing else', () => {
  toast('error', 'The verification code is not right');
  toast('error', 'Signed out', { lasting: true });
  dismissFailures();
  expect(texts()).toEqual(['Signed out']);
  toast('success', 'Added');
  dismissFailures();
  expect(texts()).toEqual(['Signed out', 'Added']);
});

it('goes away after its time, an error later than the rest', () => {
  toast('error', 'failed');
  toast('success', 'done');
  vi.advanceTimersByTime(4_000);
  expect(texts()).toEqual(['failed']);
  vi.advanceTimersByTime(4_000);
  expect(texts()).toEqual([]);
});
