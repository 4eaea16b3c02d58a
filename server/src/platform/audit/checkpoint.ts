import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import * as z from 'zod';
import type { Database, PlatformTx } from '../database/database.ts';
import { invariant } from '../domain-error.ts';
import type { CronContext, CronJob } from '../jobs/cron.ts';
import type { JobDefinition } from '../jobs/jobs.ts';
import type { Log } from '../process/log.ts';
import { chainStart, checkpointMessage, keyIdOf, linkHash } from './chain.ts';
import {
  chainEvent,
  findLastCheckpoint,
  findSealHash,
  findSeq,
  insertCheckpoint,
  insertKey,
  readSealed,
} from './store.ts';

/**
 * Checkpoints: the signer's signature over the end of a company's chain. The worker asks for them every minute and when a
 * log is exported; the signer believes nothing of it and follows the chain itself, from what it signed last.
 */

export const checkpointRequest = z.strictObject({ companyId: z.uuid(), seq: z.number().int().min(1) });
export type CheckpointRequest = z.output<typeof checkpointRequest>;

export const checkpointAnswer = z.discriminatedUnion('signed', [
  z.object({ signed: z.literal(true) }),
  z.object({
    signed: z.literal(false),
    /**
     * `behind`: a later place is signed already. `forked`: the event at the last signed place has changed since.
     * `broken`: the chain between does not hold. `far`: more than one request may take.
     */
    refusal: z.enum(['behind', 'forked', 'broken', 'far']),
  }),
]);
export type CheckpointAnswer = z.output<typeof checkpointAnswer>;

/** The port to the signer. Asking again is harmless. */
export type AskCheckpoint = (request: CheckpointRequest) => Promise<CheckpointAnswer>;

/** How many events the signer follows for one request. */
const maxSpan = 5000;
const pageSize = 500;

/** Asked by an export, which waits for its own event to be covered. */
export const checkpointDue = 'audit.checkpointDue';

/** An Ed25519 key from its 32 secret bytes (RFC 8032), with what may be known of it. */
export function checkpointKey(secret: Buffer): { privateKey: KeyObject; publicKey: Buffer; keyId: string } {
  // PKCS #8 (RFC 8410): the prefix before the 32 bytes is the same for every Ed25519 key.
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  invariant(typeof x === 'string', 'an Ed25519 public key is one coordinate');
  const publicKey = Buffer.from(x, 'base64url');
  return { privateKey, publicKey, keyId: keyIdOf(publicKey) };
}

/** The signer's side; with its first signature it makes its public key known. `database` is the signer's own role's. */
export function createCheckpointSigner(database: Database, secret: Buffer): AskCheckpoint {
  const key = checkpointKey(secret);
  return ({ companyId, seq }) =>
    database.withoutCompany(async (tx) => {
      const last = await findLastCheckpoint(tx, companyId);
      const from = last ?? { seq: 0, hash: chainStart };
      if (seq < from.seq) return { signed: false, refusal: 'behind' };
      if (seq - from.seq > maxSpan) return { signed: false, refusal: 'far' };
      if (last && !(await findSealHash(tx, companyId, last.seq))?.equals(last.hash)) {
        return { signed: false, refusal: 'forked' };
      }
      if (seq === last?.seq) return { signed: true };
      const hash = await follow(tx, companyId, from, seq);
      if (!hash) return { signed: false, refusal: 'broken' };
      const signedAt = new Date().toISOString();
      const message = checkpointMessage({ company: companyId, seq, hash: hash.toString('hex'), at: signedAt });
      const signature = sign(null, message, key.privateKey);
      await insertKey(tx, key.keyId, key.publicKey);
      await insertCheckpoint(tx, companyId, { seq, hash, signedAt, keyId: key.keyId, signature });
      return { signed: true };
    });
}

/** Recomputes the chain up to a place from its events; null when a link is missing or other than it was sealed. */
async function follow(
  tx: PlatformTx,
  companyId: string,
  from: { seq: number; hash: Buffer },
  seq: number,
): Promise<Buffer | null> {
  let { seq: at, hash } = from;
  while (at < seq) {
    const page = await readSealed(tx, companyId, at, seq, pageSize);
    if (page.length === 0) return null;
    for (const event of page) {
      at += 1;
      hash = linkHash(hash, chainEvent(event, at));
      if (event.seq !== at || !event.hash.equals(hash)) return null;
    }
  }
  return hash;
}

/** Asks for a checkpoint of every chain that has grown, each minute. */
export function checkpointJob(ask: AskCheckpoint): CronJob {
  return {
    name: 'audit.checkpointAll',
    schedule: '* * * * *',
    run: (context) => checkpointAll(context, ask),
  };
}

async function checkpointAll({ database, log, signal }: CronContext, ask: AskCheckpoint): Promise<void> {
  const { rows } = await database.withoutCompany((tx) =>
    sql<{ companyId: string }>`
      select company_id as "companyId" from audit_chain c where seq > 0 and not exists (
        select from audit_checkpoint k where k.company_id = c.company_id and k.seq >= c.seq
      ) order by company_id`.execute(tx),
  );
  for (const { companyId } of rows) {
    if (signal.aborted) return;
    // A company whose chain cannot be signed keeps none of the others.
    await checkpointCompany(database, ask, companyId, log).catch((error: unknown) =>
      log.warn({ err: error, companyId }, 'the audit log could not be signed; trying again'),
    );
  }
}

/** Has a company's chain signed up to its present end, in as many steps as the signer wants. */
export async function checkpointCompany(
  database: Database,
  ask: AskCheckpoint,
  companyId: string,
  log: Log,
): Promise<void> {
  for (;;) {
    const { end, last } = await database.withoutCompany(async (tx) => {
      const { rows } = await sql<{ seq: number }>`
        select seq from audit_chain where company_id = ${companyId}`.execute(tx);
      return { end: rows[0]?.seq ?? 0, last: (await findLastCheckpoint(tx, companyId))?.seq ?? 0 };
    });
    if (end <= last) return;
    const answer = await ask({ companyId, seq: Math.min(end, last + maxSpan) });
    if (answer.signed || answer.refusal === 'behind') continue;
    log.error({ companyId, seq: end, refusal: answer.refusal }, 'the signer refuses to sign the audit log');
    return;
  }
}

const sealedWithinMs = 5000;
const lookAgainMs = 50;

/** For an export: waits for its own event to be sealed, and has the chain signed at once. */
export function auditJobs(ask: AskCheckpoint): JobDefinition[] {
  return [
    {
      name: 'audit.checkpoint',
      on: [checkpointDue],
      maxAttempts: 3,
      async run({ companyId, database, log }, { eventId }) {
        invariant(typeof eventId === 'string', 'the event names what is to be covered');
        const until = Date.now() + sealedWithinMs;
        while ((await database.withoutCompany((tx) => findSeq(tx, companyId, eventId))) === null) {
          if (Date.now() > until) throw new Error(`event ${eventId} is not sealed yet`);
          await delay(lookAgainMs);
        }
        await checkpointCompany(database, ask, companyId, log);
      },
    },
  ];
}
