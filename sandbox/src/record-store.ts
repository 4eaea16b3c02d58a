import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, writeDurably } from './durable-file.ts';
import { SandboxFailure } from './failure.ts';
import { type Journal, openJournal } from './journal.ts';

type Put = [collection: string, id: string, value: unknown];
type Records = Map<string, Map<string, unknown>>;

/** Records while one change is made: it sees what it has written itself. A record is replaced, never altered. */
export type RecordTx<Collections> = {
  get<N extends keyof Collections & string>(collection: N, id: string): Readonly<Collections[N]> | undefined;
  /** In the order in which they were first written. */
  all<N extends keyof Collections & string>(collection: N): Readonly<Collections[N]>[];
  put<N extends keyof Collections & string>(collection: N, id: string, value: Collections[N]): void;
};

export type RecordReader<Collections> = Pick<RecordTx<Collections>, 'get' | 'all'>;

export type RecordStore<Collections> = RecordReader<Collections> & {
  /** The ids of a collection, in the order in which they were first written. */
  keys(collection: keyof Collections & string): string[];
  /** Runs one change after another. It is on the disk, whole or not at all, when the promise resolves; one that throws changes nothing. */
  change<Result>(work: (tx: RecordTx<Collections>) => Result): Promise<Result>;
  close(): Promise<void>;
};

/** So many changes, and the next start begins with a snapshot of the records. */
const SNAPSHOT_AFTER = 4_000;

/**
 * A memory of records: a journal of changes over a snapshot. Each line of the journal is one change with all records it wrote. `owner` completes
 * "The file of …" when one is damaged.
 *
 * @throws SandboxFailure damaged
 */
export async function openRecordStore<Collections>(
  dir: string,
  owner: string,
  snapshotAfter = SNAPSHOT_AFTER,
): Promise<RecordStore<Collections>> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const snapshotFile = join(dir, 'snapshot.json');
  const snapshot = await readSnapshot(snapshotFile, owner);
  const records: Records = new Map();
  apply(records, snapshot.records);
  const segment = snapshot.segment;
  let journal: Journal<Put[]> = await openJournal(journalFile(dir, segment), isChange);
  for (const puts of journal.entries) apply(records, puts);
  if (journal.entries.length >= snapshotAfter) {
    await journal.close();
    // The snapshot names its journal: a stop between the two writes begins from the new snapshot and an empty journal.
    await writeDurably(snapshotFile, JSON.stringify({ segment: segment + 1, records: putsOf(records) }));
    journal = await openJournal(journalFile(dir, segment + 1), isChange);
    await rm(journalFile(dir, segment), { force: true });
  }

  let turn: Promise<unknown> = Promise.resolve();
  async function run<Result>(work: (tx: RecordTx<Collections>) => Result): Promise<Result> {
    const written: Records = new Map();
    const result = work({
      ...reader<Collections>(records, written),
      put: (collection, id, value) => apply(written, [[collection, id, value]]),
    });
    // The last value of each record alone: an account is written as often as it is booked on.
    const puts = putsOf(written);
    if (puts.length > 0) {
      await journal.append(puts);
      apply(records, puts);
    }
    return result;
  }

  return {
    ...reader<Collections>(records, new Map()),
    keys: (collection) => [...(records.get(collection)?.keys() ?? [])],
    change(work) {
      const done = turn.then(() => run(work));
      turn = done.catch(() => undefined);
      return done;
    },
    async close() {
      await turn;
      await journal.close();
    },
  };
}

function reader<Collections>(records: Records, written: Records): RecordReader<Collections> {
  return {
    get: <N extends keyof Collections & string>(collection: N, id: string) =>
      (written.get(collection)?.get(id) ?? records.get(collection)?.get(id)) as Readonly<Collections[N]> | undefined,
    all<N extends keyof Collections & string>(collection: N) {
      const own = written.get(collection);
      const kept = records.get(collection) ?? new Map<string, unknown>();
      const merged = own === undefined ? kept : new Map([...kept, ...own]);
      return [...merged.values()] as Readonly<Collections[N]>[];
    },
  };
}

function apply(records: Records, puts: readonly Put[]): void {
  for (const [collection, id, value] of puts) {
    const map = records.get(collection) ?? new Map<string, unknown>();
    records.set(collection, map.set(id, value));
  }
}

function putsOf(records: Records): Put[] {
  return [...records].flatMap(([name, map]) => [...map].map(([id, value]): Put => [name, id, value]));
}

const journalFile = (dir: string, segment: number): string => join(dir, `journal-${segment}.log`);

async function readSnapshot(file: string, owner: string): Promise<{ segment: number; records: Put[] }> {
  const known = await readJson(file);
  if (known === undefined) return { segment: 0, records: [] };
  if (typeof known === 'object' && known !== null && 'segment' in known && 'records' in known) {
    if (typeof known.segment === 'number' && isChange(known.records))
      return { segment: known.segment, records: known.records };
  }
  throw new SandboxFailure('damaged', `The file ${file} of ${owner} is damaged.`);
}

function isChange(value: unknown): value is Put[] {
  return (
    Array.isArray(value) &&
    value.every(
      (put) => Array.isArray(put) && put.length === 3 && typeof put[0] === 'string' && typeof put[1] === 'string',
    )
  );
}
