import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { NoPermission } from '../../../ui/states.tsx';
import { ExportDialog } from '../components/export-dialog.tsx';
import { auditList } from '../lists/audit-list.tsx';

/** Everything that was changed, decided and signed in to, in a chain that shows when it was tampered with. */
export function Page() {
  const t = useText();
  const read = useList(auditList);
  const [exporting, setExporting] = useState(false);
  const isAllowed = usePermission('audit.view');
  if (isAllowed === false) {
    return (
      <Frame>
        <NoPermission />
      </Frame>
    );
  }
  return (
    <Frame
      intro={t('auditLog.intro')}
      actions={
        <Button icon="download" onClick={() => setExporting(true)}>
          {t('auditLog.export')}
        </Button>
      }
    >
      <ListView list={auditList} read={read} />
      <ExportDialog open={exporting} onOpenChange={setExporting} asked={read.asked} />
      <Outlet />
    </Frame>
  );
}
