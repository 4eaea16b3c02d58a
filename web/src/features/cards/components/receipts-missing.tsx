import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { useMissing } from '../missing.ts';
import { cardsPath } from '../paths.ts';

/** Receipts that are missing, of the reader's own cards and of the company's; nothing where there are none. */
export function ReceiptsMissing() {
  const t = useText();
  const { mine = 0, company = 0 } = useMissing() ?? {};
  const others = (company ?? 0) - mine;
  if (mine === 0 && others === 0) return null;
  return (
    <Card title={t('cards.missing')}>
      <MissingLinks />
    </Card>
  );
}

/** The counts, each with the list of what it counts. */
export function MissingLinks() {
  const t = useText();
  const { mine = 0, company = 0 } = useMissing() ?? {};
  const list = `${cardsPath}/payments?receipt=missing`;
  const counts = [
    { count: mine, text: 'cards.missing.mine', href: `${list}&mine=true` },
    { count: (company ?? 0) > mine ? (company ?? 0) : 0, text: 'cards.missing.company', href: list },
  ].filter(({ count }) => count > 0);
  if (counts.length === 0) return null;
  return (
    <ul className="m-0 flex list-none flex-wrap gap-x-6 gap-y-2 p-0">
      {counts.map(({ count, text, href }) => (
        <li key={text}>
          <PlainLink href={href} className="text-accent">
            {t(text, { count })}
          </PlainLink>
        </li>
      ))}
    </ul>
  );
}
