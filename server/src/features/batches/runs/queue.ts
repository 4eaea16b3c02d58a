import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { OpenSeal, Seal } from '../../../platform/crypto/seal.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { pause, slices } from '../../../platform/turns.ts';
import type { DecidedPayments } from '../../outgoing/index.ts';
import type { PromisedNetworkFee } from '../../transfers/index.ts';
import { insertQueued, type QueuedParts } from '../store/queue.ts';
import type { NewEntry } from '../store/runs.ts';

/**
 * A run that was decided on, as it is kept until its rows are entered: plain data in Node's own format (structured clone), in parts of some rows each. The process that
 * accepted it seals it, and enters nothing that it did not seal: rights on the table alone make no payment.
 */

export interface DecidedRun {
  entries: readonly NewEntry[];
  decided: DecidedPayments;
  promises: readonly PromisedNetworkFee[];
}

/** Of this shape; what was written in another one is not read. */
const version = 1;

interface FirstPart {
  version: number;
  common: DecidedPayments['common'];
  promises: readonly PromisedNetworkFee[];
  /** Rows in each part that follows, and its SHA-256, hex. */
  parts: { rows: number; sha256: string }[];
}

interface Rows {
  entries: readonly NewEntry[];
  payments: DecidedPayments['payments'];
  noted: DecidedPayments['noted'];
}

/** What the seal is over. */
interface Claims {
  companyId: string;
  runId: string;
  /** SHA-256, hex, of the first part. */
  sha256: string;
}

const digestOf = (part: Buffer): string => createHash('sha256').update(part).digest('hex');

/** Leaves for the commit what keeps a run until it is entered. */
export async function keepQueued(
  tx: Tx,
  seal: Seal,
  runId: string,
  { entries, decided: { common, payments, noted }, promises }: DecidedRun,
): Promise<void> {
  const { assessments, counted } = noted;
  invariant(
    assessments.length === entries.length && counted.length === entries.length,
    'each row was judged and counted',
  );
  const parts: Buffer[] = [];
  let from = 0;
  for (const some of slices(entries)) {
    const to = from + some.length;
    const rows: Rows = {
      entries: some,
      payments: payments.slice(from, to),
      noted: { assessments: assessments.slice(from, to), counted: counted.slice(from, to) },
    };
    parts.push(serialize(rows));
    from = to;
    await pause();
  }
  const described = [...slices(entries)].map((some, place) => ({
    rows: some.length,
    sha256: digestOf(partAt(parts, place)),
  }));
  const first = serialize({ version, common, promises, parts: described } satisfies FirstPart);
  const claims: Claims = { companyId: tx.companyId, runId, sha256: digestOf(first) };
  tx.leave(insertQueued(tx, runId, { seal: seal('causeway-queue', claims), parts: [first, ...parts] }));
}

/** @returns the run as it was kept; throws where it is not what this installation sealed */
export async function readKept(
  companyId: string,
  openSeal: OpenSeal,
  runId: string,
  { seal, parts: [first, ...parts] }: QueuedParts,
): Promise<DecidedRun> {
  const claims = openSeal('causeway-queue', seal) as Claims | null;
  invariant(
    first && claims?.companyId === companyId && claims.runId === runId && claims.sha256 === digestOf(first),
    `the rows of run ${runId} are as they were sealed`,
  );
  const { version: written, common, promises, parts: described } = deserialize(first) as FirstPart;
  invariant(written === version, `the rows of run ${runId} were kept by this version of the software`);
  invariant(described.length === parts.length, `no part of run ${runId} is missing`);
  const all: Rows[] = [];
  for (const [place, { sha256 }] of described.entries()) {
    const part = partAt(parts, place);
    invariant(digestOf(part) === sha256, `the rows of run ${runId} are as they were sealed`);
    all.push(deserialize(part) as Rows);
    await pause();
  }
  return {
    entries: all.flatMap(({ entries }) => entries),
    decided: {
      common,
      payments: all.flatMap(({ payments }) => payments),
      noted: {
        assessments: all.flatMap(({ noted }) => noted.assessments),
        counted: all.flatMap(({ noted }) => noted.counted),
      },
    },
    promises,
  };
}

function partAt(parts: readonly Buffer[], place: number): Buffer {
  const part = parts[place];
  invariant(part, 'each part is there');
  return part;
}
