import { type Load, type Measure, measure, median, type Operation } from './load.ts';
import type { ProcessorTime } from './processor-time.ts';

/** One of those that run against each other on the same database. */
export interface Contestant {
  name: string;
  operation: Operation;
  /** Before each of its turns; not measured. */
  prepare?: () => Promise<void>;
  /** Whose processor time its operations take, by name. */
  processors?: Readonly<Record<string, ProcessorTime>>;
  /** Operations of each worker before the first round; 12 when not given. */
  warming?: number;
}

export interface Standing {
  name: string;
  rounds: readonly Measure[];
  /** Medians over the rounds. */
  perSecond: number;
  p50: number;
  p99: number;
  /** Microseconds for an item, by the name of the process. */
  processor: Readonly<Record<string, number>>;
}

export class Contest {
  readonly #standings: readonly Standing[];

  constructor(standings: readonly Standing[]) {
    this.#standings = standings;
  }

  get standings(): readonly Standing[] {
    return this.#standings;
  }

  of(name: string): Standing {
    const standing = this.#standings.find((one) => one.name === name);
    if (!standing) throw new Error(`${name} did not take part`);
    return standing;
  }

  /** The median of the ratios of the rounds: what each did in the same round, in the same second or two. */
  ratio(name: string, against: string, figure: 'perSecond' | 'p50' | 'p99' = 'perSecond'): number {
    const other = this.of(against).rounds;
    return median(this.of(name).rounds.map((round, i) => round[figure] / (other[i]?.[figure] ?? Number.NaN)));
  }
}

interface Metered extends Measure {
  processor: Record<string, number>;
}

/** One turn, with the processor time that each item took. */
async function metered({ operation, processors = {} }: Contestant, load: Load): Promise<Metered> {
  const names = Object.keys(processors);
  const read = () => names.map((name) => processors[name]?.() ?? 0);
  const before = read();
  const measured = await measure(operation, load);
  const after = read();
  const each = names.map((name, i) => [name, ((after[i] ?? 0) - (before[i] ?? 0)) / measured.items] as const);
  return { ...measured, processor: Object.fromEntries(each) };
}

function mediansOf(rounds: readonly Metered[]): Record<string, number> {
  const names = Object.keys(rounds[0]?.processor ?? {});
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((one) => one.processor[name] ?? 0))]));
}

async function warm({ operation, warming = 12 }: Contestant, inFlight: number): Promise<void> {
  const worker = async (index: number) => {
    for (let i = 0; i < warming; i++) await operation(index);
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => worker(index)));
}

/**
 * Runs the contestants one after another, round by round, so that what else the machine does falls on all alike; each
 * round begins with another of them. Beforehand each worker runs some operations, which warms its connection: PostgreSQL
 * plans each statement of a function five times before it settles on a plan. `settle` comes after that, and some more
 * operations after it: what a database does for itself in its first minutes.
 */
export async function contest(
  contestants: readonly Contestant[],
  load: Load,
  rounds: number,
  settle?: () => Promise<void>,
): Promise<Contest> {
  const measures = contestants.map((): Metered[] => []);
  for (const contestant of contestants) {
    await contestant.prepare?.();
    await warm(contestant, load.inFlight);
  }
  await settle?.();
  if (settle) for (const contestant of contestants) await warm(contestant, load.inFlight);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const index = (round + turn) % contestants.length;
      const contestant = contestants[index];
      if (!contestant) continue;
      await contestant.prepare?.();
      measures[index]?.push(await metered(contestant, load));
    }
  }
  return new Contest(
    contestants.map(({ name }, i) => {
      const own = measures[i] ?? [];
      return {
        name,
        rounds: own,
        perSecond: median(own.map((one) => one.perSecond)),
        p50: median(own.map((one) => one.p50)),
        p99: median(own.map((one) => one.p99)),
        processor: mediansOf(own),
      };
    }),
  );
}
