import type { ListKind } from '@causeway/contract/risk-rules.ts';
import { useLocation } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { NoPermission } from '../../../ui/states.tsx';
import { ListImport } from '../components/list-import.tsx';
import { listPaths } from '../words.ts';

/** A CSV file put on a list, after a dry run. */
export function Page() {
  const t = useText();
  const path = useLocation({ select: (location) => location.pathname });
  const kind: ListKind = path.startsWith(listPaths.white) ? 'white' : 'black';
  return (
    <SidePanel title={t(kind === 'white' ? 'risk.white.import' : 'risk.black.import')} backTo={listPaths[kind]}>
      {usePermission('list.manage') === false ? <NoPermission /> : <ListImport kind={kind} />}
    </SidePanel>
  );
}
