import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { exchange } from '@causeway/contract/exchange.ts';
import { limitOrderMaxDays } from '@causeway/contract/exchange-rules.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { statusAt } from '@causeway/contract/transactions-lives.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import { type CompaniesTx, together } from '../../../platform/database/database.ts';
import { live } from '../../../platform/database/outbox.ts';
import { findRestoreMode, type RestoreMode } from '../../../platform/database/restore-mode.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { BatchUseCase, Item } from '../../../platform/http/route.ts';
import { newId } from '../../../platform/ids.ts';
import type { ApprovalSubject } from '../../approvals/index.ts';
import { refusal } from '../../ledger/index.ts';
import {
  type Accepted,
  type Applicant,
  type OpenSubmissions,
  openSubmissions,
  type Submission,
  type SubmissionParts,
  type SubmitPorts,
  type Submitted,
  submitAll,
} from '../../outgoing/index.ts';
import { findMids, type Mid, usdValue } from '../../rates/index.ts';
import { reached } from '../../transactions/index.ts';
import { atRate, fixedAmountOf, isWithin, type Limit, quoteDigest } from '../domain.ts';
import { exchangeKinds, kindOfSide, riskSubjectOf } from '../kind.ts';
import { exchangeLegs, exchangePostings } from '../posting.ts';
import { sealExchange } from '../seal.ts';
import { insertExchanges, insertSeals, readTaken } from '../store/exchanges.ts';
import { lockQuotes, type QuoteRow, useQuotes } from '../store/quotes.ts';
import { holdSides, type Room, readAllSides, readRooms, type Sides } from '../store/sides.ts';
import { boughtTransaction } from './bought.ts';
import { type Meaning, meaningOf } from './content.ts';
import { deskParts } from './desk.ts';
import { checkAmount } from './limits.ts';
import { checkPair, paused, unavailable, usable } from './price.ts';
import { repayDeficits } from './repaying.ts';
import type { ExchangeTask } from './subject.ts';

/** What the routes bind: of the entry point, and the exchange as what is approved. */
export interface ExchangePorts extends SubmitPorts {
  subject: ApprovalSubject;
}

type ExchangeItem = Item<typeof exchange, ExchangePorts>;

/** What is read for all exchanges of a batch, in the order of their places. */
/** What exchanges are decided by, by asset. */
export interface Market {
  mids: ReadonlyMap<string, Mid>;
  rooms: ReadonlyMap<string, Room>;
}

interface World extends Market {
  opened: OpenSubmissions;
  sides: readonly (Sides | null)[];
  quotes: readonly (QuoteRow | null)[];
  taken: readonly { isTaken: boolean; at: Date }[];
  restoring: RestoreMode | null;
}

/** An exchange whose own rules hold. */
interface SubmittedExchange extends Submitted {
  meaning: Meaning;
  quote: QuoteRow;
  boughtId: string;
  at: Date;
}

/**
 * Submits exchanges at their quotes: checks the rules of each, consumes its code and its quote, and exchanges at once or holds what is sold, all
 * in one transaction. A repetition with the same key returns the first response.
 */
export const submitting: BatchUseCase<typeof exchange, ExchangePorts, World> = {
  // Neither the code nor the quote: a person who must ask for a new one after a lost answer still repeats the same exchange.
  request({ code: _code, codeMethod: _method, quoteId: _quote, ...request }) {
    return request;
  },
  makes: ({ id }) => id,
  read: readAll,
  work: submitExchanges,
};

async function readAll(tx: CompaniesTx, items: readonly ExchangeItem[]): Promise<World> {
  const asked = items.map(({ context, input }) => ({ companyId: context.session.companyId, ...input }));
  const [, opened, quotes, sides, taken, restoring] = await together([
    holdSides(tx, asked),
    openSubmissions(tx, items.map(applicantOf)),
    lockQuotes(tx, asked),
    readAllSides(tx, asked),
    readTaken(tx, asked),
    findRestoreMode(tx),
  ]);
  return { opened, sides, quotes, taken, restoring, ...(await readMarket(tx, sides)) };
}

