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
import { NameList } from '../../../ui/name-list.tsx';
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
        <NameList
          items={filters}
          empty={t('transactions.saved.none')}
          remove={remove}
          deleteText={(name) => t('transactions.saved.delete', { name })}
          deletedText={t('transactions.saved.deleted')}
          onChoose={({ filters: values }) => apply(values)}
        />
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
