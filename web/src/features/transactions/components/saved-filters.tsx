import { lazy, Suspense, useState } from 'react';
import type { ListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

// A form is nothing that the first paint of the list needs.
const Content = lazy(async () => ({ default: (await import('./saved-filter-list.tsx')).SavedFilterList }));

/** The filters that this member has saved, to apply, delete, and add to. */
export function SavedFilters({ state }: { state: ListState<string> }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="list" onClick={() => setOpen(true)}>
        {t('transactions.saved')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('transactions.saved')}
        description={t('transactions.saved.text')}
      >
        <Suspense>
          <Content state={state} onDone={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
