import { getTransaction } from 'virtual:calls/transactions';
import type { TradeDetail } from '@causeway/contract/trades.ts';
import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import { useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { send } from '../../../lib/client.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { amountFields, codeFields, placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { useSettled } from '../../../lib/settled.ts';
import { toast } from '../../../lib/toasts.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { plain, useTransactionCode } from '../../transfers/index.ts';
import { useChains } from '../../wallets/index.ts';
import { useFeeLevels, useFlatFee, useReleaseTrade, useReview } from '../api.ts';
import { checkContent, type ReadyRelease, type ReleaseValues } from '../values.ts';

/** As long as a hand rests between two keys. */
const typing_ms = 300;

const fieldOfError: Record<string, keyof ReleaseValues> = {
  ...codeFields,
  ...amountFields,
  tradeAmountTooHigh: 'amount',
  tradePaymentEnding: 'amount',
  tradeMilestone: 'amount',
  feeLevelMissing: 'feeLevel',
  feeLevelUnknown: 'feeLevel',
};

interface Given {
  trade: TradeDetail;
  payeeId: string;
  milestoneId: string;
  onDone: () => void;
}

/** The form of a payment to the seller, with its fee, what it would meet, and its code. */
export function useRelease({ trade, payeeId, milestoneId, onDone }: Given) {
  const t = useText();
  const release = useReleaseTrade();
  const [id, setId] = useState(() => newId());
  /** No clear answer came: sending again repeats the same payment. */
  const [isUnclear, setUnclear] = useState(false);
  const walletId = trade.walletId ?? '';
  const first = trade.milestones.find((milestone) => milestone.id === milestoneId);
  const defaults: ReleaseValues = {
    milestoneId,
    amount: first?.amount ?? '',
    feeLevel: 'normal',
    codeMethod: 'email',
    code: '',
  };
  // The check is stable between renders, and looks at what is known now.
  const known = useRef<{ trade: TradeDetail; fee: string | null }>({ trade, fee: null });
  const [check] = useState(() => (values: ReleaseValues): Checked<ReadyRelease & ReleaseValues> => {
    const content = checkContent(values, known.current.trade, known.current.fee);
    const problems = content.ok ? [] : [...content.problems];
    if (!/^\d{6}$/.test(values.code)) problems.push({ path: ['code'], message: 'field.code' });
    return content.ok && problems.length === 0
      ? { ok: true, values: { ...values, ...content.values, milestoneId: content.values.milestoneId ?? '' } }
      : { ok: false, problems };
  });
  const fields = useFields<ReleaseValues, ReadyRelease & ReleaseValues>({ check, defaults });
  const { amount } = fields.values;
  const { fee, options, problem } = useFee(trade, { walletId, payeeId, amount, level: fields.values.feeLevel });
  known.current = { trade, fee };
  const content = checkContent(fields.values, trade, fee);
  const asked = useSettled(content.ok ? content.values.amount : '', typing_ms);
  const foreseen = useReview({ walletId, payeeId, amount: asked }, asked !== '' && walletId !== '');
  const review = content.ok && asked !== '' ? withoutRule(foreseen.data ?? null) : null;
  const subject = { id, walletId, payeeId, amount: plain(amount), attachmentIds: [] };
  const code = useTransactionCode({
    fields,
    checked: content.ok ? { ok: true, values: subject } : content,
    boundTo: (bound) => JSON.stringify(bound),
    subjectOf: (bound) => ({ kind: 'transfer', content: { ...bound } }),
    recipient: review?.codeRecipient,
    firstText: 'trades.release.first',
  });

  function succeed(): void {
    toast('success', t('trades.released', { amount: amountLine(plain(amount), trade.asset), number: trade.number }));
    onDone();
  }
  /** The id was used: by this very payment, whose answer was lost, or by another. */
  async function settleTaken(error: ApiError): Promise<void> {
    const sent = await send(getTransaction, { params: { id } }).catch((failure: ApiError) => failure);
    if (sent instanceof ApiError && !sent.refused) {
      setUnclear(true);
      throw sent;
    }
    if (!(sent instanceof ApiError) && sent.trade?.id === trade.id) return succeed();
    setId(newId());
    fields.set('code', '');
    throw error;
  }
  async function submit(ready: ReadyRelease & ReleaseValues): Promise<void> {
    const { codeMethod, code: typed, feeLevel } = ready;
    const body = {
      ...{ id, tradeId: trade.id, milestoneId: ready.milestoneId === '' ? null : ready.milestoneId },
      ...{ amount: ready.amount, fee: ready.fee, codeMethod, code: typed },
      ...(options !== null && { feeLevel }),
    };
    try {
      await release.mutateAsync({ body });
      succeed();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.key === 'idTaken') return settleTaken(error);
      setUnclear(!error.refused);
      reportError(error);
      throw placed(error, fieldOfError);
    }
  }
  const levels = (options ?? []).map(({ level, fee: cost }) => ({
    value: level,
    label: t(`trades.release.level.${level}`),
    detail: amountLine(cost, trade.asset),
  }));
  return { fields, fee, feeProblem: problem, levels, review, isUnclear, code, submit };
}

/** A rule about the balance looks at what is available, and most of this payment is frozen: the submission decides. */
function withoutRule(review: ForeseenReview | null): ForeseenReview | null {
  return review?.stop?.by === 'rule' ? { ...review, stop: null } : review;
}

interface Paid {
  walletId: string;
  payeeId: string;
  amount: string;
  level: ReleaseValues['feeLevel'];
}

/** The fee on top; `options`: by level, where the sender chooses what the network takes. Null until it is known; `problem`: why it cannot be. */
function useFee(trade: TradeDetail, { walletId, payeeId, amount, level }: Paid) {
  const chain = useChains().data?.items.find(({ id }) => id === trade.chainId);
  const isChoice = chain?.choosesFee === true;
  const flat = useFlatFee(trade.asset, trade.chainId);
  const asked = useSettled(plain(amount), typing_ms);
  const chosen = useFeeLevels({ walletId, payeeId, amount: asked }, isChoice && /[1-9]/.test(asked) && walletId !== '');
  if (chain === undefined) return { fee: null, options: null, problem: null };
  if (!isChoice) return { fee: flat.data?.fee ?? null, options: null, problem: null };
  const options = chosen.data?.items ?? [];
  const fee = options.find((option) => option.level === level)?.fee ?? null;
  return { fee, options, problem: fee === null ? (chosen.error?.messages[0] ?? null) : null };
}
