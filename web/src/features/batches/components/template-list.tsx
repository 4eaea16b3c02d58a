import type { PayoutTemplate } from '@causeway/contract/payout-templates.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { sayDay, sayPayDays } from '../template-words.ts';

/** Templates by name: what each pays, and when it repeats. */
export function TemplateList({ templates }: { templates: readonly PayoutTemplate[] }) {
  return (
    <ul className="m-0 grid list-none gap-4 p-0 lg:grid-cols-2">
      {templates.map((template) => (
        <li key={template.id} className="min-w-0 rounded-10 border border-line bg-surface p-5">
          <TemplateItem template={template} />
        </li>
      ))}
    </ul>
  );
}

function TemplateItem({
  template: { id, name, note, rows, totals, schedule, lastTurn },
}: {
  template: PayoutTemplate;
}) {
  const t = useText();
  const formats = useFormats();
  const next = schedule?.next ?? null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <PlainLink href={`/app/storm/templates/${id}`} className="font-semibold break-words">
            {name}
          </PlainLink>
          {note !== '' && <p className="m-0 mt-1 line-clamp-2 text-13 break-words text-muted">{note}</p>}
        </div>
        {schedule !== null && schedule.state !== 'running' && (
          <StatusDot tone={schedule.state === 'paused' ? 'pending' : 'neutral'}>
            {t(`batches.templates.state.${schedule.state}`)}
          </StatusDot>
        )}
      </div>
      <DescriptionList
        facts={[
          { term: t('batches.templates.rows'), value: formats.count(rows) },
          {
            term: t('batches.templates.totals'),
            value:
              totals.length === 0 ? (
                '–'
              ) : (
                <span className="figures flex flex-col">
                  {totals.map(({ asset, amount }) => (
                    <span key={asset}>{amountLine(amount, asset)}</span>
                  ))}
                </span>
              ),
          },
          {
            term: t('batches.templates.payDays'),
            value: schedule === null ? t('batches.templates.notScheduled') : sayPayDays(t, schedule),
          },
          ...(next === null ? [] : [{ term: t('batches.templates.nextPayDay'), value: sayDay(formats, next.payDay) }]),
          ...(lastTurn === null
            ? []
            : [{ term: t('batches.templates.lastTurn'), value: sayDay(formats, lastTurn.payDay) }]),
        ]}
      />
    </div>
  );
}
