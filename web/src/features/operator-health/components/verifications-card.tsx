import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Health } from '../api.ts';
import { resultTones } from '../words.ts';

/** The last verification of each kind, and how much of the audit logs is signed. */
export function VerificationsCard({ health: { verifications, audit, chains } }: { health: Health }) {
  const t = useText();
  const { count } = useFormats();
  const nameOf = (id: string | null) => chains.find((chain) => chain.id === id)?.name ?? id ?? '';
  return (
    <Card
      flush
      title={t('ops.verified.title')}
      aside={
        <PlainLink
          href="/app/health/verifications"
          className="text-13 font-medium whitespace-nowrap text-accent no-underline hover:underline"
        >
          {t('ops.verified.all')}
        </PlainLink>
      }
    >
      {verifications.length === 0 ? (
        <p className="m-0 px-5 py-6 text-13 text-faint">{t('ops.verified.none')}</p>
      ) : (
        <ul aria-label={t('ops.verified.title')} className="m-0 list-none p-0">
          {verifications.map(({ id, kind, chainId, result, differences, checked, endedAt, findings }) => (
            <li
              key={id}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line px-5 py-3"
            >
              <span className="font-medium">
                {t(`ops.verified.${kind}`)} {nameOf(chainId)}
              </span>
              <span className="text-13 text-faint">
                {t('ops.verified.checked', { count: checked })} · <Time at={endedAt} />
              </span>
              <StatusDot
                tone={resultTones[result]}
                {...(findings[0] !== undefined && { detail: <span className="wrap-anywhere">{findings[0]}</span> })}
              >
                {result === 'differs' ? t('ops.result.differences', { count: differences }) : t(`ops.result.${result}`)}
              </StatusDot>
            </li>
          ))}
        </ul>
      )}
      <p className="m-0 px-5 py-3 text-13 text-faint">
        {t('ops.audit.summary', { logs: audit.logs, unsigned: count(audit.unsigned), unsealed: count(audit.unsealed) })}{' '}
        {audit.lastSignedAt !== null && (
          <>
            {t('ops.audit.lastSigned')} <Time at={audit.lastSignedAt} />
          </>
        )}
      </p>
    </Card>
  );
}
