import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { outputSetList } from '../lists/output-set-list.tsx';

/** The unspent outputs of each company and of the treasury on Bitcoin's chains, summed. */
export function Page() {
  const t = useText();
  const read = useList(outputSetList);
  return (
    <Frame intro={t('ops.outputs.intro')}>
      <ListView list={outputSetList} read={read} />
    </Frame>
  );
}
