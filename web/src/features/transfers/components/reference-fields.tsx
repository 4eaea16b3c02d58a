import { categoryMaxLength, invoiceNumberMaxLength } from '@causeway/contract/transactions-rules.ts';
import { useId, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import type { TextBinding } from '../../../ui/form-state.ts';
import { NameList } from '../../../ui/name-list.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useCategories } from '../../transactions/index.ts';
import { useDeleteCategory } from '../api.ts';

interface Props {
  fields: { text: (name: 'invoiceNumber' | 'category') => TextBinding };
}

/** What a transfer is filed under: the invoice that it pays, and a category, of which those used before are suggested. */
export function ReferenceFields({ fields }: Props) {
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
      <NameList
        items={categories}
        empty={t('transfers.categories.none')}
        remove={remove}
        deleteText={(name) => t('transfers.categories.delete', { name })}
        deletedText={t('transfers.categories.deleted')}
      />
    </Dialog>
  );
}
