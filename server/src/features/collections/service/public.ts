import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { readPublicPaymentRequest, stopPaymentReminders } from '@causeway/contract/payment-requests-public.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { countEvent, eventsIn } from '../../../platform/http/throttle.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { type ChainFamilies, familyOf, findChains, secondsUntilFinal } from '../../chains/index.ts';
import { findCompanyName } from '../../identity/index.ts';
import { explorerPage } from '../../transactions/index.ts';
import { isLate, isPayable, remainingOf, worthOf } from '../domain.ts';
import { isUnsubscribing } from '../public/unsubscribing.ts';
import { addLine } from '../store/lines.ts';
import type { PaymentRow } from '../store/payments.ts';
import { readReminders, setRemindersStopped } from '../store/reminders.ts';
import { findByToken, type RequestRow } from '../store/requests.ts';
import { wholeAtLeast, wholeOf } from '../values.ts';
import { dueIn } from './dues.ts';
import { type Known, know, lockKnown } from './reading.ts';

/** What a payer reads and does, by the token of a link alone. */

export interface PublicPorts {
  families: ChainFamilies;
}
type PublicContext = RequestContext & PublicPorts & { database: Database };
type Shown = OutputInput<typeof readPublicPaymentRequest>;

/** From one network address, and of one request, in five minutes: an office whose payers leave pages open stays below. */
const windowMs = 300_000;
const readsOfAddress = 1200;
const readsOfRequest = 1200;
/** Tokens of nothing. */
const missesOfAddress = 30;

/** @throws DomainError paymentLinkUnknown, tooManyRequests */
export async function readPublic(
  context: PublicContext,
  { token, hash }: Body<typeof readPublicPaymentRequest>,
): Promise<Shown> {
  const { companyId, requestId } = await findCounted(context, token);
  const { database, families, clock } = context;
  return database.withCompany(companyId, (tx) => showPublic(tx, { families, clock }, requestId, hash), {
    readOnly: true,
  });
}

/** Counted before and after the look-up, so that a stranger can guess a few times, and a page can be left open. @throws DomainError paymentLinkUnknown, tooManyRequests */
async function findCounted({ database, ip }: Pick<PublicContext, 'database' | 'ip'>, token: string) {
  const address = addressBucket(ip);
  const misses = `collections:misses:${address}`;
  const found = await database.withoutCompany(async (tx) => {
    const reads = await countEvent(tx, `collections:reads:${address}`, windowMs);
    if (reads > readsOfAddress || (await eventsIn(tx, misses)) >= missesOfAddress) return 'limited';
    const request = await findByToken(tx, token);
    if (request === null) {
      await countEvent(tx, misses, windowMs);
      return null;
    }
    const ofRequest = await countEvent(tx, `collections:request:${request.requestId}`, windowMs);
    return ofRequest > readsOfRequest ? 'limited' : request;
  });
  if (found === 'limited') throw new DomainError('tooManyRequests');
  if (found === null) throw new DomainError('paymentLinkUnknown');
  return found;
}

