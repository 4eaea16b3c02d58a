import type { Output } from '@causeway/contract/call.ts';
import type { getCryptoPayee } from '@causeway/contract/payees.ts';
import { type ChainWallet, isOnChain } from '@causeway/contract/wallets-rules.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { newId } from '../../../lib/new-id.ts';
import { type Fields, useFields } from '../../../ui/form-state.ts';
import { usePayee } from '../../payees/index.ts';
import { useWallets } from '../../wallets/index.ts';
import { type AmountRules, amountProblem, plain } from '../amounts.ts';
import { useWithdrawFee } from '../api.ts';
import { feeProblemOf, type NetworkFees, rememberedLevel, useNetworkFees } from '../network-fees.ts';
import {
  checkTransfer,
  emptyTransfer,
  type ReadyTransfer,
  rulesOf,
  type Surroundings,
  type TransferValues,
} from '../transfer-values.ts';
import { useFilledFromTransfer } from './use-filled-from-transfer.ts';

type Payee = Output<typeof getCryptoPayee>;

const neverKept = ['code'] as const;

export interface TransferForm {
  fields: Fields<TransferValues, ReadyTransfer>;
  wallets: ReturnType<typeof useWallets>;
  /** The wallets that coins can be sent from; undefined until they are known. */
  sources: readonly ChainWallet[] | undefined;
  wallet: ChainWallet | undefined;
  payee: Payee | undefined;
  /** Null until it is known. */
  fee: string | null;
  /** Null where the network fee is no choice; undefined until it is known whether it is. */
  networkFees: NetworkFees | null | undefined;
  /** How long it takes until it is final; null until it is known. */
  arrivalSeconds: number | null;
  /** What the operator lets the company send at most, at once and in a day; null: no limit. */
  limits: { transfer: string | null; daily: string | null };
  around: Surroundings;
  setUploading: (uploading: boolean) => void;
  rules: AmountRules | null;
}

/** The form with what its values refer to: the wallet, the payee, the fee in force. The draft survives a reload. */
export function useTransferForm(): TransferForm {
  const [firstId] = useState(() => newId());
  const wallets = useWallets();
  // The check needs what is found out from the values that it checks.
  const [known, setKnown] = useState<Omit<Surroundings, 'uploading'>>({ wallet: undefined, fee: null });
  const [uploading, setUploading] = useState(false);
  const around = { ...known, uploading };
  const fields = useFields<TransferValues, ReadyTransfer>({
    check: (values) => checkTransfer(values, around),
    defaults: emptyTransfer(firstId, rememberedLevel()),
    keep: 'transfer-out',
    keepExcept: neverKept,
  });
  const { coin, chain, payeeId, amount, feeLevel } = fields.values;
  const items = wallets.data?.items;
  const sources = useMemo(() => items?.filter(isOnChain), [items]);
  const wallet = sources?.find((candidate) => candidate.asset === coin && candidate.place.chain === chain);
  const payee = usePayee(payeeId).data;
  const { fee: flat, arrivalSeconds, limits } = useQuote(wallet, amount);
  const networkFees = useNetworkFees(wallet, { payeeId, amount, feeLevel });
  const network = networkFees?.chosen ?? null;
  const fee = networkFees === null ? flat : (network?.fee ?? null);
  const feeProblem = feeProblemOf(networkFees);
  useEffect(() => setKnown({ wallet, payee, fee, network, feeProblem }), [wallet, payee, fee, network, feeProblem]);
  // The message to wait for an upload goes when the upload is over.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the upload's end is the only reason to look again
  useEffect(() => {
    if (!uploading) fields.set('attachments', fields.values.attachments);
  }, [uploading]);
  useChosenByLink(fields, sources);
  useFilledFromTransfer(fields, sources);
  return {
    fields,
    wallets,
    sources,
    wallet,
    payee: payee?.id === payeeId ? payee : undefined,
    fee,
    networkFees,
    arrivalSeconds,
    limits,
    around,
    setUploading,
    rules: rulesOf({ wallet, fee }),
  };
}

/** Fee and time of what is typed; until the server has said, those without an amount. */
function useQuote(
  wallet: ChainWallet | undefined,
  amount: string,
): Pick<TransferForm, 'fee' | 'arrivalSeconds' | 'limits'> {
  const rules = rulesOf({ wallet, fee: null });
  const problem = rules === null ? 'amountRequired' : amountProblem(amount, rules);
  const asked = useDeferredValue(problem === null || problem === 'aboveBalance' ? plain(amount) : '');
  const general = useWithdrawFee(wallet?.asset ?? '', wallet?.place.chain ?? '', '');
  const exact = useWithdrawFee(wallet?.asset ?? '', wallet?.place.chain ?? '', asked);
  const quote = exact.data ?? general.data;
  const limits = { transfer: quote?.transferLimit ?? null, daily: quote?.dailyLimit ?? null };
  return { fee: quote?.fee ?? null, arrivalSeconds: quote?.arrivalSeconds ?? null, limits };
}

/** Links from wallets and payees choose beforehand; what they chose then belongs to the form, not to the address. */
function useChosenByLink(
  fields: Fields<TransferValues, ReadyTransfer>,
  sources: readonly ChainWallet[] | undefined,
): void {
  const search = useSearch({ strict: false }) as { wallet?: string; payee?: string };
  const navigate = useNavigate();
  const payee = usePayee(search.payee ?? '');
  const source = sources?.find(({ id }) => id === search.wallet);
  const ready =
    (search.wallet !== undefined || search.payee !== undefined) &&
    (search.wallet === undefined || sources !== undefined) &&
    (search.payee === undefined || payee.data !== undefined || payee.error !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as what the link names is known
  useEffect(() => {
    if (!ready) return;
    const from = source ? { coin: source.asset, chain: source.place.chain } : payee.data;
    if (from !== undefined && (from.coin !== fields.values.coin || from.chain !== fields.values.chain)) {
      fields.set('coin', from.coin);
      fields.set('chain', from.chain);
      fields.set('payeeId', '');
      fields.set('amount', '');
    }
    if (payee.data !== undefined) fields.set('payeeId', payee.data.id);
    void navigate({ to: '.', search: {} as never, replace: true, resetScroll: false });
  }, [ready]);
}
