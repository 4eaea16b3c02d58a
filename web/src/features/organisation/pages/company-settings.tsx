import { Page as Frame } from '../../../ui/page.tsx';
import { CompanySettings } from '../components/company-settings.tsx';

/** What holds for the whole company. */
export function Page() {
  return (
    <Frame>
      <CompanySettings />
    </Frame>
  );
}
