import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import type { createCryptoPayment } from '@causeway/contract/payments.ts';
import { chargeBearersOf } from '@causeway/contract/payments-rules.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import { type CompaniesTx, together } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { BatchUseCase, Item } from '../../../platform/http/route.ts';
import type { ApprovalSubject } from '../../approvals/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import {
  checkedPurchase,
  openPurchases,
  type Purchase,
  type PurchasesOpen,
  purchaseLegs,
  purchaseParts,
} from '../../exchange/index.ts';
import { findFilesOf } from '../../files/index.ts';
import { amountOf } from '../../ledger/index.ts';
import {
  type Accepted,
  type Applicant,
  type OpenSubmissions,
  type OutgoingKind,
  openSubmissions,
  paymentParts,
  type SubmissionParts,
  type SubmitPorts,
  type SubmittedPayment,
  submitAll,
} from '../../outgoing/index.ts';
import { usdValue } from '../../rates/index.ts';
import { checkPayout } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import { factsOf, wayOf, withBought } from '../service/content.ts';
import { bankPartOf } from '../service/prepare.ts';
import type { PayoutTask } from '../service/subject.ts';
import { type PayoutRow, readPayoutRows } from '../store/submission.ts';
import { type CryptoMeaning, cryptoMeaningOf, inBankWallet, inExchange } from './content.ts';

interface CryptoPorts extends SubmitPorts {
  families: ChainFamilies;
  coins: OutgoingKind;
  subject: ApprovalSubject;
}

type CryptoItem = Item<typeof createCryptoPayment, CryptoPorts>;

interface World {
  opened: OpenSubmissions;
  purchases: PurchasesOpen;
  rows: readonly (PayoutRow | null)[];
  attachments: readonly (readonly StoredFile[])[];
}

interface SubmittedCrypto extends SubmittedPayment {
  purchase: Purchase;
  at: Date;
}

/**
 * Submits payments out of coins at their quotes: checks the rules of each, consumes its code and its quote, and buys what it needs and announces it to the
 * worker, or holds the most that may leave, all in one transaction. A repetition with the same key returns the first response.
 */
export const submittingCoins: BatchUseCase<typeof createCryptoPayment, CryptoPorts, World> = {
  // Neither the code nor the quote: a person who must ask for a new one after a lost answer still repeats the same payment.
  request({ code: _code, codeMethod: _method, quoteId: _quote, ...request }) {
    return request;
  },
  makes: ({ id }) => id,
  read: readAll,
  work: submitCoins,
};

async function readAll(tx: CompaniesTx, items: readonly CryptoItem[]): Promise<World> {
  const ofCompany = <T>(of: (body: Body<typeof createCryptoPayment>) => T) =>
    items.map(({ context, input }) => ({ companyId: context.session.companyId, ...of(input) }));
  const [purchases, opened, rows, attachments] = await together([
    openPurchases(
      tx,
      ofCompany(({ walletId: sellWalletId, bankWalletId: buyWalletId, quoteId }) => ({
        sellWalletId,
        buyWalletId,
        quoteId,
      })),
    ),
    openSubmissions(tx, items.map(applicantOf)),
    readPayoutRows(
      tx,
      ofCompany(({ id, bankWalletId: walletId, payeeId, versionId, category }) => ({
        id,
        walletId,
        payeeId,
        versionId,
        category: category ?? null,
      })),
    ),
    findFilesOf(
      tx,
      ofCompany(({ attachmentIds: ids }) => ({ ids })),
    ),
  ]);
  return { opened, purchases, rows, attachments };
}

function applicantOf({ context, input: { codeMethod: method, code } }: CryptoItem): Applicant<OutgoingKind> {
  return { kind: context.coins, context, proof: { method, code } };
}

async function submitCoins(
  tx: CompaniesTx,
  items: readonly CryptoItem[],
  world: World,
): Promise<Outcome<OutputInput<typeof createCryptoPayment>>[]> {
  const checked = items.map((item) => outcomeOf(() => check(item, world)));
  const passed = checked.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []));
  const stages = await submitAll(tx, world.opened, passed, cryptoParts);
  const stageOf = new Map(passed.map((submission, index) => [submission, stages[index]]));
  return checked.map((outcome) => {
    if ('refused' in outcome) return outcome;
    const stage = stageOf.get(outcome.answer);
    invariant(stage, 'a payment that passed its checks is decided');
    if ('refused' in stage) return stage;
    const { payment, at } = outcome.answer;
    return { answer: { id: payment.id, status: 'pending', stage: stage.answer, createdAt: at.toISOString() } };
  });
}

/** The rules of one payment that need no other. Those of its code, risk and approval come after them. */
function check(item: CryptoItem, { purchases, rows, attachments }: World): SubmittedCrypto {
  const { context, input, place } = item;
  const meaning = cryptoMeaningOf(context.session, input, rows[place] ?? null, purchases.sides[place] ?? null);
  const { row, amountMinor, boughtMinor, boundMinor } = meaning;
  // Before the code: a repeated submission under another key neither uses a code up nor counts as a wrong try.
  if (row.idTaken) throw new DomainError('idTaken');
  const files = attachments[place] ?? [];
  checkAtBank(input, meaning, files);
  const memberId = context.session.userId;
  const purchase = inExchange(() => checkedPurchase(purchases, place, { memberId, boughtMinor, boundMinor }));
  const payment = paymentOf(item, meaning, purchase, files);
  invariant(purchase.quote.boughtMinor === amountMinor + meaning.feeMinor, 'what is bought is what leaves');
  return { ...applicantOf(item), payment, purchase, at: row.at };
}