/** What a payer is shown of a request. @throws DomainError paymentLinkUnknown */
export async function showPublic(
  tx: Tx,
  { families, clock }: PublicPorts & { clock: Clock },
  requestId: string,
  hash?: string,
): Promise<Shown> {
  const now = clock.now();
  const known = await know(tx, requestId, now);
  if (!known) throw new DomainError('paymentLinkUnknown');
  const { row, standing, judgement } = known;
  const { paid, pending } = judgement;
  const { decimals, amountMinor } = row;
  const say = (minor: bigint) => formatAmount(minor, decimals ?? 0);
  const remaining = remainingOf(standing, judgement);
  const payable = isPayable(standing, judgement, now);
  const isSingle = row.kind === 'single';
  return {
    companyName: await findCompanyName(tx),
    ...{ title: row.title, reference: row.reference, note: row.note, kind: row.kind, pricing: row.pricing },
    state: judgement.state,
    // Of a reusable one they are of other payers.
    causes: isSingle ? judgement.causes : [],
    ...(isSingle ? {} : { state: openToAll(known, now) }),
    isPayable: payable,
    asset: row.asset,
    decimals,
    amount: amountMinor === null ? null : say(amountMinor),
    paid: isSingle ? say(wholeOf(paid)) : null,
    pending: isSingle ? say(wholeOf(paid + pending) - wholeOf(paid)) : null,
    remaining: remaining === null ? null : say(wholeAtLeast(remaining)),
    dueOn: row.dueOn,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    now: now.toISOString(),
    options: payable ? await optionsOf(tx, families, known) : [],
    received: shownPayments(known, hash).map((payment) => receivedOf(known, payment)),
    remindersStopped: (await isReminded(tx, row)) ? row.remindersStoppedAt !== null : null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** By days that were chosen, or by a member's hand. */
async function isReminded(tx: Tx, { id, payerEmail, reminderDays }: RequestRow): Promise<boolean> {
  return payerEmail !== null && (reminderDays.length > 0 || (await readReminders(tx, id)).length > 0);
}

/** Whether others' payments wait for a decision is none of a payer's business. */
function openToAll({ row, standing }: Known, now: Date): 'preparing' | 'open' | 'expired' | 'cancelled' {
  if (row.cancelledAt !== null) return 'cancelled';
  if (row.expiresAt !== null && row.expiresAt <= now) return 'expired';
  return standing.isOpened ? 'open' : 'preparing';
}

/** Of a reusable request one payment, to who knows its hash: who else pays the company is shown to no payer. */
function shownPayments({ row, payments }: Known, hash: string | undefined): readonly PaymentRow[] {
  if (row.kind === 'single') return payments;
  const plain = (text: string | null) => text?.toLowerCase().replace(/^0x/, '');
  return hash === undefined ? [] : payments.filter((payment) => plain(payment.hash) === plain(hash));
}

function receivedOf({ row, standing }: Known, payment: PaymentRow): Shown['received'][number] {
  const worth = worthOf(standing, payment);
  const { explorerUrl, hash, confirmationsNeeded } = payment;
  return {
    ...{ id: payment.id, chainId: payment.chainId, chainName: payment.chainName, coin: payment.coin },
    decimals: payment.decimals,
    amount: formatAmount(payment.quantityMinor, payment.decimals),
    value: worth === null || row.decimals === null ? null : formatAmount(wholeOf(worth), row.decimals),
    state: payment.state,
    confirmations:
      payment.state === 'credited' ? confirmationsNeeded : Math.min(payment.confirmations ?? 0, confirmationsNeeded),
    confirmationsNeeded,
    hash,
    explorerUrl: explorerUrl === null || hash === null ? null : explorerPage(explorerUrl, hash),
    at: payment.arrivedAt.toISOString(),
    isAccepted: payment.isAccepted,
    isLate: isLate(standing.periods, payment),
  };
}

async function optionsOf(tx: Tx, families: ChainFamilies, known: Known): Promise<Shown['options']> {
  const chains = await findChains(tx);
  return known.options.flatMap((option) => {
    const chain = chains.find(({ id }) => id === option.chainId);
    const coin = chain?.coins.find((each) => each.coin === option.coin);
    // What is switched off is not to be sent, and is credited all the same where it is.
    if (!chain?.enabled || !coin?.enabled || coin.depositsPaused || option.address === null) return [];
    const due = dueIn(known, option);
    // Too little of it to be sent; its address stays watched.
    if (due === null && known.row.amountMinor !== null) return [];
    const { evmChainId, confirmations } = chain;
    const { address, decimals } = option;
    const asked = { evmChainId, address, contract: coin.contract, decimals };
    const amountMinor = due?.amountMinor ?? null;
    return [
      {
        ...{ chainId: chain.id, chainName: chain.name, family: chain.family, coin: option.coin, decimals, address },
        amount: amountMinor === null ? null : formatAmount(amountMinor, decimals),
        rate: due?.rate ?? null,
        uri: familyOf(families, chain).paymentUri(amountMinor === null ? asked : { ...asked, amountMinor }),
        ...{ evmChainId, contract: coin.contract, confirmations, arrivalSeconds: secondsUntilFinal(chain) },
      },
    ];
  });
}

/**
 * @param signature of the address in a mail; null: the payer is on the page
 * @throws DomainError paymentLinkUnknown, tooManyRequests
 */
export async function stopReminders(
  context: PublicContext,
  { token }: Body<typeof stopPaymentReminders>,
  signature: string | null = null,
): Promise<null> {
  const { companyId, requestId } = await findCounted(context, token);
  await context.database.withCompany(companyId, async (tx) => {
    const known = await lockKnown(tx, requestId, context.clock.now());
    if (known?.row.remindersStoppedAt !== null) return;
    // That address gets none any more.
    if (signature !== null && !isUnsubscribing({ token, email: known.row.payerEmail }, signature)) return;
    await setRemindersStopped(tx, requestId, context.clock.now());
    await addLine(tx, requestId, { step: 'reminders_stopped' });
    await announce(tx, [live('paymentRequest', requestId)]);
  });
  return null;
}
