import type { OutputInput } from '@causeway/contract/call.ts';
import type { replayRiskPolicies } from '@causeway/contract/risk.ts';
import { maxReplayListed } from '@causeway/contract/risk-rules.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';
import { Time } from '../../../ui/time.tsx';

export type Replay = OutputInput<typeof replayRiskPolicies>;

/** Which transactions of the last 90 days the policies would have stopped, and which of them this one. */
export function ReplayView({ replay }: { replay: Replay }) {
  const t = useText();
  const formats = useFormats();
  const [own, setOwn] = useState(true);
  const { judged, byCurrentPlace, stopped, stoppedByDraft, items, from, to } = replay;
  const shown = own ? items.filter(({ byDraft }) => byDraft) : items;
  return (
    <section aria-label={t('risk.replay.title')} className="flex flex-col gap-3">
      <Banner kind={stoppedByDraft === 0 ? 'positive' : 'pending'}>
        <strong className="block font-medium">
          {judged === 0 ? t('risk.replay.none') : t('risk.replay.draft', { count: stoppedByDraft, judged })}
        </strong>
        <span className="text-muted">
          {formats.date(from)} – {formats.date(to)} · {t('risk.replay.all', { count: stopped })}
        </span>
      </Banner>
      {byCurrentPlace > 0 && (
        <p className="m-0 text-13 text-muted">{t('risk.replay.byCurrentPlace', { count: byCurrentPlace })}</p>
      )}
      {stopped > stoppedByDraft && (
        <Checkbox checked={own} onChange={(event) => setOwn(event.target.checked)}>
          {t('risk.replay.ownOnly')}
        </Checkbox>
      )}
      {shown.length > 0 && (
        <ul
          aria-label={t('risk.replay.list')}
          className="m-0 max-h-96 list-none overflow-y-auto rounded-10 border border-line p-0"
        >
          {shown.map((item) => (
            <li key={item.transactionId} className="flex flex-col gap-0.5 border-line px-4 py-2.5 not-last:border-b">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <PlainLink href={`/app/transaction/${item.transactionId}`} className="text-accent">
                  <Money amount={item.quantity} coin={item.coin ?? item.currency ?? ''} />
                </PlainLink>
                <span className="text-12 text-faint">
                  <Time at={item.at} />
                </span>
              </div>
              <span className="text-13 break-words text-muted">{item.sentence}</span>
              <span className="flex flex-wrap items-center gap-2 text-12 text-faint">
                <span className="font-mono break-all">{item.account}</span>
                {!item.byDraft && <Tag>{item.policyName}</Tag>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {stopped > items.length && (
        <p className="m-0 text-12 text-faint">{t('risk.replay.listed', { most: maxReplayListed })}</p>
      )}
    </section>
  );
}
