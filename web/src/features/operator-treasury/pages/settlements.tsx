import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { settlementList } from '../lists/settlement-list.tsx';

/** What became of each settlement of exchanged coins. */
export function Page() {
  const t = useText();
  const read = useList(settlementList);
  return (
    <Frame intro={t('ops.settlements.intro')}>
      <ListView list={settlementList} read={read} />
    </Frame>
  );
}
