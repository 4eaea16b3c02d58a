import { type QueueKind, type QueueUrgency, queueKinds } from '@causeway/contract/operator-queue-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by kind, for the filter. */
export const kindTexts = Object.fromEntries(queueKinds.map((kind: QueueKind) => [kind, `ops.queue.kind.${kind}`]));

export const urgencyTones: Record<QueueUrgency, Tone> = { urgent: 'negative', soon: 'pending', watch: 'neutral' };

/** What the link to a part of the console says. */
export const goTexts: Readonly<Record<string, string>> = {
  payments: 'ops.queue.go.payments',
  exceptions: 'ops.queue.go.exceptions',
  treasury: 'ops.queue.go.treasury',
  desk: 'ops.queue.go.desk',
  companies: 'ops.queue.go.companies',
  prices: 'ops.queue.go.prices',
  solvency: 'ops.queue.go.solvency',
  health: 'ops.queue.go.health',
  assets: 'ops.queue.go.assets',
  banks: 'ops.queue.go.banks',
  confirmations: 'ops.queue.go.confirmations',
  trades: 'ops.queue.go.trades',
  exchange: 'ops.queue.go.exchange',
};

/** The part of the console that an address belongs to. */
export function areaOf(link: string): string {
  return /^\/app\/([a-z-]+)/.exec(link)?.[1] ?? '';
}

/** Addresses, hashes and ids: shown in full, with a button that copies them. */
export function isCode(value: string): boolean {
  return /^[\w:-]{26,}$/.test(value);
}

/** A message as it arrived, which needs the whole width. */
export function isMessage(value: string): boolean {
  return value.length > 80 && /^\s*[{[]/.test(value);
}
