import type { PayoutTurn } from '@causeway/contract/payout-templates.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { sayDay } from '../template-words.ts';

/** What became of the turns of a schedule, the newest first. */
export function TemplateTurns({ turns }: { turns: readonly PayoutTurn[] }) {
  const t = useText();
  const formats = useFormats();
  if (turns.length === 0) return null;
  return (
    <Card flush title={t('batches.templates.turns')}>
      <ul className="m-0 list-none p-0">
        {turns.map(({ payDay, sentence, batch }) => (
          <li
            key={payDay}
            className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-3 text-13 last:border-b-0"
          >
            <span className="figures">{t('batches.templates.turnFor', { day: sayDay(formats, payDay) })}</span>
            {batch === null ? (
              <span className="text-muted">{sentence ?? t('batches.templates.turn.discarded')}</span>
            ) : (
              <span className="flex flex-wrap items-baseline gap-x-3">
                <span className="text-muted">
                  {batch.isSubmitted
                    ? t('batches.templates.turn.submitted')
                    : batch.wrong > 0
                      ? t('batches.templates.turn.wrong', { count: batch.wrong })
                      : t('batches.templates.turn.ready')}
                </span>
                <PlainLink href={`/app/storm/${batch.id}`} className="text-accent">
                  {batch.name}
                </PlainLink>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
