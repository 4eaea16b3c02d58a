import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { amountProblem, inFull, isLess, plain, restAfter, testAmount, worth } from '../amounts.ts';
import type { TransferForm } from './use-transfer-form.ts';

/** From this value in US dollars on a test is offered for every payee. */
const large_usd = '10000.00';

/** Offers to send a small amount first: to a payee that was never paid, and for a large amount. Says so once that is chosen. */
export function TestFirst({ form: { fields, wallet, payee, rules } }: { form: TransferForm }) {
  const t = useText();
  const { amount, testTotal, restOf } = fields.values;
  if (wallet === undefined || rules === null) return null;
  const line = (figure: string) => amountLine(inFull(figure, rules.decimals), wallet.asset);
  if (restOf !== '') {
    const button = (
      <Button size="small" disabled={fields.submitting} onClick={() => fields.set('restOf', '')}>
        {t('transfers.rest.undo')}
      </Button>
    );
    return (
      <Banner kind="notice" action={button}>
        {t('transfers.rest.is')}
      </Banner>
    );
  }
  if (testTotal !== '') {
    const rest = restAfter(testTotal, amount, rules.decimals);
    const undo = () => {
      fields.set('amount', testTotal);
      fields.set('testTotal', '');
    };
    return (
      <Banner
        kind="notice"
        action={
          <Button size="small" disabled={fields.submitting} onClick={undo}>
            {t('transfers.test.undo', { total: line(testTotal) })}
          </Button>
        }
      >
        {rest === null || rest === '0' || rest.startsWith('-')
          ? t('transfers.test.is', { total: line(testTotal) })
          : t('transfers.test.isWithRest', { rest: line(rest), total: line(testTotal) })}
      </Banner>
    );
  }
  const test = testAmount(rules);
  if (payee === undefined || amountProblem(amount, rules) !== null || !isLess(test, amount, rules.decimals))
    return null;
  const value = worth(plain(amount), wallet.unitPrice);
  const isNew = payee.transferCount === 0;
  const isLarge = value !== null && !isLess(value, large_usd, 2);
  if (!isNew && !isLarge) return null;
  const choose = () => {
    fields.set('testTotal', plain(amount));
    fields.set('amount', test);
  };
  return (
    <Banner
      kind="notice"
      action={
        <Button size="small" disabled={fields.submitting} onClick={choose}>
          {t('transfers.test.choose', { amount: line(test) })}
        </Button>
      }
    >
      {t(isNew ? 'transfers.test.offerNew' : 'transfers.test.offerLarge')}
    </Banner>
  );
}
