import type { ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';

export interface Share {
  companyId: string;
  companyName: string;
  quantity: string;
}

interface Props {
  title: string;
  asset: string;
  items: readonly Share[];
  /** Under the list. */
  hint?: ReactNode;
}

/** Each company’s part of a booking, linked to the company. */
export function ShareList({ title, asset, items, hint }: Props) {
  return (
    <Card title={title}>
      <ul aria-label={title} className="m-0 list-none p-0">
        {items.map(({ companyId, companyName, quantity }) => (
          <li
            key={companyId}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line py-2 not-last:border-b"
          >
            <PlainLink href={`/app/companies/${companyId}`} className="min-w-0 text-accent wrap-anywhere">
              {companyName === '' ? companyId : companyName}
            </PlainLink>
            <Money amount={quantity} coin={asset} align="right" />
          </li>
        ))}
      </ul>
      {hint !== undefined && <p className="m-0 pt-3 text-13 text-faint">{hint}</p>}
    </Card>
  );
}
