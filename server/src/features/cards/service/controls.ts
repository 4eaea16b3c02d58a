import { createHash } from 'node:crypto';
import type { Body } from '@causeway/contract/call.ts';
import type { changeCard, issueCard } from '@causeway/contract/cards.ts';
import type { removeCardRule, setCardRule } from '@causeway/contract/cards-limits.ts';
import { type CardRuleScope, cardLimitNames, mostCards } from '@causeway/contract/cards-rules.ts';
import type { ControlKind } from '@causeway/contract/control-rules.ts';
import { systemRoleOf } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { type ControlOperation, type ControlState, findPeople, type Shown } from '../../organisation/index.ts';
import { type Bounds, isStricter } from '../domain.ts';
import { cardChanged } from '../events.ts';
import type { CardPorts } from '../ports.ts';
import { addStep, insertCard, isMadeAs, lockCard, updateCard } from '../store/cards.ts';
import { boundsOfCard } from '../store/deciding.ts';
import {
  countOpen,
  deleteRule,
  findCardWallet,
  findDecimals,
  findRule,
  hasScope,
  lockCards,
  writeRule,
} from '../store/rules.ts';
import { readBounds, sayLimits } from './bounds.ts';

/**
 * What widens what cards let out, as operations that may need a second person (docs/adr/0102-…): who manages cards proposes, who may change policies consents.
 */

type Operation<T extends object> = Omit<ControlOperation<T>, 'permission' | 'proposer' | 'lock'>;

function operation<T extends object>(given: Operation<T>): ControlOperation<T> {
  return { permission: 'policy.manage', proposer: 'card.manage', lock: lockCards, ...given };
}

const none: ControlState = { subject: null, subjectId: null, fields: {}, basis: null };

const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** Bounds as a task shows them: one field for each. */
function fieldsOf(
  { limits, categories, countries, online }: Bounds,
  asset: string,
  decimals: number,
): Record<string, Shown> {
  const said = sayLimits(limits, decimals);
  const amounts = cardLimitNames.map((name) => [
    `cardLimit${capital(name)}`,
    said[name] === null ? null : `${said[name]} ${asset}`,
  ]);
  return {
    ...Object.fromEntries(amounts),
    ...(categories === null
      ? {}
      : {
          [`cardCategories${capital(categories.mode)}`]: {
            texts: categories.groups.map((group) => `cards.category.${group}`),
          },
        }),
    ...(countries === null ? {} : { [`cardCountries${capital(countries.mode)}`]: countries.codes.join(', ') }),
    cardOnline: { text: online ? 'control.value.on' : 'control.value.off' },
  };
}

export function issuing(
  { issuer }: Pick<CardPorts, 'issuer'>,
  body: Body<typeof issueCard>,
): ControlOperation<{ id: string }> {
  const { id } = body;
  return operation({
    kind: 'issueCard',
    input: body,
    async state(tx) {
      const card = await lockCard(tx, id);
      if (!card) return { ...none, subjectId: id, basis: { walletId: body.walletId } };
      const [holder] = await findPeople(tx, [card.holderId]);
      const wallet = await findCardWallet(tx, card.walletId);
      const bounds = await boundsOfCard(tx, id);
      const fields: Record<string, Shown> = {
        ...{
          cardHolder: holder?.name ?? '',
          cardWallet: wallet?.name ?? '',
          cardKind: { text: `control.value.card.${card.kind}` },
        },
        ...(bounds ? fieldsOf(bounds, card.asset, wallet?.decimals ?? 0) : {}),
        cardValidUntil: card.validUntil,
      };
      return { subject: card.name, subjectId: id, fields, basis: fields };
    },
    async make(tx, context) {
      await issue(tx, context, issuer?.currencies ?? null, body);
      return { result: { id }, widensFor: [body.holderId].filter((holderId) => holderId !== context.session.userId) };
    },
  });
}

/** SHA-256 of a request, whose fields are in the contract's order. */
export function digestOf(body: object): Buffer {
  return createHash('sha256').update(JSON.stringify(body)).digest();
}

