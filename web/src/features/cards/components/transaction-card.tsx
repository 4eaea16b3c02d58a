import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { PanelSection } from '../../../ui/side-panel.tsx';
import { cardsPath } from '../paths.ts';
import { dots } from '../words.ts';

/** Of a purchase by card or a refund: the card, its holder, the merchant, and the receipt. */
export function TransactionCard({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const facts = useFacts(detail);
  if (facts === null) return null;
  return (
    <PanelSection title={t('cards.field.card')}>
      <DescriptionList facts={facts} />
    </PanelSection>
  );
}

function useFacts({ id, card, coin }: TransactionDetail): Fact[] | null {
  const t = useText();
  const tag = useLocaleTag();
  const mayView = usePermission('card.view') ?? false;
  if (card === null) return null;
  const { merchant, country, merchantAmount, merchantCurrency, rate, receipt } = card;
  const name = [card.name, dots(card.lastFour)].filter(Boolean).join(' ');
  const place = country === null ? '' : (new Intl.DisplayNames(tag, { type: 'region' }).of(country) ?? country);
  const linked = (href: string, text: string) => (
    <PlainLink href={href} className="text-accent">
      {text}
    </PlainLink>
  );
  const facts: (Fact | false)[] = [
    { term: t('cards.field.name'), value: mayView ? linked(`${cardsPath}/${card.id}`, name) : name },
    { term: t('cards.field.holder'), value: card.holder },
    { term: t('cards.field.merchant'), value: merchant },
    { term: t('cards.field.category'), value: `${t(`cards.category.${card.group}`)} (${card.mcc})` },
    { term: t('cards.field.place'), value: [card.city, place].filter(Boolean).join(', ') || '–' },
    merchantAmount !== null &&
      merchantCurrency !== null && {
        term: t('cards.field.merchantAmount'),
        value: amountLine(merchantAmount, merchantCurrency),
      },
    rate !== null &&
      merchantCurrency !== null && {
        term: t('cards.field.rate'),
        value: `1 ${merchantCurrency} = ${rateText(rate)} ${coin}`,
      },
    receipt !== 'none' && {
      term: t('cards.field.receipt'),
      value: mayView
        ? linked(`${cardsPath}/receipt/${id}`, t(`cards.receipt.${receipt}`))
        : t(`cards.receipt.${receipt}`),
    },
  ];
  return facts.filter((fact) => fact !== false);
}
