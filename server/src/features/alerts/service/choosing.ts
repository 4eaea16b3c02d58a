import type { ChosenAlerts, setAlerts, watchWallet } from '@causeway/contract/alerts.ts';
import { alerts, digestHourDefault, largeIncomingDefault } from '@causeway/contract/alerts-rules.ts';
import type { Body } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { valuationCurrency } from '@causeway/contract/rates.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { accountsByKind, amountOf, watchBelow, watchesOf } from '../../ledger/index.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { nameWallet } from '../../wallets/index.ts';
import { isAllowed } from '../domain.ts';
import { type Choice, findChoice, saveChoice } from '../store/choices.ts';

const usd = { asset: valuationCurrency, decimals: 2 };

const nothing: Choice = {
  lowBalance: false,
  largeIncoming: false,
  largeIncomingFromCents: amountOf(largeIncomingDefault, usd),
  newPayee: false,
  dailyDigest: false,
  digestHour: digestHourDefault,
  digestAlways: false,
};

/** What the person has chosen, and what their role lets them have of it. */
export async function describeChoice(tx: Tx, { session }: SignedInContext): Promise<ChosenAlerts> {
  const choice = (await findChoice(tx, session.userId)) ?? nothing;
  const { timeZone } = await findCompanySettings(tx);
  return {
    timeZone,
    alerts: alerts.map((alert) => ({ alert, on: choice[alert], allowed: isAllowed(alert, session.permissions) })),
    largeIncomingUsd: formatAmount(choice.largeIncomingFromCents, usd.decimals),
    digestHour: choice.digestHour,
    digestAlways: choice.digestAlways,
  };
}

/** Chooses what is named. @throws DomainError noPermission for an alert of what the person's role does not show */
export async function choose(
  tx: Tx,
  context: SignedInContext,
  { on = {}, largeIncomingUsd, ...digest }: Body<typeof setAlerts>,
): Promise<ChosenAlerts> {
  const { session, clock } = context;
  if (alerts.some((alert) => on[alert] === true && !isAllowed(alert, session.permissions))) {
    throw new DomainError('noPermission');
  }
  const before = (await findChoice(tx, session.userId)) ?? nothing;
  const threshold = largeIncomingUsd && { largeIncomingFromCents: amountOf(largeIncomingUsd, usd, 'largeIncomingUsd') };
  const after = withDefined(before, { ...on, ...threshold, ...digest });
  await saveChoice(tx, session.userId, after, clock.now());
  await audit(tx, {
    actor: actorOf(context),
    action: 'alerts.choose',
    subjectKind: 'member',
    subjectId: session.userId,
    detail: { before: recorded(before), after: recorded(after) },
  });
  return describeChoice(tx, context);
}

/** What is not named stays as it was. */
function withDefined(before: Choice, named: { [K in keyof Choice]?: Choice[K] | undefined }): Choice {
  const defined = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return { ...before, ...defined };
}

function recorded({ largeIncomingFromCents, ...choice }: Choice): Record<string, unknown> {
  return { ...choice, largeIncomingUsd: formatAmount(largeIncomingFromCents, usd.decimals) };
}

/**
 * Sets the balance below which a wallet alerts. One that is above the balance alerts at once.
 * @throws DomainError walletNotFound, amountFormat, amountTooManyDecimals, amountTooLarge
 */
export async function watch(
  tx: Tx,
  context: SignedInContext,
  { id, below }: Body<typeof watchWallet> & { id: string },
): Promise<void> {
  const wallet = await nameWallet(tx, id, context.locale);
  if (!wallet) throw new DomainError('walletNotFound');
  const { available } = await accountsByKind(tx, id, ['available']);
  const before = (await watchesOf(tx, [id], 'available')).get(id);
  const written = (minor: bigint | undefined | null) =>
    minor === undefined || minor === null ? null : formatAmount(minor, wallet.decimals);
  const belowMinor = below === null ? null : amountOf(below, wallet, 'below');
  await watchBelow(tx, available.id, belowMinor);
  await audit(tx, {
    actor: actorOf(context),
    action: 'alerts.watchWallet',
    subjectKind: 'wallet',
    subjectId: id,
    detail: {
      asset: wallet.asset,
      before: { alertBelow: written(before) },
      after: { alertBelow: written(belowMinor) },
    },
  });
  await announce(tx, [live('balance', id)]);
}
