import type { Body } from '@causeway/contract/call.ts';
import { passkeysMax } from '@causeway/contract/identity-rules.ts';
import type { addOperatorPasskey, OperatorPasskey } from '@causeway/contract/operator.ts';
import type { CreationOptions } from '@causeway/contract/webauthn.ts';
import { sha256 } from '../../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../../platform/database/database.ts';
import { DomainError, RememberedError } from '../../../../platform/domain-error.ts';
import { newId } from '../../../../platform/ids.ts';
import { actorOf } from '../../../../platform/session.ts';
import { challengeOf, creationOptionsOf, newChallenge, nilCompany, verifyCreation } from '../../../identity/index.ts';
import type { OpenStaffContext, StaffContext } from '../dependencies.ts';
import { recordSecurity } from '../post.ts';
import { lockCredential } from '../store/accounts.ts';
import {
  deletePasskeys,
  findPasskeys,
  insertChallenge,
  insertPasskey,
  type PasskeyRow,
  takeChallenge,
} from '../store/passkeys.ts';
import { endAccess } from '../store/sessions.ts';
import { type OwnProof, withOwnProof } from './own-proof.ts';

/** Passkeys of the operator signed in. */

export async function listPasskeys(tx: Tx, { session }: StaffContext): Promise<OperatorPasskey[]> {
  return (await findPasskeys(tx, session.userId)).map(shown);
}

/**
 * Proves the operator and returns what the browser needs; the challenge is for one passkey, for 5 minutes.
 * @throws DomainError tooManyPasskeys, and what `withOwnProof` refuses with
 */
export async function startPasskey(context: OpenStaffContext, proof: OwnProof): Promise<CreationOptions> {
  return withOwnProof(context, proof, async (tx, { id, email, name }) => {
    const known = await findPasskeys(tx, id);
    refuseFull(known);
    const challenge = newChallenge();
    await insertChallenge(tx, { operatorId: id, purpose: 'add', ticketId: null }, sha256(challenge));
    return creationOptionsOf(context.site, { id, email, firstName: name, lastName: '' }, known, challenge);
  });
}

/**
 * Registers the passkey that the browser made, and ends every other session.
 * @throws DomainError passkeyExpired, passkeyExists, tooManyPasskeys; RememberedError passkeyRefused (the challenge is used up all
 * the same)
 */
export async function addPasskey(
  tx: Tx,
  context: StaffContext,
  { name, response }: Body<typeof addOperatorPasskey>,
): Promise<OperatorPasskey> {
  const { userId: operatorId, id: sessionId } = context.session;
  const challenge = challengeOf(response);
  const held = { operatorId, purpose: 'add', ticketId: null } as const;
  if (challenge === null || !(await takeChallenge(tx, held, sha256(challenge))))
    throw new DomainError('passkeyExpired');
  const made = await verifyCreation(context.site, response, challenge);
  if (!made) throw new RememberedError('passkeyRefused');
  // The account's lock: two at once cannot get past the limit together.
  const account = await lockCredential(tx, operatorId);
  if (account?.state !== 'active') throw new DomainError('sessionEnded');
  refuseFull(await findPasskeys(tx, operatorId));
  const transports = response.response.transports ?? [];
  const row = await insertPasskey(tx, { id: newId(), operatorId, name, transports, ...made });
  if (!row) throw new DomainError('passkeyExists');
  await endAccess(tx, operatorId, sessionId);
  await recordSecurity(tx, context, account, {
    what: 'passkeyAdded',
    action: 'staff.addPasskey',
    actor: actorOf(context),
    subjectKind: 'passkey',
    subjectId: row.id,
    detail: { name },
  });
  return shown(row);
}

/** Ends every other session as well. @throws DomainError notFound, and what `withOwnProof` refuses with */
export async function removePasskey(
  context: OpenStaffContext,
  { id, ...proof }: OwnProof & { id: string },
): Promise<void> {
  const { userId, id: sessionId } = context.session;
  // Before the proof: an unknown id costs no try.
  const name = await context.database.withCompany(nilCompany, (tx) => nameOf(tx, userId, id));
  await withOwnProof(context, proof, async (tx, account) => {
    if ((await deletePasskeys(tx, userId, id)) === 0) throw new DomainError('notFound');
    await endAccess(tx, userId, sessionId);
    await recordSecurity(tx, context, account, {
      what: 'passkeyRemoved',
      action: 'staff.removePasskey',
      actor: actorOf(context),
      subjectKind: 'passkey',
      subjectId: id,
      detail: { name },
    });
  });
}

async function nameOf(tx: Tx, operatorId: string, id: string): Promise<string> {
  const passkey = (await findPasskeys(tx, operatorId)).find((one) => one.id === id);
  if (!passkey) throw new DomainError('notFound');
  return passkey.name;
}

function refuseFull(known: readonly PasskeyRow[]): void {
  if (known.length >= passkeysMax) throw new DomainError('tooManyPasskeys', { max: passkeysMax });
}

function shown(row: PasskeyRow): OperatorPasskey {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    suspected: row.suspectedAt !== null,
  };
}
