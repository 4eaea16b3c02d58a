import type { LifeType } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { OpenSeal } from '../../../platform/crypto/seal.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { DecisionClaims } from '../../approvals/index.ts';
import { type ApprovedSubject, type AuthorisationClaims, subjectKindOf } from '../domain.ts';
import type { OutgoingKinds, PaymentContent } from '../kind.ts';
import { isPassed } from './review.ts';

/** A stored payment as the signer reads it for itself; it believes no request. */
export interface StoredPayment extends Omit<PaymentContent, 'payeeId' | 'payeeAccount'> {
  type: LifeType;
  payeeId: string | null;
  payeeAccount: string | null;
  /** The authorisation that the HTTP process sealed; null when there is none. */
  jws: string | null;
}

/**
 * Whether a stored payment is, to the last attachment, what the HTTP process sealed when its initiator proved it by a code, and
 * whether the sealed decisions approve it where its review was on.
 */
export async function isAuthorised(
  tx: PlatformTx,
  { kinds, openSeal }: { kinds: OutgoingKinds; openSeal: OpenSeal },
  payment: StoredPayment,
): Promise<boolean> {
  const { type, payeeId, payeeAccount, jws, companyId, id } = payment;
  const kind = kinds.get(type);
  if (!kind || jws === null || payeeId === null || payeeAccount === null) return false;
  const claims = openSeal(kind.seal, jws) as AuthorisationClaims | null;
  if (claims === null || !knownVersions.has(claims.version)) return false;
  // Of one that is approved with others it says what that is, whether or not anybody approves.
  if ((claims.version === 3) !== (claims.subject !== undefined)) return false;
  const digest = kind.digest({ ...payment, payeeId, payeeAccount });
  if (claims.companyId !== companyId || claims.transferId !== id || claims.digest !== digest) return false;
  if (claims.review === 'off') return true;
  const subject = subjectOf(claims, type);
  if (subject === null) return false;
  const sealed = await readSealedDecisions(tx, companyId, claims.review.taskId);
  const decisions = sealed.map((seal) => openSeal('causeway-decision', seal) as DecisionClaims | null);
  const genuine = decisions.filter((decision) => decision !== null);
  return isPassed(claims, subject, claims.review, genuine);
}

const knownVersions: ReadonlySet<number> = new Set([1, 2, 3]);

/** What the decisions on a payment name: itself, or that of which it is a part. Null: version 1 knew no decisions. */
function subjectOf(
  { version, transferId, digest, subject }: AuthorisationClaims,
  type: LifeType,
): ApprovedSubject | null {
  if (version === 3) return subject ?? null;
  return version === 2 ? { kind: subjectKindOf(type), id: transferId, digest } : null;
}

/** The sealed decisions of a task; the signer believes their seals, and nothing else of the row. */
async function readSealedDecisions(tx: PlatformTx, companyId: string, taskId: string): Promise<string[]> {
  const { rows } = await sql<{ jws: string }>`
    select jws from approval_decision where company_id = ${companyId}::uuid and task_id = ${taskId}::uuid`.execute(tx);
  return rows.map((row) => row.jws);
}
