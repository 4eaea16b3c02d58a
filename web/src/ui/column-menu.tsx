import type { ReactElement } from 'react';
import { useText } from '../lib/locale.tsx';
import type { Chooser } from './data-table-view.ts';
import { Menu, MenuChecks } from './menu.tsx';

/** The columns of a table, ticked when shown. */
export function ColumnMenu({ trigger, chooser }: { trigger: ReactElement; chooser: Chooser }) {
  const t = useText();
  return (
    <Menu trigger={trigger}>
      <MenuChecks label={t('ui.table.columns')} options={chooser.options} onChange={chooser.onChange} />
    </Menu>
  );
}
