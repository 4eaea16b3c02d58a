import { type BankPayee, editBankPayee } from '@causeway/contract/bank-payees.ts';
import type { Body } from '@causeway/contract/call.ts';
import { useParams, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { Card } from '../../../ui/card.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner, ErrorState, Loading, NoPermission, Skeleton } from '../../../ui/states.tsx';
import { type AccountValues, sentOf, valuesOf } from '../account-values.ts';
import { useBankPayee, useEditBankPayee } from '../api.ts';
import { AccountFields } from '../components/account-fields.tsx';
import { useAccountVerdict } from '../components/account-verdict.tsx';
import { AccountSide } from '../components/changed-account.tsx';
import { unconfirmed } from '../unconfirmed.ts';

/** Another account for a payee: the old one is kept, and everybody who administers hears of it. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const mayManage = usePermission('payee.manage');
  const payee = useBankPayee(mayManage === true ? id : '');
  const { data } = payee;
  return (
    <Frame narrow {...(data && { intro: t('payees.bank.changeTitle', { label: data.label }) })}>
      <Card>
        {mayManage === false ? (
          <NoPermission />
        ) : data === undefined && payee.error !== null ? (
          <ErrorState error={payee.error} onRetry={() => void payee.refetch()} />
        ) : (
          <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
            {data && (data.status === 'waiting' ? <Waiting /> : <ChangeForm key={data.account.id} payee={data} />)}
          </Loading>
        )}
      </Card>
    </Frame>
  );
}

function Waiting() {
  const t = useText();
  return <Banner kind="pending">{t('payees.bank.waitingEdit')}</Banner>;
}

function ChangeForm({ payee }: { payee: BankPayee }) {
  const t = useText();
  const router = useRouter();
  const { id, account } = payee;
  const check = useMemo(() => {
    const byBody = byContract(editBankPayee.body);
    return (values: AccountValues) => byBody({ id, versionId: account.id, ...sentOf(values) });
  }, [id, account.id]);
  const fields = useFields<AccountValues, Body<typeof editBankPayee>>({ check, defaults: valuesOf(account) });
  const edit = useEditBankPayee();
  const verdict = useAccountVerdict(fields.values, id);
  const back = `/app/payee/bank/${id}?tab=bank`;

  const submit = async (body: Body<typeof editBankPayee>) => {
    if (verdict.mustConfirm) throw unconfirmed(t('payees.bank.alikeMust'));
    const changed = await edit.mutateAsync({ body });
    const isNew = changed.account.id !== account.id;
    toast(isNew ? 'success' : 'notice', t(isNew ? 'payees.bank.changeDone' : 'payees.bank.changeSame'));
    router.history.push(back);
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('payees.bank.change')}>
      <Banner kind="notice">{t('payees.bank.changeText')}</Banner>
      <div className="rounded-10 border border-line bg-sunken px-4 py-3 text-14">
        <AccountSide term={t('payees.bank.current')} version={account} />
      </div>
      <AccountFields fields={fields} />
      {verdict.note}
      <div className="flex flex-wrap justify-end gap-2">
        <PlainLink href={back} className={buttonClass('secondary')}>
          {t('payees.form.cancel')}
        </PlainLink>
        <Button type="submit" kind="primary" busy={fields.submitting}>
          {t('payees.bank.saveAccount')}
        </Button>
      </div>
    </Form>
  );
}