/** What refuses any payment to this payee by this bank. */
function checkAtBank(
  input: Body<typeof createCryptoPayment>,
  { row, payee, amountMinor }: CryptoMeaning,
  files: readonly StoredFile[],
): void {
  const way = wayOf(payee);
  invariant(way, 'a payment that has terms has a way');
  const [first] = chargeBearersOf(way);
  const feeMinor = amountOf(input.fee, { asset: row.currency, decimals: row.decimals }, 'fee');
  inBankWallet(() =>
    checkPayout(withBought(factsOf(row), amountMinor), {
      form: 'payment',
      versionId: input.versionId,
      amountMinor,
      feeMinor,
      charges: input.charges ?? first ?? 'shared',
      purpose: input.purpose ?? null,
      remittance: input.remittance ?? '',
      attachments: input.attachmentIds.length,
      attachmentTypes: files.map(({ type }) => type),
    }),
  );
}

function paymentOf(
  { context, input }: CryptoItem,
  meaning: CryptoMeaning,
  purchase: Purchase,
  attachments: readonly StoredFile[],
): SubmittedPayment['payment'] {
  const { row, payee, amountMinor, feeMinor, boughtMinor, terms, digest } = meaning;
  const { sides, quote, boundMinor, draws } = purchase;
  const { sell } = sides;
  const { id, payeeId, attachmentIds } = input;
  const { currency, decimals } = row;
  const [notes, invoiceNumber] = [input.notes ?? '', input.invoiceNumber ?? null];
  const category = row.knownCategory ?? input.category ?? null;
  const { soldMinor, feeMinor: coinFeeMinor, rate, sources, ratedAt } = quote;
  const valueUsdCents = usdValue(soldMinor, sell.decimals, quote.sellUsd);
  const left = { walletId: input.bankWalletId, asset: currency, amountMinor, feeMinor };
  const bank = { ...bankPartOf(meaning, 'payment', terms), bought: left };
  const content: PayoutTask = {
    form: 'payment',
    payeeName: payee.label,
    payeeAccount: payee.account,
    bank: row.bankNames,
    changed: bank.changed !== null,
    feeMinor: coinFeeMinor.toString(),
    notes,
    invoiceNumber,
    category,
    attachments,
    bought: {
      asset: currency,
      decimals,
      amountMinor: amountMinor.toString(),
      boundMinor: boundMinor.toString(),
      rate,
      sources: [...sources],
      ratedAt: ratedAt.toISOString(),
    },
  };
  return {
    id,
    walletId: sell.walletId,
    chainId: sell.chainId,
    coin: sell.asset,
    decimals: sell.decimals,
    amountMinor: soldMinor,
    feeMinor: coinFeeMinor,
    // The rate may be worse once it is approved.
    holdMinor: boundMinor,
    dailyLimitMinor: sell.dailyLimitMinor,
    paidOut: { coin: currency, decimals, amountMinor, dailyLimitMinor: row.dailyLimitMinor },
    valueUsdCents,
    available: { accountId: sell.accounts.available, balanceMinor: sell.availableMinor },
    outboundAccountId: sell.accounts.outbound,
    payee: { id: payeeId, name: payee.label, account: payee.account, changedUntil: bank.changed?.until ?? null },
    payer: { name: row.companyName, account: sell.account },
    notes,
    invoiceNumber,
    category: category === null ? null : { name: category, isNew: row.knownCategory === null },
    attachmentIds,
    bank,
    digest,
    risk: riskSubjectOf(context.families, {
      id,
      currency,
      decimals,
      quantityMinor: amountMinor,
      valueUsdCents,
      country: payee.country,
      account: payee.account,
      initiatorId: context.session.userId,
      coins: { asset: sell.asset, decimals: sell.decimals, quantityMinor: soldMinor },
    }),
    subject: context.subject,
    task: {
      content: { ...content },
      search: [invoiceNumber, category, payee.name, currency].filter((word) => word !== null),
    },
    uses: { key: quote.id, refusal: () => new DomainError('quoteUsed') },
    draws,
    exchanged: {
      counter: { asset: currency, quantityMinor: boughtMinor },
      rate: { rate, source: sources.join(','), at: ratedAt, quoteId: quote.id },
    },
    atOnce: { posting: purchaseLegs(purchase), twin: null, stage: 'approved' },
  };
}

/** The order to the bank as of any payment, and the purchase beside it. */
const cryptoParts: SubmissionParts<SubmittedCrypto> = {
  write(tx, accepted) {
    return [...paymentParts.write(tx, accepted), ...purchaseParts(tx, accepted.map(purchaseOf))];
  },
  events: (accepted) => paymentParts.events(accepted),
};

function purchaseOf({ context, payment: { id }, purchase, stage, at }: Accepted<SubmittedCrypto>) {
  const { seal, session } = context;
  return { companyId: session.companyId, id, purchase, at: stage === 'approved' ? at : null, seal };
}
