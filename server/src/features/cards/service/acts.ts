import { createHash } from 'node:crypto';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import {
  type activateCard,
  cardContent,
  type closeCard,
  type freezeCard,
  type replaceCard,
  type revealCard,
  type unfreezeCard,
} from '@causeway/contract/cards.ts';
import { cardFrameSeconds } from '@causeway/contract/cards-rules.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import * as z from 'zod/mini';
import type { AuditAction } from '../../../platform/audit/events.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, RememberedError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import { countEvent, eventsIn } from '../../../platform/http/throttle.ts';
import { actorOf, type Session, type SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { CodeFact } from '../../identity/index.ts';
import { cardChanged } from '../events.ts';
import type { CardPorts } from '../ports.ts';
import {
  addStep,
  type CardStateRow,
  closeCardRow,
  insertCard,
  isMadeAs,
  lockCard,
  setActivated,
  setFrozen,
} from '../store/cards.ts';
import { boundsOfCard } from '../store/deciding.ts';
import { digestOf } from './controls.ts';
import { holderSeen } from './show.ts';

/** What people do with a card. Each locks it, so that an authorisation is decided before it or behind it. */

export interface RevealPorts extends CardPorts {
  /** Uses up the code that proves it. Throws codeWrong, codeBurnt, transferCodeMismatch, mfaNotBound */
  verifyCardCode(
    tx: Tx,
    request: { session: Session; method: CodeMethod; code: string; digest: string },
  ): Promise<{ method: string; id: string }>;
}

/** The card, locked; to whom may neither see nor hold it, it does not exist. @throws DomainError cardNotFound, cardClosed */
async function openCard(tx: Tx, { session }: SignedInContext, id: string): Promise<CardStateRow> {
  const card = await lockCard(tx, id);
  const seen = holderSeen(session);
  if (!card || (seen !== null && card.holderId !== seen)) throw new DomainError('cardNotFound');
  if (card.state === 'closed') throw new DomainError('cardClosed');
  return card;
}

const manages = ({ session }: SignedInContext) => session.permissions.includes('card.manage');

/** A card of someone else's is for those who manage cards; to others who see it, it is as if they had no right. @throws DomainError noPermission */
function requireHand(context: SignedInContext, card: CardStateRow): void {
  if (card.holderId !== context.session.userId && !manages(context)) throw new DomainError('noPermission');
}

async function record(
  tx: Tx,
  context: SignedInContext,
  action: AuditAction,
  card: CardStateRow,
  detail: Record<string, unknown> = {},
) {
  await audit(tx, {
    actor: actorOf(context),
    action,
    subjectKind: 'card',
    subjectId: card.id,
    detail: { name: card.name, ...detail },
  });
}

/** @throws DomainError cardNotFound, cardClosed, noPermission */
export async function freeze(
  tx: Tx,
  context: SignedInContext,
  { id, note }: Body<typeof freezeCard>,
): Promise<OutputInput<typeof freezeCard>> {
  const card = await openCard(tx, context, id);
  requireHand(context, card);
  // An administrator's freeze over a holder's, so that the holder cannot lift it; never the other way round.
  const by = manages(context) ? 'administrator' : 'holder';
  const frozenBy = card.frozenBy === 'administrator' ? 'administrator' : by;
  if (card.frozenBy !== frozenBy) {
    await setFrozen(tx, id, frozenBy);
    await addStep(tx, id, { step: 'frozen', by: context.session.userName, note });
    await record(tx, context, 'cards.freeze', card, { note });
    await announce(tx, [cardChanged(id), live('card', id)]);
  }
  return { id, state: card.state, frozenBy };
}

/** @throws DomainError cardNotFound, cardClosed, cardFrozenByAdministrator, noPermission */
export async function unfreeze(
  tx: Tx,
  context: SignedInContext,
  { id }: Body<typeof unfreezeCard>,
): Promise<OutputInput<typeof unfreezeCard>> {
  const card = await openCard(tx, context, id);
  requireHand(context, card);
  if (card.frozenBy === 'administrator' && !manages(context)) throw new DomainError('cardFrozenByAdministrator');
  if (card.frozenBy !== null) {
    await setFrozen(tx, id, null);
    await addStep(tx, id, { step: 'unfrozen', by: context.session.userName });
    await record(tx, context, 'cards.unfreeze', card);
    await announce(tx, [cardChanged(id), live('card', id)]);
  }
  return { id, state: card.state, frozenBy: null };
}

/** Of one card. */
const wrongDigitsADay = 5;
const day_ms = 86_400_000;

/**
 * By the digits that are on the card and, until then, on no page.
 * @throws DomainError cardNotFound, cardClosed, cardNotHolder, cardNotActivatable, tooManyRequests; RememberedError cardLastFourWrong
 */
export async function activate(
  tx: Tx,
  context: SignedInContext,
  { id, lastFour }: Body<typeof activateCard>,
): Promise<OutputInput<typeof activateCard>> {
  const card = await openCard(tx, context, id);
  if (card.holderId !== context.session.userId) throw new DomainError('cardNotHolder');
  if (card.state !== 'inactive') throw new DomainError('cardNotActivatable');
  const tries = `cards:activate:${id}`;
  if ((await eventsIn(tx, tries)) >= wrongDigitsADay) throw new DomainError('tooManyRequests');
  if (card.lastFour !== lastFour) {
    await countEvent(tx, tries, day_ms);
    throw new RememberedError('cardLastFourWrong');
  }
  await setActivated(tx, id);
  await addStep(tx, id, { step: 'activated', by: context.session.userName });
  await record(tx, context, 'cards.activate', card);
  await announce(tx, [cardChanged(id), live('card', id)]);
  return { id, state: 'active', frozenBy: card.frozenBy };
}

/** @throws DomainError cardNotFound, cardClosed */
export async function close(
  tx: Tx,
  context: SignedInContext,
  { id, note }: Body<typeof closeCard>,
): Promise<OutputInput<typeof closeCard>> {
  const card = await openCard(tx, context, id);
  await closeCardRow(tx, id);
  await addStep(tx, id, { step: 'closed', by: context.session.userName, note });
  await record(tx, context, 'cards.close', card, { note });
  await announce(tx, [cardChanged(id), live('card', id)]);
  return { id, state: 'closed', frozenBy: card.frozenBy };
}

/** @throws DomainError cardNotFound, cardClosed, cardIssuerMissing, cardShippingInvalid, idTaken, noPermission */
export async function replace(
  tx: Tx,
  context: SignedInContext & CardPorts,
  body: Body<typeof replaceCard>,
): Promise<OutputInput<typeof replaceCard>> {
  const { id, newId, reason, shipTo } = body;
  const madeAs = digestOf(body);
  if (await isMadeAs(tx, newId, madeAs)) return { id, newId };
  const card = await openCard(tx, context, id);
  requireHand(context, card);
  if (context.issuer === null) throw new DomainError('cardIssuerMissing');
  if (card.kind === 'virtual' && shipTo !== null) throw new DomainError('cardShippingInvalid');
  const bounds = await boundsOfCard(tx, id);
  if (!bounds) throw new DomainError('cardNotFound');
  await closeCardRow(tx, id);
  try {
    await insertCard(tx, {
      ...{
        id: newId,
        originId: card.originId,
        kind: card.kind,
        holderId: card.holderId,
        name: card.name,
        walletId: card.walletId,
      },
      ...{
        asset: card.asset,
        bounds,
        validUntil: card.validUntil,
        shipTo: shipTo ?? card.shipTo,
        replaces: { id, reason },
        madeAs,
      },
    });
  } catch (error) {
    if (databaseError(error)?.constraint === 'card_pkey') throw new DomainError('idTaken');
    throw error;
  }
  // A freeze of an administrator's is not shaken off by a new card.
  if (card.frozenBy === 'administrator') await setFrozen(tx, newId, 'administrator');
  await addStep(tx, id, { step: 'replaced', by: context.session.userName, note: reason });
  await addStep(tx, newId, { step: 'issued', by: context.session.userName });
  await record(tx, context, 'cards.replace', card, { reason });
  await announce(tx, [cardChanged(id), cardChanged(newId), live('card')]);
  return { id, newId };
}

/** SHA-256, hex, of what a code to see a number confirms, in one fixed form. */
function cardDigest(companyId: string, userId: string, cardId: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['causeway.card.1', companyId, userId, cardId]))
    .digest('hex');
}

