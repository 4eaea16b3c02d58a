import { addressTypeOf } from '@causeway/contract/address-forms.ts';
import type { Output } from '@causeway/contract/call.ts';
import type { getCryptoPayee } from '@causeway/contract/payees.ts';
import { useParams, useRouter } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Address } from '../../../ui/address.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { whenIdle } from '../../../ui/deferred.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useDeletePayee, usePayee } from '../api.ts';
import { CodeWarning } from '../components/code-warning.tsx';
import { LookAlikes } from '../components/look-alikes.tsx';
import { PayeeApproval } from '../components/payee-approval.tsx';
import { PayeeStatusWord } from '../components/payee-status.tsx';

const loadEdit = () => import('../components/payee-edit.tsx');
/** With the contract's schemas, which the panel itself does without. */
const PayeeEdit = lazy(async () => ({ default: (await loadEdit()).PayeeEdit }));

type Payee = Output<typeof getCryptoPayee>;

/** One payee beside the book: its facts, addresses like it, what was sent to it, deletion. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const payee = usePayee(id);
  const { data } = payee;
  return (
    <SidePanel
      title={data?.label ?? t('payees.panel.title')}
      backTo="/app/payee"
      {...(data && data.status !== 'deleted' && { actions: <PanelActions payee={data} /> })}
    >
      {data === undefined && payee.error !== null ? (
        <ErrorState error={payee.error} onRetry={() => void payee.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
          {data && <PayeeFacts payee={data} />}
        </Loading>
      )}
    </SidePanel>
  );
}

function PayeeFacts({ payee }: { payee: Payee }) {
  const t = useText();
  const formats = useFormats();
  const type = addressTypeOf(payee.address);
  return (
    <div className="flex flex-col gap-5">
      {payee.status === 'unusable' && <Banner kind="negative">{t('payees.status.unusableText')}</Banner>}
      <PayeeApproval payee={payee} />
      {payee.status === 'deleted' && <Banner kind="notice">{t('payees.status.deletedText')}</Banner>}
      <CodeWarning code={payee.code} />
      <LookAlikes address={payee.address} lookAlikes={payee.lookAlikes} />
      <DescriptionList
        facts={[
          { term: t('payees.label'), value: payee.label },
          { term: t('payees.status'), value: <PayeeStatusWord status={payee.status} /> },
          { term: t('payees.coin'), value: payee.coin },
          { term: t('payees.chain'), value: payee.chainName },
          { term: t('payees.address'), value: <Address value={payee.address} what={t('payees.address')} /> },
          ...(type === null ? [] : [{ term: t('payees.addressType'), value: t(`payees.addressType.${type}`) }]),
          { term: t('payees.remark'), value: payee.remark === '' ? t('payees.none') : payee.remark },
          { term: t('payees.panel.transfers'), value: formats.count(payee.transferCount) },
          {
            term: t('payees.panel.lastTransfer'),
            value: payee.lastTransferAt === null ? t('payees.panel.never') : <Time at={payee.lastTransferAt} />,
          },
          { term: t('payees.createdBy'), value: payee.createdBy },
          { term: t('payees.createdAt'), value: <Time at={payee.createdAt} /> },
        ]}
      />
      {payee.transferCount > 0 && (
        <PlainLink
          href={`/app/transaction?keyword=${encodeURIComponent(payee.address)}`}
          className="text-13 text-accent"
        >
          {t('payees.panel.transactions')}
        </PlainLink>
      )}
    </div>
  );
}

function PanelActions({ payee }: { payee: Payee }) {
  const t = useText();
  const mayManage = usePermission('payee.manage');
  const maySend = usePermission('transfer.create');
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState(false);
  whenIdle(loadEdit);
  return (
    <>
      {mayManage && payee.status !== 'waiting' && <Button onClick={() => setEditing(true)}>{t('payees.edit')}</Button>}
      {mayManage && (
        <Button icon="trash" onClick={() => setAsking(true)}>
          {t('payees.delete')}
        </Button>
      )}
      {maySend && payee.status === 'usable' && (
        <PlainLink href={`/app/transfer-out?payee=${payee.id}`} className={buttonClass('primary')}>
          {t('payees.panel.send')}
        </PlainLink>
      )}
      <DeleteDialog payee={payee} open={asking} onOpenChange={setAsking} />
      {editing && (
        <Dialog open onOpenChange={(open) => open || setEditing(false)} title={t('payees.edit.title')}>
          <PayeeEdit payee={payee} onClose={() => setEditing(false)} />
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
  const remove = useDeletePayee(() => {
    toast('success', t('payees.deleted'));
    router.history.push(`/app/payee${router.state.location.searchStr}`);
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('payees.delete.title')}
      description={t(payee.status === 'waiting' ? 'payees.delete.textWaiting' : 'payees.delete.text')}
      facts={[
        { term: t('payees.label'), value: payee.label },
        { term: t('payees.coin'), value: `${payee.coin} · ${payee.chainName}` },
        { term: t('payees.address'), value: <Address value={payee.address} copyable={false} /> },
      ]}
      confirmText={t('payees.delete')}
      negative
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: payee.id } })}
    />
  );
}
