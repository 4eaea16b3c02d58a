import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BatchLimits, batching, outcomeOf } from './batching.ts';

/** Serves groups one step at a time, so that a test sees which travel together. */
function station(limits: Partial<BatchLimits> = {}, apart: (item: string) => readonly string[] = () => []) {
  const groups: string[][] = [];
  const gates: (() => void)[] = [];
  const failing = new Set<string>();
  let most = 0;
  let busy = 0;
  const serve = batching<string, string>({
    connections: 1,
    most: 32,
    ...limits,
    apart,
    isHopeless: (error) => String(error).includes('outage'),
    async run(items) {
      groups.push([...items]);
      busy += 1;
      most = Math.max(most, busy);
      await new Promise<void>((resolve) => gates.push(resolve));
      busy -= 1;
      const broken = items.find((item) => failing.has(item));
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
    failing,
    mostBusy: () => most,
    next,
    async all() {
      for (let left = 20; left > 0; left -= 1) await next();
    },
  };
}

function refuse(item: string): never {
  throw new Error(`refused ${item}`);
}

test('what comes in one turn travels together; what comes later waits for a connection and then travels together', async () => {
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
  expect(await all).toMatchObject([{ value: 'a!' }, { reason: { message: 'refused no' } }, { value: 'b!' }]);
});

test('a group that fails is served one by one, and only the item that fails by itself is told so', async () => {
  const { serve, groups, failing, all } = station();
  failing.add('b');
  const asked = Promise.allSettled([serve('a'), serve('b'), serve('c')]);
  await all();
  expect(await asked).toMatchObject([{ value: 'a!' }, { reason: { message: 'b' } }, { value: 'c!' }]);
  expect(groups).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
});

test('an outage is told to all at once', async () => {
  const { serve, groups, failing, all } = station();
  failing.add('outage');
  const asked = Promise.allSettled([serve('a'), serve('outage')]);
  await all();
  expect(await asked).toMatchObject([{ reason: { message: 'outage' } }, { reason: { message: 'outage' } }]);
  expect(groups).toEqual([['a', 'outage']]);
});

test('of any items each is answered once, none travels with one that it is apart from, those apart keep their order, and limits hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 8 }),
      async (keys, connections, most) => {
        const { serve, groups, mostBusy, next } = station({ connections, most }, (item) => [item.slice(0, 1)]);
        const items = keys.map((key, index) => `${key}${index}`);
        const answers = Promise.all(items.map(serve));
        for (let left = items.length + 1; left > 0; left -= 1) await next();
        expect(await answers).toEqual(items.map((item) => `${item}!`));
        expect(groups.flat().toSorted()).toEqual(items.toSorted());
        expect(mostBusy()).toBeLessThanOrEqual(connections);
        for (const group of groups) {
          expect(group.length).toBeLessThanOrEqual(most);
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
