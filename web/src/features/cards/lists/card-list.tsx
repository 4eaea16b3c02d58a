import { listCards } from 'virtual:calls/cards';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { LimitBars } from '../components/limit-bars.tsx';
import { dots, kindTexts, stateOf, stateTexts } from '../words.ts';

/** Company cards; a member who may not see them all sees their own. */
export const cardList = defineList({
  call: listCards,
  label: 'cards.list',
  name: 'cards',
  filters: [
    { kind: 'search', name: 'search', label: 'cards.search' },
    { kind: 'choice', name: 'state', label: 'cards.field.state', options: stateTexts },
    { kind: 'choice', name: 'kind', label: 'cards.field.kind', options: kindTexts },
    { kind: 'link', name: 'mine' },
    { kind: 'link', name: 'holderId' },
    { kind: 'link', name: 'walletId' },
  ],
  columns: ({ t }) => [
    {
      id: 'card',
      header: t('cards.field.card'),
      card: 'title',
      skeleton: 'w-32',
      cell: ({ name, lastFour, kind }) => (
        <span className="min-w-0">
          <span className="font-medium">{name}</span>
          <span className="figures block text-12 text-faint">
            {[dots(lastFour), t(`cards.kind.${kind}`)].filter(Boolean).join(' · ')}
          </span>
        </span>
      ),
    },
    {
      id: 'holder',
      header: t('cards.field.holder'),
      skeleton: 'w-24',
      cell: ({ holder, department }) => (
        <span className="min-w-0">
          {holder.name}
          {department !== null && <span className="block text-12 text-faint">{department.name}</span>}
        </span>
      ),
    },
    { id: 'asset', header: t('cards.field.currency'), skeleton: 'w-10', cell: ({ asset }) => asset },
    {
      id: 'limit',
      header: t('cards.field.spent'),
      skeleton: 'w-40',
      cell: (card) => <LimitBars card={card} first />,
    },
    {
      id: 'receipts',
      header: t('cards.field.receiptsMissing'),
      align: 'right',
      skeleton: 'w-8',
      cell: ({ receiptsMissing }) => (
        <span className="figures">
          {receiptsMissing === 0 ? <span className="text-faint">–</span> : receiptsMissing}
        </span>
      ),
    },
    {
      id: 'state',
      header: t('cards.field.state'),
      card: 'status',
      skeleton: 'w-20',
      cell: (card) => {
        const { tone, text } = stateOf(card);
        return <StatusDot tone={tone}>{t(text)}</StatusDot>;
      },
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/wallet/credit-card/${id}`,
  add: { text: 'cards.issue', permission: 'card.manage', href: '/app/wallet/credit-card/issue' },
  empty: { icon: 'card', title: 'cards.empty', text: 'cards.emptyText' },
});
