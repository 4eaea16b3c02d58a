import { timingSafeEqual } from 'node:crypto';
import type { CodeMethod, CodeSubject } from '@causeway/contract/identity.ts';
import { type CompaniesTx, together } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { codeGuardWindowMs } from '../domain.ts';
import { type BoundAuthenticator, lockAuthenticators, updateAuthenticators } from '../store/authenticators.ts';
import type { CodeHolder } from '../store/codes.ts';
import type { MemberRef } from '../store/lookups.ts';
import {
  findGuardedCodes,
  type GuardedCodes,
  type GuardKey,
  insertUsedCodes,
  lockGuards,
  type UsedCode,
  updateGuards,
  useCodes,
} from '../store/proofs.ts';
import { judgeTotp } from './authenticator.ts';
import { codeMac, memberHolder, refusalOf, refuseBurnt } from './code.ts';
import type { IdentityCore } from './dependencies.ts';

/** Proofs of transactions by code: read for several members at once, judged in memory one after another, written together. */

/** Who proves by which method, and what kind of thing: the code of some may have to come from another person's mail. */
export interface ProofHolder {
  companyId: string;
  userId: string;
  method: CodeMethod;
  subject: CodeSubject;
}

/** `digest`: what is confirmed, as the feature's `DescribeSubject` gave it when the code was asked for. */
export interface ProofRequest extends ProofHolder {
  code: string;
  digest: string;
}

/** `id` names the row of the code that was used up. */
export interface TransactionProof {
  method: CodeMethod;
  id: string;
}

export interface Proofs {
  /**
   * Judges a code as if the wrong tries and the codes used before it were written. A wrong code counts at once; a right one stays good
   * until `use`.
   * @throws RememberedError codeWrong, codeBurnt, transferCodeMismatch; DomainError mfaNotBound, codeForAdministrator
   */
  prove(request: ProofRequest): { proof: TransactionProof; use(): void };
  /** Issues the statements that write what was used and which tries were counted: once, after the last `prove` and `use`. */
  write(tx: CompaniesTx): Promise<void>[];
}

/** A guard as the tries of this transaction leave it. */
interface OpenGuard extends GuardedCodes {
  key: GuardKey;
  holder: CodeHolder;
  /** A window of wrong tries began in this transaction. */
  began: boolean;
  changed: boolean;
}

interface World {
  core: IdentityCore;
  guards: ReadonlyMap<string, OpenGuard>;
  authenticators: ReadonlyMap<string, BoundAuthenticator>;
  /** Of the members for whom it was asked. */
  recipients: ReadonlyMap<string, readonly string[]>;
  used: {
    codes: { companyId: string; id: string }[];
    steps: Map<string, MemberRef & { step: number; sealed: Buffer | null }>;
    proofs: UsedCode[];
  };
}

/**
 * Locks and reads what decides on these holders' codes, in one round trip. The guards are locked before codes are read, so that
 * parallel guesses are compared one after another.
 */
export async function openProofs(
  tx: CompaniesTx,
  core: IdentityCore,
  holders: readonly ProofHolder[],
): Promise<Proofs> {
  const keys = [...new Map(holders.map((holder) => [nameOf(holder, holder.method), guardKeyOf(holder)])).values()];
  const byAuthenticator = holders.filter(({ method }) => method === 'otp_auth');
  const members = distinct(byAuthenticator);
  const asked = distinct(byAuthenticator.filter(({ subject }) => core.confirmed[subject]?.goesToRecipients));
  const [, guards, authenticators, recipients] = await together([
    lockGuards(tx, keys),
    findGuardedCodes(tx, keys),
    members.length > 0 ? lockAuthenticators(tx, members) : Promise.resolve([]),
    asked.length > 0 ? core.findCodeRecipients(tx, asked) : Promise.resolve([]),
  ]);
  const world: World = {
    core,
    guards: new Map(guards.map((guard, place) => openGuard(keys[place], guard))),
    authenticators: new Map(authenticators.map((row) => [nameOf(row), row])),
    recipients: new Map(asked.map((member, place) => [nameOf(member), recipients[place] ?? []])),
    used: { codes: [], steps: new Map(), proofs: [] },
  };
  return {
    prove: (request) =>
      request.method === 'email' ? proveByMail(world, request) : proveByAuthenticator(world, request),
    write: (writing) => write(writing, world),
  };
}

function distinct(members: readonly MemberRef[]): MemberRef[] {
  return [...new Map(members.map((member) => [nameOf(member), member])).values()];
}

