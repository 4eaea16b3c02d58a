import { sendUserCode } from 'virtual:calls/identity';
import type { Body } from '@causeway/contract/call.ts';
import type { CodeMethod, sendUserCode as sendUserCodeCall } from '@causeway/contract/identity.ts';
import type { CodeRecipient } from '@causeway/contract/organisation-rules.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { useMutationCall } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import type { Checked, Fields } from '../../../ui/form-state.ts';

/** The fields of a code, in any form that has them. */
interface CodeFields {
  values: { codeMethod: CodeMethod; code: string };
  set: (name: 'codeMethod' | 'code', value: never) => void;
  showServerErrors: Fields<object, unknown>['showServerErrors'];
}

interface Asked<Content> {
  fields: CodeFields;
  /** What the code is for, as far as the form is right. */
  checked: Checked<Content>;
  /** What of it the code is bound to, as text. */
  boundTo: (content: Content) => string;
  subjectOf: (content: Content) => Extract<Body<typeof sendUserCodeCall>, { scenario: 'transaction' }>['subject'];
  /** To whom the code goes, as far as that is known before one is sent. */
  recipient: CodeRecipient | undefined;
  /** Said when a code is asked for before the form is right: a text id. */
  firstText: string;
  /** Whether it would be stopped, which is said elsewhere: a code for it would be in vain. */
  wouldStop?: () => boolean | Promise<boolean>;
  /** Goes to the field that is wrong, where that is not on the page. */
  onWrong?: (field: string) => void;
}

/** What `TransferCode` shows of it. */
interface TransactionCode {
  method: CodeMethod;
  onMethod: (method: CodeMethod) => void;
  /** The content changed after a code for it was sent; the field has been cleared. */
  voided: boolean;
  /** Who was mailed the last code, or will be. */
  recipient: CodeRecipient;
  /** Sends a code for the current content. Rejects when none was sent; the reason has been shown then. */
  onSend: () => Promise<{ resendAfterMs: number }>;
}

/**
 * The code that proves a transfer, a payment, an exchange or a standing order. One by email is made for the current content; when another content takes its
 * place, the code is taken out of the field and the reason said, because the server would refuse it.
 */
export function useTransactionCode<Content>(asked: Asked<Content>): TransactionCode {
  const { fields, checked, boundTo, subjectOf, firstText, wouldStop, onWrong } = asked;
  const t = useText();
  const email = useUser()?.email ?? '';
  const sendCode = useMutationCall(sendUserCode);
  const [sentFor, setSentFor] = useState<string | null>(null);
  const [voided, setVoided] = useState(false);
  const [sentTo, setSentTo] = useState<CodeRecipient | null>(null);
  const recipient = sentTo ?? asked.recipient ?? 'initiator';
  const { codeMethod } = fields.values;
  // A content that is half typed, or read again at the moment, is not another one yet.
  const current = checked.ok ? boundTo(checked.values) : sentFor;
  const stale = codeMethod === 'email' && sentFor !== null && current !== sentFor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the content is a reason
  useEffect(() => {
    if (!stale) return;
    write('code', '');
    setSentFor(null);
    setVoided(true);
  }, [stale]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where the code goes, and what was chosen, is a reason
  useEffect(() => {
    // An authenticator does not replace the administrators' mail.
    if (recipient === 'administrator' && codeMethod === 'otp_auth') choose('email');
  }, [recipient, codeMethod]);

  function write<Name extends 'codeMethod' | 'code'>(name: Name, value: CodeFields['values'][Name]): void {
    fields.set(name, value as never);
  }
  function choose(method: CodeMethod): void {
    write('codeMethod', method);
    write('code', '');
    setVoided(false);
  }
  async function send(): Promise<{ resendAfterMs: number }> {
    if (!checked.ok) {
      const wrong = checked.problems.map(({ path, message }) => [String(path[0]), t(message)] as const);
      fields.showServerErrors(Object.fromEntries(wrong));
      toast('error', t(firstText));
      if (wrong[0]) onWrong?.(wrong[0][0]);
      throw new ApiError({ key: 'validationFailed', status: 0 });
    }
    if (await wouldStop?.()) throw new ApiError({ key: 'notConfirmed', status: 0 });
    const content = checked.values;
    // Emptied before the question, not upon its answer: the mail may be here, and its code typed, before the answer is.
    write('code', '');
    const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject: subjectOf(content) } });
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
  return { method: codeMethod, onMethod: choose, voided, recipient, onSend: send };
}
