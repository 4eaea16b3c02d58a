import { useText } from '../../../lib/locale.tsx';
import { Money } from '../../../ui/money.tsx';
import type { History } from '../api.ts';

/** By how much the total changed, and what made the change: money that came or went, and prices. */
export function Change({ change, currency }: { change: History['change']; currency: string }) {
  const t = useText();
  if (change === null) return <p className="m-0 text-13 text-faint">{t('home.change.unknown')}</p>;
  const { total, paidIn, paidOut, prices } = change;
  const parts = [
    { name: 'home.change.total', amount: total },
    { name: 'home.change.paidIn', amount: paidIn },
    { name: 'home.change.paidOut', amount: negated(paidOut) },
    { name: 'home.change.prices', amount: prices },
  ];
  return (
    <dl className="m-0 grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-4">
      {parts.map(({ name, amount }) => (
        <div key={name} className="flex min-w-0 flex-col gap-0.5">
          <dt className="text-12 text-faint">{t(name)}</dt>
          <dd className="m-0 font-medium">
            <Money amount={amount} coin={currency} signed />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
