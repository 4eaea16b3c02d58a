import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { ReasonDialog } from '../../operator/index.ts';
import { type Terms, useTerms, useWithdrawTerms } from '../api.ts';
import { termsTones } from '../words.ts';

/** One addition beside the list: from when until when, by whom, and taking it back while it is only planned. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useTerms(id);
  const mayChange = usePermission('operator.price');
  const terms = read.data?.items[0];
  const any = t('ops.terms.any');
  return (
    <SidePanel
      title={terms ? `${terms.sell ?? any} → ${terms.buy ?? any}` : t('ops.title.exchangeTerms')}
      backTo="/app/exchange/terms"
      {...(terms && mayChange && { actions: <Withdrawing key={terms.id} terms={terms} /> })}
    >
      {read.data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={read.data === undefined} skeleton={<Skeleton height="h-60" />}>
          {terms === undefined ? (
            <EmptyState icon="search" title={t('ops.terms.unknown')} text={t('ops.terms.unknownText')} />
          ) : (
            <Facts terms={terms} />
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Facts({ terms }: { terms: Terms }) {
  const t = useText();
  const { state, basisPoints, fromUsd, company, validFrom, validUntil, proposal, withdrawal } = terms;
  return (
    <DescriptionList
      facts={[
        {
          term: t('ops.field.state'),
          value: <StatusDot tone={termsTones[state]}>{t(`ops.termsState.${state}`)}</StatusDot>,
        },
        {
          term: t('ops.terms.points'),
          value: basisPoints === null ? t('ops.terms.noOwn') : t('ops.terms.basisPoints', { points: basisPoints }),
        },
        { term: t('ops.terms.fromUsd'), value: <Money amount={fromUsd} coin="USD" /> },
        { term: t('ops.terms.for'), value: company?.name ?? t('ops.terms.everyCompany') },
        { term: t('ops.terms.validFrom'), value: <Time at={validFrom} /> },
        ...(validUntil === null ? [] : [{ term: t('ops.terms.validUntil'), value: <Time at={validUntil} /> }]),
        { term: t('ops.field.proposedBy'), value: proposal.proposedBy },
        { term: t('ops.terms.confirmedBy'), value: proposal.confirmedBy },
        {
          term: t('ops.field.proposal'),
          value: (
            <PlainLink href={`/app/confirmations/${proposal.id}`} className="text-accent">
              {t('ops.terms.openProposal')}
            </PlainLink>
          ),
        },
        ...(withdrawal === null
          ? []
          : [
              { term: t('ops.terms.withdrawnBy'), value: withdrawal.by },
              { term: t('ops.field.reason'), value: <span className="whitespace-pre-line">{withdrawal.reason}</span> },
            ]),
      ]}
    />
  );
}

function Withdrawing({ terms }: { terms: Terms }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdrawTerms();
  const isPlanned = terms.state === 'planned';
  return (
    <>
      {isPlanned && <Button onClick={() => setAsking(true)}>{t('ops.terms.withdraw')}</Button>}
      {asking && (
        <ReasonDialog
          title={t('ops.terms.withdrawTitle')}
          text={t('ops.terms.withdrawText')}
          submitText={t('ops.terms.withdraw')}
          negative
          over={isPlanned ? null : t('ops.over.changed')}
          facts={[{ term: t('ops.terms.validFrom'), value: <Time at={terms.validFrom} /> }]}
          onSubmit={async ({ reason }) => {
            await withdraw.mutateAsync({ params: { id: terms.id }, body: { reason } });
            toast('success', t('ops.terms.withdrawn'));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
