import type { Freeze } from '@causeway/contract/operator-freezing.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { OpenAbout } from '../../operator/index.ts';
import { useFreezes } from '../freeze-api.ts';
import { FreezeActions } from './freeze-actions.tsx';

/** Whether a company is frozen, what else of it is, and what was; with the steps for the company itself. */
export function FreezeSection({ companyId, name }: { companyId: string; name: string }) {
  const t = useText();
  const read = useFreezes(companyId);
  const items = read.data?.items;
  const current = items?.filter(({ endedAt }) => endedAt === null) ?? [];
  const past = items?.filter(({ endedAt }) => endedAt !== null) ?? [];
  const isFrozen = current.some(({ kind }) => kind === 'company');
  return (
    <Card
      title={t('ops.freeze.title')}
      aside={
        items && (
          <FreezeActions companyId={companyId} kind="company" subjectId={companyId} name={name} frozen={isFrozen} />
        )
      }
    >
      {read.error !== null && items === undefined ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={items === undefined} skeleton={<Skeleton height="h-24" />}>
          <div className="flex flex-col gap-5">
            <OpenAbout id={companyId} />
            {current.length === 0 && <p className="m-0 text-muted">{t('ops.freeze.none')}</p>}
            {current.map((freeze) => (
              <One key={freeze.id} freeze={freeze} />
            ))}
            {past.length > 0 && (
              <details>
                <summary className="cursor-pointer text-13 text-muted">
                  {t('ops.freeze.past', { count: past.length })}
                </summary>
                <div className="mt-4 flex flex-col gap-5">
                  {past.map((freeze) => (
                    <One key={freeze.id} freeze={freeze} />
                  ))}
                </div>
              </details>
            )}
          </div>
        </Loading>
      )}
    </Card>
  );
}

function One({ freeze: { kind, name, text, note, by, at, endedAt } }: { freeze: Freeze }) {
  const t = useText();
  return (
    <section className="flex flex-col gap-3">
      <h3 className="m-0 text-14 font-medium">
        <StatusDot tone={endedAt === null ? 'negative' : 'neutral'}>{t(`ops.freeze.of.${kind}`, { name })}</StatusDot>
      </h3>
      <DescriptionList
        facts={[
          { term: t('ops.freeze.since'), value: <Time at={at} /> },
          ...(endedAt === null ? [] : [{ term: t('ops.freeze.until'), value: <Time at={endedAt} /> }]),
          { term: t('ops.freeze.reason'), value: text },
          { term: t('ops.freeze.note'), value: note },
          { term: t('ops.freeze.by'), value: by },
        ]}
      />
    </section>
  );
}