/** The middle prices, and the room of the platform's position, of all that is sold or bought. */
export async function readMarket(tx: CompaniesTx, sides: readonly (Sides | null)[]): Promise<Market> {
  const assets = [...new Set(sides.flatMap((both) => (both ? [both.sell.asset, both.buy.asset] : [])))];
  const [mids, rooms] = await together([findMids(tx, assets), readRooms(tx, assets)]);
  return {
    mids: new Map(mids.map((mid) => [mid.asset, mid])),
    rooms: new Map(assets.map((asset, i) => [asset, rooms[i] ?? noRoom])),
  };
}

/** What was not read has none. */
const noRoom: Room = { take: 0n, give: 0n };

/** Which kind it is follows from the sold wallet, which is not read yet: codes are proved alike for both. */
function applicantOf({ context, input: { codeMethod: method, code } }: ExchangeItem): Applicant {
  return { kind: exchangeKinds.crypto, context, proof: { method, code } };
}

async function submitExchanges(
  tx: CompaniesTx,
  items: readonly ExchangeItem[],
  world: World,
): Promise<Outcome<OutputInput<typeof exchange>>[]> {
  const checked = items.map((item) => outcomeOf(() => check(item, world)));
  const passed = checked.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []));
  const stages = await submitAll(tx, world.opened, passed, exchangeParts);
  const executed = passed.filter((_, index) => {
    const stage = stages[index];
    return stage && 'answer' in stage && stage.answer === 'completed';
  });
  repayDeficits(tx, executed);
  const stageOf = new Map(passed.map((submission, index) => [submission, stages[index]]));
  return checked.map((outcome) => {
    if ('refused' in outcome) return outcome;
    const stage = stageOf.get(outcome.answer);
    invariant(stage, 'an exchange that passed its checks is decided');
    return 'refused' in stage ? stage : { answer: answerOf(outcome.answer, stage.answer) };
  });
}

function answerOf({ payment, boughtId, at }: SubmittedExchange, stage: Stage): OutputInput<typeof exchange> {
  const isDone = stage === 'completed';
  return {
    id: payment.id,
    status: statusAt(stage),
    stage,
    createdAt: at.toISOString(),
    boughtId: isDone ? boughtId : null,
  };
}

/** The rules of one exchange that need no other. Those of its code, risk and approval come after them. */
function check(item: ExchangeItem, world: World): SubmittedExchange {
  const { context, input, place } = item;
  const { sides, quotes, taken } = world;
  const { session } = context;
  const meaning = meaningOf(session.companyId, input, sides[place] ?? null);
  const here = taken[place];
  invariant(here, 'whether its id is taken was read for each');
  // Before the code: a repeated submission under another key neither uses a code up nor counts as a wrong try.
  if (here.isTaken) throw new DomainError('idTaken');
  if (world.restoring) throw paused();
  const quote = quoteFor(quotes[place] ?? null, session.userId, input, meaning);
  const { sell, buy } = meaning.sides;
  checkPair(meaning.sides);
  checkAmount(sell, quote);
  // A price that is promised for now waits for none.
  if (meaning.limit && quote.otcRequestId !== null) throw new DomainError('quoteOfAnother');
  if (meaning.limit) checkLimit(meaning, meaning.limit, quote, here.at);
  // A price that is disputed by now, or has ended, is not what a quote of before holds to.
  // The desk's price is firm: neither prices nor the position's room take it back.
  const isFirm = quote.otcRequestId !== null;
  if (!isFirm) for (const { asset } of [sell, buy]) usable(world.mids.get(asset) ?? noMid(asset));
  const boughtId = newId();
  const submission = submissionOf(item, meaning, quote, boughtId);
  // What waits for its rate gets another price then, by the room of then; what the desk has promised needs none.
  const payment =
    submission.rests || isFirm ? submission : { ...submission, draws: drawsOf(meaning.sides, quote, world) };
  const kind = kindOfSide(meaning.sides.sell);
  return { ...applicantOf(item), kind, payment, meaning, quote, boughtId, at: here.at };
}

