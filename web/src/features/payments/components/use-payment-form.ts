import { getBankPayee } from 'virtual:calls/bank-payees';
import { foreseePayout } from 'virtual:calls/payments';
import type { PayoutOutlook } from '@causeway/contract/payments.ts';
import type { PayoutForm } from '@causeway/contract/payments-rules.ts';
import { type BankWallet, isAtBank } from '@causeway/contract/wallets-rules.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ListValues } from '../../../lib/list-state.ts';
import { newId } from '../../../lib/new-id.ts';
import { invalidateCall } from '../../../lib/queries.ts';
import { useSettled } from '../../../lib/settled.ts';
import { type Fields, useFields } from '../../../ui/form-state.ts';
import { useBankPayee } from '../../payees/index.ts';
import { amountProblem, isBlocked, plain } from '../../transfers/index.ts';
import { useWallets } from '../../wallets/index.ts';
import { type OutlookQuery, useOutlook } from '../api.ts';
import {
  checkPayment,
  emptyPayment,
  type PaymentValues,
  type ReadyPayment,
  type Step,
  type Surroundings,
  steps,
  termsOf,
} from '../payment-values.ts';
import { type CoinRate, useCoins } from './use-coins.ts';

/** As long as a hand rests between two keys. */
const typing_ms = 300;

/** More than any balance. */
const beyond = '999999999999999';

// A bound belongs to a quote, and no quote lives until the page is loaded again.
const neverKept = ['code', 'bound'] as const;

export interface PaymentForm {
  form: PayoutForm;
  step: Step;
  go: (step: Step) => void;
  fields: Fields<PaymentValues, ReadyPayment>;
  wallets: ReturnType<typeof useWallets>;
  /** Wallets at banks that hold the payee's currency; all of them while no payee is chosen. */
  sources: readonly BankWallet[];
  wallet: BankWallet | undefined;
  payee: ReturnType<typeof useBankPayee>['data'];
  /** Of what is typed; what was known before while the next is asked for. */
  outlook: PayoutOutlook | undefined;
  outlookError: ReturnType<typeof useOutlook>['error'];
  /** What can pay out of coins, and what is chosen of it. */
  coins: ReturnType<typeof useCoins>;
  /** What that costs. */
  rate: CoinRate;
  /** It would be refused. */
  blocked: boolean;
  /** The payee's account is not the one that the person has seen. */
  isOtherAccount: boolean;
  /** The person has seen the account that the payee has now. */
  takeAccount: () => void;
  around: Surroundings;
  setUploading: (uploading: boolean) => void;
  /** Reads payee and outlook again. */
  again: () => void;
}

/** The form with what its values refer to: the payee, the wallet, what the payment would be. The draft survives a reload. */
export function usePaymentForm(form: PayoutForm): PaymentForm {
  const [firstId] = useState(() => newId());
  const wallets = useWallets();
  const [uploading, setUploading] = useState(false);
  // The check needs what is found out from the values that it checks.
  const known = useRef<Surroundings>({ form, outlook: undefined, uploading, wallet: undefined, coins: null });
  const at = useRef<Step>('payee');
  const fields = useFields<PaymentValues, ReadyPayment>({
    check: (values) => checkPayment(values, known.current, at.current),
    defaults: emptyPayment(firstId),
    keep: form === 'payment' ? 'payment' : 'transfer-at-bank',
    keepExcept: neverKept,
  });
  const { values } = fields;
  const [step, go] = useStep(values);
  const { data: payee, error: payeeError } = useBankPayee(values.payeeId);
  const chosen = payee?.id === values.payeeId ? payee : undefined;
  const items = wallets.data?.items;
  const atBanks = useMemo(() => (items ?? []).filter(isAtBank), [items]);
  const currency = chosen?.account.currency;
  const sources = currency === undefined ? atBanks : atBanks.filter(({ asset }) => asset === currency);
  const coins = useCoins(form, fields, chosen?.id);
  const walletId = coins.chosen === undefined ? values.walletId : (coins.bank?.walletId ?? '');
  const atBank = atBanks.find(({ id }) => id === walletId);
  const isOfCoins = coins.chosen !== undefined;
  const found = useOutlookOf(
    form,
    { ...values, walletId },
    { isChosen: atBank !== undefined && chosen !== undefined, isOfCoins },
  );
  const { error, again } = found;
  // What is bought is there when it leaves: what is in the wallet beside it does not count.
  const wallet = atBank && isOfCoins ? { ...atBank, available: beyond } : atBank;
  const outlook =
    found.outlook && isOfCoins
      ? { ...found.outlook, available: beyond, review: coins.rate.shown?.review ?? null }
      : found.outlook;
  const around = {
    form,
    outlook,
    uploading,
    wallet,
    coins: coins.chosen ? { cannotPay: coins.chosen.cannotPay, bankWalletId: coins.bank?.walletId ?? null } : null,
  };
  known.current = around;
  at.current = step;

  const isKnown = wallets.data !== undefined && (form === 'transfer' || coins.isKnown);
  useSettledChoices(fields, chosen, { sources, coinIds: coins.options.map((each) => each.walletId), isKnown });
  useChosenByLink(fields);
  // A draft may name a payee that has been deleted since.
  const isGone = payeeError?.refused === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the payee turns out to be gone
  useEffect(() => {
    if (!isGone) return;
    fields.set('payeeId', '');
    fields.set('versionId', '');
  }, [isGone]);
  // The message to wait for an upload goes when the upload is over.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the upload's end is the only reason to look again
  useEffect(() => {
    if (!uploading) fields.set('attachments', fields.values.attachments);
  }, [uploading]);

  const account = outlook?.account.id ?? chosen?.account.id;
  return {
    form,
    step,
    go,
    fields,
    wallets,
    sources,
    wallet,
    payee: chosen,
    outlook,
    outlookError: error,
    coins,
    rate: coins.rate,
    blocked: isBlocked(outlook?.review ?? null) || (coins.rate.firm?.problem ?? null) !== null,
    isOtherAccount: account !== undefined && values.versionId !== '' && account !== values.versionId,
    takeAccount: () => fields.set('versionId', account ?? ''),
    around,
    setUploading,
    again: () => {
      again();
      if (isOfCoins) coins.rate.again();
      void invalidateCall(getBankPayee);
    },
  };
}

