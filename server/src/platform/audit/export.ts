import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { exportAudit } from '@causeway/contract/audit.ts';
import type { Query } from '@causeway/contract/call.ts';
import type { Database } from '../database/database.ts';
import { announce } from '../database/outbox.ts';
import { DomainError, invariant } from '../domain-error.ts';
import type { FileAnswer } from '../http/call-answer.ts';
import { actorOf } from '../session.ts';
import { canonical, chainStart } from './chain.ts';
import { checkpointDue } from './checkpoint.ts';
import { instantOf, type OpenAuditContext } from './list.ts';
import { audit } from './record.ts';
import { placesOf } from './search.ts';
import {
  type CheckpointRow,
  chainEvent,
  findCovering,
  findKeys,
  findLastCheckpoint,
  findSealHash,
  findSeq,
  readCheckpoints,
  readSealed,
} from './store.ts';
import { type ExportLine, exportFormat } from './verify.ts';

/**
 * The verifiable export: JSON Lines, always a contiguous part of the chain, since a chain with links left out proves
 * nothing. It ends at a checkpoint, so that a file with its end cut off does not verify either.
 */

const batchEvents = 500;
const lookAgainMs = 100;

/**
 * The events of a period, from the first to the last in the order of sealing, up to the checkpoint that covers the last.
 * The export itself is recorded first, and is covered by the signature.
 * @throws DomainError auditRangeOnly, auditUnsigned, auditNothing
 */
export async function exportChain(context: OpenAuditContext, query: Query<typeof exportAudit>): Promise<FileAnswer> {
  const { database, names, signatureWithinMs } = context;
  const { companyId } = context.session;
  const { format, from, to, ...others } = query;
  if (Object.values(others).some((value) => value !== undefined)) throw new DomainError('auditRangeOnly');
  const eventId = await database.withCompany(companyId, async (tx) => {
    const id = await audit(tx, {
      actor: actorOf(context),
      action: 'audit.export',
      subjectKind: 'company',
      subjectId: companyId,
      detail: { format, from: from ?? null, to: to ?? null },
    });
    await announce(tx, [{ name: checkpointDue, payload: { eventId: id } }]);
    return id;
  });
  await covered(database, companyId, eventId, signatureWithinMs);
  const header = await database.withCompany(companyId, async (tx) => {
    const places = await placesOf(tx, instantOf(from), instantOf(to));
    if (!places) throw new DomainError('auditNothing');
    // What has been sealed since the export was covered has no signature yet: the file ends before it.
    const end = (await findCovering(tx, companyId, places.last)) ?? (await findLastCheckpoint(tx, companyId));
    invariant(end, 'the export itself is covered');
    if (end.seq < places.first) throw new DomainError('auditNothing');
    const start = places.first === 1 ? chainStart : await findSealHash(tx, companyId, places.first - 1);
    invariant(start, 'a chain has no gaps');
    return {
      type: 'header' as const,
      format: exportFormat,
      company: companyId,
      companyName: await names.companyName(tx),
      exportedAt: new Date().toISOString(),
      fromSeq: places.first,
      toSeq: end.seq,
      startHash: start.toString('hex'),
      keys: (await findKeys(tx)).map(({ keyId, publicKey }) => ({ keyId, publicKey: publicKey.toString('base64url') })),
    };
  });
  return {
    name: `audit-log-${header.exportedAt.slice(0, 10)}.jsonl`,
    type: 'application/jsonl; charset=utf-8',
    content: Readable.from(chunks(database, header)),
    rows: header.toSeq - header.fromSeq + 1,
  };
}

/** Waits until an event is under a checkpoint, which the worker was asked for. @throws DomainError auditUnsigned */
async function covered(
  database: Database,
  companyId: string,
  eventId: string,
  signatureWithinMs: number,
): Promise<void> {
  const until = Date.now() + signatureWithinMs;
  for (;;) {
    const is = await database.withCompany(companyId, async (tx) => {
      const seq = await findSeq(tx, companyId, eventId);
      return seq !== null && (await findCovering(tx, companyId, seq)) !== null;
    });
    if (is) return;
    if (Date.now() > until) throw new DomainError('auditUnsigned');
    await delay(lookAgainMs);
  }
}

async function* chunks(database: Database, header: Extract<ExportLine, { type: 'header' }>): AsyncGenerator<string> {
  const { company, fromSeq, toSeq } = header;
  yield lineOf(header);
  let last: CheckpointRow | undefined;
  for (let after = fromSeq - 1; after < toSeq; ) {
    const through = Math.min(toSeq, after + batchEvents);
    const { events, checkpoints } = await database.withCompany(company, async (tx) => ({
      events: await readSealed(tx, company, after, through, batchEvents),
      checkpoints: await readCheckpoints(tx, company, after, through),
    }));
    invariant(events.length === through - after, 'a chain has no gaps');
    const signed = new Map(checkpoints.map((row) => [row.seq, row]));
    let text = '';
    for (const row of events) {
      const hash = row.hash.toString('hex');
      text += lineOf({ type: 'event', seq: row.seq, hash, event: chainEvent(row, row.seq) });
      const checkpoint = signed.get(row.seq);
      if (checkpoint) text += lineOf({ type: 'checkpoint', ...signedOf(checkpoint) });
    }
    yield text;
    last = checkpoints.at(-1) ?? last;
    after = through;
  }
  invariant(last?.seq === toSeq, 'an export ends at a checkpoint');
  yield lineOf({ type: 'trailer', company, events: toSeq - fromSeq + 1, checkpoint: signedOf(last) });
}

function signedOf({ seq, hash, signedAt, keyId, signature }: CheckpointRow) {
  return { seq, hash: hash.toString('hex'), at: signedAt, keyId, signature: signature.toString('base64url') };
}

function lineOf(line: ExportLine): string {
  return `${canonical(line)}\n`;
}
