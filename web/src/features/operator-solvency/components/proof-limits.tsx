import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';

const proven = ['owed', 'held', 'stable'] as const;
const unproven = ['debts', 'keys', 'borrowed', 'checked', 'banks'] as const;

/** What the report shows to those who verify it, and what no such report can show. */
export function ProofLimits() {
  const t = useText();
  return (
    <Card title={t('ops.solvency.limits')}>
      <div className="grid gap-6 text-13 sm:grid-cols-2">
        <div className="flex flex-col gap-2">
          <h3 className="m-0 text-13 font-semibold">{t('ops.solvency.proves')}</h3>
          <ul className="m-0 flex list-disc flex-col gap-1.5 pl-5 text-muted">
            {proven.map((key) => (
              <li key={key}>{t(`ops.solvency.proves.${key}`)}</li>
            ))}
          </ul>
        </div>
        <div className="flex flex-col gap-2">
          <h3 className="m-0 text-13 font-semibold">{t('ops.solvency.provesNot')}</h3>
          <ul className="m-0 flex list-disc flex-col gap-1.5 pl-5 text-muted">
            {unproven.map((key) => (
              <li key={key}>{t(`ops.solvency.provesNot.${key}`)}</li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  );
}
