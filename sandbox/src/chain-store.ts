import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readJson, writeDurably } from './durable-file.ts';
import { SandboxFailure } from './failure.ts';
import { type Journal, openJournal } from './journal.ts';

/** Anything that changes the chain, with everything that decides its outcome, times of blocks included. */
export type ChainEntry =
  | { kind: 'transaction'; raw: string }
  | { kind: 'mine'; timestamps: number[] }
  | { kind: 'reorganise'; depth: number; timestamps: number[]; transactions: string[] }
  | { kind: 'set'; method: string; params: unknown[] };

/** How deep a reorganisation may go. Replay starts from a snapshot at least this far below the tip. */
export const DEEPEST_REORGANISATION = 64;

type Snapshot = { number: number; height: number; pending: string[] };

export type Replay = {
  genesisTimestamp: number;
  stateFile?: string;
  /** Transactions that were waiting in the pool when the state was saved; the state itself holds none. */
  pending: readonly string[];
  entries: readonly ChainEntry[];
};

export type ChainStore = {
  /** Where to begin after a stop or crash, and what to do again from there. */
  replay(): Promise<Replay>;
  append(entry: ChainEntry): Promise<void>;
  /** Entries since the last snapshot. */
  sinceSnapshot(): number;
  /** Saves a state (as `anvil_dumpState` gives it) and drops what no replay will need any more. */
  saveSnapshot(dump: string, height: number, pending: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * The chain's memory on disk: numbered segments of a journal, each but the first beginning at a snapshot. anvil
 * cannot go back behind the state it loaded, so the newest snapshot is not always the one to begin from: `replay`
 * takes the newest that lies deep enough and that no later reorganisation reached behind.
 *
 * @throws SandboxFailure damaged
 */
export async function openChainStore(dir: string): Promise<ChainStore> {
  await mkdir(dir, { recursive: true });
  const genesisTimestamp = await genesis(dir);
  let snapshots = await listSnapshots(dir);
  let current = snapshots.at(-1)?.number ?? 0;
  const first = snapshots[0]?.number ?? 0;
  const segments = new Map<number, ChainEntry[]>();
  let journal: Journal<ChainEntry> | undefined;
  for (let number = (await hasSegment(dir, 0)) ? 0 : first; number <= current; number += 1) {
    await journal?.close();
    journal = await openJournal(segmentFile(dir, number), isChainEntry);
    segments.set(number, [...journal.entries]);
  }
  if (journal === undefined) throw new SandboxFailure('damaged', `The chain's directory ${dir} holds no journal.`);
  let open = journal;

  function base(): Snapshot | undefined {
    let height = 0;
    let usable: Snapshot[] = [];
    for (const [number, entries] of [...segments].sort(([a], [b]) => a - b)) {
      const snapshot = snapshots.find((candidate) => candidate.number === number);
      if (snapshot !== undefined) {
        height = snapshot.height;
        usable.push(snapshot);
      }
      for (const entry of entries) {
        const reached = entry.kind === 'reorganise' ? height - entry.depth : height;
        usable = usable.filter((candidate) => candidate.height <= reached);
        height = reached + ('timestamps' in entry ? entry.timestamps.length : 0);
      }
    }
    return usable.findLast((snapshot) => snapshot.height <= height - DEEPEST_REORGANISATION);
  }

  async function prune(): Promise<void> {
    const keepFrom = base()?.number ?? 0;
    for (const number of [...segments.keys()].filter((known) => known < keepFrom)) {
      // The snapshot's own record goes first: without it the rest is no snapshot.
      for (const file of [recordFile(dir, number), stateFile(dir, number), segmentFile(dir, number)]) {
        await rm(file, { force: true });
      }
      segments.delete(number);
    }
    snapshots = snapshots.filter((snapshot) => snapshot.number >= keepFrom);
  }

  return {
    async replay() {
      const from = base();
      const entries = [...segments].filter(([number]) => number >= (from?.number ?? 0)).sort(([a], [b]) => a - b);
      return {
        genesisTimestamp,
        pending: from?.pending ?? [],
        entries: entries.flatMap(([, list]) => list),
        ...(from === undefined ? {} : { stateFile: stateFile(dir, from.number) }),
      };
    },
    async append(entry) {
      await open.append(entry);
      segments.get(current)?.push(entry);
    },
    sinceSnapshot: () => segments.get(current)?.length ?? 0,
    async saveSnapshot(dump, height, pending) {
      const number = current + 1;
      await writeDurably(stateFile(dir, number), gunzipSync(Buffer.from(dump.slice(2), 'hex')));
      await writeDurably(recordFile(dir, number), JSON.stringify({ number, height, pending }));
      await open.close();
      open = await openJournal(segmentFile(dir, number), isChainEntry);
      segments.set(number, []);
      snapshots.push({ number, height, pending: [...pending] });
      current = number;
      await prune();
    },
    close: () => open.close(),
  };
}

async function genesis(dir: string): Promise<number> {
  const file = join(dir, 'genesis.json');
  const known = await readJson(file);
  if (typeof known === 'object' && known !== null && 'timestamp' in known && typeof known.timestamp === 'number') {
    return known.timestamp;
  }
  // Replayed from another genesis the same changes would make another chain.
  if ((await readdir(dir)).some((name) => name.startsWith('segment-'))) {
    throw new SandboxFailure('damaged', `The local chain in ${dir} is damaged: its file genesis.json is missing.`);
  }
  const timestamp = Math.floor(Date.now() / 1000);
  await writeDurably(file, JSON.stringify({ timestamp }));
  return timestamp;
}

async function listSnapshots(dir: string): Promise<Snapshot[]> {
  const names = (await readdir(dir)).filter((name) => /^snapshot-\d+\.json$/.test(name));
  const found = await Promise.all(names.map((name) => readJson(join(dir, name))));
  return found.filter(isSnapshot).sort((a, b) => a.number - b.number);
}

async function hasSegment(dir: string, number: number): Promise<boolean> {
  const names = await readdir(dir);
  return names.includes(`segment-${number}.log`) || !names.some((name) => name.startsWith('snapshot-'));
}

const segmentFile = (dir: string, number: number): string => join(dir, `segment-${number}.log`);
const recordFile = (dir: string, number: number): string => join(dir, `snapshot-${number}.json`);
const stateFile = (dir: string, number: number): string => join(dir, `state-${number}.json`);

function isSnapshot(value: unknown): value is Snapshot {
  return (
    typeof value === 'object' &&
    value !== null &&
    'number' in value &&
    typeof value.number === 'number' &&
    'height' in value &&
    typeof value.height === 'number' &&
    'pending' in value &&
    Array.isArray(value.pending)
  );
}

function isChainEntry(value: unknown): value is ChainEntry {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}
