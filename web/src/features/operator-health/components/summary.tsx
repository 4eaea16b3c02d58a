import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Health } from '../api.ts';

/** What is wrong in words, and the figures that say how far behind anything is. */
export function Summary({ health }: { health: Health }) {
  const t = useText();
  const { count } = useFormats();
  const { missing, versionsDiffer, outbox, failedJobs, reportedAt, checks, chains, rates } = health;
  const failing = checks.filter(({ ok }) => !ok).length;
  return (
    <>
      {missing.length > 0 && <Banner kind="negative">{t('ops.health.missing', { names: missing.join(', ') })}</Banner>}
      {versionsDiffer && <Banner kind="pending">{t('ops.health.versionsDiffer')}</Banner>}
      <Card>
        <div className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-4">
          <Stat
            label={t('ops.health.failing')}
            value={count(failing)}
            detail={t('ops.health.ofChecks', { count: checks.length })}
          />
          <Stat
            label={t('ops.health.failedJobs')}
            value={
              <PlainLink href="/app/health/jobs" className="text-text no-underline hover:underline">
                {count(failedJobs)}
              </PlainLink>
            }
            detail={<PlainLink href="/app/health/jobs?mail=yes">{t('ops.health.failedMails')}</PlainLink>}
          />
          <Stat
            label={t('ops.health.outbox')}
            value={outbox === null ? t('ops.health.notReported') : count(outbox.rows)}
            detail={
              outbox?.oldestAt ? (
                <>
                  {t('ops.health.oldest')} <Time at={outbox.oldestAt} />
                </>
              ) : (
                t('ops.health.outboxEmpty')
              )
            }
          />
          <Stat
            label={t('ops.health.staleRates')}
            value={
              <PlainLink href="/app/health/rates" className="text-text no-underline hover:underline">
                {count(rates.stale)}
              </PlainLink>
            }
            detail={<PlainLink href="/app/health/rates">{t('ops.health.ofRates', { count: rates.count })}</PlainLink>}
          />
          {chains.map((chain) => (
            <Lag key={chain.id} chain={chain} />
          ))}
        </div>
        {reportedAt !== null && (
          <p className="mt-5 mb-0 text-12 text-faint">
            {t('ops.health.reportedAt')} <Time at={reportedAt} />
          </p>
        )}
      </Card>
    </>
  );
}

function Lag({ chain: { name, readHeight, headHeight, readAt } }: { chain: Health['chains'][number] }) {
  const t = useText();
  const { count } = useFormats();
  const behind = readHeight === null || headHeight === null ? null : Math.max(0, headHeight - readHeight);
  return (
    <Stat
      label={t('ops.health.lag', { chain: name })}
      value={behind === null ? t('ops.health.notReported') : t('ops.health.blocks', { count: behind })}
      detail={
        readHeight !== null && (
          <>
            {t('ops.health.block', { height: count(readHeight) })} {readAt !== null && <Time at={readAt} />}
          </>
        )
      }
    />
  );
}
