import { type FeePaymentState, feePaymentStates } from '@causeway/contract/operator-treasury-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

export const paymentTones: Record<FeePaymentState, Tone> = {
  waiting: 'progress',
  approved: 'progress',
  signing: 'progress',
  broadcast: 'progress',
  confirming: 'progress',
  completed: 'positive',
  refused: 'negative',
  failed: 'negative',
};

export const stillMoving: ReadonlySet<FeePaymentState> = new Set(
  feePaymentStates.filter((state) => paymentTones[state] === 'progress'),
);

/** Where an explorer shows an address or a transaction of a chain; null without an explorer. */
export function explorerLink(explorerUrl: string | null, kind: 'address' | 'tx', value: string): string | null {
  return explorerUrl === null ? null : `${explorerUrl.replace(/\/$/, '')}/${kind}/${value}`;
}

/** A plain decimal cut after so many places, without the zeros that say nothing. */
export function inShort(amount: string, places: number): string {
  const [whole = '', part = ''] = amount.split('.');
  const kept = part.slice(0, places).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}
