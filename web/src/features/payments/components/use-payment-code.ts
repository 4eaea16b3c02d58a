import { sendUserCode } from 'virtual:calls/identity';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { CodeRecipient } from '@causeway/contract/organisation-rules.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { useMutationCall } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { boundTo, checkContent, stepOf } from '../payment-values.ts';
import type { PaymentForm } from './use-payment-form.ts';

/**
 * The code that proves a payment. One by email is made for the current content; when that changes, the code is taken out of the field
 * and the reason said, because the server would refuse it.
 */
export function usePaymentCode({ fields, around, outlook, go }: PaymentForm) {
  const t = useText();
  const email = useUser()?.email ?? '';
  const sendCode = useMutationCall(sendUserCode);
  const [sentFor, setSentFor] = useState<string | null>(null);
  const [voided, setVoided] = useState(false);
  const [sentTo, setSentTo] = useState<CodeRecipient | null>(null);
  const recipient = sentTo ?? outlook?.review?.codeRecipient ?? 'initiator';
  const checked = checkContent(fields.values, around);
  const current = checked.ok ? boundTo(checked.values) : null;
  const { codeMethod } = fields.values;
  // While the outlook is read again the content is not known; only another content voids the code.
  const stale = codeMethod === 'email' && sentFor !== null && current !== null && current !== sentFor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the payment is a reason
  useEffect(() => {
    if (!stale) return;
    fields.set('code', '');
    setSentFor(null);
    setVoided(true);
  }, [stale]);
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
      const [first] = checked.problems;
      fields.showServerErrors(
        Object.fromEntries(checked.problems.map(({ path, message }) => [String(path[0]), t(message)])),
      );
      toast('error', t('payments.check.codeFirst'));
      if (first) go(stepOf(String(first.path[0])));
      throw new ApiError({ key: 'validationFailed', status: 0 });
    }
    const { content, coins } = checked.values;
    // Emptied before the question, not upon its answer: the mail may be here, and its code typed, before the answer is.
    fields.set('code', '');
    const subject =
      coins === null
        ? { kind: 'payout' as const, content: { ...content } }
        : { kind: 'cryptoPayout' as const, content: { ...coins } };
    const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject } });
    setSentFor(boundTo({ content, coins }));
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
  return { uploading: around.uploading, voided, recipient, send, choose };
}
