import { lazy, Suspense } from 'react';
import { useText } from '../lib/locale.tsx';
import { IconButton } from './button.tsx';
import type { Chooser } from './data-table-view.ts';

const Popup = lazy(async () => ({ default: (await import('./column-menu.tsx')).ColumnMenu }));

/** The button that lets the reader choose columns; its menu comes after the table has been drawn. */
export function ColumnChooser({ chooser }: { chooser: Chooser }) {
  const t = useText();
  const trigger = <IconButton icon="columns" label={t('ui.table.columns')} />;
  return (
    <Suspense fallback={trigger}>
      <Popup trigger={trigger} chooser={chooser} />
    </Suspense>
  );
}
