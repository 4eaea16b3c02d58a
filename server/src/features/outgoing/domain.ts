import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { LifeType, Stage } from '@causeway/contract/transactions-rules.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { SealedNode } from '../approvals/index.ts';

/** The nodes that a payment must pass, as they were when it was submitted (DECISIONS, "Approvals and risk"). */
export interface SealedReview {
  taskId: string;
  ruleId: string;
  ruleVersion: number;
  nodes: readonly SealedNode[];
}

/** What is approved, as decisions name it. */
export interface ApprovedSubject {
  kind: string;
  id: string;
  /** SHA-256, hex. */
  digest: string;
}

/**
 * What the authorisation that the signer verifies says (sealed by the HTTP process). Version 1 knew no review; version 3 is of a payment that
 * was submitted and is approved with others.
 */
export interface AuthorisationClaims {
  version: 1 | 2 | 3;
  companyId: string;
  /** The transaction's id, whatever its kind. */
  transferId: string;
  /** SHA-256, hex, of the content. */
  digest: string;
  initiatorId: string;
  /** How the initiator proved the content: a code by email or the authenticator, and which. */
  proof: { method: string; id: string };
  /** What decisions must name: of version 3 alone, in which the payment's own digest says nothing of its approval. */
  subject?: ApprovedSubject;
  /** `off`: the company has no review in force, so no decisions are needed. */
  review: 'off' | SealedReview;
  issuedAt: string;
}

/** The stages before anything is handed to a rail, submission included. */
export const unsentStages = ['submitted', 'waiting_approval', 'approved'] as const satisfies readonly Stage[];

/** The stages from hand-over on, before the end: `signing`, `broadcast`, `confirming` where a chain carries it. */
export function stagesUnderWay(type: LifeType): readonly Stage[] {
  const { road } = transactionLives[type];
  return road.slice(road.indexOf('approved') + 1, -1);
}

/** The stage to which hand-over moves a payment of this type. */
export function handedStage(type: LifeType): Stage {
  const [stage] = stagesUnderWay(type);
  invariant(stage, `a ${type} has a stage between its approval and its end`);
  return stage;
}

/** As which subject payments of this type are approved. */
export function subjectKindOf(type: LifeType): string {
  const { approvedAs } = transactionLives[type];
  invariant(approvedAs !== null, `a ${type} is approved as something`);
  return approvedAs;
}
