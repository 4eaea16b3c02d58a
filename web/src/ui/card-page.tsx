import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { Page } from './page.tsx';

/** A page of one card: a form that cannot be filled in says why on it. */
export function CardPage({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return (
    <Page narrow={narrow}>
      <Card>{children}</Card>
    </Page>
  );
}
