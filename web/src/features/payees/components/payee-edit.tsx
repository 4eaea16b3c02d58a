import { editCryptoPayee } from '@causeway/contract/payees.ts';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Address } from '../../../ui/address.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { useEditPayee } from '../api.ts';

interface Props {
  payee: { id: string; label: string; remark: string; coin: string; chainName: string; address: string };
  onClose: () => void;
}

/** Label and remark of a payee; the address is shown and stays, since another one is another payee. */
export function PayeeEdit({ payee, onClose }: Props) {
  const t = useText();
  const edit = useEditPayee();
  const { id } = payee;
  const check = useMemo(() => {
    const byCall = byContract(editCryptoPayee.body);
    return (values: { label: string; remark: string }) => byCall({ id, ...values });
  }, [id]);
  const fields = useFields({ check, defaults: { label: payee.label, remark: payee.remark } });
  return (
    <Form
      fields={fields}
      label={t('payees.edit.title')}
      onSubmit={async (body) => {
        await edit.mutateAsync({ body });
        toast('success', t('payees.edited'));
        onClose();
      }}
    >
      <TextField label={t('payees.label')} hint={t('payees.edit.labelHint')} maxLength={60} {...fields.text('label')} />
      <TextArea label={t('payees.remark')} optional rows={3} maxLength={200} {...fields.text('remark')} />
      <DescriptionList
        framed
        facts={[
          { term: t('payees.coin'), value: `${payee.coin} · ${payee.chainName}` },
          { term: t('payees.address'), value: <Address value={payee.address} copyable={false} /> },
        ]}
      />
      <p className="m-0 text-13 text-faint">{t('payees.edit.address')}</p>
      <FormFoot submitText={t('payees.form.save')} busy={fields.submitting} onCancel={onClose} />
    </Form>
  );
}
