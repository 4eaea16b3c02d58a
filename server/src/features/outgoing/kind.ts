import type { ErrorKey } from '@causeway/contract/errors.ts';
import type { CodeSubject } from '@causeway/contract/identity.ts';
import type { LifeType } from '@causeway/contract/transactions-rules.ts';
import type { AuditAction } from '../../platform/audit/events.ts';
import type { SealType } from '../../platform/crypto/seal.ts';
import type { Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { AssessedSubject } from '../risk/index.ts';

/**
 * What the features to the right say of the payments that they submit (docs/adr/0052): their words and what risk looks at.
 * No other file of this feature names a kind.
 */

/** The content of a stored payment, which its code, approvals and authorisation are bound to. Amount in minor units. */
export interface PaymentContent {
  companyId: string;
  id: string;
  walletId: string;
  payeeId: string;
  payeeAccount: string;
  /** Null where no chain carries it. */
  chainId: string | null;
  coin: string;
  amountMinor: bigint;
  /** As stored; empty where none were given. */
  notes: string;
  attachmentIds: readonly string[];
  /** The terms of an order to a bank (`writeTerms`); null where a chain carries it. */
  terms: string | null;
  /** What pays it where its currency is bought for it: the coin wallet, and the most that leaves it, fee included. */
  boughtWith?: { walletId: string; boundMinor: bigint } | null;
}

/** A kind of transaction that a member submits: proved by a code, judged, approved, and held until it ends. */
export interface SubmittedKind {
  /** The type of its transactions. */
  type: LifeType;
  /** What its codes confirm. */
  codeSubject: CodeSubject;
  /** The audit log's names for what happens to it. */
  actions: Readonly<Record<'submit' | 'cancel' | 'stop' | 'fail', AuditAction>>;
  /** The errors that refuse to cancel it. */
  refusals: { notOwn: ErrorKey; notCancellable: ErrorKey };
  /** What risk looks at of a stored payment, at its value when it was submitted; null when it has none. */
  riskSubject(tx: Tx, id: string): Promise<AssessedSubject | null>;
}

/** A kind of payment, which a rail carries. Every process that submits, sends or signs has the same. */
export interface OutgoingKind extends SubmittedKind {
  /** SHA-256, hex, of a content in one fixed form. */
  digest(content: PaymentContent): string;
  /** The type of the seal over its authorisations. */
  seal: SealType;
}

export type OutgoingKinds = ReadonlyMap<LifeType, OutgoingKind>;

export function kindsByType<Kind extends SubmittedKind>(kinds: readonly Kind[]): ReadonlyMap<LifeType, Kind> {
  return new Map(kinds.map((kind) => [kind.type, kind]));
}

export function kindOf<Kind extends SubmittedKind>(kinds: ReadonlyMap<LifeType, Kind>, type: LifeType): Kind {
  const kind = kinds.get(type);
  invariant(kind, `${type} is a kind of outgoing payment`);
  return kind;
}
