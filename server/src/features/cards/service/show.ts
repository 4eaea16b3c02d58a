import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Card, getCard, listCards } from '@causeway/contract/cards.ts';
import type { CardRuleSource, listCardRules } from '@causeway/contract/cards-limits.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { systemRoleOf } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Session, SignedInContext } from '../../../platform/session.ts';
import { roleNameOf } from '../../organisation/index.ts';
import { bindingOf, strictest } from '../domain.ts';
import type { CardPorts } from '../ports.ts';
import { type CardRow, cardList, cardOf, countCards, readCard, readCardSide, readSteps } from '../store/list.ts';
import { readRules } from '../store/rules.ts';
import { sayBounds, sayLimits } from './bounds.ts';

/** Cards as pages show them. */

/** Whose cards the reader sees: everyone's (null), or their own. */
export function holderSeen({ permissions, userId }: Session): string | null {
  return permissions.includes('card.view') ? null : userId;
}

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  { session, clock, issuer, isConnected }: SignedInContext & CardPorts,
  query: Query<typeof listCards>,
): Promise<OutputInput<typeof listCards>> {
  const holderId = holderSeen(session);
  const { items, ...page } = await readPage(tx, cardList, query, {
    now: clock.now(),
    holderId,
    readerId: session.userId,
  });
  return {
    ...page,
    items: items.map((row) => shownCard(cardOf(row))),
    connected: issuer !== null || (await isConnected?.(tx)) === true,
    summary: await countCards(tx, holderId),
  };
}

function shownCard(row: CardRow): Card {
  const say = (minor: bigint) => formatAmount(minor, row.decimals);
  const bounds = row.sources.map(({ bounds: each }) => each);
  const limits = {
    each: strictest(bounds, 'each'),
    day: strictest(bounds, 'day'),
    month: strictest(bounds, 'month'),
    total: strictest(bounds, 'total'),
  };
  return {
    ...{
      id: row.id,
      kind: row.kind,
      state: row.state,
      frozenBy: row.frozenBy,
      frozenAt: row.frozenAt?.toISOString() ?? null,
    },
    ...{ blocked: row.isBlocked, name: row.name, holder: { id: row.holderId, name: row.holderName } },
    department: row.departmentId === null ? null : { id: row.departmentId, name: row.departmentName ?? '' },
    ...{
      walletId: row.walletId,
      asset: row.asset,
      decimals: row.decimals,
      lastFour: row.lastFour,
      expires: row.expires,
    },
    ...{ validUntil: row.validUntil, limits: sayLimits(limits, row.decimals) },
    spent: { day: say(row.spentDay), month: say(row.spentMonth), total: say(row.spentTotal) },
    receiptsMissing: row.receiptsMissing,
    createdAt: row.createdAt.toISOString(),
  };
}

/** @throws DomainError cardNotFound */
export async function get(
  tx: Tx,
  { session, clock, issuer, locale }: SignedInContext & CardPorts,
  { id }: { id: string },
): Promise<OutputInput<typeof getCard>> {
  const row = await readCard(tx, id, holderSeen(session), clock.now());
  const side = await readCardSide(tx, id);
  if (!row || !side) throw new DomainError('cardNotFound');
  const [own] = row.sources;
  if (!own) throw new DomainError('cardNotFound');
  const steps = await readSteps(tx, id);
  const binding = bindingOf(row.sources).map(
    ({ bound, from, limitMinor }): CardRuleSource => ({
      ...{ bound, source: from.source, ruleId: from.ruleId },
      // A system role has its name in each language.
      name: from.source === 'role' && from.name !== null ? roleNameOf(from.name, from.name, locale) : from.name,
      amount: limitMinor === null ? null : formatAmount(limitMinor, row.decimals),
      categories: bound === 'categories' ? from.bounds.categories : null,
      countries: bound === 'countries' ? from.bounds.countries : null,
    }),
  );
  return {
    ...shownCard(row),
    own: sayBounds(own.bounds, row.decimals),
    binding,
    walletName: [row.asset, side.walletName].filter(Boolean).join(' · '),
    available: formatAmount(side.availableMinor, row.decimals),
    shipping:
      row.shipTo === null || side.shippingState === null
        ? null
        : {
            ...{ to: row.shipTo, state: side.shippingState, tracking: side.tracking, expectedOn: side.expectedOn },
            at: (side.shippingAt ?? row.createdAt).toISOString(),
          },
    ...{ replaces: row.replacesId, replacedBy: side.replacedBy, closedAt: side.closedAt?.toISOString() ?? null },
    problem: side.problem,
    history: steps.map((step) => ({ ...step, at: step.at.toISOString() })),
    can: canOf(row, session, issuer !== null),
  };
}

function canOf(row: CardRow, session: Session, isConnected: boolean) {
  const isOpen =
    row.state !== 'closed' && row.state !== 'failed' && session.isLook !== true && session.isFrozen !== true;
  const manages = session.permissions.includes('card.manage');
  const isHolder = row.holderId === session.userId;
  return {
    change: isOpen && manages,
    freeze:
      row.state !== 'closed' &&
      row.state !== 'failed' &&
      session.isLook !== true &&
      (manages || isHolder) &&
      row.frozenBy !== 'administrator',
    unfreeze: isOpen && row.frozenBy !== null && (manages || (isHolder && row.frozenBy === 'holder')),
    activate: isOpen && isHolder && row.state === 'inactive',
    replace: isOpen && isConnected && (manages || isHolder) && row.state !== 'ordered',
    close: row.state !== 'closed' && session.isLook !== true && manages,
    reveal: isOpen && isConnected && isHolder && row.state === 'active' && row.frozenBy === null,
  };
}

export async function listRules(tx: Tx, { locale }: SignedInContext): Promise<OutputInput<typeof listCardRules>> {
  const rules = await readRules(tx);
  return {
    items: rules.map(({ bounds, changedAt, scopeName, ...rule }) => ({
      ...rule,
      scopeName:
        rule.scope === 'role' && rule.scopeId !== null && systemRoleOf(rule.scopeId) !== null
          ? roleNameOf(rule.scopeId, null, locale)
          : scopeName,
      ...sayBounds(bounds, rule.decimals),
      changedAt: changedAt.toISOString(),
    })),
  };
}
