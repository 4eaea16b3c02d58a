import { type CardDeclineReason, merchantGroupOf } from '@causeway/contract/cards-rules.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Tx, together } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/process/log.ts';
import { type Decision, decide } from '../domain.ts';
import { attemptDeclined } from '../events.ts';
import type { AuthorizationAnswer, AuthorizationRequest, IssuerDeclineCode } from '../issuer.ts';
import { unblockCard } from '../store/cards.ts';
import { type DecidingRow, findOwner, lockForDecision } from '../store/deciding.ts';
import { insertRequest } from '../store/purchases.ts';
import { bringUp, hold } from './move.ts';

/** Answers the issuer's question whether a purchase may be made (docs/adr/0102-…): declined unless everything says that it may. */
export interface Authorizing {
  database: Database;
  clock: Clock;
  log: Pick<Log, 'error' | 'warn'>;
  /** From the arrival of the question; what is not committed by then is not held. Milliseconds. */
  deadlineMs?: number;
}

const defaultDeadlineMs = 1500;
/** Of two that spend the last of a wallet, the one that comes late decides again. */
const maxTries = 3;

class TooLateError extends Error {}

/** Never throws: what goes wrong is declined. */
export async function authorize(authorizing: Authorizing, asked: AuthorizationRequest): Promise<AuthorizationAnswer> {
  const { database, log, deadlineMs = defaultDeadlineMs } = authorizing;
  const endsAt = performance.now() + deadlineMs;
  try {
    const companyId = await ownerOf(database, asked.cardToken);
    if (companyId === null) return { outcome: 'declined', code: 'declined' };
    for (let left = maxTries; left > 0; left -= 1) {
      try {
        return answerOf(await database.withCompany(companyId, (tx) => decideIn(tx, authorizing, asked, endsAt)));
      } catch (error) {
        if (!(error instanceof DomainError) || error.key !== 'insufficientBalance') throw error;
      }
    }
    return { outcome: 'declined', code: 'insufficient_funds' };
  } catch (error) {
    log.error({ err: error, token: asked.token }, 'an authorisation was declined because of an error');
    return { outcome: 'declined', code: 'declined' };
  }
}

/** A card belongs to one company for ever. */
const owners = new Map<string, string>();
const mostOwners = 50_000;

async function ownerOf(database: Database, cardToken: string): Promise<string | null> {
  const known = owners.get(cardToken);
  if (known !== undefined) return known;
  const companyId = await database.withoutCompany((tx) => findOwner(tx, cardToken));
  if (companyId !== null) {
    if (owners.size >= mostOwners) owners.clear();
    owners.set(cardToken, companyId);
  }
  return companyId;
}

async function decideIn(
  tx: Tx,
  { clock, deadlineMs = defaultDeadlineMs }: Authorizing,
  asked: AuthorizationRequest,
  endsAt: number,
): Promise<Decision> {
  const row = await lockForDecision(tx, asked, clock.now(), deadlineMs);
  if (row === null) return { outcome: 'declined', reason: 'unavailable' };
  if (row.earlier) return repeated(row, asked);
  const decision = row.isOfAnother
    ? ({ outcome: 'declined', reason: 'unavailable' } as const)
    : decide(
        {
          ...asked,
          group: merchantGroupOf(asked.merchant.mcc),
          country: asked.merchant.country,
        },
        {
          ...row,
          spent: { day: row.spentDay, month: row.spentMonth, total: row.spentTotal, purchase: row.spentPurchase },
          bounds: row.sources.map(({ bounds }) => bounds),
        },
      );
  await write(tx, row, asked, decision);
  // Nothing is held for an answer that the issuer no longer waits for.
  if (performance.now() > endsAt) throw new TooLateError('the answer would come too late');
  return decision;
}

/** The same request again has the same answer, whatever holds by now. */
function repeated(row: DecidingRow, asked: AuthorizationRequest): Decision {
  const earlier = row.earlier;
  if (earlier?.outcome !== 'approved')
    return { outcome: 'declined', reason: (earlier?.reason ?? 'unavailable') as CardDeclineReason };
  const approvedMinor = BigInt(earlier.approved);
  // Another amount under the same name is another question, and no issuer asks it.
  if (approvedMinor > asked.amountMinor) return { outcome: 'declined', reason: 'unavailable' };
  return { outcome: 'approved', approvedMinor, availableMinor: row.availableMinor };
}

/** What follows the locks shares a round trip: nothing of it needs an answer of the rest, apart from what else was said of the purchase. */
async function write(tx: Tx, row: DecidingRow, asked: AuthorizationRequest, decision: Decision): Promise<void> {
  const isApproved = decision.outcome === 'approved';
  const approvedMinor = isApproved ? decision.approvedMinor : 0n;
  const requestId = newId();
  const answer = { approvedMinor, reason: isApproved ? null : decision.reason };
  const kept: Promise<unknown>[] = [insertRequest(tx, row.cardId, asked, answer, requestId)];
  if (row.isMadeGood) kept.push(unblockCard(tx, row.cardId));
  if (!isApproved) kept.push(announce(tx, [attemptDeclined(requestId), live('card', row.cardId)]));
  const card = { ...row, id: row.cardId, name: '', isBlocked: row.isBlocked };
  if (approvedMinor > 0n && !row.isKnown)
    kept.push(...hold(tx, { card, accounts: row, asked, amountMinor: approvedMinor }));
  await together(kept);
  if (approvedMinor > 0n && row.isKnown) await bringUp(tx, card, asked.purchaseToken, asked, requestId, 'us');
}

const codes: Partial<Record<CardDeclineReason, IssuerDeclineCode>> = {
  cardInactive: 'card_inactive',
  cardClosed: 'card_closed',
  cardFrozenByHolder: 'card_paused',
  cardFrozenByAdministrator: 'card_paused',
  cardBlocked: 'card_paused',
  cardExpired: 'expired',
  currency: 'currency',
  category: 'unauthorized_merchant',
  country: 'unauthorized_merchant',
  online: 'unauthorized_merchant',
  limitEach: 'velocity_exceeded',
  limitDay: 'velocity_exceeded',
  limitMonth: 'velocity_exceeded',
  limitTotal: 'velocity_exceeded',
  funds: 'insufficient_funds',
};

function answerOf(decision: Decision): AuthorizationAnswer {
  if (decision.outcome === 'declined') return { outcome: 'declined', code: codes[decision.reason] ?? 'declined' };
  return decision;
}
