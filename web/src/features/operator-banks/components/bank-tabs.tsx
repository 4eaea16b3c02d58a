import { useText } from '../../../lib/locale.tsx';
import { TabLinks } from '../../../ui/tab-links.tsx';

const views = [
  ['banks', '/app/banks'],
  ['bankReconciliation', '/app/banks/reconciliation'],
  ['bankMoneys', '/app/banks/moneys'],
  ['bankFiles', '/app/banks/files'],
] as const;

/** The pages about banks, side by side. */
export function BankTabs({ current }: { current: (typeof views)[number][0] }) {
  const t = useText();
  return (
    <TabLinks
      label={t('ops.title.banks')}
      links={views.map(([view, href]) => ({ label: t(`ops.banks.tab.${view}`), href, current: view === current }))}
    />
  );
}
