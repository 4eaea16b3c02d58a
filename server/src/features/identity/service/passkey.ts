import type { Body } from '@causeway/contract/call.ts';
import type { addPasskey as addCall, Passkey, SecurityProof } from '@causeway/contract/identity-account.ts';
import { passkeysMax } from '@causeway/contract/identity-rules.ts';
import type { CreationOptions } from '@causeway/contract/webauthn.ts';
import { audit } from '../../../platform/audit/record.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { challengeOf, creationOptionsOf, newChallenge, verifyCreation } from '../passkeys.ts';
import { lockAuthenticator } from '../store/authenticators.ts';
import { findMember } from '../store/members.ts';
import {
  type ChallengeFor,
  deletePasskey,
  findPasskeys,
  insertChallenge,
  insertPasskey,
  type PasskeyRow,
  takeChallenge,
  updatePasskeyName,
} from '../store/passkeys.ts';
import type { MemberContext, OpenMemberContext } from './dependencies.ts';
import { withProof } from './proof.ts';
import { recordSecurity } from './security-event.ts';

/** Passkeys of the person signed in. */

export async function listPasskeys(tx: Tx, context: SignedInContext): Promise<Passkey[]> {
  const { session } = context;
  const rows = await findPasskeys(tx, session.userId);
  return rows.map(shown);
}

/**
 * Proves the person and returns what the browser needs; the challenge is this member's, for one passkey, for 5 minutes.
 * @throws DomainError tooManyPasskeys, and what a proof is refused with (`withProof`)
 */
export async function startPasskey(
  context: OpenMemberContext,
  { proof }: { proof: SecurityProof },
): Promise<CreationOptions> {
  const { userId } = context.session;
  return withProof(context, { proof, content: { action: 'addPasskey' } }, async (tx) => {
    const member = await findMember(tx, userId);
    if (!member) throw new DomainError('sessionEnded');
    const known = await findPasskeys(tx, userId);
    refuseFull(known);
    const challenge = newChallenge();
    await insertChallenge(tx, heldFor(userId), sha256(challenge));
    return creationOptionsOf(context.site, member, known, challenge);
  });
}

/**
 * Registers the passkey that the browser made.
 * @throws DomainError passkeyExpired, passkeyExists, tooManyPasskeys; RememberedError passkeyRefused (the challenge is
 * used up all the same)
 */
export async function addPasskey(
  tx: Tx,
  context: MemberContext,
  { name, response }: Body<typeof addCall>,
): Promise<Passkey> {
  const { userId } = context.session;
  const challenge = challengeOf(response);
  if (challenge === null || !(await takeChallenge(tx, heldFor(userId), sha256(challenge)))) {
    throw new DomainError('passkeyExpired');
  }
  const made = await verifyCreation(context.site, response, challenge);
  if (!made) throw new RememberedError('passkeyRefused');
  // The credential's lock: two at once cannot get past the limit together.
  await lockAuthenticator(tx, userId);
  refuseFull(await findPasskeys(tx, userId));
  const transports = response.response.transports ?? [];
  const row = await insertPasskey(tx, { id: newId(), userId, name, transports, ...made });
  if (!row) throw new DomainError('passkeyExists');
  await recordSecurity(tx, context, {
    userId,
    what: 'passkeyAdded',
    action: 'identity.addPasskey',
    actor: actorOf(context),
    subjectKind: 'passkey',
    subjectId: row.id,
    detail: { name },
  });
  return shown(row);
}

/** @throws DomainError notFound */
export async function renamePasskey(
  tx: Tx,
  context: SignedInContext,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const { userId } = context.session;
  const before = await updatePasskeyName(tx, userId, id, name);
  if (before === null) throw new DomainError('notFound');
  await audit(tx, {
    actor: actorOf(context),
    action: 'identity.renamePasskey',
    subjectKind: 'passkey',
    subjectId: id,
    detail: { before: { name: before }, after: { name } },
  });
}

/** @throws DomainError notFound, and what a proof is refused with (`withProof`) */
export async function removePasskey(
  context: OpenMemberContext,
  { id, proof }: { id: string; proof: SecurityProof },
): Promise<void> {
  const { companyId, userId } = context.session;
  // Before the proof: another member's id reveals nothing, and costs no try.
  const name = await context.database.withCompany(companyId, (tx) => nameOf(tx, userId, id));
  await withProof(context, { proof, content: { action: 'removePasskey', id } }, async (tx) => {
    if (!(await deletePasskey(tx, userId, id))) throw new DomainError('notFound');
    await recordSecurity(tx, context, {
      userId,
      what: 'passkeyRemoved',
      action: 'identity.removePasskey',
      actor: actorOf(context),
      subjectKind: 'passkey',
      subjectId: id,
      detail: { name, proof: proof.method },
    });
  });
}

async function nameOf(tx: Tx, userId: string, id: string): Promise<string> {
  const passkey = (await findPasskeys(tx, userId)).find((one) => one.id === id);
  if (!passkey) throw new DomainError('notFound');
  return passkey.name;
}

function heldFor(userId: string): ChallengeFor {
  return { userId, purpose: 'add', ticketId: null };
}

function refuseFull(known: readonly PasskeyRow[]): void {
  if (known.length >= passkeysMax) throw new DomainError('tooManyPasskeys', { max: passkeysMax });
}

function shown(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    synced: row.synced,
    suspected: row.suspectedAt !== null,
  };
}
