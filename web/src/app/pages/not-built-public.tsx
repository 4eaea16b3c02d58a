import { useText } from '../../lib/locale.tsx';
import { PublicLayout } from '../../ui/public-layout.tsx';
import { usePageTitle } from '../page-title.ts';

/** The same before sign-in. */
export function Page() {
  const t = useText();
  const page = usePageTitle();
  return <PublicLayout title={page}>{t('app.notBuilt.text', { page })}</PublicLayout>;
}
