import { randomBytes, timingSafeEqual } from 'node:crypto';
import { macOf, sha256 } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { nilCompany, ticketLifetimeMs } from '../domain.ts';
import { findByTicket } from '../store/lookups.ts';
import { insertTicket, lockTicket } from '../store/sessions.ts';
import type { IdentityCore, OpenIdentity } from './dependencies.ts';

/**
 * The ticket between the two steps of a sign-in. A guarded one (docs/adr/0046) is handed out whether or not the password was right:
 * without a row behind it, it leads nowhere, and every step responds as it would with one.
 */

/** A sign-in at its second step. `userId` is the nil UUID when the ticket leads nowhere. */
export interface HeldTicket {
  id: string;
  userId: string;
  /** The known browser of the password step; null for a stranger. */
  browserId: string | null;
  guarded: boolean;
  /** What codes of this sign-in are bound to. */
  subject: string;
}

/** What makes and reads tickets. */
interface TicketKeys {
  keys: Pick<IdentityCore['keys'], 'ticket'>;
}

/** Tag, expiry in seconds, random, MAC: 32 bytes, as long as any other token. */
const layout = { tag: 1, expiry: 4, random: 11, mac: 16 };
const bodyBytes = layout.tag + layout.expiry + layout.random;

/** Makes the token of a ticket; what is kept of it is its caller's. */
export function makeTicket(core: TicketKeys, guarded: boolean): string {
  const body = Buffer.alloc(bodyBytes);
  body.writeUInt8(guarded ? 1 : 0);
  body.writeUInt32BE(Math.floor((Date.now() + ticketLifetimeMs) / 1000), layout.tag);
  randomBytes(layout.random).copy(body, layout.tag + layout.expiry);
  return Buffer.concat([body, macOfTicket(core, body)]).toString('base64url');
}

/** Keeps a ticket whose password was right. */
export async function keepTicket(
  tx: Tx,
  token: string,
  { userId, browserId }: { userId: string; browserId: string | null },
): Promise<void> {
  await insertTicket(tx, { id: newId(), userId, tokenSha256: sha256(token), browserId });
}

/**
 * Runs `work` with the ticket's sign-in, its row locked, in a transaction of its company.
 * @throws DomainError signInExpired
 */
export async function withTicket<T>(
  core: OpenIdentity,
  token: string,
  work: (tx: Tx, held: HeldTicket) => Promise<T>,
): Promise<T> {
  const guarded = readTicket(core, token);
  if (guarded === null) throw new DomainError('signInExpired');
  const tokenSha256 = sha256(token);
  const found = await core.database.withoutCompany((tx) => findByTicket(tx, tokenSha256));
  if (!found && !guarded) throw new DomainError('signInExpired');
  return core.database.withCompany(found?.companyId ?? nilCompany, async (tx) => {
    const row = await lockTicket(tx, tokenSha256);
    // A guarded ticket that no longer holds must not be told from one that never did.
    if (!row && !guarded) throw new DomainError('signInExpired');
    const subject = tokenSha256.toString('base64url');
    return work(tx, { ...(row ?? { id: nilCompany, userId: nilCompany, browserId: null }), guarded, subject });
  });
}

/** Whether the ticket is guarded; null when this server did not make it or it has expired. */
export function readTicket(core: TicketKeys, token: string): boolean | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== bodyBytes + layout.mac) return null;
  const body = bytes.subarray(0, bodyBytes);
  if (!timingSafeEqual(bytes.subarray(bodyBytes), macOfTicket(core, body))) return null;
  if (body.readUInt32BE(layout.tag) * 1000 <= Date.now()) return null;
  return body.readUInt8() === 1;
}

function macOfTicket(core: TicketKeys, body: Buffer): Buffer {
  return macOf(core.keys.ticket, body.toString('base64url')).subarray(0, layout.mac);
}
