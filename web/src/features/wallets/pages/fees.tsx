import type { Output } from '@causeway/contract/call.ts';
import type { listFees, Wallet } from '@causeway/contract/wallets.ts';
import { useMemo } from 'react';
import { type Formats, useFormats } from '../../../lib/format.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { isZero } from '../amounts.ts';
import { useFees, useWallets } from '../api.ts';
import { useCurrencyName } from '../naming.ts';

type Line = Output<typeof listFees>['items'][number];

const sections = ['crypto_withdraw_fee', 'account_recharge_fee', 'fx_fee'] as const;

/** The schedule of fees in force, by what is done. */
export function Page() {
  const t = useText();
  const formats = useFormats();
  const fees = useFees();
  const wallets = useWallets().data?.items;
  const currencyName = useCurrencyName();
  const lines = fees.data?.items;
  const columns = useMemo(
    () => columnsOf({ t, formats, currencyName, placeName: (line) => placeOf(line, wallets) }),
    [t, formats, currencyName, wallets],
  );
  return (
    <Frame intro={t('fees.intro')}>
      {sections.map((type) => (
        <section key={type} className="flex flex-col gap-3">
          <div>
            <h2 className="m-0 text-16 font-semibold">{t(`fees.${type}`)}</h2>
            <p className="m-0 mt-1 text-13 text-muted">{t(`fees.${type}.text`)}</p>
          </div>
          <DataTable
            label={t(`fees.${type}`)}
            columns={columns[type]}
            rows={lines && linesOf(lines, type)}
            rowId={({ asset, chain, bank }) => [asset, chain, bank].join(' ')}
            error={lines === undefined ? fees.error : null}
            onRetry={() => void fees.refetch()}
            skeletonRows={4}
            empty={<EmptyState icon="file" title={t('fees.none')} />}
          />
        </section>
      ))}
    </Frame>
  );
}

/** Of exchanges an asset has one line, wherever its wallets are: the share is the asset's. */
function linesOf(lines: readonly Line[], type: (typeof sections)[number]): Line[] {
  const own = lines.filter(({ feeType }) => feeType === type);
  return type === 'fx_fee' ? [...new Map(own.map((line) => [line.asset, line])).values()] : own;
}

/** The chain or bank by its name, which the company's wallet there has. */
function placeOf({ asset, chain, bank }: Line, wallets: readonly Wallet[] | undefined): string {
  const found = wallets?.find(
    ({ asset: own, place }) => own === asset && (place.kind === 'bank' ? place.bank === bank : place.chain === chain),
  );
  return found?.place.name ?? chain ?? bank ?? '';
}

interface Words {
  t: Translate;
  formats: Pick<Formats, 'percent'>;
  currencyName: (asset: string) => string | null;
  placeName: (line: Line) => string;
}

function columnsOf({ t, formats, currencyName, placeName }: Words) {
  const asset: Column<Line> = {
    id: 'asset',
    header: t('fees.column.asset'),
    card: 'title',
    cell: ({ asset: code }) => (
      <span>
        <span className="font-medium">{code}</span> <span className="text-faint">{currencyName(code)}</span>
      </span>
    ),
  };
  const place = (header: string): Column<Line> => ({ id: 'place', header, card: 'meta', cell: placeName });
  const fee: Column<Line> = {
    id: 'fee',
    header: t('fees.column.fee'),
    align: 'right',
    card: 'figure',
    cell: ({ fee: amount, asset: coin, basisPoints, plusNetworkFee }) => {
      if (basisPoints !== null) return <span className="figures">{formats.percent(basisPoints / 10_000)}</span>;
      if (!plusNetworkFee) return <Money amount={amount} coin={coin} align="right" />;
      // Of the operator's own there may be none.
      if (isZero(amount)) return t('fees.networkFee');
      return (
        <span className="inline-flex flex-col items-end">
          <Money amount={amount} coin={coin} align="right" />
          <span className="text-12 text-muted">{t('fees.plusNetworkFee')}</span>
        </span>
      );
    },
  };
  return {
    crypto_withdraw_fee: [asset, place(t('fees.column.chain')), fee],
    account_recharge_fee: [asset, place(t('fees.column.bank')), fee],
    fx_fee: [asset, fee],
  };
}
