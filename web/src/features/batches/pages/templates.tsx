import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useAddTemplate, useTemplates } from '../api-templates.ts';
import { ReadyBatches } from '../components/ready-batches.tsx';
import { StormTabs } from '../components/storm-tabs.tsx';
import { TemplateDialog } from '../components/template-dialog.tsx';
import { TemplateList } from '../components/template-list.tsx';

/** Templates of batches, which batches are made from by hand or by a schedule. */
export function Page() {
  const t = useText();
  const mayMake = usePermission('transfer.create') === true;
  const read = useTemplates();
  const { data, error } = read;
  return (
    <Frame intro={t('batches.templates.intro')} {...(mayMake && { actions: <NewTemplate /> })}>
      <StormTabs current="templates" />
      <ReadyBatches />
      {data === undefined && error !== null ? (
        <Card>
          <ErrorState error={error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-40" />}>
          {data?.items.length === 0 && (
            <Card>
              <EmptyState icon="storm" title={t('batches.templates.empty')} text={t('batches.templates.emptyText')} />
            </Card>
          )}
          {data && data.items.length > 0 && <TemplateList templates={data.items} />}
        </Loading>
      )}
    </Frame>
  );
}

function NewTemplate() {
  const t = useText();
  const navigate = useNavigate();
  const add = useAddTemplate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        {t('batches.templates.new')}
      </Button>
      {isOpen && (
        <TemplateDialog
          title={t('batches.templates.new')}
          confirmText={t('batches.templates.make')}
          busy={add.isPending}
          onClose={() => setOpen(false)}
          onConfirm={({ name, note }) =>
            add.mutate(
              { body: { id: newId(), name, note, fromId: null } },
              { onSuccess: ({ id }) => void navigate({ to: `/app/storm/templates/${id}` }) },
            )
          }
        />
      )}
    </>
  );
}
