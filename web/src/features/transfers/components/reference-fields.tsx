import { categoryMaxLength, invoiceNumberMaxLength } from '@causeway/contract/transactions-rules.ts';
import { useId, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { useCategories } from '../../transactions/index.ts';
import { useDeleteCategory } from '../api.ts';
import type { ReadyTransfer, TransferValues } from '../transfer-values.ts';

/** What a transfer is filed under: the invoice that it pays, and a category, of which those used before are suggested. */
export function ReferenceFields({ fields }: { fields: Fields<TransferValues, ReadyTransfer> }) {
  const t = useText();
  const list = useId();
  const [managing, setManaging] = useState(false);
  const categories = useCategories().data ?? [];
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        label={t('transfers.form.invoiceNumber')}
        optional
        autoComplete="off"
        maxLength={invoiceNumberMaxLength}
        {...fields.text('invoiceNumber')}
      />
      <TextField
        label={t('transfers.form.category')}
        optional
        autoComplete="off"
        list={list}
        maxLength={categoryMaxLength}
        {...(categories.length > 0 && {
          aside: (
            <button type="button" className="cursor-pointer text-accent" onClick={() => setManaging(true)}>
              {t('transfers.form.categories')}
            </button>
          ),
        })}
        {...fields.text('category')}
      />
      <datalist id={list}>
        {categories.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <CategoryDialog open={managing} onOpenChange={setManaging} />
    </div>
  );
}

/** The company's categories: one that was mistyped is taken out of the suggestions, and stays on its transfers. */
function CategoryDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useText();
  const categories = useCategories().data ?? [];
  const remove = useDeleteCategory();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('transfers.categories.title')}
      description={t('transfers.categories.text')}
      actions={<Button onClick={() => onOpenChange(false)}>{t('transfers.categories.close')}</Button>}
    >
      {categories.length === 0 && <p className="m-0 text-muted">{t('transfers.categories.none')}</p>}
      <ul className="m-0 flex list-none flex-col p-0">
        {categories.map(({ id, name }) => (
          <li key={id} className="flex items-center gap-2 border-b border-line py-1 last:border-0">
            <span className="min-w-0 flex-1 break-words">{name}</span>
            <Button
              kind="quiet"
              size="small"
              icon="trash"
              busy={remove.isPending && remove.variables?.params.id === id}
              onClick={() =>
                remove.mutate(
                  { params: { id } },
                  { onSuccess: () => toast('success', t('transfers.categories.deleted')) },
                )
              }
            >
              <span className="sr-only">{t('transfers.categories.delete', { name })}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