/** The step of the address, so that reload and the browser's back keep it; no further than the values reach. */
function useStep(values: PaymentValues): [Step, (step: Step) => void] {
  const search = useSearch({ strict: false }) as ListValues;
  const navigate = useNavigate();
  const asked = steps.find((each) => each === search['step']) ?? 'payee';
  const reached = values.payeeId === '' ? 'payee' : values.walletId === '' || values.amount === '' ? 'pay' : 'check';
  const step = steps.indexOf(asked) > steps.indexOf(reached) ? reached : asked;
  const go = (next: Step) =>
    void navigate({
      to: '.',
      search: ((old: ListValues) => ({ ...old, step: next === 'payee' ? undefined : next })) as never,
    });
  return [step, go];
}

/** What the payment would be, asked for when typing rests; of another payee or wallet it says nothing. */
function useOutlookOf(
  form: PayoutForm,
  values: PaymentValues,
  { isChosen, isOfCoins }: { isChosen: boolean; isOfCoins: boolean },
) {
  const { walletId, payeeId, charges } = values;
  const [rules, setRules] = useState<PayoutOutlook | undefined>(undefined);
  const sendable = rules !== undefined && amountProblem(values.amount, rules) === null;
  const now: OutlookQuery = {
    form,
    walletId,
    payeeId,
    // Of one out of coins the quote says what the rules make of it.
    ...(sendable && !isOfCoins && { amount: plain(values.amount) }),
    ...termsOf(values),
    ...(charges !== '' && rules?.charges.includes(charges) && { charges }),
  };
  const text = useSettled(isChosen ? JSON.stringify(now) : '', typing_ms);
  const asked = useMemo<OutlookQuery | null>(() => (text === '' ? null : JSON.parse(text)), [text]);
  const answer = useOutlook(asked);
  const isSame = asked !== null && asked.walletId === walletId && asked.payeeId === payeeId;
  const outlook = isChosen && isSame && !answer.isPlaceholderData ? answer.data : undefined;
  // While the next answer is on its way, the form keeps the figures of the last one of the same payee and wallet.
  const kept = useRef<{ key: string; outlook: PayoutOutlook } | null>(null);
  const key = `${walletId} ${payeeId}`;
  if (outlook !== undefined) kept.current = { key, outlook };
  const shown = kept.current?.key === key && isChosen && answer.error === null ? kept.current.outlook : undefined;
  useEffect(() => setRules(shown), [shown]);
  return {
    outlook: shown && { ...shown, review: sendable ? shown.review : null },
    error: answer.error,
    again: () => void invalidateCall(foreseePayout),
  };
}

/** What follows from the choice of a payee: the account that is seen with it, and the wallet where there is only one. */
function useSettledChoices(
  fields: Fields<PaymentValues, ReadyPayment>,
  payee: PaymentForm['payee'],
  { sources, coinIds, isKnown }: { sources: readonly BankWallet[]; coinIds: readonly string[]; isKnown: boolean },
): void {
  const { versionId, walletId } = fields.values;
  const account = payee?.account.id;
  const only = sources.length === 1 ? sources[0]?.id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the payee or the wallets become known
  useEffect(() => {
    if (account !== undefined && versionId === '') fields.set('versionId', account);
    if (payee === undefined || !isKnown) return;
    if (walletId !== '' && !coinIds.includes(walletId) && !sources.some(({ id }) => id === walletId)) {
      fields.set('walletId', only ?? '');
    } else if (walletId === '' && only !== undefined) fields.set('walletId', only);
  }, [account, versionId, walletId, only, isKnown]);
}

/** Links from wallets and payees choose beforehand; what they chose then belongs to the form, not to the address. */
function useChosenByLink(fields: Fields<PaymentValues, ReadyPayment>): void {
  const { wallet, payee } = useSearch({ strict: false }) as ListValues;
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the link names
  useEffect(() => {
    if (wallet === undefined && payee === undefined) return;
    if (payee !== undefined && payee !== fields.values.payeeId) {
      fields.set('payeeId', payee);
      fields.set('versionId', '');
    } else if (wallet !== undefined && wallet !== fields.values.walletId) {
      fields.set('payeeId', '');
      fields.set('versionId', '');
      fields.set('amount', '');
    }
    if (wallet !== undefined) fields.set('walletId', wallet);
    void navigate({ to: '.', search: {} as never, replace: true, resetScroll: false });
  }, [wallet, payee]);
}
