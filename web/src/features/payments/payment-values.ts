import type { Body } from '@causeway/contract/call.ts';
import { defaultTolerance, type ExchangeStop } from '@causeway/contract/exchange-rules.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { CryptoPayoutContent, createPayment, PayoutContent, PayoutOutlook } from '@causeway/contract/payments.ts';
import type { ChargeBearer, PayoutForm, Purpose } from '@causeway/contract/payments-rules.ts';
import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';
import { type AmountProblem, type AmountRules, amountProblem, plain } from '../transfers/index.ts';
import { withoutTrailingZeros } from '../wallets/index.ts';

/** The steps of the form, in their order; the last one submits. */
export const steps = ['payee', 'pay', 'check'] as const;
export type Step = (typeof steps)[number];

/** The values of the form. */
export interface PaymentValues {
  /** The payment's own id, chosen here, so that the same form sent twice is one payment. */
  id: string;
  payeeId: string;
  /** The payee's account that the person has seen. */
  versionId: string;
  /** At the bank, or of the coin that pays. */
  walletId: string;
  amount: string;
  /** Of a payment out of coins, how far the rate may move, in basis points as text, and the most that leaves; empty until there is a quote. */
  tolerance: string;
  bound: string;
  /** Empty: what the way offers first. */
  charges: ChargeBearer | '';
  purpose: Purpose | '';
  remittance: string;
  attachments: readonly { id: string; name: string; sizeBytes: number }[];
  notes: string;
  invoiceNumber: string;
  category: string;
  codeMethod: CodeMethod;
  code: string;
}

export function emptyPayment(id: string): PaymentValues {
  return {
    id,
    payeeId: '',
    versionId: '',
    walletId: '',
    amount: '',
    tolerance: String(defaultTolerance),
    bound: '',
    charges: '',
    purpose: '',
    remittance: '',
    attachments: [],
    notes: '',
    invoiceNumber: '',
    category: '',
    codeMethod: 'email',
    code: '',
  };
}

/** What the form makes of its values: everything that the calls take. */
export interface ReadyPayment {
  content: PayoutContent;
  /** The content of one out of coins, in its place; null: it is none. */
  coins: CryptoPayoutContent | null;
  /** What it is filed under: no part of what its code is bound to. */
  reference: Pick<Body<typeof createPayment>, 'invoiceNumber' | 'category'>;
  fee: string;
  codeMethod: CodeMethod;
  code: string;
}

/** What the form knows beside its values. */
export interface Surroundings {
  form: PayoutForm;
  /** What it would be; undefined until it is known, and while what is known is of another payee or wallet. */
  outlook: PayoutOutlook | undefined;
  /** An attachment is on its way: what is sent now would go without it. */
  uploading: boolean;
  /** The wallet that pays; undefined until it is chosen and known. */
  wallet: Pick<Wallet, 'available' | 'minimum' | 'decimals' | 'frozen' | 'withdrawalsPaused'> | undefined;
  /** The coin wallet that pays in its place, and the wallet at a bank that its money leaves from; null: none does. */
  coins: { cannotPay: ExchangeStop | null; bankWalletId: string | null } | null;
}

const amountTexts: Record<AmountProblem, string> = {
  amountRequired: 'field.required',
  belowMinimum: 'payments.form.belowMinimum',
  aboveBalance: 'payments.form.aboveBalance',
  tooLarge: 'payments.form.tooLarge',
};

export function rulesOf(outlook: PayoutOutlook | undefined): AmountRules | null {
  return outlook ?? null;
}

/** Who bears the charges: what was chosen where the way offers it, otherwise what it offers first. */
export function chargesOf({ charges }: Pick<PaymentValues, 'charges'>, outlook: PayoutOutlook | undefined) {
  const offered = outlook?.charges ?? [];
  return offered.find((each) => each === charges) ?? offered[0];
}

/** Checks what has been asked for up to and including a step. */
export function checkPayment(values: PaymentValues, around: Surroundings, step: Step): Checked<ReadyPayment> {
  const checked = checkContent(values, around, step);
  if (step !== 'check') return checked;
  const problems: FieldProblem[] = checked.ok ? [] : [...checked.problems];
  if (!/^\d{6}$/.test(values.code)) problems.push({ path: ['code'], message: 'field.code' });
  return checked.ok && problems.length === 0 ? checked : { ok: false, problems };
}

