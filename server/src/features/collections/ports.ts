import type { Clock } from '../../platform/clock.ts';
import type { Mailer } from '../../platform/text/mail.ts';
import type { AddressRegister, AddressSources } from '../chains/index.ts';

/** What the worker's side of payment requests needs of its entry point. */
export interface CollectionPorts {
  sources: AddressSources;
  /** Where addresses are kept outside the database (docs/adr/0106). */
  register: AddressRegister;
  mailer: Mailer;
  publicUrl: string;
  clock: Clock;
}
