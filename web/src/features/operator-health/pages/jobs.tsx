import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { StandingDialog } from '../../operator/index.ts';
import { jobList } from '../lists/job-list.tsx';

/** Jobs that failed. */
export function Page() {
  const t = useText();
  const read = useList(jobList);
  return (
    <Frame intro={t('ops.jobs.intro')}>
      <ListView list={jobList} read={read} />
      <StandingDialog />
    </Frame>
  );
}
