import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';

const shown = ['counted', 'sums', 'held'] as const;
const hidden = ['debts', 'keys', 'borrowed', 'others', 'banks'] as const;

/** What a proof of reserves shows to the company that verifies it, and what none can show. */
export function ReserveLimits() {
  const t = useText();
  return (
    <Card title={t('statements.reserves.limits')}>
      <div className="grid gap-6 text-13 sm:grid-cols-2">
        <div className="flex flex-col gap-2">
          <h3 className="m-0 text-13 font-semibold">{t('statements.reserves.shows')}</h3>
          <ul className="m-0 flex list-disc flex-col gap-1.5 pl-5 text-muted">
            {shown.map((key) => (
              <li key={key}>{t(`statements.reserves.shows.${key}`)}</li>
            ))}
          </ul>
        </div>
        <div className="flex flex-col gap-2">
          <h3 className="m-0 text-13 font-semibold">{t('statements.reserves.hides')}</h3>
          <ul className="m-0 flex list-disc flex-col gap-1.5 pl-5 text-muted">
            {hidden.map((key) => (
              <li key={key}>{t(`statements.reserves.hides.${key}`)}</li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  );
}
