import { setImmediate } from 'node:timers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asTheyCome, inTurns, slices, turnSize } from './turns.ts';

test('slices are all items in order, none longer than a turn, and at least one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4 * turnSize }), (count) => {
      const items = Array.from({ length: count }, (_, place) => place);
      const cut = [...slices(items)];
      expect(cut.flat()).toEqual(items);
      expect(cut).toHaveLength(Math.max(1, Math.ceil(count / turnSize)));
      expect(cut.every((slice) => slice.length <= turnSize)).toBe(true);
    }),
  );
});

test('what waits for the event loop goes between one item and the next', async () => {
  const order: string[] = [];
  function* items() {
    for (const item of ['a', 'b', 'c']) {
      order.push(`asked for ${item}`);
      setImmediate(() => order.push(`another request after ${item}`));
      yield item;
    }
  }
  await inTurns(items(), (item) => order.push(`took ${item}`));
  expect(order).toEqual(
    ['a', 'b', 'c'].flatMap((item) => [`asked for ${item}`, `took ${item}`, `another request after ${item}`]),
  );
});

test('results are taken in the order of their statements, each while those after it are still to come', async () => {
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const taken: [string, number][] = [];
  const done = asTheyCome([first.promise, second.promise], async (result, place) => {
    taken.push([result, place]);
    // The second comes only now: had both been waited for, neither would have been taken.
    second.resolve('b');
  });
  first.resolve('a');
  await done;
  expect(taken).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
});

test('the first statement that fails is the reason, and nothing behind it is taken', async () => {
  const taken: string[] = [];
  const failing = [Promise.resolve('a'), Promise.reject(new Error('first')), Promise.reject(new Error('aborted'))];
  await expect(asTheyCome(failing, async (result) => void taken.push(result))).rejects.toThrow('first');
  expect(taken).toEqual(['a']);
});
