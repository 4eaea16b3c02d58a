/** A closed loop: so many workers, each starting its next operation when the last one has answered. */

export interface Load {
  inFlight: number;
  milliseconds: number;
}

export interface Measure {
  /** Items done a second; an operation may do several. */
  perSecond: number;
  /** Of one operation, in milliseconds. */
  p50: number;
  p99: number;
  failures: number;
  items: number;
}

/** Returns how many items it has processed. */
export type Operation = (worker: number) => Promise<number>;

/** Runs the operation for a while; an operation that fails counts as a failure and not as an item. */
export async function measure(operation: Operation, load: Load): Promise<Measure> {
  const latencies: number[] = [];
  let items = 0;
  let failures = 0;
  const startedAt = performance.now();
  const until = startedAt + load.milliseconds;
  const worker = async (index: number) => {
    for (let began = performance.now(); began < until; began = performance.now()) {
      try {
        const done = await operation(index);
        items += done;
      } catch (error) {
        failures += 1;
        if (failures === 1) console.error(`an operation failed: ${String(error)}`);
        if (failures > 100) throw error;
      }
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: load.inFlight }, (_, index) => worker(index)));
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    perSecond: items / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    failures,
    items,
  };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