/** The same without the code, which is still to come. */
export function checkContent(values: PaymentValues, around: Surroundings, step: Step = 'check'): Checked<ReadyPayment> {
  const { outlook } = around;
  const problems: FieldProblem[] = [];
  const refuse = (field: keyof PaymentValues, message: string) => problems.push({ path: [field], message });
  if (values.payeeId === '') refuse('payeeId', 'field.required');
  if (step !== 'payee') {
    if (values.walletId === '') refuse('walletId', 'field.required');
    else if (around.coins?.bankWalletId === null) refuse('walletId', 'payments.coins.noBank');
    else if (around.coins?.cannotPay) refuse('walletId', `exchanges.cannotSell.${around.coins.cannotPay}`);
    else if (around.wallet?.frozen) refuse('walletId', 'payments.form.walletFrozen');
    else if (around.wallet?.withdrawalsPaused) refuse('walletId', 'payments.form.walletPaused');
    const amount = amountFault(values, around);
    if (amount !== null) refuse('amount', amount);
    if (outlook?.isPurposeNeeded && values.purpose === '') refuse('purpose', 'payments.form.purposeNeeded');
    const text = remittanceFault(values, outlook);
    if (text !== null) refuse('remittance', text);
    if (around.uploading) refuse('attachments', 'transfers.form.uploading');
  }
  if (problems.length > 0) return { ok: false, problems };
  if (outlook === undefined) {
    // Not known yet: the steps before the last lead on without it.
    if (step === 'check') return { ok: false, problems: [{ path: ['amount'], message: 'payments.form.feeUnknown' }] };
    return { ok: true, values: readyOf(values, around, { fee: '0' }) };
  }
  if (step === 'check' && around.coins !== null && values.bound === '') {
    return { ok: false, problems: [{ path: ['amount'], message: 'exchanges.form.noQuote' }] };
  }
  return { ok: true, values: readyOf(values, around, outlook) };
}

/** Until the fee is known, by what the wallet has. */
function amountFault({ amount }: PaymentValues, { outlook, wallet }: Surroundings): string | null {
  const rules = rulesOf(outlook) ?? (wallet === undefined ? null : { ...wallet, fee: '0' });
  if (rules === null) return amount === '' ? 'field.required' : null;
  const problem = amountProblem(amount, rules);
  return problem && amountTexts[problem];
}

function remittanceFault({ remittance }: PaymentValues, outlook: PayoutOutlook | undefined): string | null {
  const text = remittance.trim();
  if (outlook === undefined || text === '') return null;
  const { most, printed, isReference } = outlook.remittance;
  if (isReference) return null;
  if ([...(printed?.text ?? text)].length > most) return 'payments.form.remittanceOver';
  return printed !== null && printed.lost.length > 0 ? 'payments.form.lostProblem' : null;
}

function readyOf(
  values: PaymentValues,
  { form, coins }: Surroundings,
  outlook: PayoutOutlook | { fee: string },
): ReadyPayment {
  const { codeMethod, code, bound } = values;
  const known = 'charges' in outlook ? outlook : undefined;
  const content = contentOf(values, form, known);
  const { form: _form, ...others } = content;
  return {
    content,
    coins: coins === null ? null : { ...others, bankWalletId: coins.bankWalletId ?? '', bound },
    reference: {
      ...(values.invoiceNumber.trim() !== '' && { invoiceNumber: values.invoiceNumber.trim() }),
      ...(values.category.trim() !== '' && { category: values.category.trim() }),
    },
    fee: outlook.fee,
    codeMethod,
    code,
  };
}

function contentOf(values: PaymentValues, form: PayoutForm, outlook: PayoutOutlook | undefined): PayoutContent {
  const charges = chargesOf(values, outlook);
  return {
    id: values.id,
    form,
    walletId: values.walletId,
    payeeId: values.payeeId,
    versionId: values.versionId,
    amount: plain(values.amount),
    ...termsOf(values),
    ...(charges !== undefined && { charges }),
    attachmentIds: values.attachments.map(({ id }) => id),
    ...(values.notes.trim() !== '' && { notes: values.notes }),
  };
}

/** What travels with the money; empty fields are left out. */
export function termsOf({ purpose, remittance }: Pick<PaymentValues, 'purpose' | 'remittance'>) {
  return {
    ...(purpose !== '' && { purpose }),
    ...(remittance.trim() !== '' && { remittance: remittance.trim() }),
  };
}

/**
 * What a code by email is bound to, as one text: when it changes after the code was sent, the code no longer holds. Attachments count
 * whatever their order.
 */
export function boundTo(ready: Pick<ReadyPayment, 'content' | 'coins'>): string {
  const { attachmentIds, ...content } = ready.coins ?? ready.content;
  return JSON.stringify([
    ...Object.entries(content)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flat(),
    attachmentIds.toSorted(),
  ]);
}

/** Whether a payment that has this form's id is what the form says, and not one that another tab sent with a copy of its draft. */
export function isSamePayment(
  { content, reference }: Pick<ReadyPayment, 'content' | 'reference'>,
  sent: TransactionDetail,
): boolean {
  const ids = sent.attachments.map(({ id }) => id).toSorted();
  return (
    sent.walletId === content.walletId &&
    sent.payeeId === content.payeeId &&
    withoutTrailingZeros(sent.payout?.paid.amount ?? sent.quantity) === withoutTrailingZeros(content.amount) &&
    sent.notes === (content.notes ?? '') &&
    (sent.payout?.purpose ?? '') === (content.purpose ?? '') &&
    (sent.invoiceNumber ?? '') === (reference.invoiceNumber ?? '') &&
    (sent.category ?? '').toLowerCase() === (reference.category ?? '').toLowerCase() &&
    JSON.stringify(ids) === JSON.stringify(content.attachmentIds.toSorted())
  );
}

/** The step that has a field. */
export function stepOf(field: string): Step {
  if (field === 'payeeId') return 'payee';
  return field === 'code' ? 'check' : 'pay';
}
