import { downloadFile } from 'virtual:calls/files';
import type { RechargeNotice } from '@causeway/contract/recharges.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { download } from '../../../lib/download.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { reportFailure } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Stage, Timeline } from '../../../ui/timeline.tsx';
import { NoticeStatus } from '../components/notice-status.tsx';
import { type BankDays, useBankDays } from '../days.ts';
import { useNotice, useWithdraw } from '../recharge-api.ts';

/** One announced payment: its stages, its proof, and what to do when it is late. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const found = useNotice(id);
  const notice = found.data;
  return (
    <SidePanel
      title={
        notice === undefined
          ? t('recharge.fiat.notice')
          : t('recharge.fiat.noticeOf', { amount: amountLine(notice.amount, notice.asset) })
      }
      backTo="/app/wallet/recharge"
      {...(notice !== undefined && { actions: <Withdraw notice={notice} /> })}
    >
      {notice !== undefined ? (
        <Facts notice={notice} />
      ) : found.error?.key === 'rechargeNotFound' ? (
        <EmptyState icon="search" title={t('recharge.fiat.notice.none')} text={t('recharge.fiat.notice.noneText')} />
      ) : found.error !== null ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Loading loading skeleton={<Skeleton height="h-64" />}>
          {null}
        </Loading>
      )}
    </SidePanel>
  );
}

function Facts({ notice }: { notice: RechargeNotice }) {
  const t = useText();
  const days = useBankDays();
  return (
    <div className="flex flex-col gap-6">
      {notice.late && (
        <Banner kind="pending">
          <span className="flex flex-col gap-1">
            <strong>{t('recharge.fiat.late.title')}</strong>
            <span>{t('recharge.fiat.late.text')}</span>
          </span>
        </Banner>
      )}
      <NoticeStatus notice={notice} />
      <PanelSection title={t('recharge.fiat.stages')}>
        <Timeline label={t('recharge.fiat.stages')} stages={stagesOf(notice, t, days)} />
      </PanelSection>
      <DescriptionList
        framed
        facts={[
          {
            term: t('recharge.fiat.amount'),
            value: <Money amount={notice.amount} coin={notice.asset} align="right" />,
          },
          {
            term: t('wallets.column.wallet'),
            value: (
              <PlainLink href={`/app/wallet/${notice.walletId}`}>{`${notice.asset} · ${notice.bankName}`}</PlainLink>
            ),
          },
          { term: t('recharge.fiat.paidAt'), value: <Time at={notice.paidAt} /> },
          { term: t('recharge.fiat.sender'), value: notice.sender },
          ...(notice.remark === '' ? [] : [{ term: t('recharge.fiat.remark'), value: notice.remark }]),
        ]}
      />
      <PanelSection title={t('recharge.fiat.files')}>
        <ul className="m-0 flex list-none flex-col items-start gap-1 p-0">
          {notice.proofs.map(({ id, name }) => (
            <li key={id}>
              <Button
                kind="quiet"
                icon="download"
                onClick={() => void download(downloadFile, { params: { id } }, name).catch(reportFailure)}
              >
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </PanelSection>
    </div>
  );
}

/** Announced, received by the bank, credited; withdrawn instead of the last two. */
function stagesOf(notice: RechargeNotice, t: Translate, { day }: BankDays): Stage[] {
  const title = (stage: string) => t(`recharge.fiat.stage.${stage}`);
  const announced: Stage = {
    key: 'announced',
    title: title('announced'),
    detail: notice.sender,
    at: notice.createdAt,
    tone: 'positive',
  };
  const { endedAt } = notice;
  if (notice.status === 'withdrawn') {
    return [
      announced,
      { key: 'withdrawn', title: title('withdrawn'), detail: notice.withdrawnBy, at: endedAt, tone: 'neutral' },
    ];
  }
  if (notice.status === 'matched') {
    return [
      announced,
      { key: 'received', title: title('received'), at: endedAt, tone: 'positive' },
      {
        key: 'credited',
        title: title('credited'),
        detail: (
          <PlainLink href={`/app/transaction/${notice.transactionId}`}>{t('recharge.fiat.transaction')}</PlainLink>
        ),
        at: endedAt,
        tone: 'positive',
      },
    ];
  }
  return [
    announced,
    {
      key: 'received',
      title: title('received'),
      detail: t('recharge.fiat.expectedBy', { day: day(notice.expected.latest) }),
      tone: notice.late ? 'pending' : 'progress',
      active: true,
    },
    { key: 'credited', title: title('credited'), tone: 'neutral' },
  ];
}

/** Takes an announcement back, after a question; nothing else changes by it. */
function Withdraw({ notice }: { notice: RechargeNotice }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdraw(() => {
    setAsking(false);
    toast('success', t('recharge.fiat.withdrawn'));
  });
  return (
    <>
      {notice.withdrawable && <Button onClick={() => setAsking(true)}>{t('recharge.fiat.withdraw')}</Button>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('recharge.fiat.withdraw.title')}
        description={t('recharge.fiat.withdraw.text')}
        facts={[{ term: t('recharge.fiat.amount'), value: <Money amount={notice.amount} coin={notice.asset} /> }]}
        confirmText={t('recharge.fiat.withdraw')}
        cancelText={t('recharge.fiat.withdraw.keep')}
        negative
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate({ body: { id: notice.id } })}
      />
    </>
  );
}
