import { sendUserCode } from 'virtual:calls/identity';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { CodeRecipient } from '@causeway/contract/organisation-rules.ts';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { useMutationCall } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { useFields } from '../../../ui/form-state.ts';
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
import { placed } from './use-exchange-submit.ts';

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
  const code = useCode();

  function useCode() {
    const email = useUser()?.email ?? '';
    const sendCode = useMutationCall(sendUserCode);
    const [sentFor, setSentFor] = useState<string | null>(null);
    const [voided, setVoided] = useState(false);
    const [recipient, setRecipient] = useState<CodeRecipient>('initiator');
    const checked = checkStandingContent(values, sold);
    const current = checked.ok ? standingBoundTo(checked.values.content) : null;
    const stale = values.codeMethod === 'email' && sentFor !== null && current !== sentFor;
    useEffect(() => {
      if (!stale) return;
      fields.set('code', '');
      setSentFor(null);
      setVoided(true);
    }, [stale]);
    return {
      voided,
      recipient,
      choose(method: CodeMethod) {
        fields.set('codeMethod', method);
        fields.set('code', '');
        setVoided(false);
      },
      async send(): Promise<{ resendAfterMs: number }> {
        if (!checked.ok) {
          fields.showServerErrors(
            Object.fromEntries(checked.problems.map(({ path, message }) => [String(path[0]), t(message)])),
          );
          toast('error', t('exchanges.standing.codeFirst'));
          throw new ApiError({ key: 'validationFailed', status: 0 });
        }
        const { content } = checked.values;
        // Emptied before the question, not upon its answer: the mail may be here, and its code typed, before the answer is.
        fields.set('code', '');
        const subject = { kind: 'standingOrder' as const, content: { ...content } };
        const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject } });
        setSentFor(standingBoundTo(content));
        setVoided(false);
        setRecipient(sent.recipient);
        toast(
          'success',
          sent.recipient === 'administrator'
            ? t('transfers.form.codeSentAdministrator')
            : t('transfers.form.codeSent', { email }),
        );
        return sent;
      },
    };
  }

  async function submit({ content, ...proof }: ReadyStanding): Promise<void> {
    try {
      await add.mutateAsync({ body: { ...content, ...proof } });
    } catch (error) {
      // What is wrong is said at its field too, and what was typed stays.
      throw error instanceof ApiError ? placed(error) : error;
    }
    fields.reset();
    toast('success', t('exchanges.standing.added'));
    router.history.push('/app/wallet/exchange/planned');
  }
  return { fields, options, wallets, sold, bought, code, submit };
}
