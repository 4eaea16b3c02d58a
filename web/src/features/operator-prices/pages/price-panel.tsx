import type { PriceRow } from '@causeway/contract/operator-prices.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { ReasonDialog } from '../../operator/index.ts';
import { usePrice, useWithdrawPrice } from '../api.ts';
import { priceText, priceTones, sayPrice } from '../words.ts';

/** One price beside the history: from when until when, by whom, and taking it back while it is only planned. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = usePrice(id);
  const mayChange = usePermission('operator.price');
  const price = read.data?.items[0];
  return (
    <SidePanel
      title={price ? `${t(priceText(price.kind, price))} · ${price.asset}` : t('ops.prices.price')}
      backTo="/app/price-history"
      {...(price && mayChange && { actions: <Withdrawing key={price.id} price={price} /> })}
    >
      {read.data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={read.data === undefined} skeleton={<Skeleton height="h-60" />}>
          {price === undefined ? (
            <EmptyState icon="search" title={t('ops.prices.unknown')} text={t('ops.prices.unknownText')} />
          ) : (
            <Facts price={price} />
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Facts({ price }: { price: PriceRow }) {
  const t = useText();
  const { chain, bank, company, value, validFrom, validUntil, state, proposal, setBy, withdrawal } = price;
  const facts = [
    {
      term: t('ops.field.state'),
      value: <StatusDot tone={priceTones[state]}>{t(`ops.priceState.${state}`)}</StatusDot>,
    },
    { term: t('ops.prices.value'), value: value === null ? t('ops.prices.noOwn') : sayPrice(t, price) },
    ...(chain === null ? [] : [{ term: t('ops.prices.chain'), value: chain.name }]),
    ...(bank === null ? [] : [{ term: t('ops.prices.bank'), value: bank.name }]),
    { term: t('ops.prices.for'), value: company?.name ?? t('ops.prices.everyCompany') },
    { term: t('ops.prices.validFrom'), value: <Time at={validFrom} /> },
    ...(validUntil === null ? [] : [{ term: t('ops.prices.validUntil'), value: <Time at={validUntil} /> }]),
    ...(setBy === null ? [] : [{ term: t('ops.prices.setBy'), value: setBy }]),
    ...(proposal === null
      ? []
      : [
          { term: t('ops.field.proposedBy'), value: proposal.proposedBy },
          { term: t('ops.prices.confirmedBy'), value: proposal.confirmedBy },
          {
            term: t('ops.field.proposal'),
            value: (
              <PlainLink href={`/app/confirmations/${proposal.id}`} className="text-accent">
                {t('ops.prices.openProposal')}
              </PlainLink>
            ),
          },
        ]),
    ...(withdrawal === null
      ? []
      : [
          { term: t('ops.prices.withdrawnBy'), value: withdrawal.by },
          { term: t('ops.prices.withdrawnAt'), value: <Time at={withdrawal.at} /> },
          { term: t('ops.field.reason'), value: <span className="whitespace-pre-line">{withdrawal.reason}</span> },
        ]),
  ];
  return <DescriptionList facts={facts} />;
}

function Withdrawing({ price }: { price: PriceRow }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdrawPrice();
  const isPlanned = price.state === 'planned';
  return (
    <>
      {isPlanned && <Button onClick={() => setAsking(true)}>{t('ops.prices.withdraw')}</Button>}
      {asking && (
        <ReasonDialog
          title={t('ops.prices.withdrawTitle')}
          text={t('ops.prices.withdrawText')}
          submitText={t('ops.prices.withdraw')}
          negative
          over={isPlanned ? null : t('ops.over.changed')}
          facts={[
            { term: t('ops.prices.value'), value: sayPrice(t, price) },
            { term: t('ops.prices.validFrom'), value: <Time at={price.validFrom} /> },
          ]}
          onSubmit={async ({ reason }) => {
            await withdraw.mutateAsync({ params: { id: price.id }, body: { reason } });
            toast('success', t('ops.prices.withdrawn'));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
