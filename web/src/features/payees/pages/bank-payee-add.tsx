import { addBankPayee } from '@causeway/contract/bank-payees.ts';
import type { Body } from '@causeway/contract/call.ts';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListValues } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { NoPermission } from '../../../ui/states.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { type AccountValues, noAccount, sentOf } from '../account-values.ts';
import { useAddBankPayee } from '../api.ts';
import { AccountFields } from '../components/account-fields.tsx';
import { useAccountVerdict } from '../components/account-verdict.tsx';
import { returnPath } from '../return-path.ts';
import { unconfirmed } from '../unconfirmed.ts';

type Values = AccountValues & { label: string; remark: string };

const byBody = byContract(addBankPayee.body);
const check = (values: Values) => byBody({ label: values.label, remark: values.remark, ...sentOf(values) });

/** A new payee with a bank account (decisions, "Payees"). */
export function Page() {
  const t = useText();
  if (usePermission('payee.manage') === false) {
    return (
      <CardPage narrow>
        <NoPermission />
      </CardPage>
    );
  }
  return (
    <Frame narrow intro={t('payees.bank.intro')}>
      <Card>
        <PayeeForm />
      </Card>
    </Frame>
  );
}

function PayeeForm() {
  const t = useText();
  const router = useRouter();
  const search = useSearch({ strict: false }) as ListValues;
  const fields = useFields<Values, Body<typeof addBankPayee>>({
    check,
    defaults: { label: '', remark: '', ...noAccount },
    keep: 'bank-payee-add',
  });
  const add = useAddBankPayee();
  // Chosen once, so that a form sent twice is one payee.
  const [id] = useState(() => newId());
  const verdict = useAccountVerdict(fields.values);

  const submit = async (values: Body<typeof addBankPayee>) => {
    if (verdict.mustConfirm) throw unconfirmed(t('payees.bank.alikeMust'));
    const { status } = await add.mutateAsync({ body: { ...values, id } });
    toast('success', t(status === 'waiting' ? 'payees.form.addedWaiting' : 'payees.form.added'));
    router.history.push(returnPath(search['return'], id) ?? `/app/payee/bank/${id}?tab=bank`);
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('payees.bank.add')}>
      <TextField label={t('payees.label')} hint={t('payees.bank.labelHint')} maxLength={60} {...fields.text('label')} />
      <AccountFields fields={fields} />
      {verdict.note}
      <TextArea label={t('payees.remark')} optional maxLength={200} {...fields.text('remark')} />
      <div className="flex flex-wrap justify-end gap-2">
        <PlainLink href={returnPath(search['return']) ?? '/app/payee?tab=bank'} className={buttonClass('secondary')}>
          {t('payees.form.cancel')}
        </PlainLink>
        <Button type="submit" kind="primary" busy={fields.submitting}>
          {t('payees.bank.save')}
        </Button>
      </div>
    </Form>
  );
}
