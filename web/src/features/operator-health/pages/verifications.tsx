import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { verificationList } from '../lists/verification-list.tsx';

/** What was verified, newest first, with what was found. */
export function Page() {
  const t = useText();
  const read = useList(verificationList);
  return (
    <Frame intro={t('ops.verified.intro')}>
      <ListView list={verificationList} read={read} />
    </Frame>
  );
}
