import { createHash, randomBytes } from 'node:crypto';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { currencies, isCurrency } from '@causeway/contract/currencies.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { createPaymentRequest } from '@causeway/contract/payment-requests.ts';
import {
  longestFrozenRateMinutes,
  longestRequestMinutes,
  mostOpenPaymentRequests,
  mostTolerancePercent,
  paymentTokenBytes,
  shortestRequestMinutes,
} from '@causeway/contract/payment-requests-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { made } from '../events.ts';
import { addLine } from '../store/lines.ts';
import {
  type AcceptableCoin,
  countRunning,
  findAcceptable,
  insertOptions,
  insertPeriod,
  insertRequest,
  isMadeAs,
} from '../store/making.ts';
import { readRequest } from '../store/requests.ts';
import { coinFor, exactly } from '../values.ts';
import { type Rate, ratesOf } from './rates.ts';

type Asked = Body<typeof createPaymentRequest>;

/**
 * Makes a request; its addresses are opened by the worker. The limit on requests that run is a soft one: those that are made at the same instant may pass
 * it.
 * @throws DomainError see the call
 */
export async function make(
  tx: Tx,
  context: SignedInContext,
  asked: Asked,
): Promise<OutputInput<typeof createPaymentRequest>> {
  const { session } = context;
  const now = context.clock.now();
  const madeAs = createHash('sha256').update(JSON.stringify(asked)).digest();
  const before = await readRequest(tx, asked.id);
  // The same submit again, after an answer that was lost.
  if (before && before.createdBy === session.userId && (await isMadeAs(tx, asked.id, madeAs))) {
    return { id: before.id, state: before.state, token: before.token };
  }
  const accepted = acceptedOf(asked, await findAcceptable(tx));
  const { asset, decimals, amountMinor } = amountAsked(asked, accepted);
  const tolerance = toleranceOf(asked, { asset, decimals, amountMinor });
  const expiresAt = expiryOf(asked, now);
  const { timeZone } = await findCompanySettings(tx);
  checkDates(asked, { now, expiresAt, timeZone });
  if ((await countRunning(tx)) >= mostOpenPaymentRequests) {
    throw new DomainError('paymentRequestTooMany', { most: mostOpenPaymentRequests });
  }
  const rates = await freezeRates(tx, asked, accepted, amountMinor);
  refuseDust(asked, accepted, amountMinor, rates);
  const { id, title, reference, note, kind, pricing, payer, dueOn, reminderDays } = asked;
  const token = randomBytes(paymentTokenBytes).toString('base64url');
  try {
    await insertRequest(tx, {
      ...{ id, token, title, reference, note, kind, pricing, asset, amountMinor, dueOn, expiresAt },
      ...{ toleranceMinor: tolerance.minor, tolerancePercent: tolerance.percent, reminderDays },
      payerName: payer?.name ?? null,
      payerEmail: payer?.email ?? null,
      payerLanguage: payer?.language ?? null,
      ...{ createdBy: session.userId, createdByName: session.userName, createdAt: now, madeAs },
    });
  } catch (error) {
    if (databaseError(error)?.constraint === 'payment_request_pkey') throw new DomainError('idTaken');
    throw error;
  }
  await insertOptions(tx, id, accepted);
  await insertPeriod(tx, id, { number: 1, startsAt: now, expiresAt, amountMinor, rates });
  await addLine(tx, id, {
    step: 'created',
    by: session.userName,
    ...(amountMinor === null || asset === null ? {} : { amount: { minor: amountMinor, asset } }),
  });
  await audit(tx, {
    actor: actorOf(context),
    action: 'collections.make',
    subjectKind: 'paymentRequest',
    subjectId: id,
    detail: {
      name: title,
      ...(reference === '' ? {} : { reference }),
      ...(amountMinor === null || asset === null ? {} : { amount: sayAmount(amountMinor, decimals ?? 0), coin: asset }),
    },
  });
  await announce(tx, [made(id), live('paymentRequest', id)]);
  return { id, state: 'preparing', token };
}

/** @throws DomainError paymentRequestNoWallet */
function acceptedOf({ accepted }: Asked, acceptable: readonly AcceptableCoin[]): AcceptableCoin[] {
  const chosen = new Map<string, AcceptableCoin>();
  for (const { chainId, coin } of accepted) {
    const found = acceptable.find((each) => each.chainId === chainId && each.coin === coin);
    if (!found) throw refusal('paymentRequestNoWallet', { coin, chain: chainId }, 'accepted');
    chosen.set(`${chainId}/${coin}`, found);
  }
  return [...chosen.values()];
}

/** @throws DomainError paymentRequestPricing, amountFormat, amountTooManyDecimals, amountTooLarge */
function amountAsked(
  { kind, pricing, asset, amount }: Asked,
  accepted: readonly AcceptableCoin[],
): { asset: string | null; decimals: number | null; amountMinor: bigint | null } {
  const refused = refusal('paymentRequestPricing', {}, 'pricing');
  if (pricing === 'open') {
    if (kind !== 'reusable' || asset !== null || amount !== null) throw refused;
    return { asset: null, decimals: null, amountMinor: null };
  }
  if (asset === null || amount === null) throw refused;
  if (pricing === 'currency' && (kind !== 'single' || !isCurrency(asset))) throw refused;
  if (pricing === 'coin' && accepted.some(({ coin }) => coin !== asset)) throw refused;
  const decimals = isCurrency(asset) ? currencies[asset].decimals : accepted[0]?.decimals;
  if (decimals === undefined) throw refused;
  const amountMinor = amountOf(amount, { asset, decimals });
  if (amountMinor <= 0n) throw refusal('amountFormat', {}, 'amount');
  return { asset, decimals, amountMinor };
}

