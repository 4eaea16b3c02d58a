import type { addRateAlert, listRateAlerts, RateAlert } from '@causeway/contract/alerts.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { mostRateAlerts } from '@causeway/contract/rates-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import { type Database, databaseError, type Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { findMids, rateOf, sayRate } from '../../rates/index.ts';
import { hasPassed } from '../domain.ts';
import {
  deleteRateAlert,
  findCompaniesWatching,
  findRateAlerts,
  insertRateAlert,
  markFired,
  type RateAlertRow,
  takeWatched,
} from '../store/rate-alerts.ts';
import { alertEach, allowedOf } from './recipients.ts';

/** Companies that are asked for at a time. */
const companiesAtOnce = 100;

export async function list(tx: Tx, { session }: SignedInContext): Promise<OutputInput<typeof listRateAlerts>> {
  return { items: (await findRateAlerts(tx, session.userId)).map(shown) };
}

/** @throws DomainError rateUnknown, tooManyRateAlerts, idTaken */
export async function add(
  tx: Tx,
  context: SignedInContext,
  { id, sell, buy, direction, value }: Body<typeof addRateAlert>,
): Promise<RateAlert> {
  const mids = await findMids(tx, [sell, buy]);
  if (mids.some(({ usd }) => usd === null)) throw new DomainError('rateUnknown', { sell, buy });
  const alert = { id, userId: context.session.userId, sell, buy, direction, value, createdAt: context.clock.now() };
  try {
    const isAdded = await insertRateAlert(tx, alert, mostRateAlerts);
    if (!isAdded) throw new DomainError('tooManyRateAlerts', { most: mostRateAlerts });
  } catch (error) {
    if (databaseError(error)?.constraint === 'rate_alert_pkey') throw new DomainError('idTaken');
    throw error;
  }
  await record(tx, context, 'alerts.addRate', alert);
  return shown({ ...alert, firedAt: null, firedRate: null });
}

/** @throws DomainError notFound */
export async function remove(tx: Tx, context: SignedInContext, { id }: { id: string }): Promise<void> {
  const removed = await deleteRateAlert(tx, context.session.userId, id);
  if (!removed) throw new DomainError('notFound');
  await record(tx, context, 'alerts.removeRate', removed);
}

type Named = Pick<RateAlertRow, 'sell' | 'buy' | 'direction' | 'value'>;

async function record(
  tx: Tx,
  context: SignedInContext,
  action: 'alerts.addRate' | 'alerts.removeRate',
  { sell, buy, direction, value }: Named,
): Promise<void> {
  const rateAlert = `${sell}/${buy} ${direction === 'above' ? '≥' : '≤'} ${value}`;
  const subject = { subjectKind: 'member', subjectId: context.session.userId } as const;
  await audit(tx, { actor: actorOf(context), action, ...subject, detail: { rateAlert } });
}

function shown({ userId: _, createdAt, firedAt, ...alert }: RateAlertRow): RateAlert {
  return { ...alert, createdAt: createdAt.toISOString(), firedAt: firedAt?.toISOString() ?? null };
}

/** Rates are renewed about as often. */
const everyMs = 10_000;

/** Gives alerts until stopped. One that is late is given at the rate of then. */
export function startRateAlerts(database: Database, log: Log): Loop {
  return startLoop({ name: 'alerts.rates', everyMs, log, step: (signal) => giveRateAlerts(database, log, signal) });
}

/** Gives the alerts whose value the rate has passed. A company that fails keeps no other from its turn. */
export async function giveRateAlerts(database: Database, log: Log, signal?: AbortSignal): Promise<void> {
  const next = (after: string | null) =>
    database.withoutCompany((tx) => findCompaniesWatching(tx, after, companiesAtOnce));
  for (let companies = await next(null); companies.length > 0; companies = await next(companies.at(-1) ?? null)) {
    for (const companyId of companies) {
      if (signal?.aborted) return;
      await database
        .withCompany(companyId, giveOfCompany)
        .catch((error: unknown) => log.warn({ err: error, companyId }, 'alerts of rates could not be given'));
    }
  }
}

/** A rate that may not be quoted passes nothing. */
async function giveOfCompany(tx: Tx): Promise<void> {
  const watched = await takeWatched(tx);
  const mids = await findMids(tx, [...new Set(watched.flatMap(({ sell, buy }) => [sell, buy]))]);
  const usd = new Map(mids.flatMap((mid) => (mid.problem === null ? [[mid.asset, mid.usd] as const] : [])));
  for (const alert of watched) {
    const [sellUsd, buyUsd] = [usd.get(alert.sell), usd.get(alert.buy)];
    if (sellUsd === undefined || buyUsd === undefined) continue;
    const rate = rateOf(sellUsd, buyUsd);
    if (hasPassed(alert, rate)) await give(tx, alert, rate);
  }
}

async function give(tx: Tx, { id, userId, sell, buy, direction, value }: RateAlertRow, rate: string): Promise<void> {
  const to = await allowedOf(tx, 'rate', [userId]);
  // Who may not see wallets now may see them again later.
  if (to.length === 0) return;
  await markFired(tx, id, rate);
  await alertEach(tx, to, {
    kind: direction === 'above' ? 'alert.rateAbove' : 'alert.rateBelow',
    sourceId: id,
    values: { sell, buy, rate: sayRate(rate), value },
    link: `/app/wallet/rates/${sell}-${buy}`,
  });
}
