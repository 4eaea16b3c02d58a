import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { termsList } from '../lists/terms-list.tsx';

const TermsDialog = lazy(async () => ({ default: (await import('../components/terms-dialog.tsx')).TermsDialog }));

/** What is added to spreads by pair, company and size. */
export function Page() {
  const t = useText();
  const read = useList(termsList);
  const mayChange = usePermission('operator.price') === true;
  const [isOpen, setOpen] = useState(false);
  return (
    <Frame
      intro={t('ops.terms.intro')}
      {...(mayChange && {
        actions: (
          <Button kind="primary" onClick={() => setOpen(true)}>
            {t('ops.terms.propose')}
          </Button>
        ),
      })}
    >
      <ListView list={termsList} read={read} />
      {isOpen && (
        <Suspense>
          <TermsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
      <Outlet />
    </Frame>
  );
}
