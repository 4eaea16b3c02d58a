import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useRequest } from '../api.ts';
import { PayOptions } from '../components/pay-options.tsx';
import { PaymentList } from '../components/payment-list.tsx';
import { RequestActions } from '../components/request-actions.tsx';
import { RequestBanner } from '../components/request-banner.tsx';
import { RequestFacts } from '../components/request-facts.tsx';
import { ReminderCard, RequestHistory } from '../components/request-history.tsx';
import { ShareCard } from '../components/share-card.tsx';

/** One payment request: what it asks, what came, what can be decided. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useRequest(id);
  const request = read.data;
  if (request === undefined && read.error !== null) {
    return (
      <CardPage>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </CardPage>
    );
  }
  return (
    <Loading loading={request === undefined} skeleton={<Skeleton height="h-100" />}>
      {request && (
        <Frame
          intro={
            <span className="flex flex-col gap-1">
              <PlainLink href="/app/u-collection" className="text-13 text-accent">
                {t('collections.back')}
              </PlainLink>
              <strong className="text-16 font-semibold wrap-anywhere text-text">{request.title}</strong>
            </span>
          }
          actions={<RequestActions request={request} />}
        >
          <RequestBanner request={request} />
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-6">
              <RequestFacts request={request} />
              <ShareCard request={request} />
              <PayOptions request={request} />
            </div>
            <div className="flex min-w-0 flex-col gap-6">
              <PaymentList request={request} />
              <ReminderCard request={request} />
              <RequestHistory request={request} />
            </div>
          </div>
        </Frame>
      )}
    </Loading>
  );
}
