import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { downloadTemplate, keepBatch, useAddBatch } from '../api.ts';
import { FileTake } from '../components/file-take.tsx';
import { ReadyBatches } from '../components/ready-batches.tsx';
import { StormTabs } from '../components/storm-tabs.tsx';
import { batchList } from '../lists/batch-list.tsx';

/** Batch payments: a file to upload or rows to type, and the batches that there are. */
export function Page() {
  const t = useText();
  const navigate = useNavigate();
  const mayMake = usePermission('transfer.create') === true;
  const add = useAddBatch();
  const [isLoading, setLoading] = useState(false);
  const open = (id: string) => void navigate({ to: `/app/storm/${id}` });
  const typeRows = () =>
    add.mutate(
      { body: { id: newId(), name: t('batches.typedName') } },
      {
        onSuccess: (batch) => {
          keepBatch(batch);
          open(batch.id);
        },
      },
    );
  const loadTemplate = async () => {
    setLoading(true);
    await downloadTemplate();
    setLoading(false);
  };
  return (
    <Frame
      intro={t('batches.intro')}
      actions={
        <>
          <Button icon="download" busy={isLoading} onClick={() => void loadTemplate()}>
            {t('batches.template')}
          </Button>
          {mayMake && (
            <Button icon="plus" busy={add.isPending} onClick={typeRows}>
              {t('batches.type')}
            </Button>
          )}
        </>
      }
    >
      <StormTabs current="batches" />
      <ReadyBatches />
      {mayMake && (
        <FileTake
          onTaken={(batch) => {
            keepBatch(batch);
            open(batch.id);
          }}
        />
      )}
      <ListView list={batchList} read={useList(batchList)} />
    </Frame>
  );
}
