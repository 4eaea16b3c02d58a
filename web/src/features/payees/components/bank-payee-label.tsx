import { labelBankPayee } from '@causeway/contract/bank-payees.ts';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { byContract } from '../../../ui/by-contract.ts';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { useLabelBankPayee } from '../api.ts';

interface Props {
  payee: { id: string; label: string; remark: string };
  onClose: () => void;
}

/** Label and remark of a payee with a bank account; the account is changed on a page of its own. */
export function BankPayeeLabel({ payee, onClose }: Props) {
  const t = useText();
  const save = useLabelBankPayee();
  const { id } = payee;
  const check = useMemo(() => {
    const byCall = byContract(labelBankPayee.body);
    return (values: { label: string; remark: string }) => byCall({ id, ...values });
  }, [id]);
  const fields = useFields({ check, defaults: { label: payee.label, remark: payee.remark } });
  return (
    <Form
      fields={fields}
      label={t('payees.bank.relabelTitle')}
      onSubmit={async (body) => {
        await save.mutateAsync({ body });
        toast('success', t('payees.edited'));
        onClose();
      }}
    >
      <TextField label={t('payees.label')} hint={t('payees.edit.labelHint')} maxLength={60} {...fields.text('label')} />
      <TextArea label={t('payees.remark')} optional rows={3} maxLength={200} {...fields.text('remark')} />
      <FormFoot submitText={t('payees.form.save')} busy={fields.submitting} onCancel={onClose} />
    </Form>
  );
}
