import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import { type ApprovalOutcome, opinionMaxLength } from '@causeway/contract/approvals-rules.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useFieldTexts } from '../../../ui/form-state.ts';
import { Banner } from '../../../ui/states.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { useDecide, useSendCode } from '../api.ts';
import { CodeProof } from './code-proof.tsx';
import { DecisionSummary } from './decision-summary.tsx';

interface Props {
  tasks: readonly ApprovalTask[];
  outcome: ApprovalOutcome;
  onClose: () => void;
  onDone: () => void;
}

/**
 * The audit dialog (decisions, "Approvals and risk"): the facts once more, an opinion, which a rejection needs, and a code that
 * proves exactly these tasks and this outcome. What was typed stays when the server says no.
 */
export function DecideDialog({ tasks, outcome, onClose, onDone }: Props) {
  const t = useText();
  useFieldTexts();
  const formats = useFormats();
  const user = useUser();
  const form = useId();
  const decide = useDecide();
  const sendCode = useSendCode();
  const [opinion, setOpinion] = useState('');
  const [method, setMethod] = useState<CodeMethod>(user?.hasOtp ? 'otp_auth' : 'email');
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const ids = tasks.map(({ id }) => id);
  const rejecting = outcome === 'rejected';
  const granted = tasks.filter(({ grantedByInitiatorAt }) => grantedByInitiatorAt !== null);

  async function send(): Promise<{ resendAfterMs: number }> {
    const subject = { kind: 'decision' as const, content: { ids, outcome } };
    const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject } });
    toast('success', t('approvals.codeSent', { email: user?.email ?? '' }));
    return sent;
  }

  function check(): Record<string, string> {
    return {
      ...(rejecting && opinion.trim() === '' && { opinion: t('approvals.reasonRequired') }),
      ...(!/^\d{6}$/.test(code) && { code: t('field.code') }),
    };
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = check();
    setErrors(found);
    const [first] = Object.keys(found);
    if (first !== undefined) {
      toast('error', t('ui.form.failed'));
      event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    const text = opinion.trim();
    try {
      await decide.mutateAsync({
        body: { ids, outcome, codeMethod: method, code, ...(text !== '' && { opinion: text }) },
      });
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      if (error instanceof ApiError && error.refused && 'code' in error.fields) setCode('');
      return;
    }
    toast('success', t(rejecting ? 'approvals.rejectedDone' : 'approvals.approvedDone', { count: ids.length }));
    onDone();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !decide.isPending && onClose()}
      title={t(rejecting ? 'approvals.reject.title' : 'approvals.approve.title', { count: ids.length })}
      actions={
        <>
          <Button disabled={decide.isPending} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button kind={rejecting ? 'negative' : 'primary'} type="submit" form={form} busy={decide.isPending}>
            {t(rejecting ? 'approvals.reject' : 'approvals.approve')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <DecisionSummary tasks={tasks} />
        {granted.map((task) => (
          <Banner key={task.id} kind="notice">
            {t('approvals.panel.granted', {
              name: task.initiator.name,
              time: formats.dateTime(task.grantedByInitiatorAt ?? ''),
            })}
          </Banner>
        ))}
        <TextArea
          label={t(rejecting ? 'approvals.reason' : 'approvals.opinion')}
          name="opinion"
          value={opinion}
          maxLength={opinionMaxLength}
          required={rejecting}
          error={errors['opinion']}
          onChange={(event) => setOpinion(event.target.value)}
        />
        <CodeProof
          method={method}
          onMethod={(next) => {
            setMethod(next);
            setCode('');
          }}
          code={code}
          onCode={setCode}
          error={errors['code']}
          onSend={send}
        />
      </form>
    </Dialog>
  );
}
