import type { OperatorAnnouncement } from '@causeway/contract/operator-announcements.ts';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, NoPermission, Skeleton } from '../../../ui/states.tsx';
import { useAnnouncement } from '../api.ts';
import { AnnouncementForm } from '../components/announcement-form.tsx';

const choices = ['id'] as const;

/** A new announcement, or a planned one that is to change. */
export function Page() {
  const t = useText();
  const mayWrite = usePermission('operator.announce');
  const { filters } = useListState(choices);
  const read = useAnnouncement(filters.id ?? '', filters.id !== undefined);
  if (mayWrite === false) return <NoPermission />;
  if (filters.id === undefined) return <Editor announcement={null} />;
  if (read.data === undefined && read.error !== null) {
    return (
      <CardPage>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </CardPage>
    );
  }
  const found = read.data?.items[0];
  return (
    <Loading loading={read.data === undefined} skeleton={<Skeleton height="h-96" />}>
      {found?.state === 'planned' ? (
        <Editor announcement={found} />
      ) : (
        <Frame>
          <Card>
            <EmptyState
              icon="bell"
              title={t('ops.announcements.notEditable')}
              text={t('ops.announcements.notEditableText')}
            />
          </Card>
        </Frame>
      )}
    </Loading>
  );
}

function Editor({ announcement }: { announcement: OperatorAnnouncement | null }) {
  const t = useText();
  return (
    <Frame intro={t('ops.announcements.writeIntro')}>
      <AnnouncementForm key={announcement?.id ?? 'new'} announcement={announcement} />
    </Frame>
  );
}
