import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { useAddTemplate } from '../api-templates.ts';
import { TemplateDialog } from './template-dialog.tsx';

/** Makes a template with the rows of a batch, or of another template. */
export function SaveAsTemplate({ from, text }: { from: { id: string; name: string; note?: string }; text: string }) {
  const t = useText();
  const navigate = useNavigate();
  const add = useAddTemplate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text}</Button>
      {isOpen && (
        <TemplateDialog
          title={text}
          description={t('batches.templates.saveText')}
          confirmText={t('batches.templates.save')}
          initial={{ name: from.name, note: from.note ?? '' }}
          busy={add.isPending}
          onClose={() => setOpen(false)}
          onConfirm={({ name, note }) =>
            add.mutate(
              { body: { id: newId(), name, note, fromId: from.id } },
              {
                onSuccess: ({ id }) => {
                  toast('success', t('batches.templates.saved', { name }));
                  setOpen(false);
                  void navigate({ to: `/app/storm/templates/${id}` });
                },
              },
            )
          }
        />
      )}
    </>
  );
}
