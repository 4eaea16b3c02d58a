import {
  type BankFileState,
  type BankMoneyState,
  bankFileStates,
  bankMoneyStates,
} from '@causeway/contract/operator-banks-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

export const fileTones: Record<BankFileState, Tone> = {
  received: 'progress',
  read: 'positive',
  refused: 'negative',
  copy: 'neutral',
};

export const moneyTones: Record<BankMoneyState, Tone> = {
  new: 'progress',
  credited: 'positive',
  suspense: 'pending',
  charged: 'pending',
  reversal: 'neutral',
  returned: 'neutral',
  detailed: 'neutral',
  paid: 'positive',
  sentBack: 'neutral',
  fees: 'neutral',
  cards: 'neutral',
};

/** Text ids by value, for filters. */
export const fileStateTexts = Object.fromEntries(
  bankFileStates.map((state: BankFileState) => [state, `ops.bankFile.state.${state}`]),
);
/** Without the state that the list shows unless another is chosen. */
export const otherStateTexts = Object.fromEntries(
  bankMoneyStates
    .filter((state) => state !== 'suspense')
    .map((state: BankMoneyState) => [state, `ops.bankMoney.state.${state}`]),
);

/** Whether an amount as text is nothing. */
export function isNothing(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

const kilobyte = 1024;

/** The size of a file, in the reader's figures. */
export function sizeOf(bytes: number, tag: string): string {
  const [value, unit] =
    bytes < kilobyte
      ? [bytes, 'byte']
      : bytes < kilobyte ** 2
        ? [bytes / kilobyte, 'kilobyte']
        : [bytes / kilobyte ** 2, 'megabyte'];
  return new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(Number(value));
}
