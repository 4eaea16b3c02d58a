import { lazy, Suspense, useState } from 'react';
import type { ListState } from '../../../lib/list-state.ts';
import { loadTexts, useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';

// Dialogs and forms are nothing that the first paint of the list needs.
const SavedFilterDialog = lazy(async () => {
  const [dialog] = await Promise.all([import('./saved-filter-dialog.tsx'), loadTexts(['transactions-detail'])]);
  return { default: dialog.SavedFilterDialog };
});

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
