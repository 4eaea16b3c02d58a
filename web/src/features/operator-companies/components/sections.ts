import { type ComponentType, lazy } from 'react';
import { loadTexts } from '../../../lib/locale.tsx';
import type { AnyPermission } from '../../../lib/permission.ts';
import type { CompanyFile } from '../api.ts';

/** A part of a company's file under a tab of its own; its code comes when it is opened. */
export interface Section {
  /** In the address: `?tab=…`. */
  key: string;
  /** Text id. */
  label: string;
  /** Offered to those alone who hold it. */
  permission?: AnyPermission;
  Part: ComponentType<{ company: CompanyFile }>;
}

/** In their order; the first is shown where the address names none. A further part is a line here. */
export const sections: readonly Section[] = [
  {
    key: 'wallets',
    label: 'ops.companies.section.wallets',
    Part: lazy(async () => ({ default: (await import('./wallets-section.tsx')).WalletsSection })),
  },
  {
    key: 'people',
    label: 'ops.companies.section.people',
    Part: lazy(async () => ({ default: (await import('./people-section.tsx')).PeopleSection })),
  },
  {
    key: 'activity',
    label: 'ops.companies.section.activity',
    Part: lazy(async () => ({ default: (await import('./activity-section.tsx')).ActivitySection })),
  },
  {
    key: 'prices',
    label: 'ops.companies.section.prices',
    // Its words are those of the page Prices.
    Part: lazy(async () => {
      const [{ PricesSection }] = await Promise.all([import('./prices-section.tsx'), loadTexts(['operator-prices'])]);
      return { default: PricesSection };
    }),
  },
  {
    key: 'controls',
    label: 'ops.companies.section.controls',
    Part: lazy(async () => ({ default: (await import('./controls-section.tsx')).ControlsSection })),
  },
  {
    key: 'freezing',
    label: 'ops.freeze.title',
    Part: lazy(async () => ({ default: (await import('./freeze-part.tsx')).FreezePart })),
  },
  {
    key: 'notes',
    label: 'ops.companies.section.notes',
    Part: lazy(async () => ({ default: (await import('./notes-section.tsx')).NotesSection })),
  },
  {
    key: 'documents',
    label: 'ops.companies.section.documents',
    permission: 'operator.look',
    Part: lazy(async () => ({ default: (await import('./documents-section.tsx')).DocumentsSection })),
  },
];
