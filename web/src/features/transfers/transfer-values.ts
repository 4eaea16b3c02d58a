import type { Body } from '@causeway/contract/call.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { CryptoPayee, PayeeStatus } from '@causeway/contract/payees.ts';
import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { NetworkFeeOption, TransferContent, transferOut } from '@causeway/contract/transfers.ts';
import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';
import { withoutTrailingZeros } from '../wallets/index.ts';
import { type AmountProblem, type AmountRules, amountProblem, isLess, plain } from './amounts.ts';

/** The values of the form. */
export interface TransferValues {
  /** The transfer's own id, chosen here, so that the same form sent twice is one transfer. */
  id: string;
  coin: string;
  chain: string;
  payeeId: string;
  amount: string;
  attachments: readonly { id: string; name: string; sizeBytes: number }[];
  notes: string;
  invoiceNumber: string;
  category: string;
  /** What a test transfer and its rest come to together; empty: no test. */
  testTotal: string;
  /** The test transfer whose rest it is; empty: of none. */
  restOf: string;
  /** How soon a block is to take it, where that is a choice. */
  feeLevel: FeeLevel;
  codeMethod: CodeMethod;
  code: string;
}

export function emptyTransfer(id: string, feeLevel: FeeLevel): TransferValues {
  return {
    id,
    coin: '',
    chain: '',
    payeeId: '',
    amount: '',
    attachments: [],
    notes: '',
    invoiceNumber: '',
    category: '',
    testTotal: '',
    restOf: '',
    feeLevel,
    codeMethod: 'email',
    code: '',
  };
}

/** What the form makes of its values: everything that the call takes. */
/** What it is filed under, and which other transfer it belongs to: no part of what its code is bound to. */
export type TransferReference = Pick<Body<typeof transferOut>, 'invoiceNumber' | 'category' | 'testTotal' | 'restOf'>;

export interface ReadyTransfer {
  content: TransferContent;
  reference: TransferReference;
  fee: string;
  /** What was chosen, where the network fee is a choice. */
  network: NetworkFeeOption | null;
  codeMethod: CodeMethod;
  code: string;
}

/** What the form knows beside its values: the wallet of coin and chain, and the fee in force (null until it is known). */
export interface Surroundings {
  wallet: Wallet | undefined;
  /** The payee chosen; undefined until it is known. */
  payee?: Pick<CryptoPayee, 'id' | 'status'> | undefined;
  fee: string | null;
  /** Where the network fee is a choice: the one that is chosen, null until it is known, and why it is not (a text id). */
  network?: NetworkFeeOption | null;
  feeProblem?: string | null;
  /** An attachment is on its way: what is sent now would go without it. */
  uploading: boolean;
}

/** Why nothing can be sent to a payee now. */
export const payeeTexts: Partial<Record<PayeeStatus, string>> = {
  unusable: 'transfers.form.payeeUnusable',
  waiting: 'transfers.form.payeeWaitingText',
  rejected: 'transfers.form.payeeRejected',
};

export const amountTexts: Record<AmountProblem, string> = {
  amountRequired: 'field.required',
  belowMinimum: 'transfers.form.belowMinimum',
  aboveBalance: 'transfers.form.aboveBalance',
  tooLarge: 'transfers.form.tooLarge',
};

export function rulesOf({ wallet, fee }: Pick<Surroundings, 'wallet' | 'fee'>): AmountRules | null {
  if (wallet === undefined) return null;
  const { minimum, available, decimals } = wallet;
  return { minimum, available, decimals, fee: fee ?? '0' };
}

/** Checks the form (decisions, "Amount rules") before it is sent. */
export function checkTransfer(values: TransferValues, around: Surroundings): Checked<ReadyTransfer> {
  const checked = checkContent(values, around);
  const problems: FieldProblem[] = checked.ok ? [] : [...checked.problems];
  if (around.uploading) problems.push({ path: ['attachments'], message: 'transfers.form.uploading' });
  if (!/^\d{6}$/.test(values.code)) problems.push({ path: ['code'], message: 'field.code' });
  return checked.ok && problems.length === 0 ? checked : { ok: false, problems };
}