/** @throws DomainError paymentRequestTolerance, amountFormat, amountTooManyDecimals, amountTooLarge */
function toleranceOf(
  { tolerance }: Asked,
  { asset, decimals, amountMinor }: { asset: string | null; decimals: number | null; amountMinor: bigint | null },
): { minor: bigint; percent: string | null } {
  if (asset === null || decimals === null || amountMinor === null) {
    const isZero = 'percent' in tolerance ? Number(tolerance.percent) === 0 : /^[0.]+$/.test(tolerance.units);
    if (!isZero) throw refusal('paymentRequestTolerance', { most: mostTolerancePercent }, 'tolerance');
    return { minor: 0n, percent: null };
  }
  const percentOf = (hundredths: bigint) => (amountMinor * hundredths) / 10_000n;
  if ('percent' in tolerance) {
    const [whole = '0', fraction = ''] = tolerance.percent.split('.');
    return { minor: percentOf(BigInt(whole + fraction.padEnd(2, '0'))), percent: tolerance.percent };
  }
  const minor = amountOf(tolerance.units, { asset, decimals });
  if (minor > percentOf(BigInt(mostTolerancePercent * 100))) {
    throw refusal('paymentRequestTolerance', { most: mostTolerancePercent }, 'tolerance');
  }
  return { minor, percent: null };
}

const minuteMs = 60_000;

/** @throws DomainError paymentRequestExpiry */
export function checkExpiry(expiresAt: Date, now: Date, isFrozen: boolean): void {
  const minutes = (expiresAt.getTime() - now.getTime()) / minuteMs;
  const most = isFrozen ? longestFrozenRateMinutes : longestRequestMinutes;
  // A form is filled in for a while.
  if (minutes >= shortestRequestMinutes - 1 && minutes <= most) return;
  throw refusal('paymentRequestExpiry', { least: shortestRequestMinutes, most: most / 1440 }, 'expiresAt');
}

function expiryOf({ kind, pricing, expiresAt }: Asked, now: Date): Date | null {
  if (expiresAt === null) {
    if (kind === 'reusable') return null;
    throw refusal(
      'paymentRequestExpiry',
      { least: shortestRequestMinutes, most: longestRequestMinutes / 1440 },
      'expiresAt',
    );
  }
  const at = new Date(expiresAt);
  checkExpiry(at, now, pricing === 'currency');
  return at;
}

/** @throws DomainError paymentRequestDueDate, paymentRequestReminders */
function checkDates(
  { kind, dueOn, payer, reminderDays }: Asked,
  { now, expiresAt, timeZone }: { now: Date; expiresAt: Date | null; timeZone: string },
): void {
  const dayOf = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
  if (dueOn !== null && (dueOn < dayOf(now) || (expiresAt !== null && dueOn > dayOf(expiresAt)))) {
    throw refusal('paymentRequestDueDate', {}, 'dueOn');
  }
  checkReminders({ kind, dueOn, email: payer?.email ?? null, reminderDays });
}

/** @throws DomainError paymentRequestReminders */
export function checkReminders(asked: {
  kind: Asked['kind'];
  dueOn: string | null;
  email: string | null;
  reminderDays: readonly number[];
}): void {
  if (asked.reminderDays.length === 0) return;
  if (asked.kind === 'single' && asked.dueOn !== null && asked.email !== null) return;
  throw refusal('paymentRequestReminders', {}, 'reminderDays');
}

/** @throws DomainError paymentRequestRateUnavailable */
export async function freezeRates(
  tx: Tx,
  { pricing, asset }: Pick<Asked, 'pricing' | 'asset'>,
  accepted: readonly Pick<AcceptableCoin, 'coin' | 'decimals'>[],
  amountMinor: bigint | null,
): Promise<(Rate & { amountMinor: bigint })[]> {
  if (pricing !== 'currency' || asset === null || amountMinor === null || !isCurrency(asset)) return [];
  const coins = new Map(accepted.map(({ coin, decimals }) => [coin, decimals]));
  const rates = await ratesOf(tx, [...coins.keys()], [asset]);
  return [...coins].map(([coin, decimals]) => {
    const rate = rates.find((each) => each.coin === coin);
    if (!rate) throw new DomainError('paymentRequestRateUnavailable', { coin, currency: asset });
    return { ...rate, amountMinor: coinFor(exactly(amountMinor), decimals, rate.rate, currencies[asset].decimals) };
  });
}

/** @throws DomainError paymentRequestTooSmall: what is below the minimum of deposits is not worth its network fees */
function refuseDust(
  { pricing }: Asked,
  accepted: readonly AcceptableCoin[],
  amountMinor: bigint | null,
  rates: readonly (Rate & { amountMinor: bigint })[],
): void {
  if (amountMinor === null) return;
  for (const { coin, decimals, minimumMinor } of accepted) {
    const due = pricing === 'coin' ? amountMinor : rates.find((each) => each.coin === coin)?.amountMinor;
    if (due === undefined || due >= minimumMinor) continue;
    throw refusal('paymentRequestTooSmall', { minimum: sayAmount(minimumMinor, decimals), coin }, 'amount');
  }
}
