import { useParams } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { useFees } from '../api.ts';
import { sourceList } from '../lists/source-list.tsx';

/** Where the fees of one coin lie. */
export function Page() {
  const t = useText();
  const { chainId, coin } = useParams({ strict: false }) as { chainId: string; coin: string };
  const read = useList(sourceList, { chainId, coin });
  const chain = useFees().data?.fees.find((fee) => fee.chainId === chainId)?.chainName ?? chainId;
  return (
    <Frame intro={t('ops.sources.intro', { coin, chain })}>
      <ListView list={sourceList} read={read} />
    </Frame>
  );
}