/** What a code is bound to, and the facts that its mail repeats. @throws DomainError validationFailed, cardNotFound */
export async function describeCardSubject(
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Promise<{ digest: string; facts: CodeFact[] }> {
  const parsed = z.safeParse(cardContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { cardId } = parsed.data;
  const card = await lockCard(tx, cardId);
  if (card?.holderId !== session.userId) throw new DomainError('cardNotFound');
  return {
    digest: cardDigest(tx.companyId, session.userId, cardId),
    facts: [
      { label: translate(locale, 'cards.codeFact.card'), value: card.name },
      // A code to see the number of a card that is not activated proves nothing, and its mail must not name the digits that activate it.
      ...(card.state === 'active' && card.lastFour !== null
        ? [{ label: translate(locale, 'cards.codeFact.lastFour'), value: card.lastFour }]
        : []),
    ],
  };
}

/** @throws DomainError cardNotFound, cardClosed, cardNotHolder, cardNotActive, cardIssuerUnavailable, and those of the code */
export async function reveal(
  tx: Tx,
  context: SignedInContext & RevealPorts,
  { cardId, codeMethod, code }: Body<typeof revealCard>,
): Promise<OutputInput<typeof revealCard>> {
  const { session, clock, issuer, locale } = context;
  const card = await openCard(tx, context, cardId);
  if (card.holderId !== session.userId) throw new DomainError('cardNotHolder');
  if (card.state !== 'active' || card.frozenBy !== null || card.issuerToken === null)
    throw new DomainError('cardNotActive');
  if (issuer === null) throw new DomainError('cardIssuerUnavailable');
  const digest = cardDigest(session.companyId, session.userId, cardId);
  await context.verifyCardCode(tx, { session, method: codeMethod, code, digest });
  const expiresAt = new Date(clock.now().getTime() + cardFrameSeconds * 1000);
  await record(tx, context, 'cards.reveal', card, { proof: codeMethod });
  return { url: issuer.frame(card.issuerToken, expiresAt, locale), expiresAt: expiresAt.toISOString() };
}
