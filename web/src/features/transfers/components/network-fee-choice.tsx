import type { NetworkFeeOption } from '@causeway/contract/transfers.ts';
import { type FeeLevel, feeLevels } from '@causeway/contract/transfers-rules.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { messageOf } from '../../../lib/report-error.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Field } from '../../../ui/field.tsx';
import type { ValueBinding } from '../../../ui/form-state.ts';
import { Money } from '../../../ui/money.tsx';
import { Banner, Skeleton } from '../../../ui/states.tsx';
import { levelTexts } from '../fee-levels.ts';
import { type NetworkFees, rateLine } from '../network-fees.ts';

interface Props extends ValueBinding<FeeLevel> {
  fees: NetworkFees;
  coin: string;
}

/** Three levels side by side: what each costs, and about how long a block takes at it. */
export function NetworkFeeChoice({ fees, coin, name, value, onChange, onBlur, error }: Props) {
  const t = useText();
  const { options, isGeneral, isLoading, leftBehind } = fees;
  return (
    <div className="flex flex-col gap-3">
      <Field label={t('transfers.fee.label')} hint={t('transfers.fee.hint')} error={error} group>
        {(aria) => (
          <div
            className="grid gap-2 sm:grid-cols-3"
            role="presentation"
            aria-describedby={aria['aria-describedby']}
            aria-busy={isLoading}
          >
            {feeLevels.map((level) => (
              <label
                key={level}
                className={classNames(
                  'flex cursor-pointer items-start gap-2.5 rounded-10 border px-3 py-2.5 text-14',
                  'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent',
                  level === value ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
                )}
              >
                <input
                  type="radio"
                  name={name}
                  value={level}
                  checked={level === value}
                  onChange={() => onChange(level)}
                  onBlur={onBlur}
                  className="mt-0.5 size-4 shrink-0 accent-accent"
                />
                <Option
                  title={t(levelTexts[level])}
                  option={options.find((option) => option.level === level)}
                  coin={coin}
                  isGeneral={isGeneral}
                  isLoading={isLoading}
                  isFailed={fees.error !== null}
                />
              </label>
            ))}
          </div>
        )}
      </Field>
      {fees.error !== null && (
        <Banner
          kind="negative"
          action={
            <Button size="small" onClick={fees.retry}>
              {t('transfers.fee.again')}
            </Button>
          }
        >
          {Object.values(fees.error.fields)[0] ?? messageOf(fees.error)}
        </Banner>
      )}
      {leftBehind !== null && (
        <Banner kind="notice">
          {t('transfers.fee.leftBehind', { count: leftBehind.coins, amount: amountLine(leftBehind.amount, coin) })}
        </Banner>
      )}
    </div>
  );
}

interface OptionProps {
  title: string;
  option: NetworkFeeOption | undefined;
  coin: string;
  isGeneral: boolean;
  isLoading: boolean;
  isFailed: boolean;
}

function Option({ title, option, coin, isGeneral, isLoading, isFailed }: OptionProps) {
  const t = useText();
  const formats = useFormats();
  return (
    <span className="flex min-w-0 flex-1 flex-col gap-0.5">
      <span className="font-medium">{title}</span>
      {option === undefined ? (
        isFailed || isGeneral ? (
          <span className="text-faint">–</span>
        ) : (
          <Skeleton width="w-24" />
        )
      ) : (
        <>
          <span className={classNames(isLoading && 'opacity-60')}>
            {isGeneral || isFailed ? (
              <span className="text-faint">{isFailed ? '–' : t('transfers.fee.amountFirst')}</span>
            ) : (
              <Money
                amount={option.fee}
                coin={coin}
                {...(option.feeUsd !== null && { fiat: { amount: option.feeUsd, coin: 'USD' } })}
              />
            )}
          </span>
          <span className="figures text-12 text-muted">
            {t('transfers.fee.rate', { rate: rateLine(option.feeRate) })}
          </span>
          <span className="text-12 text-muted">
            {t('transfers.fee.within', { duration: formats.duration(option.expectedSeconds) })}
          </span>
        </>
      )}
    </span>
  );
}