/** The same of what a code is asked for: the code itself is still to come. */
export function checkContent(values: TransferValues, around: Omit<Surroundings, 'uploading'>): Checked<ReadyTransfer> {
  const problems: FieldProblem[] = [];
  const refuse = (field: keyof TransferValues, message: string) => problems.push({ path: [field], message });
  if (values.coin === '') refuse('coin', 'field.required');
  if (values.chain === '') refuse('chain', 'field.required');
  if (around.wallet?.frozen) refuse('chain', 'transfers.form.walletFrozen');
  else if (around.wallet?.withdrawalsPaused) refuse('chain', 'transfers.form.walletPaused');
  if (values.payeeId === '') refuse('payeeId', 'field.required');
  const isKnown = around.payee?.id === values.payeeId;
  const unpayable = isKnown && around.payee ? payeeTexts[around.payee.status] : undefined;
  if (unpayable !== undefined) refuse('payeeId', unpayable);
  const rules = rulesOf(around);
  const amount =
    rules === null ? (values.amount === '' ? 'amountRequired' : null) : amountProblem(values.amount, rules);
  if (amount !== null) refuse('amount', amountTexts[amount]);
  else if (around.wallet !== undefined && around.fee === null)
    refuse('amount', around.feeProblem ?? 'transfers.form.feeUnknown');
  else if (rules !== null && values.testTotal !== '' && !isLess(values.amount, values.testTotal, rules.decimals)) {
    refuse('amount', 'transfers.test.tooMuch');
  }
  if (problems.length > 0 || around.wallet === undefined || around.fee === null) return { ok: false, problems };
  const { codeMethod, code } = values;
  return {
    ok: true,
    values: {
      content: contentOf(values, around.wallet.id),
      reference: referenceOf(values),
      fee: around.fee,
      network: around.network ?? null,
      codeMethod,
      code,
    },
  };
}

function contentOf(values: TransferValues, walletId: string): TransferContent {
  return {
    id: values.id,
    walletId,
    payeeId: values.payeeId,
    amount: plain(values.amount),
    attachmentIds: values.attachments.map(({ id }) => id),
    ...(values.notes.trim() !== '' && { notes: values.notes }),
  };
}

function referenceOf({ invoiceNumber, category, testTotal, restOf }: TransferValues): TransferReference {
  return {
    ...(invoiceNumber.trim() !== '' && { invoiceNumber: invoiceNumber.trim() }),
    ...(category.trim() !== '' && { category: category.trim() }),
    ...(testTotal !== '' && { testTotal: plain(testTotal) }),
    ...(restOf !== '' && { restOf }),
  };
}

/**
 * What a code by email is bound to, as one text: when it changes after the code was sent, the code no longer holds.
 * Notes count to the letter; attachments count whatever their order.
 */
export function boundTo({ id, walletId, payeeId, amount, notes, attachmentIds }: TransferContent): string {
  return JSON.stringify([id, walletId, payeeId, amount, notes ?? '', attachmentIds.toSorted()]);
}

/** Whether a transfer that has this form's id is what the form says, and not one that another tab sent with a copy of its draft. */
export function isSameTransfer(
  { content, reference }: Pick<ReadyTransfer, 'content' | 'reference'>,
  sent: TransactionDetail,
): boolean {
  const ids = sent.attachments.map(({ id }) => id).toSorted();
  return (
    sent.walletId === content.walletId &&
    sent.payeeId === content.payeeId &&
    withoutTrailingZeros(sent.quantity) === withoutTrailingZeros(content.amount) &&
    sent.notes === (content.notes ?? '') &&
    (sent.invoiceNumber ?? '') === (reference.invoiceNumber ?? '') &&
    (sent.category ?? '').toLowerCase() === (reference.category ?? '').toLowerCase() &&
    JSON.stringify(ids) === JSON.stringify(content.attachmentIds.toSorted())
  );
}

/**
 * What the form takes over from an earlier transfer. A repetition is of another invoice, and has no papers of the earlier one; the rest
 * after a test belongs to the same. Null where it is no transfer of coins, or has no rest to send.
 */
export function valuesFrom(
  detail: Pick<
    TransactionDetail,
    'id' | 'type' | 'coin' | 'quantity' | 'payeeId' | 'notes' | 'category' | 'invoiceNumber' | 'test'
  >,
  { chain, isRest, usable }: { chain: string; isRest: boolean; usable: boolean },
): Partial<TransferValues> | null {
  if (detail.type !== 'chain_withdraw') return null;
  const { test } = detail;
  if (isRest && (test === null || test.restId !== null)) return null;
  return {
    coin: detail.coin,
    chain,
    payeeId: usable ? (detail.payeeId ?? '') : '',
    amount: withoutTrailingZeros(isRest && test !== null ? test.rest : detail.quantity),
    notes: detail.notes,
    category: detail.category ?? '',
    ...(isRest && { invoiceNumber: detail.invoiceNumber ?? '', restOf: usable ? detail.id : '' }),
  };
}