function nameOf({ companyId, userId }: MemberRef, method?: CodeMethod): string {
  return JSON.stringify([companyId, userId, method]);
}

function guardKeyOf({ companyId, userId, method }: ProofHolder): GuardKey {
  return { companyId, subject: userId, scenario: method === 'email' ? 'transaction' : 'otp_auth' };
}

function openGuard(key: GuardKey | undefined, guard: GuardedCodes): [string, OpenGuard] {
  invariant(key, 'a guard is read for each key');
  const method = key.scenario === 'transaction' ? 'email' : 'otp_auth';
  const holder = memberHolder(key.subject, key.scenario);
  return [
    nameOf({ companyId: key.companyId, userId: key.subject }, method),
    { ...guard, key, holder, began: false, changed: false },
  ];
}

function guardOf({ guards }: World, request: ProofHolder): OpenGuard {
  const guard = guards.get(nameOf(request, request.method));
  invariant(guard, 'a code is proved for a holder that was opened');
  refuseBurnt(guard, guard.holder);
  return guard;
}

function proveByMail(world: World, request: ProofRequest): ReturnType<Proofs['prove']> {
  const { companyId, code, digest } = request;
  const guard = guardOf(world, request);
  const mac = codeMac(world.core, guard.holder, code, digest);
  const live = guard.codes.find((one) => timingSafeEqual(one.mac, mac));
  if (!live) {
    const isOfOther = guard.codes.some((one) =>
      timingSafeEqual(one.mac, codeMac(world.core, guard.holder, code, one.digest)),
    );
    throw refuse(guard, isOfOther ? 'transferCodeMismatch' : 'codeWrong');
  }
  return {
    proof: { method: 'email', id: live.id },
    use() {
      invariant(guard.codes.includes(live), 'a code is used once');
      guard.codes.splice(guard.codes.indexOf(live), 1);
      world.used.codes.push({ companyId, id: live.id });
      forget(guard);
    },
  };
}

function proveByAuthenticator(world: World, request: ProofRequest): ReturnType<Proofs['prove']> {
  const { companyId, userId, method, code, digest, subject } = request;
  const { core, used } = world;
  const name = nameOf(request);
  // An authenticator would let the initiator confirm alone what the company has an administrator confirm.
  if (core.confirmed[subject]?.goesToRecipients) {
    const recipients = world.recipients.get(name);
    invariant(recipients, 'a code is proved for the subject that its holder was opened for');
    if (recipients.length > 0) {
      throw new DomainError('codeForAdministrator', {}, { code: 'error.codeForAdministrator' });
    }
  }
  const guard = guardOf(world, request);
  const bound = world.authenticators.get(name);
  const judged = judgeTotp(core, userId, bound, code);
  if (judged === 'unbound' || !bound) throw new DomainError('mfaNotBound');
  if (judged === 'wrong') throw refuse(guard, 'codeWrong');
  const { step, sealed } = judged;
  const id = newId();
  return {
    proof: { method, id },
    use() {
      invariant(step > bound.lastStep, 'a step is used once');
      bound.lastStep = step;
      bound.secret = sealed ?? bound.secret;
      used.steps.set(name, { companyId, userId, step, sealed: sealed ?? used.steps.get(name)?.sealed ?? null });
      used.proofs.push({ companyId, id, userId, method, digest });
      forget(guard);
    },
  };
}

/** Counts a wrong try; the window begins with the first. @returns its refusal */
function refuse(guard: OpenGuard, key: 'codeWrong' | 'transferCodeMismatch'): DomainError {
  if (guard.wrongTries === 0) {
    guard.began = true;
    guard.endsInMs = codeGuardWindowMs;
  }
  guard.wrongTries += 1;
  guard.changed = true;
  return refusalOf(guard, guard.holder, key);
}

function forget(guard: OpenGuard): void {
  if (guard.wrongTries === 0) return;
  guard.wrongTries = 0;
  guard.changed = true;
}

function write(tx: CompaniesTx, { guards, used }: World): Promise<void>[] {
  const changed = [...guards.values()].flatMap(({ key, wrongTries, began, changed }) =>
    changed ? [{ ...key, wrongTries, began }] : [],
  );
  return [
    ...(used.codes.length > 0 ? [useCodes(tx, used.codes)] : []),
    ...(changed.length > 0 ? [updateGuards(tx, changed)] : []),
    ...(used.steps.size > 0 ? [updateAuthenticators(tx, [...used.steps.values()])] : []),
    ...(used.proofs.length > 0 ? [insertUsedCodes(tx, used.proofs)] : []),
  ];
}
