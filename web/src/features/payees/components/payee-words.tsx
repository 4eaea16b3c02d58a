import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { TextArea, TextField } from '../../../ui/text-field.tsx';

interface Words {
  label: string;
  remark: string;
}

interface Props<Body extends object> {
  title: string;
  words: Words;
  /** By the call that saves them. */
  check: (words: Words) => Checked<Body>;
  onSave: (body: Body) => Promise<unknown>;
  onClose: () => void;
  /** What stays as it is. */
  children?: ReactNode;
}

/** The words about a payee that can be changed: label and remark. */
export function PayeeWords<Body extends object>({ title, words, check, onSave, onClose, children }: Props<Body>) {
  const t = useText();
  const fields = useFields<Words, Body>({ check, defaults: { label: words.label, remark: words.remark } });
  return (
    <Form
      fields={fields}
      label={title}
      onSubmit={async (body) => {
        await onSave(body);
        toast('success', t('payees.edited'));
        onClose();
      }}
    >
      <TextField label={t('payees.label')} hint={t('payees.edit.labelHint')} maxLength={60} {...fields.text('label')} />
      <TextArea label={t('payees.remark')} optional rows={3} maxLength={200} {...fields.text('remark')} />
      {children}
      <FormFoot submitText={t('payees.form.save')} busy={fields.submitting} onCancel={onClose} />
    </Form>
  );
}
