import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useEditTemplate, useMakeBatch, useRemoveTemplate } from '../api-templates.ts';
import { SaveAsTemplate } from './save-as-template.tsx';
import { TemplateDialog } from './template-dialog.tsx';

interface Template {
  id: string;
  name: string;
  note: string;
  rows: number;
}

/** A batch of a template; renaming, duplicating and deleting it. */
export function TemplateActions({ template }: { template: Template }) {
  const t = useText();
  const [open, setOpen] = useState<'edit' | 'remove' | 'batch' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button kind="primary" disabled={template.rows === 0} onClick={() => setOpen('batch')}>
        {t('batches.templates.newBatch')}
      </Button>
      <Button onClick={() => setOpen('edit')}>{t('batches.templates.edit')}</Button>
      <SaveAsTemplate
        from={{ ...template, name: t('batches.templates.copyName', { name: template.name }) }}
        text={t('batches.templates.duplicate')}
      />
      <Button onClick={() => setOpen('remove')}>{t('batches.templates.remove')}</Button>
      {open === 'batch' && <NewBatch template={template} onClose={close} />}
      {open === 'edit' && <Edit template={template} onClose={close} />}
      {open === 'remove' && <Remove template={template} onClose={close} />}
    </>
  );
}

function NewBatch({ template, onClose }: { template: Template; onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const make = useMakeBatch();
  const today = useFormats().date(new Date().toISOString());
  return (
    <TemplateDialog
      title={t('batches.templates.newBatch')}
      description={t('batches.templates.newBatchText')}
      confirmText={t('batches.templates.make')}
      initial={{ name: `${template.name} ${today}`, note: '' }}
      withNote={false}
      busy={make.isPending}
      onClose={onClose}
      onConfirm={({ name }) =>
        make.mutate(
          { body: { id: newId(), templateId: template.id, name } },
          { onSuccess: ({ id }) => void navigate({ to: `/app/storm/${id}` }) },
        )
      }
    />
  );
}

function Edit({ template, onClose }: { template: Template; onClose: () => void }) {
  const t = useText();
  const edit = useEditTemplate();
  return (
    <TemplateDialog
      title={t('batches.templates.edit')}
      confirmText={t('batches.templates.save')}
      initial={template}
      busy={edit.isPending}
      onClose={onClose}
      onConfirm={({ name, note }) => edit.mutate({ body: { id: template.id, name, note } }, { onSuccess: onClose })}
    />
  );
}

function Remove({ template, onClose }: { template: Template; onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const remove = useRemoveTemplate(() => {
    toast('success', t('batches.templates.removed', { name: template.name }));
    void navigate({ to: '/app/storm/templates' });
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(next) => next || onClose()}
      title={t('batches.templates.removeTitle')}
      description={t('batches.templates.removeText')}
      facts={[
        { term: t('batches.templates.name'), value: template.name },
        { term: t('batches.templates.rows'), value: String(template.rows) },
      ]}
      confirmText={t('batches.templates.remove')}
      negative
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: template.id } })}
    />
  );
}
