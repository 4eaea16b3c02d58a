import { mostWebhooks } from '@causeway/contract/webhooks-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, NoPermission, Skeleton } from '../../../ui/states.tsx';
import { useWebhooks } from '../api.ts';
import { EndpointCard } from '../components/endpoint-card.tsx';
import { AddDialog } from '../components/endpoint-dialogs.tsx';
import { WebhookTabs } from '../components/webhook-tabs.tsx';

/** The endpoints to which the company's events are sent. */
export function Page() {
  const t = useText();
  return usePermission('setting.manage') === false ? (
    <Frame>
      <NoPermission />
    </Frame>
  ) : (
    <Frame intro={t('webhooks.intro')}>
      <WebhookTabs />
      <Endpoints />
    </Frame>
  );
}

function Endpoints() {
  const t = useText();
  const read = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const { data, error } = read;
  if (data === undefined && error !== null) {
    return (
      <Card>
        <ErrorState error={error} onRetry={() => void read.refetch()} />
      </Card>
    );
  }
  const add = (
    <Button
      kind="primary"
      icon="plus"
      disabled={(data?.items.length ?? 0) >= mostWebhooks}
      onClick={() => setAdding(true)}
    >
      {t('webhooks.add')}
    </Button>
  );
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-60" />}>
      {data?.items.length === 0 ? (
        <Card>
          <EmptyState icon="upload" title={t('webhooks.empty')} text={t('webhooks.emptyText')} action={add} />
        </Card>
      ) : (
        <div className="flex flex-col gap-4">
          <div className="flex justify-end">{add}</div>
          <ul className="m-0 flex list-none flex-col gap-4 p-0">
            {data?.items.map((webhook) => (
              <li key={webhook.id}>
                <EndpointCard webhook={webhook} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Loading>
  );
}
