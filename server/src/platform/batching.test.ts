import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type BatchLimits, batching, outcomeOf } from './batching.ts';
import { DomainError } from './domain-error.ts';

/** Serves groups one step at a time, so that a test sees which travel together. */
function station(limits: Partial<BatchLimits> = {}, conflictKeys: (item: string) => readonly string[] = () => []) {
  const groups: string[][] = [];
  const alone: string[] = [];
  const gates: (() => void)[] = [];
  const failing = new Set<string>();
  let most = 0;
  let busy = 0;
  const serve = batching<string, string>({
    connections: 1,
    maxSize: 32,
    ...limits,
    conflictKeys,
    owner: (item) => item.slice(0, 1),
    failsForAll: (error) => String(error).includes('outage'),
    isHeldUp: (error) => String(error).includes('locked'),
    async run(items, isAlone) {
      groups.push([...items]);
      if (isAlone) alone.push(...items);
      busy += 1;
      most = Math.max(most, busy);
      await new Promise<void>((resolve) => gates.push(resolve));
      busy -= 1;
      const broken = items.find((item) => failing.has(item) || (!isAlone && item.includes('locked')));
      if (broken) throw new Error(broken);
      return items.map((item) => outcomeOf(() => (item.startsWith('no') ? refuse(item) : `${item}!`)));
    },
  });
  const turn = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** Lets the oldest group under way end. */
  const next = async () => {
    await turn();
    gates.shift()?.();
    await turn();
  };
  return {
    serve,
    groups,
    alone,
    failing,
    mostBusy: () => most,
    next,
    async all() {
      for (let left = 20; left > 0; left -= 1) await next();
    },
  };
}

function refuse(item: string): never {
  throw new DomainError('walletNotFound', { item });
}

test('what comes in one turn is served together; what comes later waits for a connection and is then served together', async () => {
  const { serve, groups, next } = station();
  const first = [serve('a'), serve('b')];
  await next();
  expect(await Promise.all(first)).toEqual(['a!', 'b!']);

  const alone = serve('c');
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = [serve('d'), serve('e'), serve('f')];
  await next();
  await next();
  expect(await Promise.all([alone, ...waiting])).toEqual(['c!', 'd!', 'e!', 'f!']);
  expect(groups).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f']]);
});

test('a refusal concerns its item alone', async () => {
  const { serve, next } = station();
  const all = Promise.allSettled([serve('a'), serve('no'), serve('b')]);
  await next();
  expect(await all).toMatchObject([{ value: 'a!' }, { reason: { key: 'walletNotFound' } }, { value: 'b!' }]);
});

test('a group that fails is served one by one, and only the item that fails by itself is refused', async () => {
  const { serve, groups, failing, all } = station();
  failing.add('b');
  const asked = Promise.allSettled([serve('a'), serve('b'), serve('c')]);
  await all();
  expect(await asked).toMatchObject([{ value: 'a!' }, { reason: { message: 'b' } }, { value: 'c!' }]);
  expect(groups).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
});

test('one that is held up by a lock, alone in its batch or not, waits beside the batches; others of its owner wait for it', async () => {
  const { serve, groups, alone, next, all } = station();
  const held = serve('a-locked');
  await next();
  const ofOwner = serve('a');
  const other = serve('b');
  await new Promise((resolve) => setImmediate(resolve));
  // The one that is held up is still under way, and the other owner's batch is served meanwhile.
  expect(groups).toEqual([['a-locked'], ['a-locked'], ['b']]);
  await next();
  expect(await held).toBe('a-locked!');
  await all();
  expect(await Promise.all([ofOwner, other])).toEqual(['a!', 'b!']);
  expect(groups.at(-1)).toEqual(['a']);
  expect(alone).toEqual(['a-locked']);
});

test('what has waited for ten seconds is refused as unavailable when a connection comes back, and is not served', async () => {
  const { serve, groups, next } = station();
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const first = serve('a');
  await new Promise((resolve) => setImmediate(resolve));
  const old = Promise.allSettled([serve('b')]);
  await new Promise((resolve) => setImmediate(resolve));
  now.mockReturnValue(10_001);
  const fresh = serve('c');
  await next();
  expect(await first).toBe('a!');
  await next();
  now.mockRestore();
  expect(await old).toMatchObject([{ reason: { key: 'unavailable' } }]);
  expect(await fresh).toBe('c!');
  expect(groups).toEqual([['a'], ['c']]);
});

test('an item behind ten thousand is refused', async () => {
  const { serve, all } = station({ maxSize: 10_000 });
  const asked = Array.from({ length: 10_003 }, (_, index) => serve(`x${index}`));
  const answers = Promise.allSettled(asked);
  await all();
  const refused = (await answers).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: { key: 'unavailable' } });
});

test('an outage fails the whole batch at once', async () => {
  const { serve, groups, failing, all } = station();
  failing.add('outage');
  const asked = Promise.allSettled([serve('a'), serve('outage')]);
  await all();
  expect(await asked).toMatchObject([{ reason: { message: 'outage' } }, { reason: { message: 'outage' } }]);
  expect(groups).toEqual([['a', 'outage']]);
});

test('of any items each is answered once, none is served with one that it conflicts with, those that conflict keep their order, and limits hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 8 }),
      async (keys, connections, maxSize) => {
        const { serve, groups, mostBusy, next } = station({ connections, maxSize }, (item) => [item.slice(0, 1)]);
        const items = keys.map((key, index) => `${key}${index}`);
        const answers = Promise.all(items.map(serve));
        for (let left = items.length + 1; left > 0; left -= 1) await next();
        expect(await answers).toEqual(items.map((item) => `${item}!`));
        expect(groups.flat().toSorted()).toEqual(items.toSorted());
        expect(mostBusy()).toBeLessThanOrEqual(connections);
        for (const group of groups) {
          expect(group.length).toBeLessThanOrEqual(maxSize);
          expect(new Set(group.map((item) => item.slice(0, 1))).size).toBe(group.length);
        }
        for (const key of new Set(keys)) {
          const inOrder = groups.flat().filter((item) => item.startsWith(key));
          expect(inOrder).toEqual(items.filter((item) => item.startsWith(key)));
        }
      },
    ),
    { numRuns: 30 },
  );
});
