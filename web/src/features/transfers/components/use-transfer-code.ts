import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { CodeRecipient } from '@causeway/contract/organisation-rules.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { useSendCode } from '../api.ts';
import type { Foreseen } from '../foreseen-review.ts';
import { boundTo, checkContent } from '../transfer-values.ts';
import type { TransferForm } from './use-transfer-form.ts';

interface TransferCodeState {
  /** An attachment is on its way: a code asked for now would be made for another transfer. */
  uploading: boolean;
  choose: (method: CodeMethod) => void;
  /** The transfer changed after a code for it was sent; the field has been cleared. */
  voided: boolean;
  /** Who was mailed the last code, or will be. */
  recipient: CodeRecipient;
  /** Sends a code for the current content. Rejects when none was sent; the reason has been shown then. */
  send: () => Promise<{ resendAfterMs: number }>;
}

/**
 * The code that proves a transfer. One by email is made for the current content; when that changes, the code is taken out
 * of the field and the reason said, because the server would refuse it. None is asked for while the transfer would be stopped.
 */
export function useTransferCode({ fields, around }: TransferForm, { review, again }: Foreseen): TransferCodeState {
  const t = useText();
  const email = useUser()?.email ?? '';
  const sendCode = useSendCode();
  const [sentFor, setSentFor] = useState<string | null>(null);
  const [voided, setVoided] = useState(false);
  const [sentTo, setSentTo] = useState<CodeRecipient | null>(null);
  const recipient = sentTo ?? review?.codeRecipient ?? 'initiator';
  const checked = checkContent(fields.values, around);
  const current = checked.ok ? boundTo(checked.values.content) : null;
  const stale = fields.values.codeMethod === 'email' && sentFor !== null && current !== sentFor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the transfer is a reason
  useEffect(() => {
    if (!stale) return;
    fields.set('code', '');
    setSentFor(null);
    setVoided(true);
  }, [stale]);

  const { codeMethod } = fields.values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where the code goes, and what was chosen, is a reason
  useEffect(() => {
    // An authenticator does not replace the administrators' mail.
    if (recipient === 'administrator' && codeMethod === 'otp_auth') choose('email');
  }, [recipient, codeMethod]);

  function choose(method: CodeMethod): void {
    fields.set('codeMethod', method);
    fields.set('code', '');
    setVoided(false);
  }

  async function send(): Promise<{ resendAfterMs: number }> {
    if (!checked.ok) {
      fields.showServerErrors(
        Object.fromEntries(checked.problems.map(({ path, message }) => [String(path[0]), t(message)])),
      );
      toast('error', t('transfers.form.codeFirst'));
      throw new ApiError({ key: 'validationFailed', status: 0 });
    }
    const { content } = checked.values;
    // A code for what would be stopped would be in vain; why is said beside the summary.
    if (await again()) throw new ApiError({ key: 'notConfirmed', status: 0 });
    // Emptied before the question, not upon its answer: the mail may be here, and its code typed, before the answer is.
    fields.set('code', '');
    const subject = { kind: 'transfer' as const, content: { ...content } };
    const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject } });
    setSentFor(boundTo(content));
    setVoided(false);
    setSentTo(sent.recipient);
    toast(
      'success',
      sent.recipient === 'administrator'
        ? t('transfers.form.codeSentAdministrator')
        : t('transfers.form.codeSent', { email }),
    );
    return sent;
  }
  return {
    uploading: around.uploading,
    voided,
    recipient,
    send,
    choose,
  };
}
