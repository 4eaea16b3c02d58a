import { useParams } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useOutputSet } from '../api-outputs.ts';
import { OutputFigures } from '../components/output-figures.tsx';
import { outputList } from '../lists/output-list.tsx';

/** The unspent outputs of one company, or of the treasury, on one chain. */
export function Page() {
  const t = useText();
  const { chainId, companyId } = useParams({ strict: false }) as { chainId: string; companyId: string };
  const read = useOutputSet(chainId, companyId);
  const outputs = useList(outputList, { chainId, companyId });
  const { data } = read;
  return (
    <Frame>
      <div className="flex flex-col gap-6">
        <PlainLink href="/app/treasury/outputs" className="inline-flex w-fit items-center gap-1 text-13 text-accent">
          <Icon name="chevronLeft" size={14} />
          {t('ops.title.outputs')}
        </PlainLink>
        {data === undefined && read.error !== null ? (
          <Card>
            <ErrorState error={read.error} onRetry={() => void read.refetch()} />
          </Card>
        ) : (
          <Loading loading={data === undefined} skeleton={<Skeleton height="h-48" />}>
            {data && <OutputFigures set={data} />}
          </Loading>
        )}
        {read.error === null && <ListView list={outputList} read={outputs} />}
      </div>
    </Frame>
  );
}
