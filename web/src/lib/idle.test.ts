import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchIdle } from './idle.ts';
import { remember } from './storage.ts';

const timings = { timeout_ms: 900_000, sample_ms: 500, warning_ms: 3000, report_ms: 60_000 };

function watch(target = new EventTarget()) {
  const handlers = { onWarn: vi.fn(), onEnd: vi.fn(), onReport: vi.fn() };
  const stop = watchIdle(target, timings, handlers);
  return { ...handlers, stop, move: () => target.dispatchEvent(new Event('mousemove')), target };
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T09:00:00Z') });
  remember('activity', null);
  remember('activity-reported', null);
});
afterEach(() => vi.useRealTimers());

describe('fifteen minutes without mouse or key', () => {
  it('warns at 900000 ms and ends 3 seconds later', () => {
    const idle = watch();
    vi.advanceTimersByTime(899_999);
    expect(idle.onWarn).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(idle.onWarn).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(2999);
    expect(idle.onEnd).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(idle.onEnd).toHaveBeenCalledOnce();
    idle.stop();
  });

  it('counts from the last movement', () => {
    const idle = watch();
    vi.advanceTimersByTime(600_000);
    idle.move();
    vi.advanceTimersByTime(899_999);
    expect(idle.onWarn).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(idle.onWarn).toHaveBeenCalledOnce();
    idle.stop();
  });

  it('is not taken back by a movement during the warning', () => {
    const idle = watch();
    vi.advanceTimersByTime(900_000);
    idle.move();
    vi.advanceTimersByTime(3000);
    expect(idle.onEnd).toHaveBeenCalledOnce();
    idle.stop();
  });

  it('looks at movements no more than every 500 ms', () => {
    const idle = watch();
    idle.move();
    vi.advanceTimersByTime(499);
    idle.move();
    vi.advanceTimersByTime(900_000 - 499);
    expect(idle.onWarn).toHaveBeenCalledOnce();
    idle.stop();
  });

  it('tells the server at most once a minute', () => {
    const idle = watch();
    for (let second = 0; second < 121; second += 1) {
      idle.move();
      vi.advanceTimersByTime(1000);
    }
    expect(idle.onReport).toHaveBeenCalledTimes(3);
    idle.stop();
  });

  it('counts the tabs of a browser as one', () => {
    const here = watch();
    const there = watch();
    vi.advanceTimersByTime(600_000);
    there.move();
    vi.advanceTimersByTime(300_000);
    expect(here.onWarn).not.toHaveBeenCalled();
    vi.advanceTimersByTime(600_000);
    expect(here.onWarn).toHaveBeenCalledOnce();
    here.stop();
    there.stop();
  });

  it('is over for a machine that slept through it, even if the mouse comes before the clock', () => {
    const idle = watch();
    idle.move();
    vi.setSystemTime(new Date('2026-11-21T12:00:00Z'));
    idle.move();
    expect(idle.onWarn).toHaveBeenCalledOnce();
    idle.stop();
  });

  it('is forgotten when the watch stops', () => {
    const idle = watch();
    idle.stop();
    vi.advanceTimersByTime(1_000_000);
    expect(idle.onWarn).not.toHaveBeenCalled();
  });
});
