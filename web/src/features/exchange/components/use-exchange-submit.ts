import { getTransaction } from 'virtual:calls/transactions';
import type { Body } from '@causeway/contract/call.ts';
import type { exchange as exchangeCall } from '@causeway/contract/exchange.ts';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { send } from '../../../lib/client.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { amountFields, codeFields, placed } from '../../../lib/placed.ts';
import { messageOf, reportError } from '../../../lib/report-error.ts';
import { useExchange } from '../api.ts';
import { boundTo, checkContent, type ExchangeValues, type ReadyExchange } from '../exchange-values.ts';
import type { ExchangeForm } from './use-exchange-form.ts';

/** The field under which a refusal is shown when the server names none. */
export const fieldOfError: Record<string, keyof ExchangeValues> = {
  ...codeFields,
  ...amountFields,
  exchangeTooSmall: 'amount',
  exchangeLimitUntil: 'limitUntil',
  exchangeLimitSide: 'amount',
  walletFrozen: 'sellWalletId',
  walletNotFound: 'sellWalletId',
  exchangeSameWallet: 'buyWalletId',
  exchangePairOff: 'buyWalletId',
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
  'exchangeLimitBound',
  'quoteUnavailable',
];

interface Refusal {
  sentence: string;
  /** A policy or a list stopped it, which those who run them get a notice of. */
  reported: boolean;
  /** What was submitted (`boundTo`). */
  of: string;
}

interface Question {
  ready: ReadyExchange;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

const said = new ApiError({ key: 'notConfirmed', status: 0 });

/** From the filled form over the confirmation, which shows the quote that is about to be taken, to the success page. */
export function useExchangeSubmit({ fields, around, rate }: ExchangeForm) {
  const t = useText();
  const router = useRouter();
  const exchange = useExchange();
  const [question, setQuestion] = useState<Question | null>(null);
  /** What was sent without a clear answer: it is repeated as it was, with its quote. */
  const [unclear, setUnclear] = useState<Body<typeof exchangeCall> | null>(null);
  const [renewed, setRenewed] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const current = checkContent(fields.values, around);
  const isCurrent = current.ok && refusal?.of === boundTo(current.values.content);

  function close(): void {
    setQuestion(null);
    setUnclear(null);
    setRenewed(null);
  }
  function succeed(id: string): void {
    question?.resolve();
    close();
    fields.reset();
    router.history.push(`/app/wallet/exchange/success/${id}`);
  }
  function refuse(error: unknown): void {
    question?.reject(error);
    close();
  }
  /** The id was used: by this very exchange, whose answer was lost, or by another that was sent with a copy of the draft. */
  async function settleTaken(body: Body<typeof exchangeCall>): Promise<void> {
    const sent = await send(getTransaction, { params: { id: body.id } }).catch((error: ApiError) => error);
    if (sent instanceof ApiError && !sent.refused) return setUnclear(body);
    if (!(sent instanceof ApiError) && sent.exchange?.quoteId === body.quoteId) return succeed(body.id);
    fields.set('id', newId());
    fields.set('code', '');
    const used = new ApiError({ key: 'idTaken', status: 409, messages: [t('exchanges.form.idUsed')] });
    reportError(used);
    refuse(used);
  }
  async function fail(body: Body<typeof exchangeCall>, error: ApiError): Promise<void> {
    if (error.key === 'idTaken') return settleTaken(body);
    if (!error.refused) {
      setUnclear(body);
      reportError(error);
      return;
    }
    setUnclear(null);
    if (requotes.includes(error.key)) {
      // Nothing was taken and the code is as good as before: the dialog stays, with the next quote.
      setRenewed(messageOf(error));
      rate.again();
      return;
    }
    if (stops.includes(error.key) && question !== null) {
      const of = boundTo(question.ready.content);
      setRefusal({ sentence: messageOf(error), reported: error.key === 'riskRefused', of });
      fields.set('code', '');
      refuse(said);
      return;
    }
    reportError(error);
    refuse(placed(error, fieldOfError));
  }
  async function confirm(): Promise<void> {
    const quoteId = rate.firm?.id;
    if (question === null || (unclear === null && (quoteId === undefined || rate.isOut))) return;
    const { content, ...proof } = question.ready;
    const body = unclear ?? { ...content, ...proof, quoteId: quoteId ?? '' };
    try {
      const { id } = await exchange.mutateAsync({ body });
      succeed(id);
    } catch (error) {
      if (error instanceof ApiError) await fail(body, error);
      else reportError(error);
    }
  }
  return {
    asking: question !== null,
    busy: exchange.isPending,
    /** No clear answer came: sending again repeats the same exchange under the same key. */
    unknown: unclear !== null,
    /** Why the quote on screen is another one than that which was confirmed. */
    renewed,
    refusal: isCurrent ? refusal : null,
    confirm,
    back: () => refuse(said),
    ask: (ready: ReadyExchange) =>
      new Promise<void>((resolve, reject) => {
        setRenewed(null);
        setQuestion({ ready, resolve, reject });
      }),
  };
}
