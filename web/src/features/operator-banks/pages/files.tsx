import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { BankTabs } from '../components/bank-tabs.tsx';
import { fileList } from '../lists/file-list.tsx';

/** What banks have sent, the newest first, with what became of it. */
export function Page() {
  const t = useText();
  const read = useList(fileList);
  return (
    <Frame intro={t('ops.bankFiles.intro')}>
      <BankTabs current="bankFiles" />
      <ListView list={fileList} read={read} />
    </Frame>
  );
}
