import type { BankMoney } from '@causeway/contract/operator-banks.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { moneyTones } from '../words.ts';

/** What became of a money, and why it is no company's, or by what it was matched. */
export function MoneyState({ money: { state, unmatched, matchedBy, quantity, takenBack } }: { money: BankMoney }) {
  const t = useText();
  // What comes in by a reversal is not taken.
  const isReturned = state === 'reversal' && !quantity.startsWith('-');
  const detail =
    takenBack && state !== 'returned'
      ? t('ops.bankMoney.takenBackSince')
      : unmatched !== null
        ? t(
            state === 'charged' && unmatched === 'nothing'
              ? 'ops.bankMoney.unmatched.debit'
              : `ops.bankMoney.unmatched.${unmatched}`,
          )
        : matchedBy !== null
          ? t(`ops.bankMoney.matchedBy.${matchedBy}`)
          : undefined;
  return (
    <StatusDot tone={moneyTones[state]} {...(detail !== undefined && { detail })}>
      {t(isReturned ? 'ops.bankMoney.state.reversalCredit' : `ops.bankMoney.state.${state}`)}
    </StatusDot>
  );
}
