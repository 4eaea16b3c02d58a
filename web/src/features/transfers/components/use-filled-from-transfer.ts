import { getCryptoPayee } from 'virtual:calls/payees';
import { getFee, listWallets } from 'virtual:calls/wallets';
import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { ChainWallet } from '@causeway/contract/wallets-rules.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { callKey, queryClient } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toasts.ts';
import type { Fields } from '../../../ui/form-state.ts';
import { usePayee } from '../../payees/index.ts';
import { useTransaction } from '../../transactions/index.ts';
import { emptyTransfer, type ReadyTransfer, type TransferValues, valuesFrom } from '../transfer-values.ts';

/** What is known from before the page opened, and has to be asked again before it is sent. */
const askedAgain = [callKey(listWallets), callKey(getFee), callKey(getCryptoPayee)];

/**
 * Fills the form from an earlier transfer that the address names: `repeat` sends the same again, `rest` what a test transfer left.
 * It is a new transfer, with an id of its own; balance, fee and the payee's state are read again.
 */
export function useFilledFromTransfer(
  fields: Fields<TransferValues, ReadyTransfer>,
  sources: readonly ChainWallet[] | undefined,
): void {
  const t = useText();
  const { repeat, rest } = useSearch({ strict: false }) as { repeat?: string; rest?: string };
  const navigate = useNavigate();
  const earlier = useTransaction(rest ?? repeat ?? '');
  const payee = usePayee(earlier.data?.payeeId ?? '');
  const isAsked = rest !== undefined || repeat !== undefined;
  const knowsPayee = earlier.data?.payeeId === null || payee.data !== undefined || payee.error !== null;
  const ready =
    isAsked && ((sources !== undefined && earlier.data !== undefined && knowsPayee) || earlier.error !== null);

  function fill(detail: TransactionDetail): void {
    const usable = payee.data?.status === 'usable';
    const from = sources?.find(({ id }) => id === detail.walletId);
    const filled = from && valuesFrom(detail, { chain: from.place.chain, isRest: rest !== undefined, usable });
    if (!filled) {
      toast('error', t(rest === undefined ? 'transfers.repeat.not' : 'transfers.rest.not'));
      return;
    }
    const next = { ...emptyTransfer(newId(), fields.values.feeLevel), codeMethod: fields.values.codeMethod, ...filled };
    for (const [name, value] of Object.entries(next)) fields.set(name as 'notes', value as string);
    if (!usable) toast('error', t('transfers.repeat.payeeGone'));
    for (const queryKey of askedAgain) void queryClient.invalidateQueries({ queryKey });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the earlier transfer and its payee are known
  useEffect(() => {
    if (!ready) return;
    if (earlier.data === undefined) toast('error', t('transfers.repeat.not'));
    else fill(earlier.data);
    void navigate({ to: '.', search: {} as never, replace: true, resetScroll: false });
  }, [ready]);
}
