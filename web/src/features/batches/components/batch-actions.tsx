import { batchNameMaxLength } from '@causeway/contract/batches-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type Batch, useDiscardBatch, useRenameBatch } from '../api.ts';

/** Renames or discards a batch. */
export function BatchActions({ batch }: { batch: Batch }) {
  const t = useText();
  const [open, setOpen] = useState<'rename' | 'discard' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen('rename')}>{t('batches.rename')}</Button>
      {batch.state !== 'submitted' && <Button onClick={() => setOpen('discard')}>{t('batches.discard')}</Button>}
      {open === 'rename' && <Rename batch={batch} onClose={close} />}
      {open === 'discard' && <Discard batch={batch} onClose={close} />}
    </>
  );
}

function Rename({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const t = useText();
  const rename = useRenameBatch();
  const [name, setName] = useState(batch.name);
  const save = () => rename.mutate({ body: { id: batch.id, name } }, { onSuccess: onClose });
  return (
    <Dialog
      open
      onOpenChange={(next) => next || rename.isPending || onClose()}
      title={t('batches.rename')}
      actions={
        <>
          <Button disabled={rename.isPending} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button kind="primary" busy={rename.isPending} disabled={name.trim() === ''} onClick={save}>
            {t('batches.rename.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('batches.field.name')}
        value={name}
        maxLength={batchNameMaxLength}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && name.trim() !== '' && save()}
      />
    </Dialog>
  );
}

function Discard({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const discard = useDiscardBatch(() => {
    toast('success', t('batches.discarded', { name: batch.name }));
    void navigate({ to: '/app/storm' });
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(next) => next || onClose()}
      title={t('batches.discard.title')}
      description={t('batches.discard.text')}
      facts={[
        { term: t('batches.field.name'), value: batch.name },
        { term: t('batches.field.rows'), value: String(batch.rows) },
      ]}
      confirmText={t('batches.discard')}
      negative
      busy={discard.isPending}
      onConfirm={() => discard.mutate({ params: { id: batch.id } })}
    />
  );
}
