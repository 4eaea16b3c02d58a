import { useFormats } from '../lib/format.ts';
import { useText } from '../lib/locale.tsx';
import { amountInFull, amountLine, amountParts } from './amount-parts.ts';
import { classNames } from './class-names.ts';

interface MoneyProps {
  /** A plain decimal text in whole units, as it came from the server. */
  amount: string;
  coin?: string;
  /** What it is worth, in whole units of `fiatCoin`, with the time of the rate. */
  fiat?: { amount: string; coin: string; at?: string } | undefined;
  /** Plus for what came in. */
  signed?: boolean;
  /** Shows no more decimals than this; all of them are there on hover. For tables with coins of 18 decimals. */
  atMost?: number;
  size?: 'base' | 'large' | 'hero';
  align?: 'left' | 'right';
}

/** A figure longer than this may break over lines rather than leave a narrow screen. */
const longest = { base: 32, large: 24, hero: 16 };

const sizes = { base: '', large: 'text-20 font-semibold', hero: 'text-28 font-semibold tracking-[-0.01em]' };

/**
 * An amount: tabular figures, the coin after it, zeros that say nothing dimmed rather than cut, all of it on hover and when
 * copied, what it is worth beneath.
 */
export function Money({ amount, coin, fiat, signed, atMost, size = 'base', align }: MoneyProps) {
  const t = useText();
  const formats = useFormats();
  const parts = amountParts(amount, { signed: signed ?? false, ...(atMost !== undefined && { atMost }) });
  const line = amountInFull(amount, coin);
  return (
    <span
      className={classNames('figures inline-flex max-w-full flex-col', align === 'right' && 'items-end text-right')}
    >
      <span
        title={line}
        className={classNames(line.length > longest[size] ? 'wrap-anywhere' : 'whitespace-nowrap', sizes[size])}
      >
        {parts === null ? (
          amount
        ) : (
          <>
            {parts.sign}
            {parts.whole}
            {parts.significant}
            <span className="text-faint">
              {parts.dimmed}
              {parts.more}
            </span>
          </>
        )}
        {coin !== undefined && (
          <span className={classNames('ml-1 text-muted', size !== 'base' && 'text-14 font-medium')}>{coin}</span>
        )}
      </span>
      {fiat && (
        <span
          className="text-12 whitespace-nowrap text-faint"
          title={fiat.at === undefined ? undefined : t('ui.money.rateAt', { time: formats.dateTime(fiat.at) })}
        >
          ≈ {amountLine(fiat.amount, fiat.coin)}
        </span>
      )}
    </span>
  );
}