/** @throws DomainError exchangeLimitUntil, exchangeLimitBound */
function checkLimit({ sides, boundMinor }: Meaning, { rate, until }: Limit, quote: QuoteRow, now: Date): void {
  const mostMs = limitOrderMaxDays * 24 * 60 * 60 * 1000;
  if (until <= now || until.getTime() > now.getTime() + mostMs) {
    throw refusal('exchangeLimitUntil', { days: String(limitOrderMaxDays) }, 'limit.until');
  }
  const { sell, buy } = sides;
  const atLimit = atRate(quote.soldMinor, rate, { sell: sell.decimals, buy: buy.decimals });
  if (boundMinor === atLimit) return;
  throw new DomainError('exchangeLimitBound', { amount: sayAmount(atLimit, buy.decimals), asset: buy.asset });
}

export function noMid(asset: string): Mid {
  return { asset, sources: [], usd: null, at: null, problem: 'none' };
}

/** What an exchange takes of the room of the platform's position: as it takes one asset and gives the other. */
export function drawsOf(
  { sell, buy }: Sides,
  { soldMinor, boughtMinor }: QuoteRow,
  { rooms }: Pick<World, 'rooms'>,
): NonNullable<Submission['draws']> {
  const draw = (asset: string, way: keyof Room, minor: bigint) => ({
    key: `${way} ${asset}`,
    minor,
    room: (rooms.get(asset) ?? noRoom)[way],
    refusal: () => unavailable(asset, 'limit'),
  });
  return [draw(sell.asset, 'take', soldMinor), draw(buy.asset, 'give', boughtMinor)];
}

/**
 * The quote that an exchange is submitted with, if it is for that and can be used now.
 * @throws DomainError quoteNotFound, quoteOfAnother, quoteUsed, quoteExpired, exchangeOutOfBound
 */
export function quoteFor(
  quote: QuoteRow | null,
  memberId: string,
  input: Pick<Body<typeof exchange>, 'sellWalletId' | 'buyWalletId' | 'fixed'>,
  { sides, amountMinor, boundMinor, limit }: Omit<Meaning, 'digest'>,
): QuoteRow {
  if (!quote) throw new DomainError('quoteNotFound');
  const isSame =
    // What the desk offers, it offers to the company.
    (quote.memberId === memberId || quote.otcRequestId !== null) &&
    quote.sellWalletId === input.sellWalletId &&
    quote.buyWalletId === input.buyWalletId &&
    quote.fixed === input.fixed &&
    fixedAmountOf(quote) === amountMinor;
  if (!isSame) throw new DomainError('quoteOfAnother');
  if (quote.isUsed) throw new DomainError('quoteUsed');
  if (quote.isExpired) throw new DomainError('quoteExpired');
  invariant(quoteDigest(quote) === quote.digest, `quote ${quote.id} is as it was made`);
  if (limit === null && !isWithin(boundMinor, quote)) {
    const [side, now] =
      input.fixed === 'sell' ? [sides.buy, quote.boughtMinor] : [sides.sell, quote.soldMinor + quote.feeMinor];
    throw new DomainError('exchangeOutOfBound', { amount: sayAmount(now, side.decimals), asset: side.asset });
  }
  return quote;
}

