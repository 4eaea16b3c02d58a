import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useTransaction } from '../api.ts';

interface SubmittedPageProps {
  /** What has become of it by now: the page stays open while approvers decide and money moves. */
  outcome: (detail: TransactionDetail) => ReactNode;
  /** Its stages, and what comes next. */
  stages: (detail: TransactionDetail) => ReactNode;
  actions: (detail: TransactionDetail) => ReactNode;
}

/** The page after a submission, of the transaction that its address names. */
export function SubmittedPage({ outcome, stages, actions }: SubmittedPageProps) {
  const { id } = useParams({ strict: false }) as { id: string };
  const transaction = useTransaction(id);
  const { data } = transaction;
  if (data === undefined && transaction.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={transaction.error} onRetry={() => void transaction.refetch()} />
      </CardPage>
    );
  }
  return (
    <Frame narrow>
      <Card>
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-96" />}>
          {data && (
            <div className="flex flex-col gap-8">
              <div className="flex flex-col items-center gap-2 pt-4 text-center">{outcome(data)}</div>
              {stages(data)}
              <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-5">{actions(data)}</div>
            </div>
          )}
        </Loading>
      </Card>
    </Frame>
  );
}

/** The sign above what has become of a submission. */
export function OutcomeSign({ icon }: { icon: 'check' | 'clock' | 'close' }) {
  const tone = icon === 'close' ? 'bg-negative-soft text-negative' : 'bg-positive-soft text-positive';
  return (
    <span className={`inline-flex size-12 items-center justify-center rounded-full ${tone}`}>
      <Icon name={icon} size={24} />
    </span>
  );
}
