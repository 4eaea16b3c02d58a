import type { FreezeKind } from '@causeway/contract/freeze-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';

/** The operator has frozen something of the company: `{ freezeId }`. Announced by the database function `freeze_subject`. */
export const frozenEvent = 'operator.frozen';

/** It is free again. */
export const unfrozenEvent = 'operator.unfrozen';
export interface Unfrozen {
  kind: FreezeKind;
  subjectId: string;
  /** What it is called, in each language. */
  names: Record<Locale, string>;
  /** Names the notice, which is given once. */
  id: string;
}
