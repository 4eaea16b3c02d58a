import { listNetworkFees } from 'virtual:calls/transfers';
import type { NetworkFeeOption } from '@causeway/contract/transfers.ts';
import { type FeeLevel, feeLevels } from '@causeway/contract/transfers-rules.ts';
import type { ChainWallet } from '@causeway/contract/wallets-rules.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';
import { useSettled } from '../../lib/settled.ts';
import { remember, remembered } from '../../lib/storage.ts';
import { useChains } from '../wallets/index.ts';
import { amountProblem, inFull, plain } from './amounts.ts';
import { rulesOf } from './transfer-values.ts';

// It changes with the coins that there are to spend.
invalidateOn(['balance', 'transaction'], [listNetworkFees]);

/** As long as a hand rests between two keys. */
const typing_ms = 300;
/** How often the worker may publish other rates. */
const ratesHold_ms = 30_000;
const storageKey = 'fee-level';

/** What a transfer would pay for its block, by level. */
export interface NetworkFees {
  /** Of what is typed; of an earlier amount while the fees of this one are read. */
  options: readonly NetworkFeeOption[];
  /** No amount is typed that could be sent: rates and times of the options are right, their fees are not. */
  isGeneral: boolean;
  /** Another answer is on its way. */
  isLoading: boolean;
  /** The option of the level that is chosen; null until the fee of what is typed is known. */
  chosen: NetworkFeeOption | null;
  /** Everything that can be sent at a level; null until that is known. */
  most: (level: FeeLevel) => string | null;
  /** Everything is to be sent, and coins that are not worth their fee stay behind. */
  leftBehind: { coins: number; amount: string } | null;
  /** Blocks on top of the first until it is final. */
  confirmations: number;
  error: ApiError | null;
  retry: () => void;
}

/**
 * The fees of the transfer that is typed, on a chain where who sends chooses one; null on the others, undefined until it is known which
 * it is.
 */
export function useNetworkFees(
  wallet: ChainWallet | undefined,
  { payeeId, amount, feeLevel }: { payeeId: string; amount: string; feeLevel: FeeLevel },
): NetworkFees | null | undefined {
  const chain = useChains().data?.items.find(({ id }) => id === wallet?.place.chain);
  const isChoice = chain?.choosesFee === true;
  const rules = rulesOf({ wallet, fee: null });
  const isSendable = rules !== null && amountProblem(amount, rules) === null;
  const base = { walletId: wallet?.id ?? '', ...(payeeId !== '' && { payeeId }) };
  const options = { quiet: true, keepPrevious: true, refetchInterval_ms: ratesHold_ms };
  const whole = useCall(listNetworkFees, { query: { ...base, all: 'true' } }, { ...options, enabled: isChoice });
  const wanted = isSendable ? JSON.stringify({ ...base, amount: plain(amount) }) : '';
  const text = useSettled(wanted, typing_ms);
  const query = text === '' ? base : (JSON.parse(text) as typeof base);
  const exact = useCall(listNetworkFees, { query }, { ...options, enabled: isChoice && text !== '' });
  if (chain === undefined || wallet === undefined) return undefined;
  if (!isChoice) return null;

  const wholes = whole.data?.items ?? [];
  const exacts = exact.data?.items ?? [];
  const full = isSendable ? inFull(amount, wallet.decimals) : null;
  const { isAll, options: shown, chosen } = pickFees({ wholes, exacts }, full, feeLevel);
  const asked = isAll ? whole : exact;
  return {
    options: shown,
    isGeneral: !isSendable,
    isLoading: isSendable && !isAll && (text !== wanted || exact.isPlaceholderData || exact.isLoading),
    chosen,
    most: (level) => optionAt(wholes, level)?.amount ?? null,
    leftBehind: isAll ? (whole.data?.leftBehind ?? null) : null,
    confirmations: chain.confirmations,
    error: isSendable ? (text === wanted || isAll ? asked.error : null) : ratesUnknown(whole.error),
    retry: () => void asked.refetch(),
  };
}

/**
 * Which fees belong to an amount, in full, of what was answered for everything and for an amount: where everything is to be sent, those of
 * everything. Null: no amount that could be sent.
 */
export function pickFees(
  { wholes, exacts }: Record<'wholes' | 'exacts', readonly NetworkFeeOption[]>,
  amount: string | null,
  level: FeeLevel,
): { isAll: boolean; options: readonly NetworkFeeOption[]; chosen: NetworkFeeOption | null } {
  const isAll = amount !== null && optionAt(wholes, level)?.amount === amount;
  const known = isAll ? wholes : exacts;
  if (amount === null || known.length === 0) return { isAll, options: wholes, chosen: null };
  return { isAll, options: known, chosen: optionAt(known, level) ?? null };
}

function optionAt(options: readonly NetworkFeeOption[], level: FeeLevel): NetworkFeeOption | undefined {
  return options.find((option) => option.level === level);
}

/** That there is nothing to send is said of the amount. */
function ratesUnknown(error: ApiError | null): ApiError | null {
  return error?.key === 'amountAboveBalanceMinusFee' ? null : error;
}

/** The level that was chosen last in this browser. */
export function rememberedLevel(): FeeLevel {
  const level = remembered(storageKey);
  return feeLevels.find((each) => each === level) ?? 'normal';
}

export function rememberLevel(level: FeeLevel): void {
  remember(storageKey, level);
}

/** What the amount's field says while the fee of what is typed is not known. */
export function feeProblemOf(fees: NetworkFees | null | undefined): string | null {
  if (!fees?.error) return null;
  return feeProblems[fees.error.key] ?? 'transfers.fee.problem.unknown';
}

const feeProblems: Readonly<Record<string, string>> = {
  amountAboveBalanceMinusFee: 'transfers.form.aboveBalance',
  tooManyCoins: 'transfers.fee.problem.tooManyCoins',
  amountTooLarge: 'transfers.form.tooLarge',
};

/** A rate without the zeros that say nothing: "12.5". */
export function rateLine(feeRate: string): string {
  return feeRate.includes('.') ? feeRate.replace(/\.?0+$/, '') : feeRate;
}