function submissionOf(
  { context, input }: ExchangeItem,
  { sides, digest, boundMinor, amountMinor, limit }: Meaning,
  quote: QuoteRow,
  boughtId: string,
): Submission {
  const { sell, buy, companyName } = sides;
  const { id } = input;
  const { soldMinor, feeMinor, boughtMinor, rate, sources, ratedAt, sellUsd } = quote;
  const initiator = { id: context.session.userId, name: context.session.userName };
  const valueUsdCents = usdValue(soldMinor, sell.decimals, sellUsd);
  const judged = { id, sellAsset: sell.asset, isCoin: sell.chainId !== null, decimals: sell.decimals };
  const exchanged = {
    counter: { asset: buy.asset, quantityMinor: boughtMinor },
    rate: { rate, source: sources.join(','), at: ratedAt, quoteId: quote.id },
  };
  const notes = input.notes ?? '';
  const content: ExchangeTask = {
    fixed: input.fixed,
    sellPlace: sell.place,
    buyPlace: buy.place,
    buyAsset: buy.asset,
    buyDecimals: buy.decimals,
    feeMinor: feeMinor.toString(),
    boughtMinor: boughtMinor.toString(),
    boundMinor: boundMinor.toString(),
    limit: limit && { rate: limit.rate, until: limit.until.toISOString() },
    rate,
    sources: [...sources],
    ratedAt: ratedAt.toISOString(),
    notes,
  };
  return {
    id,
    walletId: sell.walletId,
    chainId: sell.chainId,
    coin: sell.asset,
    decimals: sell.decimals,
    amountMinor: soldMinor,
    feeMinor,
    // What is bought is fixed: the most that may leave is held, since the rate may be worse once it is approved.
    holdMinor: input.fixed === 'sell' ? amountMinor : boundMinor,
    dailyLimitMinor: sell.dailyLimitMinor,
    valueUsdCents,
    available: { accountId: sell.accounts.available, balanceMinor: sell.availableMinor },
    outboundAccountId: sell.accounts.outbound,
    payee: null,
    payer: { name: companyName, account: sell.account },
    notes,
    invoiceNumber: null,
    category: null,
    digest,
    risk: riskSubjectOf({
      ...judged,
      quantityMinor: soldMinor,
      valueUsdCents,
      account: buy.account,
      initiatorId: initiator.id,
    }),
    subject: context.subject,
    task: { content: { ...content }, search: [buy.asset] },
    uses: { key: quote.id, refusal: () => new DomainError('quoteUsed') },
    exchanged,
    ...(!isWithin(boundMinor, quote) && { rests: 'waiting_rate' as const }),
    atOnce: {
      posting: {
        kind: exchangePostings.execute,
        description: 'exchanged',
        legs: exchangeLegs(sides, quote),
      },
      twin: boughtTransaction(sides, { ...quote, exchangeId: id, boughtId, initiator }),
    },
  };
}

/** The exchange beside its transaction: its row, its quote that is used up, and the seal where it was executed. */
const exchangeParts: SubmissionParts<SubmittedExchange> = {
  write(tx, accepted) {
    const executed = accepted.filter(({ stage }) => stage === 'completed');
    return [
      insertExchanges(tx, accepted.map(rowOf)),
      useQuotes(
        tx,
        accepted.map(({ context, quote, payment }) => ({
          companyId: context.session.companyId,
          quoteId: quote.id,
          exchangeId: payment.id,
        })),
      ),
      insertSeals(tx, executed.map(sealOf)),
      ...deskParts(tx, accepted),
    ];
  },
  events: ({ payment: { id }, quote, stage }) => [
    ...(stage === 'completed' ? [reached(id, stage)] : []),
    ...(quote.otcRequestId === null ? [] : [live('otc', quote.otcRequestId)]),
  ],
};

function rowOf(accepted: Accepted<SubmittedExchange>) {
  const { context, payment, meaning, quote, boughtId, stage, at } = accepted;
  const { sell, buy } = meaning.sides;
  const { soldMinor, feeMinor, boughtMinor } = quote;
  const amounts = { quoteId: quote.id, soldMinor, feeMinor, boughtMinor };
  return {
    companyId: context.session.companyId,
    id: payment.id,
    sellWalletId: sell.walletId,
    buyWalletId: buy.walletId,
    sellAsset: sell.asset,
    buyAsset: buy.asset,
    fixed: quote.fixed,
    boundMinor: meaning.boundMinor,
    ...amounts,
    limit: meaning.limit,
    execution: stage === 'completed' ? { ...amounts, boughtTransactionId: boughtId, at } : null,
  };
}

function sealOf({ context, payment, meaning: { sides }, quote, at }: Accepted<SubmittedExchange>) {
  const { companyId } = context.session;
  const jws = sealExchange(context.seal, sides, { ...quote, exchangeId: payment.id, at });
  return { companyId, exchangeId: payment.id, jws };
}
