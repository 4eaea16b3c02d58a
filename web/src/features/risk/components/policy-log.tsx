import { listRiskPolicyLogs } from 'virtual:calls/risk';
import type { ContractOf } from '../../../lib/light-call.ts';
import type { RowOf } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { defineHistory, History } from '../../../ui/history.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { policyPath } from '../words.ts';
import { useSentence } from './use-sentence.ts';

type LogRow = RowOf<ContractOf<typeof listRiskPolicyLogs>>;

const policyLog = defineHistory({
  call: listRiskPolicyLogs,
  rowId: ({ id }) => id,
  empty: { icon: 'clock', title: 'risk.log.empty' },
});

/** Who changed which policy, when, and what it said before and after; of one policy, or (null) of all. */
export function PolicyLog({ policyId }: { policyId: string | null }) {
  const t = useText();
  return (
    <History history={policyLog} query={policyId === null ? {} : { policyId }}>
      {(row) => (
        <div className="flex flex-col gap-1">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="min-w-0 break-words">
              <span className="font-medium">{t(`risk.policyAction.${row.action}`)}</span>{' '}
              {policyId === null && (
                <PlainLink href={`${policyPath}/${row.policyId}`} className="text-accent">
                  {row.policyName}
                </PlainLink>
              )}
            </span>
            <span className="text-12 text-faint">
              {row.by} · <Time at={row.at} />
            </span>
          </div>
          <Difference row={row} />
        </div>
      )}
    </History>
  );
}

function Difference({ row: { action, before, after } }: { row: LogRow }) {
  const t = useText();
  const sentence = useSentence();
  const state = after ?? before;
  if (state === null) return null;
  if (action === 'moved' && before !== null && after !== null) {
    const places = { term: t('risk.policy.position'), before: before.position, after: after.position };
    return <p className="m-0 text-13 text-muted">{t('risk.log.change', places)}</p>;
  }
  if (action === 'edited' && before !== null && after !== null) {
    return (
      <div className="text-13 text-muted">
        {before.name !== after.name && (
          <p className="m-0">
            {t('risk.log.change', { term: t('risk.policy.name'), before: before.name, after: after.name })}
          </p>
        )}
        <p className="m-0 break-words line-through">{sentence(before)}</p>
        <p className="m-0 break-words text-text">{sentence(after)}</p>
      </div>
    );
  }
  return <p className="m-0 text-13 break-words text-muted">{sentence(state)}</p>;
}
