import { getBankPayee } from 'virtual:calls/bank-payees';
import { foreseePayout } from 'virtual:calls/payments';
import { getTransaction } from 'virtual:calls/transactions';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { send } from '../../../lib/client.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { amountFields, codeFields, placed } from '../../../lib/placed.ts';
import { invalidateCall } from '../../../lib/queries.ts';
import { messageOf, reportError } from '../../../lib/report-error.ts';
import { usePay, usePayWithCoins, useTransferAtBank } from '../api.ts';
import {
  boundTo,
  checkContent,
  isSamePayment,
  type PaymentValues,
  type ReadyPayment,
  stepOf,
} from '../payment-values.ts';
import type { PaymentForm } from './use-payment-form.ts';

/** The field under which a refusal is shown when the server names none. */
const fieldOfError: Record<string, keyof PaymentValues> = {
  ...codeFields,
  ...amountFields,
  bankAccountOwn: 'payeeId',
  payeeNotFound: 'payeeId',
  payeeUnusable: 'payeeId',
  payeeWaiting: 'payeeId',
  payeeNameLatin: 'payeeId',
  payeeOtherCurrency: 'payeeId',
  payeeAddressLacking: 'payeeId',
  payoutWayClosed: 'payeeId',
  currencyNotAtBank: 'walletId',
  payoutNotAtBank: 'walletId',
  payoutsPaused: 'walletId',
  walletFrozen: 'walletId',
  walletNotFound: 'walletId',
  exchangePairOff: 'walletId',
  exchangeTooSmall: 'amount',
  chargesNotOffered: 'charges',
  payoutPurposeNeeded: 'purpose',
  remittanceCharacters: 'remittance',
  remittanceTooLong: 'remittance',
  voucherNotPdf: 'attachments',
  notFound: 'attachments',
};

/** Where the call's fields are called otherwise. */
const fieldOfInput: Record<string, keyof PaymentValues> = {
  attachmentIds: 'attachments',
  versionId: 'payeeId',
  bankWalletId: 'walletId',
  bound: 'amount',
};

/** Refusals that no field can show: what was submitted is right, and is stopped. */
const stops = ['riskRefused', 'approvalNoRule', 'approvalNobodyCan', 'rateStale'];

/** The quote was no longer the one that holds: the next one is shown, and the person decides again. */
const requotes = [
  'quoteExpired',
  'quoteNotFound',
  'quoteUsed',
  'quoteOfAnother',
  'exchangeOutOfBound',
  'quoteUnavailable',
];

/** Why a submission was stopped. */
interface Refusal {
  sentence: string;
  /** A policy or a list stopped it, which those who run them get a notice of. */
  reported: boolean;
  /** What was submitted (`boundTo`). */
  of: string;
}

interface Submission {
  submit: (ready: ReadyPayment) => Promise<void>;
  /** No clear answer came: sending again repeats the same payment under the same key. */
  unknown: boolean;
  /** Set after a submission was stopped, until the payment is changed. */
  refusal: Refusal | null;
}

const said = new ApiError({ key: 'notConfirmed', status: 0 });

/** From the checked form to the success page; a refusal goes to the step and the field that it concerns. */
export function usePaymentSubmit(given: PaymentForm): Submission {
  const { form, fields, around, go, again, isOtherAccount, rate } = given;
  const router = useRouter();
  const t = useText();
  const pay = usePay();
  const transfer = useTransferAtBank();
  const payWithCoins = usePayWithCoins();
  const [unknown, setUnknown] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  /** The quote that was sent without a clear answer: it is repeated with it. */
  const [unclear, setUnclear] = useState<string | null>(null);
  const current = checkContent(fields.values, around);
  const isCurrent = current.ok && refusal?.of === boundTo(current.values);

  function succeed(id: string): void {
    fields.reset();
    const page = form === 'payment' ? '/app/payment/success' : '/app/transfer-out/bank/success';
    router.history.push(`${page}/${id}`);
  }
  /** The id has been used: by this very payment, whose answer a reload lost, or by another that was sent with a copy of the draft. */
  async function settleTaken(ready: ReadyPayment): Promise<void> {
    const { id } = ready.content;
    const sent = await send(getTransaction, { params: { id } }).catch((error: ApiError) => error);
    if (sent instanceof ApiError && !sent.refused) {
      setUnknown(true);
      throw sent;
    }
    if (!(sent instanceof ApiError) && isSamePayment(ready, sent)) return succeed(id);
    fields.set('id', newId());
    fields.set('code', '');
    throw new ApiError({ key: 'idTaken', status: 409, messages: [t('payments.check.idUsed')] });
  }
  async function fail(ready: ReadyPayment, error: ApiError): Promise<void> {
    if (error.key === 'idTaken') return settleTaken(ready);
    if (!error.refused) {
      setUnknown(true);
      throw error;
    }
    setUnclear(null);
    if (error.key === 'payeeAccountChanged') {
      // The account that was seen is another's now: the banner says so, old beside new.
      void invalidateCall(getBankPayee);
      fields.set('code', '');
    }
    void invalidateCall(foreseePayout);
    if (requotes.includes(error.key)) {
      // Nothing was taken and the code is as good as before: the next quote is shown.
      reportError(error);
      rate.again();
      throw said;
    }
    if (stops.includes(error.key)) {
      setRefusal({ sentence: messageOf(error), reported: error.key === 'riskRefused', of: boundTo(ready) });
      fields.set('code', '');
      throw said;
    }
    const shown = placed(error, fieldOfError, fieldOfInput);
    const [field] = Object.keys(shown.fields);
    const step = field === undefined ? 'check' : stepOf(field);
    if (step !== 'check') {
      reportError(error);
      go(step);
    }
    throw shown;
  }
  return {
    unknown,
    refusal: isCurrent ? refusal : null,
    submit: async (ready) => {
      // Said in the banner, beside the button that takes the new account.
      if (isOtherAccount) throw said;
      const { content, coins, reference, ...proof } = ready;
      const { form: _form, ...rest } = content;
      const body = { ...rest, ...reference, ...proof };
      const quoteId = unclear ?? rate.firm?.id ?? null;
      // The quote that is taken is the one on screen; where it is on its way, or is worse than what was accepted, that is said there.
      if (coins !== null && (quoteId === null || (rate.isOut && unclear === null))) throw said;
      try {
        if (coins !== null) setUnclear(quoteId);
        const { id } =
          coins !== null
            ? await payWithCoins.mutateAsync({
                body: { ...coins, ...reference, ...proof, kind: 'crypto_payout', quoteId: quoteId ?? '' },
              })
            : form === 'payment'
              ? await pay.mutateAsync({ body: { ...body, form: 'payment', kind: 'fiat_payout' } })
              : await transfer.mutateAsync({ body: { ...body, form: 'transfer' } });
        succeed(id);
      } catch (error) {
        if (error instanceof ApiError) await fail(ready, error);
        else {
          again();
          throw error;
        }
      }
    },
  };
}
