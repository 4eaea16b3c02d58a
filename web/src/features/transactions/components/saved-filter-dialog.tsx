import { saveFilter } from '@causeway/contract/transactions.ts';
import { maxSavedFilters, savedFilterMaxLength } from '@causeway/contract/transactions-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useDeleteSavedFilter, useSavedFilters, useSaveFilter } from '../api.ts';

interface Props {
  state: ListState<string>;
  onDone: () => void;
}

/** The dialog of saved filters. */
export function SavedFilterDialog(props: Props) {
  const t = useText();
  return (
    <Dialog
      open
      onOpenChange={(open) => open || props.onDone()}
      title={t('transactions.saved')}
      description={t('transactions.saved.text')}
    >
      <SavedFilterList {...props} />
    </Dialog>
  );
}

function SavedFilterList({ state, onDone }: Props) {
  const t = useText();
  const navigate = useNavigate();
  const saved = useSavedFilters();
  const remove = useDeleteSavedFilter();
  const apply = (filters: Record<string, string>) => {
    void navigate({ to: '.', search: filters as never, resetScroll: false });
    onDone();
  };
  if (saved.data === undefined && saved.error !== null) {
    return <ErrorState error={saved.error} onRetry={() => void saved.refetch()} />;
  }
  const filters = saved.data ?? [];
  return (
    <div className="flex flex-col gap-5">
      <Loading loading={saved.data === undefined} skeleton={<Skeleton height="h-16" />}>
        {filters.length === 0 ? (
          <p className="m-0 text-muted">{t('transactions.saved.none')}</p>
        ) : (
          <ul className="m-0 flex list-none flex-col p-0">
            {filters.map(({ id, name, filters: values }) => (
              <li key={id} className="flex items-center gap-2 border-b border-line py-1 last:border-0">
                <button
                  type="button"
                  className="min-w-0 flex-1 cursor-pointer rounded-6 px-2 py-1.5 text-left break-words text-accent hover:bg-hover"
                  onClick={() => apply(values)}
                >
                  {name}
                </button>
                <Button
                  kind="quiet"
                  size="small"
                  icon="trash"
                  busy={remove.isPending && remove.variables?.params.id === id}
                  onClick={() =>
                    remove.mutate(
                      { params: { id } },
                      { onSuccess: () => toast('success', t('transactions.saved.deleted')) },
                    )
                  }
                >
                  <span className="sr-only">{t('transactions.saved.delete', { name })}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      {state.active === 0 ? (
        <p className="m-0 text-13 text-faint">{t('transactions.saved.nothing')}</p>
      ) : filters.length < maxSavedFilters ? (
        <SaveForm state={state} onDone={onDone} />
      ) : (
        <p className="m-0 text-13 text-faint">{t('transactions.saved.full', { most: maxSavedFilters })}</p>
      )}
    </div>
  );
}

/** Saves the filters and the order in force under a name. */
function SaveForm({ state, onDone }: Props) {
  const t = useText();
  const save = useSaveFilter();
  const { filters, sort } = state;
  const check = useMemo(() => {
    const byCall = byContract(saveFilter.body);
    const kept = { ...filters, ...(sort !== null && { sort: sort.by, order: sort.order }) };
    return ({ name }: { name: string }) => byCall({ name, filters: kept });
  }, [filters, sort]);
  const fields = useFields({ check, defaults: { name: '' } });
  return (
    <Form
      fields={fields}
      label={t('transactions.saved.save')}
      onSubmit={async (body) => {
        await save.mutateAsync({ body });
        toast('success', t('transactions.saved.done'));
        onDone();
      }}
    >
      <TextField
        label={t('transactions.saved.name')}
        autoComplete="off"
        maxLength={savedFilterMaxLength}
        {...fields.text('name')}
      />
      <div className="flex justify-end">
        <Button type="submit" kind="primary" busy={fields.submitting}>
          {t('transactions.saved.save')}
        </Button>
      </div>
    </Form>
  );
}
