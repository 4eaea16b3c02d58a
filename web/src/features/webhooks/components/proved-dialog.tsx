import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { WebhookContent } from '@causeway/contract/webhooks.ts';
import { type ReactNode, useMemo, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { codeFields, placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, type FieldProblem, type Fields, useFields } from '../../../ui/form-state.ts';
import { CodeProof } from '../../approvals/index.ts';
import { useSendCode } from '../api.ts';
import { SecretView } from './secret-view.tsx';

export interface Proof {
  codeMethod: CodeMethod;
  code: string;
}

interface Props<Own extends object> {
  title: string;
  text: string;
  confirmText: string;
  facts?: readonly Fact[];
  defaults: Own;
  /** What is wrong beside the code; stable between renders. */
  check: (values: Own) => readonly FieldProblem[];
  /** What the code is bound to. */
  content: (values: Own) => WebhookContent;
  fields?: (fields: Fields<Own & Proof, Own & Proof>) => ReactNode;
  /** Resolves with a secret to show, or null. */
  onSubmit: (values: Own & Proof) => Promise<string | null>;
  onClose: () => void;
}

/** A step of an endpoint that needs a code; where it makes or shows a secret, the dialog shows that and closes after it. */
export function ProvedDialog<Own extends object>(props: Props<Own>) {
  const { title, text, confirmText, facts, defaults, check, content, onSubmit, onClose } = props;
  const t = useText();
  const user = useUser();
  const sendCode = useSendCode();
  const [secret, setSecret] = useState<string | null>(null);
  const whole = useMemo(() => checking(check), [check]);
  const fields = useFields<Own & Proof, Own & Proof>({
    check: whole,
    defaults: { ...defaults, codeMethod: user?.hasOtp ? 'otp_auth' : 'email', code: '' },
  });
  const values = fields.values;
  // The code's own fields, whatever the others are.
  const proof = fields as unknown as Fields<Proof, Proof>;

  async function send(): Promise<{ resendAfterMs: number }> {
    const [problem] = check(values);
    if (problem) {
      toast('error', t('webhooks.code.first'));
      throw new Error('nothing to send a code for');
    }
    const subject = { kind: 'webhook' as const, content: content(values) };
    const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject } });
    toast('success', t('webhooks.code.sent', { email: user?.email ?? '' }));
    return sent;
  }

  async function submit(proved: Own & Proof): Promise<void> {
    try {
      const made = await onSubmit(proved);
      if (made === null) onClose();
      else setSecret(made);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reportError(error);
      throw placed(error, codeFields);
    }
  }

  if (secret !== null) {
    return (
      <Dialog
        open
        onOpenChange={(open) => open || onClose()}
        title={t('webhooks.secret')}
        actions={
          <Button kind="primary" onClick={onClose}>
            {t('ui.close')}
          </Button>
        }
      >
        <SecretView secret={secret} />
      </Dialog>
    );
  }
  return (
    <Dialog open onOpenChange={(open) => open || fields.submitting || onClose()} title={title} description={text}>
      <Form fields={fields} onSubmit={submit} label={title}>
        {facts && <DescriptionList facts={facts} framed />}
        {props.fields?.(fields)}
        <CodeProof
          method={values.codeMethod}
          onMethod={(method) => {
            proof.set('codeMethod', method);
            proof.set('code', '');
          }}
          code={values.code}
          onCode={(code) => proof.set('code', code)}
          error={proof.error('code')}
          onSend={send}
        />
        <div className="flex flex-wrap justify-end gap-3 border-t border-line pt-5">
          <Button disabled={fields.submitting} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" kind="primary" busy={fields.submitting}>
            {confirmText}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The rules of a form, and that of its code. */
function checking<Own extends object>(check: (values: Own) => readonly FieldProblem[]) {
  return (values: Own & Proof): Checked<Own & Proof> => {
    const problems = [...check(values)];
    if (!/^\d{6}$/.test(values.code)) problems.push({ path: ['code'], message: 'field.code' });
    return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
  };
}
