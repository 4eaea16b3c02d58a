import { useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { placed } from '../../../lib/placed.ts';
import { toast } from '../../../lib/toasts.ts';
import { useFields } from '../../../ui/form-state.ts';
import { useTransactionCode } from '../../transfers/index.ts';
import { useExchangeOptions } from '../api.ts';
import { useAddStanding } from '../api-planned.ts';
import type { ExchangeWallet } from '../exchange-values.ts';
import {
  checkStanding,
  checkStandingContent,
  emptyStanding,
  type ReadyStanding,
  type StandingValues,
  standingBoundTo,
} from '../standing-values.ts';
import { fieldOfError } from './use-exchange-submit.ts';

/** The form of a standing order with its wallets and its code; the draft survives a reload. */
export function useStandingForm() {
  const t = useText();
  const router = useRouter();
  const [firstId] = useState(() => newId());
  const options = useExchangeOptions();
  const wallets = options.data?.wallets ?? [];
  // The check needs what is found out from the values that it checks.
  const known = useRef<ExchangeWallet | undefined>(undefined);
  const fields = useFields<StandingValues, ReadyStanding>({
    check: (values) => checkStanding(values, known.current),
    defaults: emptyStanding(firstId),
    keep: 'standing',
    keepExcept: ['code'],
  });
  const { values } = fields;
  const sold = wallets.find(({ walletId }) => walletId === values.sellWalletId);
  const bought = wallets.find(({ walletId }) => walletId === values.buyWalletId);
  known.current = sold;
  const add = useAddStanding();
  const code = useTransactionCode({
    fields,
    checked: checkStandingContent(values, sold),
    boundTo: ({ content }) => standingBoundTo(content),
    subjectOf: ({ content }) => ({ kind: 'standingOrder', content: { ...content } }),
    recipient: undefined,
    firstText: 'exchanges.standing.codeFirst',
  });

  async function submit({ content, ...proof }: ReadyStanding): Promise<void> {
    try {
      await add.mutateAsync({ body: { ...content, ...proof } });
    } catch (error) {
      // What is wrong is said at its field too, and what was typed stays.
      throw error instanceof ApiError ? placed(error, fieldOfError) : error;
    }
    fields.reset();
    toast('success', t('exchanges.standing.added'));
    router.history.push('/app/wallet/exchange/planned');
  }
  return { fields, options, wallets, sold, bought, code, submit };
}
