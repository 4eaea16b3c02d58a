import { Outlet, useLocation } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ListState, tableOf, useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { instantsOf } from '../../../ui/days.ts';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type AuditQuery, useAudit, useAuditFilters } from '../api.ts';
import { type FilterName, filterNames, queryOf } from '../audit-query.ts';
import { auditColumns } from '../components/audit-columns.tsx';
import { ExportDialog } from '../components/export-dialog.tsx';

/** Everything that was changed, decided and signed in to, in a chain that shows when it was tampered with. */
export function Page() {
  const t = useText();
  const list = useListState(filterNames);
  const search = useLocation({ select: (location) => location.searchStr });
  const audit = useAudit(pageOf(list));
  const columns = useMemo(() => auditColumns(t), [t]);
  const filters = useFilters();
  const [exporting, setExporting] = useState(false);
  return (
    <Frame
      intro={t('auditLog.intro')}
      actions={
        <Button icon="download" onClick={() => setExporting(true)}>
          {t('auditLog.export')}
        </Button>
      }
    >
      <DataTable
        label={t('auditLog.list')}
        name="audit"
        columns={columns}
        {...tableOf(audit, list)}
        rowId={(event) => event.id}
        rowHref={(event) => `/app/audit-log/${event.id}${search}`}
        skeletonRows={10}
        toolbar={<FilterBar filters={filters} state={list} />}
        empty={<Nothing filtered={list.active > 0} onClear={list.clear} />}
      />
      <ExportDialog open={exporting} onOpenChange={setExporting} filters={list.filters} />
      <Outlet />
    </Frame>
  );
}

function useFilters(): Filter<FilterName>[] {
  const t = useText();
  const known = useAuditFilters();
  return useMemo(() => {
    const byName = <T extends { label: string }>(options: T[]) =>
      options.sort((a, b) => a.label.localeCompare(b.label));
    return [
      { kind: 'search', name: 'keyword', label: t('auditLog.search'), placeholder: t('auditLog.search') },
      {
        kind: 'choice',
        name: 'actor',
        label: t('auditLog.who'),
        options: (known?.actors ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      {
        kind: 'choice',
        name: 'action',
        label: t('auditLog.what'),
        options: byName((known?.actions ?? []).map(({ action, name }) => ({ value: action, label: name }))),
      },
      {
        kind: 'choice',
        name: 'subjectKind',
        label: t('auditLog.subject'),
        options: byName((known?.subjectKinds ?? []).map(({ kind, name }) => ({ value: kind, label: name }))),
      },
      { kind: 'dates', from: 'from', to: 'to', label: t('auditLog.period') },
    ];
  }, [t, known]);
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useText();
  if (!filtered) return <EmptyState icon="shield" title={t('auditLog.empty.title')} text={t('auditLog.empty.text')} />;
  return (
    <EmptyState
      icon="search"
      title={t('auditLog.none.title')}
      text={t('auditLog.none.text')}
      action={<Button onClick={onClear}>{t('auditLog.none.clear')}</Button>}
    />
  );
}

function pageOf(list: ListState<FilterName>): AuditQuery {
  return {
    ...queryOf(list.filters, instantsOf),
    size: `${list.size}` as NonNullable<AuditQuery['size']>,
    ...(list.cursor !== null && { cursor: list.cursor }),
  };
}