/** @throws DomainError cardIssuerMissing, walletNotFound, cardWalletInvalid, cardHolderInvalid, cardShippingInvalid, cardLimitsInvalid, tooManyCards, idTaken */
async function issue(
  tx: Tx,
  context: SignedInContext,
  currencies: readonly string[] | null,
  body: Body<typeof issueCard>,
): Promise<void> {
  const { id, kind, holderId, name, walletId, validUntil, shipTo, ...rest } = body;
  // The answer was lost on its way, and the request came again.
  const madeAs = digestOf(body);
  if (await isMadeAs(tx, id, madeAs)) return;
  if (currencies === null) throw new DomainError('cardIssuerMissing');
  const wallet = await findCardWallet(tx, walletId);
  if (!wallet) throw new DomainError('walletNotFound');
  if (!wallet.isAtBank || !currencies.includes(wallet.asset)) throw new DomainError('cardWalletInvalid');
  const [holder] = await findPeople(tx, [holderId]);
  if (!holder) throw new DomainError('memberNotFound');
  if (holder.status !== 'active') throw new DomainError('cardHolderInvalid');
  if ((kind === 'physical') !== (shipTo !== null)) throw new DomainError('cardShippingInvalid');
  if ((await countOpen(tx)) >= mostCards) throw new DomainError('tooManyCards', { most: mostCards });
  const bounds = readBounds(rest, wallet);
  try {
    await insertCard(tx, {
      ...{
        id,
        originId: id,
        kind,
        holderId,
        name,
        walletId,
        asset: wallet.asset,
        bounds,
        validUntil,
        shipTo,
        replaces: null,
        madeAs,
      },
    });
  } catch (error) {
    if (databaseError(error)?.constraint === 'card_pkey') throw new DomainError('idTaken');
    throw error;
  }
  await addStep(tx, id, { step: 'issued', by: context.session.userName });
  await audit(tx, {
    actor: actorOf(context),
    action: 'cards.issue',
    subjectKind: 'card',
    subjectId: id,
    detail: { name, holder: holder.name, cardKind: kind },
  });
  await announce(tx, [cardChanged(id), live('card', id)]);
}

export function changingCard(body: Body<typeof changeCard>): ControlOperation<{ id: string }> {
  const { id, name, validUntil, ...rest } = body;
  const found = async (tx: Tx) => {
    const card = await lockCard(tx, id);
    const bounds = await boundsOfCard(tx, id);
    if (!card || !bounds) throw new DomainError('cardNotFound');
    return { card, bounds, decimals: (await findDecimals(tx, card.asset)) ?? 0 };
  };
  return operation({
    kind: 'changeCard',
    input: body,
    async state(tx) {
      const { card, bounds, decimals } = await found(tx);
      const fields = {
        ...fieldsOf(bounds, card.asset, decimals),
        cardValidUntil: card.validUntil,
        cardName: card.name,
      };
      return { subject: card.name, subjectId: id, fields, basis: fields };
    },
    async make(tx, context) {
      const { card, bounds: before, decimals } = await found(tx);
      if (card.state === 'closed') throw new DomainError('cardClosed');
      const bounds = readBounds(rest, { asset: card.asset, decimals });
      await updateCard(tx, id, { name, bounds, validUntil });
      await addStep(tx, id, { step: 'changed', by: context.session.userName });
      await audit(tx, {
        actor: actorOf(context),
        action: 'cards.change',
        subjectKind: 'card',
        subjectId: id,
        detail: { name, ...limitChange(before, bounds, decimals) },
      });
      await announce(tx, [cardChanged(id), live('card', id)]);
      const isLater = card.validUntil !== null && (validUntil === null || validUntil > card.validUntil);
      return {
        result: { id },
        widensFor: isStricter(before, bounds) && !isLater ? null : holderBeside(card.holderId, context),
      };
    },
  });
}

/** Who gains cannot consent; the proposer cannot in any case. */
function holderBeside(holderId: string, { session }: SignedInContext): string[] {
  return holderId === session.userId ? [] : [holderId];
}

