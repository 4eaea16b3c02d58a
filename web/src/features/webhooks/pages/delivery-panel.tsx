import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Delivery, useDelivery, useResendWebhook } from '../api.ts';
import { JsonText } from '../components/json-text.tsx';
import { stateTones } from '../words.ts';

/** One delivery beside the log: what was sent, and what came of each attempt. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useDelivery(id);
  const delivery = read.data;
  return (
    <SidePanel
      title={delivery ? t(`webhooks.type.${delivery.type}`) : t('webhooks.delivery')}
      backTo="/app/webhooks/deliveries"
      {...(delivery && { actions: <Resending delivery={delivery} /> })}
    >
      {delivery === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={delivery === undefined} skeleton={<Skeleton height="h-60" />}>
          {delivery && (
            <div className="flex flex-col gap-6">
              <Facts delivery={delivery} />
              <PanelSection title={t('webhooks.delivery.body')}>
                <JsonText text={delivery.body} label={t('webhooks.delivery.body')} />
              </PanelSection>
              <PanelSection title={t('webhooks.delivery.attempts')}>
                <Attempts delivery={delivery} />
              </PanelSection>
            </div>
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Resending({ delivery: { id, state, endpoint } }: { delivery: Delivery }) {
  const t = useText();
  const resend = useResendWebhook();
  return (
    <Button
      disabled={state === 'waiting' || endpoint.removed}
      busy={resend.isPending}
      onClick={() => resend.mutate({ body: { id } }, { onSuccess: () => toast('success', t('webhooks.resent')) })}
    >
      {t('webhooks.resend')}
    </Button>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  const t = useText();
  const { state, endpoint, messageId, type, transactionId, createdAt, nextAt, endedAt } = delivery;
  return (
    <DescriptionList
      facts={[
        {
          term: t('webhooks.field.state'),
          value: <StatusDot tone={stateTones[state]}>{t(`webhooks.state.${state}`)}</StatusDot>,
        },
        ...(nextAt === null ? [] : [{ term: t('webhooks.field.nextAt'), value: <Time at={nextAt} /> }]),
        ...(endedAt === null ? [] : [{ term: t('webhooks.field.endedAt'), value: <Time at={endedAt} /> }]),
        { term: t('webhooks.field.type'), value: <code className="font-mono text-13">{type}</code> },
        {
          term: t('webhooks.field.endpoint'),
          value: (
            <span className="break-all">
              {endpoint.url}
              {endpoint.removed && <span className="text-faint"> · {t('webhooks.field.removed')}</span>}
            </span>
          ),
        },
        {
          term: 'webhook-id',
          value: (
            <span className="flex min-w-0 items-center gap-1">
              <code className="min-w-0 break-all font-mono text-13">{messageId}</code>
              <CopyButton text={messageId} what="webhook-id" />
            </span>
          ),
        },
        ...(transactionId === null
          ? []
          : [
              {
                term: t('webhooks.field.transaction'),
                value: (
                  <PlainLink href={`/app/transaction/${transactionId}`} className="text-accent">
                    {t('webhooks.delivery.openTransaction')}
                  </PlainLink>
                ),
              },
            ]),
        { term: t('webhooks.field.time'), value: <Time at={createdAt} /> },
      ]}
    />
  );
}

function Attempts({ delivery: { log } }: { delivery: Delivery }) {
  const t = useText();
  if (log.length === 0) return <p className="m-0 text-13 text-faint">{t('webhooks.delivery.noAttempts')}</p>;
  return (
    <ol className="m-0 flex list-none flex-col gap-3 p-0">
      {log.map(({ number, at, durationMs, status, problem, answer, headers }) => (
        <li key={number} className="rounded-6 border border-line px-4 py-3 text-13">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <StatusDot tone={problem === null ? 'positive' : 'negative'}>
              {problem === null
                ? t('webhooks.delivery.accepted', { status: status ?? 0 })
                : `${status === null ? '' : `${status} · `}${t(`webhooks.problem.${problem}`)}`}
            </StatusDot>
            <span className="text-faint">
              <Time at={at} /> · {t('webhooks.delivery.took', { ms: durationMs })}
            </span>
          </div>
          <details className="mt-2">
            <summary className="cursor-pointer text-muted">{t('webhooks.delivery.headers')}</summary>
            <JsonText text={JSON.stringify(headers)} label={t('webhooks.delivery.headers')} />
          </details>
          {answer !== null && answer !== '' && (
            <details className="mt-2">
              <summary className="cursor-pointer text-muted">{t('webhooks.delivery.answer')}</summary>
              <JsonText text={answer} label={t('webhooks.delivery.answer')} />
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
