import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { DepartmentPerson } from '../api.ts';
import { PeopleTable } from './people-table.tsx';

/** How the address names those without a department. */
export const unassignedKey = 'none';

/** Those whom a department can still be given. */
export function UnassignedCard({ people }: { people: readonly DepartmentPerson[] }) {
  const t = useText();
  return (
    <Card title={t('organisation.unassigned')} flush>
      <p className="m-0 border-b border-line px-5 py-3 text-13 text-muted">{t('organisation.unassigned.text')}</p>
      <PeopleTable
        label={t('organisation.unassigned')}
        people={people}
        empty={<EmptyState icon="check" title={t('organisation.unassigned.empty')} />}
      />
    </Card>
  );
}