function limitChange(before: Bounds, after: Bounds, decimals: number) {
  const say = (bounds: Bounds) => {
    const limits = sayLimits(bounds.limits, decimals);
    return cardLimitNames.map((name) => limits[name] ?? '–').join(' / ');
  };
  return { limits: { before: say(before), after: say(after) } };
}

export function settingRule(
  { issuer }: Pick<CardPorts, 'issuer'>,
  body: Body<typeof setCardRule>,
): ControlOperation<{ id: string }> {
  const { scope, scopeId, asset, ...rest } = body;
  const by = { scope, scopeId, asset };
  return operation({
    kind: 'setCardRule',
    input: body,
    async state(tx) {
      const rule = await findRule(tx, by);
      if (!rule) return { ...none, basis: by };
      return ruleState(rule);
    },
    async make(tx, context) {
      const before = await findRule(tx, by);
      const decimals = await findDecimals(tx, asset);
      if (decimals === null || !(issuer?.currencies.includes(asset) ?? false))
        throw new DomainError('cardWalletInvalid');
      const isSystemRole = scope === 'role' && scopeId !== null && systemRoleOf(scopeId) !== null;
      if ((scope === 'company') !== (scopeId === null)) throw new DomainError('cardRuleScopeInvalid');
      if (!isSystemRole && !(await hasScope(tx, scope, scopeId))) {
        throw new DomainError(scope === 'role' ? 'roleNotFound' : 'departmentNotFound');
      }
      const bounds = readBounds(rest, { asset, decimals });
      const id = before?.id ?? newId();
      await writeRule(tx, id, { ...by, bounds });
      await recordRule(tx, context, 'cards.setRule', { id, scope });
      return { result: { id }, widensFor: before === null || isStricter(before.bounds, bounds) ? null : [] };
    },
  });
}

export function removingRule({ id }: Body<typeof removeCardRule>): ControlOperation<object> {
  const found = async (tx: Tx) => {
    const rule = await findRule(tx, { id });
    if (!rule) throw new DomainError('cardRuleNotFound');
    return rule;
  };
  return operation({
    kind: 'removeCardRule',
    input: { id },
    async state(tx) {
      const rule = await findRule(tx, { id });
      return rule ? ruleState(rule) : { ...none, subjectId: id };
    },
    async make(tx, context) {
      const { scope } = await found(tx);
      await deleteRule(tx, id);
      await recordRule(tx, context, 'cards.removeRule', { id, scope });
      return { result: {}, widensFor: [] };
    },
  });
}

function ruleState(rule: NonNullable<Awaited<ReturnType<typeof findRule>>>): ControlState {
  const { scope, scopeName, bounds, asset, decimals, id } = rule;
  const fields = { ...fieldsOf(bounds, asset, decimals), cardScope: { text: `control.value.card.${scope}` } };
  return { subject: scopeName ?? asset, subjectId: id, fields, always: ['cardScope'], basis: fields };
}

async function recordRule(
  tx: Tx,
  context: SignedInContext,
  action: 'cards.setRule' | 'cards.removeRule',
  { id, scope }: { id: string; scope: CardRuleScope },
): Promise<void> {
  await audit(tx, { actor: actorOf(context), action, subjectKind: 'cardRule', subjectId: id, detail: { scope } });
  await announce(tx, [live('card')]);
}

/** By kind, for what was proposed and takes effect later. */
export function cardControls(
  ports: Pick<CardPorts, 'issuer'>,
): Partial<Record<ControlKind, (input: ControlOperation<object>['input']) => ControlOperation<object>>> {
  return {
    // What was proposed is what the contract had validated, as JSON.
    issueCard: (input) => issuing(ports, input as Body<typeof issueCard>),
    changeCard: (input) => changingCard(input as Body<typeof changeCard>),
    setCardRule: (input) => settingRule(ports, input as Body<typeof setCardRule>),
    removeCardRule: (input) => removingRule(input as Body<typeof removeCardRule>),
  };
}
