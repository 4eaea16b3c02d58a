import type { ArrivingDeposit } from '@causeway/contract/recharges.ts';
import { useParams } from '@tanstack/react-router';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Copied } from '../../../ui/copied.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Stage, Timeline } from '../../../ui/timeline.tsx';
import { ArrivingStatusWord, expectedOf } from '../components/arriving-status.tsx';
import { type BankDays, useBankDays } from '../days.ts';
import { useArrivingOne } from '../recharge-api.ts';

/** One deposit that the bank has reported: its stages, who pays, and once it is credited its transaction. */
export function Page() {
  const t = useText();
  const { walletId, depositId } = useParams({ strict: false }) as { walletId: string; depositId: string };
  const found = useArrivingOne(walletId, depositId);
  const deposit = found.data;
  return (
    <SidePanel
      title={
        deposit === undefined
          ? t('recharge.fiat.arriving.one')
          : t('recharge.fiat.arriving.oneOf', { amount: amountLine(deposit.amount, deposit.asset) })
      }
      backTo="/app/wallet/recharge"
    >
      {deposit !== undefined ? (
        <Facts deposit={deposit} />
      ) : found.error?.key === 'notFound' || found.error?.key === 'walletNotFound' ? (
        <EmptyState icon="search" title={t('recharge.fiat.arriving.none')} text={t('recharge.fiat.notice.noneText')} />
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

function Facts({ deposit }: { deposit: ArrivingDeposit }) {
  const t = useText();
  const days = useBankDays();
  return (
    <div className="flex flex-col gap-6">
      {deposit.late && (
        <Banner kind="pending">{t('recharge.fiat.arriving.lateText', { bank: deposit.bankName })}</Banner>
      )}
      {deposit.status === 'rejected' && (
        <Banner kind="negative">{t('recharge.fiat.arriving.rejectedText', { bank: deposit.bankName })}</Banner>
      )}
      <ArrivingStatusWord deposit={deposit} />
      <PanelSection title={t('recharge.fiat.stages')}>
        <Timeline label={t('recharge.fiat.stages')} stages={stagesOf(deposit, t, days)} />
      </PanelSection>
      <DescriptionList
        framed
        facts={[
          {
            term: t('wallets.column.quantity'),
            value: <Money amount={deposit.amount} coin={deposit.asset} align="right" />,
          },
          {
            term: t('wallets.column.wallet'),
            value: (
              <PlainLink href={`/app/wallet/${deposit.walletId}`}>{`${deposit.asset} · ${deposit.bankName}`}</PlainLink>
            ),
          },
          { term: t('wallets.deposits.from'), value: deposit.payer ?? t('recharge.fiat.arriving.noPayer') },
          ...(deposit.reference === null
            ? []
            : [{ term: t('recharge.fiat.arriving.reference'), value: deposit.reference }]),
          { term: t('recharge.fiat.arriving.since'), value: <Time at={deposit.begunAt} /> },
          {
            term: t('recharge.fiat.arriving.bankId'),
            value: <Copied text={deposit.id} what={t('recharge.fiat.arriving.bankId')} mono />,
          },
        ]}
      />
    </div>
  );
}

/** Seen by the bank, booked there, credited; rejected instead of the last two, or taken back after them. */
function stagesOf(deposit: ArrivingDeposit, t: Translate, days: BankDays): Stage[] {
  const { status, statusAt, begunAt, transactionId, late, bankName } = deposit;
  const title = (stage: string) => t(`recharge.fiat.arriving.stage.${stage}`, { bank: bankName });
  const seen: Stage = { key: 'seen', title: title('seen'), at: begunAt, tone: 'positive' };
  const link = transactionId !== null && (
    <PlainLink href={`/app/transaction/${transactionId}`}>{t('recharge.fiat.transaction')}</PlainLink>
  );
  switch (status) {
    case 'rejected':
      return [seen, { key: 'rejected', title: title('rejected'), at: statusAt, tone: 'negative' }];
    case 'reversed':
      return [
        seen,
        { key: 'reversed', title: title('reversed'), detail: link || undefined, at: statusAt, tone: 'negative' },
      ];
    case 'pending':
      return [
        seen,
        {
          key: 'booked',
          title: title('booked'),
          detail: expectedOf(deposit, t, days),
          tone: late ? 'pending' : 'progress',
          active: true,
        },
        { key: 'credited', title: title('credited'), tone: 'neutral' },
      ];
    default: {
      const isThere = status === 'credited';
      return [
        seen,
        { key: 'booked', title: title('booked'), at: statusAt, tone: 'positive' },
        {
          key: 'credited',
          title: title('credited'),
          detail: link || undefined,
          tone: isThere ? 'positive' : 'progress',
          active: !isThere,
        },
      ];
    }
  }
}
