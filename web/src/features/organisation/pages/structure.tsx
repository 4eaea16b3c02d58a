import { lazy, Suspense } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { DepartmentsView } from '../components/departments-view.tsx';

const tabNames = ['tab'] as const;

const CompanySettings = lazy(async () => ({
  default: (await import('../components/company-settings.tsx')).CompanySettings,
}));

/** How the company is built: its departments and who is in them, and what holds for all of it (decisions, "Members, roles and departments"). */
export function Page() {
  const t = useText();
  const tab = useListState(tabNames);
  const shown = tab.filters.tab === 'company' ? 'company' : 'departments';
  return (
    <Frame>
      <Tabs
        label={t('organisation.structure.tabs')}
        tabs={[
          { key: 'departments', label: t('organisation.structure.departments') },
          { key: 'company', label: t('organisation.structure.company') },
        ]}
        value={shown}
        onChange={(next) => tab.setFilters({ tab: next === 'company' ? 'company' : null })}
      >
        {shown === 'departments' ? (
          <DepartmentsView />
        ) : (
          <Suspense
            fallback={
              <Card>
                <Skeleton height="h-60" />
              </Card>
            }
          >
            <CompanySettings />
          </Suspense>
        )}
      </Tabs>
    </Frame>
  );
}
