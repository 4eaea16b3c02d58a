import type { Clock } from '../../platform/clock.ts';
import type { Mailer } from '../../platform/text/mail.ts';
import type { AddressSources } from '../chains/index.ts';

/** What the worker's side of payment requests needs of its entry point. */
export interface CollectionPorts {
  sources: AddressSources;
  mailer: Mailer;
  publicUrl: string;
  clock: Clock;
}
