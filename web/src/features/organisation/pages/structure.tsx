import { Navigate } from '@tanstack/react-router';
import { useListState } from '../../../lib/list-state.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { DepartmentsView } from '../components/departments-view.tsx';

const tabNames = ['tab'] as const;

/** How the company is built: its departments and who is in them (decisions, "Members, roles and departments"). */
export function Page() {
  const { filters } = useListState(tabNames);
  // Where the settings were a tab of this page; mails and bookmarks may still lead there.
  if (filters.tab === 'company') return <Navigate to={'/app/company-settings' as string} replace />;
  return (
    <Frame>
      <DepartmentsView />
    </Frame>
  );
}
