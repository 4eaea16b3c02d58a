import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { openStanding, ReasonDialog } from '../../operator/index.ts';
import { type TradeCopy, useResend } from '../api-trades.ts';
import { RawBody } from './raw-body.tsx';

type Message = TradeCopy['messages'][number];

/** What was sent to the platform, in order, and how it was taken. */
export function SentMessages({ trade }: { trade: TradeCopy }) {
  const t = useText();
  const maySend = usePermission('operator.exception') === true;
  if (trade.messages.length === 0) return <p className="m-0 text-13 text-muted">{t('ops.trades.noMessages')}</p>;
  return (
    <ol className="m-0 flex list-none flex-col gap-4 p-0">
      {trade.messages.map((message) => {
        const { id, number, type, at, nextAt } = message;
        return (
          <li key={id} className="flex flex-col gap-1.5 border-b border-line pb-4 last:border-b-0 last:pb-0">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <span className="font-medium">
                {number}. {t(`trades.message.${type}`)}
              </span>
              <span className="text-12 text-faint">
                <Time at={at} />
              </span>
            </div>
            <Delivery message={message} />
            <RawBody text={message.body} label={t('ops.trades.content')} />
            {nextAt !== null && maySend && (
              <div>
                <Button
                  size="small"
                  onClick={() =>
                    openStanding((close) => <ResendDialog trade={trade} message={message} onClose={close} />)
                  }
                >
                  {t('ops.trades.resend')}
                </Button>
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Delivery({ message: { deliveredAt, attempts, problem, nextAt } }: { message: Message }) {
  const t = useText();
  if (deliveredAt !== null) {
    return (
      <span className="flex flex-wrap items-baseline gap-x-2">
        <StatusDot tone="positive">{t('ops.trades.accepted', { attempts })}</StatusDot>
        <span className="text-12 text-faint">
          <Time at={deliveredAt} />
        </span>
      </span>
    );
  }
  if (nextAt === null) return <StatusDot tone="neutral">{t('ops.trades.behind')}</StatusDot>;
  return (
    <span className="flex flex-col gap-0.5 text-13">
      <StatusDot tone={problem === null ? 'progress' : 'negative'}>
        {problem === null ? t('ops.trades.due') : t('ops.trades.notAccepted', { attempts })}
      </StatusDot>
      {problem !== null && <span className="font-mono text-12 wrap-anywhere">{problem}</span>}
      <span className="text-12 text-faint">
        {t('ops.trades.nextAt')} <Time at={nextAt} />
      </span>
    </span>
  );
}

function ResendDialog({ trade, message, onClose }: { trade: TradeCopy; message: Message; onClose: () => void }) {
  const t = useText();
  const resend = useResend();
  const { company, id, number } = trade;
  return (
    <ReasonDialog
      title={t('ops.trades.resendTitle')}
      text={t('ops.trades.resendText')}
      submitText={t('ops.trades.resend')}
      facts={[
        { term: t('trades.field.number'), value: number },
        { term: t('ops.trades.company'), value: company.name },
        { term: t('ops.trades.message'), value: t(`trades.message.${message.type}`) },
        { term: t('ops.trades.problem'), value: message.problem ?? '–' },
      ]}
      onSubmit={async ({ reason }) => {
        const params = { companyId: company.id, id };
        await resend.mutateAsync({ params, body: { messageId: message.id, reason } });
        toast('success', t('ops.trades.resent'));
      }}
      onClose={onClose}
    />
  );
}
