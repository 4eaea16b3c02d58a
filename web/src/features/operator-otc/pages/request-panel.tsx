import { isOtcOpen } from '@causeway/contract/otc-rules.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { Conversation, stateTones, useLeft } from '../../otc/index.ts';
import { type Request, useRequest } from '../api.ts';
import { Declining } from '../components/declining.tsx';
import { NoteForm } from '../components/note-form.tsx';
import { QuoteForm } from '../components/quote-form.tsx';

/** One request beside the list: what is asked, what a rate would come to, the answer, and the conversation. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useRequest(id);
  const mayAnswer = usePermission('operator.treasury') === true;
  const request = read.data;
  const canAnswer = request !== undefined && mayAnswer && isOtcOpen(request.state);
  return (
    <SidePanel
      title={request ? `${request.company.name} · ${request.sell.asset} → ${request.buy.asset}` : t('ops.title.desk')}
      backTo="/app/desk"
      {...(canAnswer && { actions: <Declining request={request} /> })}
    >
      {request === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={request === undefined} skeleton={<Skeleton height="h-60" />}>
          {request && (
            <div className="flex flex-col gap-6">
              <Facts request={request} readAt={read.dataUpdatedAt} />
              {canAnswer && <QuoteForm key={request.id} request={request} />}
              <PanelSection title={t('otc.conversation')}>
                <Conversation request={request} messages={request.messages} />
                {canAnswer && <NoteForm request={request} />}
              </PanelSection>
            </div>
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Facts({ request, readAt }: { request: Request; readAt: number }) {
  const t = useText();
  const { state, sell, buy, fixed, amount, usd, deadline, requester, company, mid, usual, quote, exchange } = request;
  const left = useLeft(readAt + (quote?.remainingMs ?? 0));
  const rateLine = (rate: string | null) =>
    rate === null ? t('ops.desk.noMid') : t('otc.rateOf', { from: sell.asset, rate: rateText(rate), to: buy.asset });
  return (
    <DescriptionList
      facts={[
        {
          term: t('otc.field.state'),
          value: (
            <StatusDot tone={stateTones[state]} {...(state === 'quoted' && { detail: left ?? t('otc.offer.over') })}>
              {t(`otc.state.${state}`)}
            </StatusDot>
          ),
        },
        ...(exchange === null
          ? []
          : [
              {
                term: t('otc.field.exchange'),
                value: (
                  <PlainLink href={`/app/payments/${exchange.id}`} className="text-accent">
                    {t('otc.openExchange')}
                  </PlainLink>
                ),
              },
            ]),
        {
          term: t('ops.desk.company'),
          value: (
            <PlainLink href={`/app/companies/${company.id}`} className="text-accent">
              {company.name}
            </PlainLink>
          ),
        },
        { term: t('otc.field.requester'), value: requester.name },
        {
          term: t(fixed === 'sell' ? 'otc.fixed.sell' : 'otc.fixed.buy'),
          value: (
            <Money amount={amount} coin={(fixed === 'sell' ? sell : buy).asset} fiat={{ amount: usd, coin: 'USD' }} />
          ),
        },
        { term: t('otc.field.deadline'), value: <Time at={deadline} /> },
        { term: t('ops.desk.mid'), value: <span className="figures">{rateLine(mid)}</span> },
        { term: t('ops.desk.usual'), value: <span className="figures">{rateLine(usual)}</span> },
      ]}
    />
  );
}
