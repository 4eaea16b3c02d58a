import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Hedge, useHedge } from '../api.ts';
import { hedgeTones } from '../words.ts';

/** One order beside the list: what was ordered and why, what became of it, its fills. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useHedge(id);
  const order = read.data;
  return (
    <SidePanel
      title={order ? `${t(`ops.hedge.${order.side}`, { asset: order.asset })} · ${order.venue}` : t('ops.hedge.order')}
      backTo="/app/exchange/hedges"
    >
      {order === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={order === undefined} skeleton={<Skeleton height="h-60" />}>
          {order && <Facts order={order} />}
        </Loading>
      )}
    </SidePanel>
  );
}

function Facts({ order }: { order: Hedge }) {
  const t = useText();
  const { asset, counter, state, reason } = order;
  const at = (term: string, time: string | null) =>
    time === null ? [] : [{ term: t(term), value: <Time at={time} /> }];
  return (
    <div className="flex flex-col gap-6">
      <Banner kind={state === 'unknown' || state === 'refused' ? 'pending' : 'notice'}>{order.next}</Banner>
      <DescriptionList
        facts={[
          {
            term: t('ops.field.state'),
            value: <StatusDot tone={hedgeTones[state]}>{t(`ops.hedgeState.${state}`)}</StatusDot>,
          },
          ...(reason === null ? [] : [{ term: t('ops.hedge.reason'), value: reason }]),
          { term: t('ops.hedge.quantity'), value: <Money amount={order.quantity} coin={asset} /> },
          { term: t('ops.hedge.filled'), value: <Money amount={order.filled} coin={asset} /> },
          { term: t('ops.hedge.limit'), value: <Money amount={order.limitPrice} coin={counter} /> },
          { term: t('ops.hedge.mid'), value: <Money amount={order.mid} coin={counter} /> },
          ...(order.averagePrice === null
            ? []
            : [{ term: t('ops.hedge.average'), value: <Money amount={order.averagePrice} coin={counter} /> }]),
          { term: t('ops.hedge.position'), value: <Money amount={order.position} coin={asset} signed /> },
          ...at('ops.hedge.createdAt', order.createdAt),
          ...at('ops.hedge.sentAt', order.sentAt),
          ...at('ops.hedge.openedAt', order.openedAt),
          ...at('ops.hedge.askedAt', order.askedAt),
          ...at('ops.hedge.cancelledAt', order.cancelledAt),
          ...at('ops.hedge.endedAt', order.endedAt),
          { term: t('ops.hedge.id'), value: <span className="wrap-anywhere">{order.id}</span> },
          ...(order.venueOrderId === null
            ? []
            : [
                {
                  term: t('ops.hedge.venueOrderId'),
                  value: <span className="wrap-anywhere">{order.venueOrderId}</span>,
                },
              ]),
        ]}
      />
      {order.fills.length > 0 && <Fills order={order} />}
    </div>
  );
}

function Fills({ order: { fills, asset, counter } }: { order: Hedge }) {
  const t = useText();
  return (
    <section className="flex flex-col gap-2">
      <h3 className="m-0 text-14 font-semibold">{t('ops.hedge.fills')}</h3>
      <ul aria-label={t('ops.hedge.fills')} className="m-0 list-none p-0">
        {fills.map(({ id, quantity, price, fee, feeAsset, at, tradeId }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-line py-2 not-last:border-b">
            <span className="flex flex-col">
              <Money amount={quantity} coin={asset} />
              <span className="text-12 text-faint">{tradeId}</span>
            </span>
            <span className="flex flex-col items-end">
              <Money amount={price} coin={counter} align="right" />
              <span className="text-12 text-faint">{t('ops.hedge.fee', { amount: fee, asset: feeAsset })}</span>
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
