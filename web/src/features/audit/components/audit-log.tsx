import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { useOpenedOnce, whenIdle } from '../../../ui/deferred.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { NoPermission } from '../../../ui/states.tsx';
import type { auditListOf } from '../lists/audit-list.tsx';
import { type AuditSource, AuditSourceProvider } from '../source.ts';

const loadExport = () => import('./export-dialog.tsx');
const ExportDialog = lazy(async () => ({ default: (await loadExport()).ExportDialog }));

interface Props {
  /** Stable. */
  source: AuditSource;
  /** The source's list (`auditListOf`). */
  list: ReturnType<typeof auditListOf>;
}

/** Everything that was changed, decided and signed in to, in a chain that shows when it was tampered with. */
export function AuditLog({ source, list }: Props) {
  const t = useText();
  const read = useList(list);
  const [exporting, setExporting] = useState(false);
  const exportNeeded = useOpenedOnce(exporting);
  whenIdle(loadExport);
  const isAllowed = usePermission(source.permission);
  if (isAllowed === false) {
    return (
      <Frame>
        <NoPermission />
      </Frame>
    );
  }
  return (
    <AuditSourceProvider value={source}>
      <Frame
        intro={t(source.texts.intro)}
        actions={
          <Button icon="download" onClick={() => setExporting(true)}>
            {t('auditLog.export')}
          </Button>
        }
      >
        <ListView list={list} read={read} />
        {exportNeeded && (
          <Suspense>
            <ExportDialog open={exporting} onOpenChange={setExporting} asked={read.asked} />
          </Suspense>
        )}
        <Outlet />
      </Frame>
    </AuditSourceProvider>
  );
}
