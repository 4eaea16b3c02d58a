import { createHash } from 'node:crypto';
import type { ControlKind } from '@causeway/contract/control-rules.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import type { ControllingPermission, Permission } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';

/**
 * The road of every change that may widen a control (docs/FOUR_EYES.md). It is made on trial first: a change that turns out to widen is
 * rolled back, and approvals says what becomes of it. What was proposed is made by the same operation once it takes effect.
 */

/** What a person reads: a text as it is, or the ids of sentences, which are joined. */
export type Shown = string | { text: string } | { texts: readonly string[] } | null;

/** The state of a subject before or after a change. */
export interface ControlState {
  /** What it is called. */
  subject: Shown;
  subjectId: string | null;
  /** What is shown of it, by field; a field's words are `control.field.<field>`. */
  fields: Readonly<Record<string, Shown>>;
  /** Fields shown to the consenting person although they stay as they are. */
  always?: readonly string[];
  /** All that a proposal is made against: where it has changed, the proposal is void. */
  basis: unknown;
}

/** A change of the controls as data, and the way to make it. `T`: what its call returns. */
export interface ControlOperation<T extends object> {
  kind: ControlKind;
  /** What a second person needs who consents. */
  permission: ControllingPermission;
  /** What the proposer needs; absent: the same. */
  proposer?: Permission;
  /** The call's validated input, as JSON: what is proposed is made again from this. */
  input: Readonly<Record<string, unknown>>;
  /** Takes the locks under which the change is checked and written. */
  lock(tx: Tx): Promise<void>;
  /** @throws DomainError when what it is about is not there */
  state(tx: Tx): Promise<ControlState>;
  /** Makes the change, under the locks. @throws DomainError */
  make(tx: Tx, context: SignedInContext): Promise<Made<T>>;
}

export interface Made<T> {
  result: T;
  /** Null: it widens nothing. Otherwise the members who come to something by it, who cannot consent to it. */
  widensFor: readonly string[] | null;
}

/** A change that widens, as it is proposed. */
export interface ControlRequest {
  kind: ControlKind;
  permission: ControllingPermission;
  proposer?: Permission;
  input: Readonly<Record<string, unknown>>;
  /** SHA-256, hex, of the state that it was made against. */
  base: string;
  subject: Shown;
  subjectId: string | null;
  lines: readonly { field: string; before: Shown; after: Shown }[];
  concerned: readonly string[];
}

/** What becomes of a change that widens; approvals knows, to the right. */
export interface SecondPersonPort {
  /**
   * Whether it may be made at once; otherwise proposes it.
   * @returns null when it may be made
   * @throws DomainError approvalRulesHeld
   */
  propose(tx: Tx, context: SignedInContext, request: ControlRequest): Promise<Omit<Effect, 'applied'> | null>;
}

/** The context of use cases that change controls: composed with approvals' answer. */
export type ControlContext = SignedInContext & { secondPerson: SecondPersonPort };

export const appliedNow = { applied: true, taskId: null, effectiveAt: null } as const satisfies Effect;

/** Makes a change, or proposes it where it widens and must not be made by one person. */
export async function makeOrPropose<T extends object>(
  tx: Tx,
  context: ControlContext,
  operation: ControlOperation<T>,
): Promise<T & Effect> {
  await operation.lock(tx);
  const before = await operation.state(tx);
  await sql`savepoint control_change`.execute(tx);
  const { result, widensFor } = await operation.make(tx, context);
  if (widensFor === null) {
    await sql`release savepoint control_change`.execute(tx);
    return { ...result, ...appliedNow };
  }
  const after = await operation.state(tx);
  // Who could consent is asked of the company as it is, not as the change would make it.
  await sql`rollback to savepoint control_change`.execute(tx);
  const { kind, permission, proposer, input } = operation;
  const proposed = await context.secondPerson.propose(tx, context, {
    kind,
    permission,
    ...(proposer ? { proposer } : {}),
    input,
    base: digestOf(before),
    subject: before.subject ?? after.subject,
    subjectId: before.subjectId ?? after.subjectId,
    lines: linesOf(before, after),
    concerned: widensFor,
  });
  if (proposed) return { ...result, applied: false, ...proposed };
  const made = await operation.make(tx, context);
  return { ...made.result, ...appliedNow };
}

/** The use case of a call whose input alone says which change it asks for. */
export function changing<I, T extends object>(
  operationOf: (input: I) => ControlOperation<T>,
): (tx: Tx, context: ControlContext, input: I) => Promise<T & Effect> {
  return (tx, context, input) => makeOrPropose(tx, context, operationOf(input));
}

/** Whether a proposed change could be made now, and against the same state. */
export async function checkProposed<T extends object>(
  tx: Tx,
  context: SignedInContext,
  operation: ControlOperation<T>,
  base: string,
): Promise<'same' | 'changed' | 'impossible'> {
  await sql`savepoint control_check`.execute(tx);
  try {
    await operation.lock(tx);
    if (digestOf(await operation.state(tx)) !== base) return 'changed';
    await operation.make(tx, context);
    return 'same';
  } catch (error) {
    if (error instanceof DomainError) return 'impossible';
    throw error;
  } finally {
    await sql`rollback to savepoint control_check`.execute(tx);
  }
}

/** The digest of the state that an operation meets now; null when what it is about is not there. */
export async function digestNow<T extends object>(tx: Tx, operation: ControlOperation<T>): Promise<string | null> {
  try {
    return digestOf(await operation.state(tx));
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Makes a change that was consented to, or whose time has come. @throws DomainError */
export async function makeProposed<T extends object>(
  tx: Tx,
  context: SignedInContext,
  operation: ControlOperation<T>,
): Promise<void> {
  await operation.lock(tx);
  await operation.make(tx, context);
}

function digestOf({ subjectId, basis }: ControlState): string {
  const text = JSON.stringify([subjectId, basis], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

function linesOf(before: ControlState, after: ControlState): ControlRequest['lines'] {
  const fields = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])];
  return fields.flatMap((field) => {
    const [was, is] = [before.fields[field] ?? null, after.fields[field] ?? null];
    const isSame = JSON.stringify(was) === JSON.stringify(is);
    return isSame && !after.always?.includes(field) ? [] : [{ field, before: was, after: is }];
  });
}
