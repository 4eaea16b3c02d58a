import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { startLoop, stopAll } from './loop.ts';

const log = pino({ level: 'silent' });
const base = { name: 'test', log };
/** So long that a test in which it passes fails. */
const neverMs = 3_600_000;

test('whatever its steps do, a loop runs one at a time, goes on after errors, and none after its stop', async () => {
  const outcome = fc.record({
    lastsMs: fc.integer({ min: 0, max: 2 }),
    ends: fc.constantFrom('well', 'badly', 'again'),
  });
  const plan = fc.record({
    outcomes: fc.array(outcome, { minLength: 1, maxLength: 8 }),
    wakesAtMs: fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 4 }),
    stopsAtMs: fc.integer({ min: 0, max: 15 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ outcomes, wakesAtMs, stopsAtMs }) => {
      let [running, begun, isStopped] = [0, 0, false];
      const loop = startLoop({
        ...base,
        everyMs: 1,
        retry: { firstMs: 1, mostMs: 2 },
        async step() {
          expect({ running, isStopped }).toEqual({ running: 0, isStopped: false });
          const { lastsMs, ends } = outcomes[begun % outcomes.length] ?? { lastsMs: 0, ends: 'well' };
          running += 1;
          begun += 1;
          await delay(lastsMs);
          running -= 1;
          if (ends === 'badly') throw new Error('the step failed');
          return ends === 'again' ? 0 : undefined;
        },
      });
      const waking = wakesAtMs.map((ms) => delay(ms).then(() => loop.wake()));
      await delay(stopsAtMs);
      await loop.stop();
      expect(running).toBe(0);
      isStopped = true;
      const before = begun;
      await Promise.all(waking);
      await delay(3);
      expect(begun).toBe(before);
      expect(begun).toBeGreaterThan(0);
    }),
    { numRuns: 60 },
  );
});

test('a stop during a step aborts its signal and waits for its end', async () => {
  let end = (): void => undefined;
  let aborted = false;
  const loop = startLoop({
    ...base,
    everyMs: 1,
    step: (signal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        end = resolve;
      }),
  });
  const stopped = vi.fn();
  await delay(2);
  const stopping = loop.stop().then(stopped);
  await delay(5);
  expect(aborted).toBe(true);
  expect(stopped).not.toHaveBeenCalled();
  end();
  await stopping;
});

test('a wake-up ends the pause, and one during a step leaves the pause after it out', async () => {
  let ends: (() => void)[] = [];
  const step = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const loop = startLoop({ ...base, everyMs: neverMs, step });
  const endStep = () => {
    for (const end of ends) end();
    ends = [];
  };
  await vi.waitFor(() => expect(step).toHaveBeenCalledTimes(1), { timeout: 20_000 });
  endStep();
  await delay(2);
  loop.wake();
  await vi.waitFor(() => expect(step).toHaveBeenCalledTimes(2), { timeout: 20_000 });
  loop.wake();
  loop.wake();
  endStep();
  await vi.waitFor(() => expect(step).toHaveBeenCalledTimes(3), { timeout: 20_000 });
  endStep();
  await delay(5);
  expect(step).toHaveBeenCalledTimes(3);
  await loop.stop();
});

test('the pause after failures doubles up to its limit, and begins anew after a step that went well', async () => {
  const pauses: number[] = [];
  const loop = startLoop({
    ...base,
    log: { warn: ({ pauseMs }: { pauseMs: number }) => pauses.push(pauseMs) } as unknown as typeof log,
    everyMs: 1,
    retry: { firstMs: 1, mostMs: 4 },
    step() {
      if (pauses.length !== 4) throw new Error('the step failed');
      pauses.push(0);
    },
  });
  await vi.waitFor(() => expect(pauses.length).toBeGreaterThan(6), { timeout: 20_000 });
  await loop.stop();
  expect(pauses.slice(0, 7)).toEqual([1, 2, 4, 4, 0, 1, 2]);
});

test('of loops that must be alone, one runs; when it stops, another takes over', async () => {
  const db = await testDatabase();
  const begun = [0, 0];
  const loops = begun.map((_, index) =>
    startLoop({
      ...base,
      everyMs: 5,
      alone: { database: db.worker, lock: 'test/alone' },
      step() {
        begun[index] = (begun[index] ?? 0) + 1;
      },
    }),
  );
  try {
    await vi.waitFor(() => expect(Math.max(...begun)).toBeGreaterThan(3), { timeout: 20_000 });
    const first = begun.findIndex((steps) => steps > 0);
    const second = 1 - first;
    expect(begun[second]).toBe(0);
    await loops[first]?.stop();
    const last = begun[first];
    await vi.waitFor(() => expect(begun[second]).toBeGreaterThan(3), { timeout: 20_000 });
    expect(begun[first]).toBe(last);
  } finally {
    await stopAll(loops);
    await db.close();
  }
});
