import { Link } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { loadTexts, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { useUser } from '../../../lib/user.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { WaitingRecharges } from '../../wallets/index.ts';
import { BalanceCard } from '../components/balance-card.tsx';
import { FirstSteps } from '../components/first-steps.tsx';
import { RowShapes } from '../components/list-card.tsx';

/** A part in the words of other features' pages, after the first paint. */
const partOf = (loading: () => Promise<void>, load: () => Promise<ComponentType>) =>
  lazy(async () => {
    const [part] = await Promise.all([load(), loading()]);
    return { default: part };
  });

/** The rows speak the words of the transactions' own pages, and come with them after the first paint. */
const RecentTransactions = partOf(
  () => loadTexts(['transactions']),
  async () => (await import('../components/recent-transactions.tsx')).RecentTransactions,
);
const Waiting = partOf(
  () => loadTexts(['otc', 'trades', 'collections', 'cards', 'approvals']),
  async () => (await import('../components/waiting.tsx')).Waiting,
);

const LatestNotices = lazy(async () => ({ default: (await import('../components/latest-notices.tsx')).LatestNotices }));

/** What a person wants to know first: how much there is, what moved, what is new. */
export function Page() {
  const t = useText();
  const user = useUser();
  const maySend = usePermission('transfer.create');
  return (
    <Frame
      intro={user?.companyName}
      actions={
        <>
          <Link to="/app/wallet/recharge" className={buttonClass('secondary')}>
            <Icon name="collect" />
            {t('home.recharge')}
          </Link>
          {maySend && (
            <Link to="/app/payment" className={buttonClass('secondary')}>
              <Icon name="payment" />
              {t('home.payment')}
            </Link>
          )}
          {maySend && (
            <Link to="/app/transfer-out" className={buttonClass('primary')}>
              <Icon name="upload" />
              {t('home.transferOut')}
            </Link>
          )}
        </>
      }
    >
      <FirstSteps />
      <BalanceCard />
      <WaitingRecharges only="late" />
      <Suspense fallback={<CardShape title={t('home.todo')} />}>
        <Waiting />
      </Suspense>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Suspense fallback={<CardShape title={t('home.recent')} />}>
          <RecentTransactions />
        </Suspense>
        <Suspense fallback={<CardShape title={t('home.notices')} />}>
          <LatestNotices />
        </Suspense>
      </div>
    </Frame>
  );
}

function CardShape({ title }: { title: string }) {
  return (
    <Card title={title} flush>
      <RowShapes />
    </Card>
  );
}
