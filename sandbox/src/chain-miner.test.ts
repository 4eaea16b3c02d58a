import { expect, test, vi } from 'vitest';
import type { ChainEngine } from './chain-engine.ts';
import { createMiner } from './chain-miner.ts';

test('a transaction that comes in while a block is made asks for the next one after it', async () => {
  vi.useFakeTimers();
  const tip = { height: 0, timestamp: 0, lastTransactionHeight: 0 };
  const making: (() => void)[] = [];
  const engine = {
    tip: () => ({ ...tip }),
    mine: () => new Promise<void>((resolve) => making.push(resolve)),
  } as unknown as ChainEngine;
  const miner = createMiner(() => engine, { auto: true, depth: 3, blockIntervalMs: 5 });
  const blockWith = async (transactions: number) => {
    tip.height += 1;
    if (transactions > 0) tip.lastTransactionHeight = tip.height;
    making.shift()?.();
    await vi.advanceTimersByTimeAsync(100);
  };
  miner.wake();
  await vi.advanceTimersByTimeAsync(100);
  miner.wake();
  await vi.advanceTimersByTimeAsync(100);
  expect(making).toHaveLength(1);
  await blockWith(1);
  for (const depth of [1, 2, 3]) {
    expect(making).toHaveLength(1);
    await blockWith(0);
    expect(tip.height - tip.lastTransactionHeight).toBe(depth);
  }
  expect(making).toHaveLength(0);
  miner.stop();
  vi.useRealTimers();
});
