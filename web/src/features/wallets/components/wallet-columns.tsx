import type { Chain, Wallet } from '@causeway/contract/wallets.ts';
import type { Formats } from '../../../lib/format.ts';
import type { Translate } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { isZero } from '../amounts.ts';
import { explorerLink } from '../api.ts';

/** Decimals shown in the list; what is beyond them is there on hover and in the wallet's own panel. */
const listDecimals = 8;

export function walletColumns(t: Translate, formats: Formats, chains: readonly Chain[] | undefined): Column<Wallet>[] {
  const money = (wallet: Wallet, amount: string) => (
    <Money amount={amount} coin={wallet.coin} atMost={listDecimals} align="right" />
  );
  return [
    {
      id: 'coin',
      header: t('wallets.column.coin'),
      sort: (wallet) => `${wallet.coin} ${wallet.chainName}`,
      card: 'title',
      skeleton: 'w-20',
      cell: (wallet) => (
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{wallet.coin}</span>
          {wallet.frozen && <Tag tone="negative">{t('wallets.frozen')}</Tag>}
        </span>
      ),
    },
    {
      id: 'chain',
      header: t('wallets.column.chain'),
      sort: (wallet) => wallet.chainName,
      hideable: true,
      skeleton: 'w-16',
      cell: (wallet) => wallet.chainName,
    },
    {
      id: 'address',
      header: t('wallets.column.address'),
      hideable: true,
      skeleton: 'w-36',
      cell: (wallet) => (
        <Address
          value={wallet.address}
          short
          what={t('wallets.column.address')}
          explorerUrl={explorerLink(chains, wallet.chain, 'address', wallet.address)}
        />
      ),
    },
    {
      id: 'available',
      header: t('wallets.column.available'),
      align: 'right',
      cell: (wallet) => money(wallet, wallet.available),
    },
    {
      id: 'quantity',
      header: t('wallets.column.quantity'),
      align: 'right',
      cell: (wallet) => money(wallet, wallet.quantity),
    },
    {
      id: 'price',
      header: t('wallets.column.price'),
      align: 'right',
      hideable: true,
      cell: (wallet) => <Price wallet={wallet} t={t} formats={formats} />,
    },
    {
      id: 'value',
      header: t('wallets.column.value'),
      align: 'right',
      card: 'figure',
      sort: (wallet) => (wallet.value === null ? null : BigInt(wallet.value.replace('.', ''))),
      cell: (wallet) =>
        wallet.value === null ? (
          <span className="text-faint">{t('wallets.unknown')}</span>
        ) : (
          <Money amount={wallet.value} coin="USD" align="right" />
        ),
    },
    {
      id: 'share',
      header: t('wallets.column.share'),
      align: 'right',
      hideable: true,
      skeleton: 'w-12',
      cell: (wallet) => (wallet.share === null ? <Dash /> : formats.percent(Number(wallet.share) / 100)),
    },
    {
      id: 'processing',
      header: t('wallets.column.processing'),
      align: 'right',
      hideable: true,
      cell: (wallet) => <Processing wallet={wallet} t={t} />,
    },
  ];
}

function Price({ wallet, t, formats }: { wallet: Wallet; t: Translate; formats: Formats }) {
  if (wallet.unitPrice === null) return <span className="text-faint">{t('wallets.unknown')}</span>;
  return (
    <span className="inline-flex flex-col items-end">
      <Money amount={wallet.unitPrice} coin="USD" align="right" />
      {wallet.priceUpdatedAt !== null && (
        <time
          dateTime={wallet.priceUpdatedAt}
          title={formats.dateTime(wallet.priceUpdatedAt)}
          className="text-12 whitespace-nowrap text-faint"
        >
          {formats.time(wallet.priceUpdatedAt)}
        </time>
      )}
    </span>
  );
}

/** What is on its way in and out; a dash where nothing moves, so that what does stands out. */
function Processing({ wallet, t }: { wallet: Wallet; t: Translate }) {
  const lines = [
    { label: t('wallets.inbound'), amount: wallet.inbound },
    { label: t('wallets.outbound'), amount: wallet.outbound },
  ].filter((line) => !isZero(line.amount));
  if (lines.length === 0) return <Dash />;
  return (
    <span className="inline-flex flex-col items-end">
      {lines.map((line) => (
        <span key={line.label} className="whitespace-nowrap">
          <span className="mr-2 text-12 text-faint">{line.label}</span>
          <Money amount={line.amount} atMost={listDecimals} />
        </span>
      ))}
    </span>
  );
}

function Dash() {
  return <span className="text-faint">–</span>;
}
