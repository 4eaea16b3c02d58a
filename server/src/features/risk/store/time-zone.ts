import type { Tx } from '../../../platform/database.ts';

/** The time zone of the company's days, an IANA name. */
export async function findTimeZone(_tx: Tx): Promise<string> {
  return 'Asia/Hong_Kong';
}
