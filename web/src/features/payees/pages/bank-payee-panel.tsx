import type { getBankPayee } from '@causeway/contract/bank-payees.ts';
import type { Output } from '@causeway/contract/call.ts';
import { useParams, useRouter } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { whenIdle } from '../../../ui/deferred.ts';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useBankPayee, useDeleteBankPayee } from '../api.ts';
import { BankPayeeFacts } from '../components/bank-payee-facts.tsx';

const loadLabel = () => import('../components/bank-payee-label.tsx');
/** With the contract's schemas, which the panel itself does without. */
const BankPayeeLabel = lazy(async () => ({ default: (await loadLabel()).BankPayeeLabel }));

type Payee = Output<typeof getBankPayee>;

/** One payee with a bank account beside the book: its account, the accounts before, payees like it. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const payee = useBankPayee(id);
  const { data } = payee;
  return (
    <SidePanel
      title={data?.label ?? t('payees.panel.title')}
      backTo="/app/payee"
      {...(data && { actions: <PanelActions payee={data} /> })}
    >
      {data === undefined && payee.error !== null ? (
        <ErrorState error={payee.error} onRetry={() => void payee.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
          {data && <BankPayeeFacts payee={data} />}
        </Loading>
      )}
    </SidePanel>
  );
}

function PanelActions({ payee }: { payee: Payee }) {
  const t = useText();
  const mayManage = usePermission('payee.manage');
  const mayPay = usePermission('transfer.create') === true && payee.status === 'usable';
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState(false);
  whenIdle(loadLabel);
  const pay = mayPay && (
    <PlainLink href={`/app/payment?payee=${payee.id}`} className={buttonClass('primary')}>
      {t('payees.panel.pay')}
    </PlainLink>
  );
  if (!mayManage) return pay;
  return (
    <>
      <Button icon="trash" onClick={() => setAsking(true)}>
        {t('payees.delete')}
      </Button>
      {payee.status !== 'waiting' && (
        <>
          <Button onClick={() => setEditing(true)}>{t('payees.bank.relabel')}</Button>
          <PlainLink href={`/app/payee/bank/change/${payee.id}`} className={buttonClass('secondary')}>
            {t('payees.bank.change')}
          </PlainLink>
        </>
      )}
      {pay}
      <DeleteDialog payee={payee} open={asking} onOpenChange={setAsking} />
      {editing && (
        <Dialog open onOpenChange={(open) => open || setEditing(false)} title={t('payees.bank.relabelTitle')}>
          <BankPayeeLabel payee={payee} onClose={() => setEditing(false)} />
        </Dialog>
      )}
    </>
  );
}

interface DeleteProps {
  payee: Payee;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function DeleteDialog({ payee, open, onOpenChange }: DeleteProps) {
  const t = useText();
  const router = useRouter();
  const remove = useDeleteBankPayee(() => {
    toast('success', t('payees.deleted'));
    router.history.push(`/app/payee${router.state.location.searchStr || '?tab=bank'}`);
  });
  const { account } = payee;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('payees.delete.title')}
      description={t(payee.status === 'waiting' ? 'payees.delete.textWaiting' : 'payees.bank.deleteText')}
      facts={[
        { term: t('payees.label'), value: payee.label },
        { term: t('payees.bank.name'), value: account.name },
        { term: t('payees.bank.account'), value: `${account.account} · ${account.currency}` },
      ]}
      confirmText={t('payees.delete')}
      negative
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: payee.id } })}
    />
  );
}
