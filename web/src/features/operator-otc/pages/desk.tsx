import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { useMinimum } from '../api.ts';
import { deskList } from '../lists/desk-list.tsx';

const MinimumDialog = lazy(async () => ({ default: (await import('../components/minimum-dialog.tsx')).MinimumDialog }));

/** Companies' requests for quote. */
export function Page() {
  const t = useText();
  const read = useList(deskList);
  const minimum = useMinimum().data?.minimum;
  const mayChange = usePermission('operator.treasury') === true;
  const [isOpen, setOpen] = useState(false);
  return (
    <Frame
      intro={
        minimum === undefined
          ? t('ops.desk.intro')
          : t('ops.desk.introMinimum', { minimum: amountLine(minimum.usd, 'USD') })
      }
      {...(mayChange &&
        minimum !== undefined && {
          actions: <Button onClick={() => setOpen(true)}>{t('ops.desk.changeMinimum')}</Button>,
        })}
    >
      <ListView list={deskList} read={read} />
      {isOpen && minimum !== undefined && (
        <Suspense>
          <MinimumDialog minimum={minimum} onClose={() => setOpen(false)} />
        </Suspense>
      )}
      <Outlet />
    </Frame>
  );
}
