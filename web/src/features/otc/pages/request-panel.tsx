import { isOtcOpen } from '@causeway/contract/otc-rules.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { TransactionStatusWord } from '../../transactions/index.ts';
import { type Request, useRequest } from '../api.ts';
import { Conversation } from '../components/conversation.tsx';
import { NoteForm } from '../components/note-form.tsx';
import { Offer } from '../components/offer.tsx';
import { Withdrawing } from '../components/withdrawing.tsx';
import { stateTones } from '../words.ts';

/** One request beside the list: the desk's quote, what can be done with it, and the conversation. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useRequest(id);
  const mayAct = usePermission('exchange.create') === true;
  const request = read.data;
  const canAct = request !== undefined && mayAct && isOtcOpen(request.state);
  return (
    <SidePanel
      title={request ? `${request.sell.asset} → ${request.buy.asset}` : t('app.menu.otc')}
      backTo="/app/otc"
      {...(canAct && { actions: <Withdrawing request={request} /> })}
    >
      {request === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={request === undefined} skeleton={<Skeleton height="h-60" />}>
          {request && (
            <div className="flex flex-col gap-6">
              {request.quote !== null && request.state === 'quoted' && (
                <Offer request={request} readAt={read.dataUpdatedAt} canAct={canAct} />
              )}
              <Facts request={request} />
              <PanelSection title={t('otc.conversation')}>
                <Conversation request={request} messages={request.messages} />
                {canAct && <NoteForm id={request.id} />}
              </PanelSection>
            </div>
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Facts({ request }: { request: Request }) {
  const t = useText();
  const { state, sell, buy, fixed, amount, usd, deadline, createdAt, requester, exchange } = request;
  return (
    <DescriptionList
      facts={[
        {
          term: t('otc.field.state'),
          value: <StatusDot tone={stateTones[state]}>{t(`otc.state.${state}`)}</StatusDot>,
        },
        ...(exchange === null
          ? []
          : [
              {
                term: t('otc.field.exchange'),
                value: (
                  <span className="flex flex-wrap items-center gap-x-3">
                    <PlainLink href={`/app/transaction/${exchange.id}`} className="text-accent">
                      {t('otc.openExchange')}
                    </PlainLink>
                    <TransactionStatusWord row={{ ...exchange, confirmations: null, confirmationsNeeded: null }} />
                  </span>
                ),
              },
            ]),
        {
          term: t(fixed === 'sell' ? 'otc.fixed.sell' : 'otc.fixed.buy'),
          value: (
            <Money amount={amount} coin={(fixed === 'sell' ? sell : buy).asset} fiat={{ amount: usd, coin: 'USD' }} />
          ),
        },
        { term: t('otc.ask.sellWallet'), value: `${sell.asset} · ${sell.placeName}` },
        { term: t('otc.ask.buyWallet'), value: `${buy.asset} · ${buy.placeName}` },
        { term: t('otc.field.deadline'), value: <Time at={deadline} /> },
        { term: t('otc.field.createdAt'), value: <Time at={createdAt} /> },
        { term: t('otc.field.requester'), value: requester.name },
        ...(state !== 'accepted' || request.quote === null
          ? []
          : [
              {
                term: t('otc.field.acceptedAt'),
                value: t('otc.step.amounts', {
                  sold: amountLine(request.quote.total, sell.asset),
                  fee: amountLine(request.quote.fee, sell.asset),
                  bought: amountLine(request.quote.bought, buy.asset),
                }),
              },
            ]),
      ]}
    />
  );
}
