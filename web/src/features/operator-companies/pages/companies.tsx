import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { useInviting } from '../components/use-inviting.tsx';
import { companyList } from '../lists/company-list.tsx';

/** The companies that the operator serves. */
export function Page() {
  const t = useText();
  const read = useList(companyList);
  const { open, dialog } = useInviting();
  return (
    <Frame intro={t('ops.companies.intro')}>
      <ListView list={companyList} read={read} onAdd={open} />
      {dialog}
    </Frame>
  );
}
