import { getTransaction } from 'virtual:calls/transactions';
import { foreseeReview, listNetworkFees } from 'virtual:calls/transfers';
import { getFee } from 'virtual:calls/wallets';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { send } from '../../../lib/client.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { amountFields, codeFields, placed } from '../../../lib/placed.ts';
import { callKey, invalidateCall, queryClient } from '../../../lib/queries.ts';
import { messageOf, reportError } from '../../../lib/report-error.ts';
import { useTransferOut } from '../api.ts';
import { boundTo, checkContent, isSameTransfer, type ReadyTransfer, type TransferValues } from '../transfer-values.ts';
import type { TransferForm } from './use-transfer-form.ts';

/** The field under which a refusal is shown when the server names none. */
const fieldOfError: Record<string, keyof TransferValues> = {
  ...codeFields,
  ...amountFields,
  payeeNotFound: 'payeeId',
  payeeUnusable: 'payeeId',
  payeeWaiting: 'payeeId',
  addressOwn: 'payeeId',
  addressReserved: 'payeeId',
  addressIsToken: 'payeeId',
  walletFrozen: 'chain',
  walletNotFound: 'chain',
  testTotalTooSmall: 'amount',
  tooManyCoins: 'amount',
  networkFeeUnknown: 'feeLevel',
  feeLevelMissing: 'feeLevel',
  feeLevelUnknown: 'feeLevel',
};

/** What is asked again when another fee is in force. */
const feeKeys = [callKey(getFee), callKey(listNetworkFees)];

/** Refusals because something cannot be known now: they are certain, although their status says that the server cannot. */
const certain = ['networkFeeUnknown'];

/** Refusals that no field can show: what was submitted is right, and is stopped. */
const stops = ['riskRefused', 'approvalNoRule', 'approvalNobodyCan', 'rateStale'];

/** Why a submission was stopped. */
interface Refusal {
  sentence: string;
  /** A policy or a list stopped it, which those who run them get a notice of. */
  reported: boolean;
  /** What was submitted (`boundTo`). */
  of: string;
}

interface Submission {
  /** The form's submit: opens the confirmation, and settles when that has led to something. */
  ask: (ready: ReadyTransfer) => Promise<void>;
  asking: boolean;
  /** What would be sent: the confirmation shows its fee, which may be another in the form by now. */
  ready: ReadyTransfer | null;
  back: () => void;
  confirm: () => Promise<void>;
  busy: boolean;
  /** No clear answer came: sending again repeats the same transfer under the same key. */
  unknown: boolean;
  /** Set after a submission was stopped, until the transfer is changed. */
  refusal: Refusal | null;
}

interface Question {
  ready: ReadyTransfer;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * From the filled form over the confirmation to the success page; an unclear answer keeps the confirmation open. Before it opens it is
 * asked once more what the transfer would meet (`foresee`, which resolves with whether it would be stopped), so that the confirmation
 * says what will happen.
 */
export function useSubmit(
  { fields, around }: Pick<TransferForm, 'fields' | 'around'>,
  foresee: () => Promise<boolean>,
): Submission {
  const router = useRouter();
  const t = useText();
  const transfer = useTransferOut();
  const [question, setQuestion] = useState<Question | null>(null);
  const [asking, setAsking] = useState(false);
  const [unknown, setUnknown] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const current = checkContent(fields.values, around);
  const isCurrent = current.ok && refusal?.of === boundTo(current.values.content);
  const latest = useRef(current);
  useEffect(() => {
    latest.current = current;
  });

  function close(): void {
    setAsking(false);
    setUnknown(false);
  }
  function succeed(id: string): void {
    close();
    question?.resolve();
    fields.reset();
    router.history.push(`/app/transfer-out/success/${id}`);
  }
  /** The id has been used: by this very transfer, whose answer a reload lost, or by another that was sent with a copy of the draft. */
  async function failTaken(ready: ReadyTransfer): Promise<void> {
    const { content } = ready;
    const sent = await send(getTransaction, { params: { id: content.id } }).catch((error: ApiError) => error);
    if (sent instanceof ApiError && !sent.refused) {
      setUnknown(true);
      return;
    }
    if (!(sent instanceof ApiError) && isSameTransfer(ready, sent)) {
      succeed(content.id);
      return;
    }
    fields.set('id', newId());
    // With the id the code is void, which its field shows.
    fields.set('code', '');
    // The code's field asks for another; why is said beside the button, and stays.
    const used = new ApiError({ key: 'idTaken', status: 409, messages: [t('transfers.form.idUsed')] });
    reportError(used);
    close();
    question?.reject(used);
  }
  function back(): void {
    close();
    // Nothing was sent, and what is to be said has been said: the form stays as it is.
    question?.reject(new ApiError({ key: 'notConfirmed', status: 0 }));
  }
  async function fail(error: ApiError): Promise<void> {
    if (error.key === 'idTaken' && question !== null) return failTaken(question.ready);
    if (!error.refused && !certain.includes(error.key)) {
      setUnknown(true);
      reportError(error);
      return;
    }
    if (error.key === 'feeChanged') {
      for (const queryKey of feeKeys) void queryClient.invalidateQueries({ queryKey });
    }
    close();
    if (question !== null && stops.includes(error.key)) stop(question.ready, error);
    else reportError(error);
    question?.reject(placed(error, fieldOfError));
  }
  /** Said beside the summary, where it stays: a toast goes. The code is used up. */
  function stop({ content }: ReadyTransfer, error: ApiError): void {
    setRefusal({ sentence: messageOf(error), reported: error.key === 'riskRefused', of: boundTo(content) });
    fields.set('code', '');
    void invalidateCall(foreseeReview);
  }
  async function confirm(): Promise<void> {
    if (question === null) return;
    const { content, reference, network, ...proof } = question.ready;
    const chosen = network === null ? {} : { feeLevel: network.level };
    try {
      const { id } = await transfer.mutateAsync({ body: { ...content, ...reference, ...proof, ...chosen } });
      succeed(id);
    } catch (error) {
      if (error instanceof ApiError) await fail(error);
      else reportError(error);
    }
  }
  return {
    asking,
    ready: question?.ready ?? null,
    unknown,
    confirm,
    busy: transfer.isPending,
    refusal: isCurrent ? refusal : null,
    ask: async (ready) => {
      // Why is said beside the summary.
      if (await foresee()) throw new ApiError({ key: 'notConfirmed', status: 0 });
      // The confirmation shows the form, and what was checked is sent: where the form was changed meanwhile, they would differ.
      if (!latest.current.ok || !isSame(latest.current.values, ready)) {
        throw new ApiError({ key: 'notConfirmed', status: 0 });
      }
      await new Promise<void>((resolve, reject) => {
        setQuestion({ ready, resolve, reject });
        setAsking(true);
      });
    },
    back,
  };
}

function isSame(current: ReadyTransfer, ready: ReadyTransfer): boolean {
  return (
    boundTo(current.content) === boundTo(ready.content) &&
    JSON.stringify(current.reference) === JSON.stringify(ready.reference) &&
    current.network?.level === ready.network?.level
  );
}
