import { LegalPage } from '../legal-page.tsx';

export function Page() {
  return <LegalPage name="paymentTerms" />;
}
