import { lazy, Suspense, useState } from 'react';
import type { ListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';

// Dialogs and forms are nothing that the first paint of the list needs.
const SavedFilterDialog = lazy(async () => ({
  default: (await import('./saved-filter-dialog.tsx')).SavedFilterDialog,
}));

/** The filters that this member has saved, to apply, delete, and add to. */
export function SavedFilters({ state }: { state: ListState<string> }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="list" onClick={() => setOpen(true)}>
        {t('transactions.saved')}
      </Button>
      {open && (
        <Suspense>
          <SavedFilterDialog state={state} onDone={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
