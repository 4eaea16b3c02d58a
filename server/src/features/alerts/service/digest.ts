import { localeOf } from '@causeway/contract/locale.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { CronJob } from '../../../platform/jobs/cron.ts';
import type { Log } from '../../../platform/process/log.ts';
import { dayOf } from '../../../platform/text/instant.ts';
import { countWaitingFor } from '../../approvals/index.ts';
import { findContacts } from '../../identity/index.ts';
import { type NoticeFact, notify } from '../../notices/index.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { type Movements, movementsSince } from '../../wallets/index.ts';
import { findCompaniesDue, findMembersDue, takeDigest } from '../store/digests.ts';
import { allowedOf } from './recipients.ts';

/** Companies that are asked for at a time. */
const companiesAtOnce = 100;

export interface Digesting {
  database: Database;
  log: Log;
  now: Date;
}

/** Every quarter of an hour, since an hour of some time zones begins then. A digest that is late covers all since the last one. */
export function digestJob(): CronJob {
  return {
    name: 'alerts.digest',
    schedule: '*/15 * * * *',
    run: ({ database, log, signal }) => giveDigests({ database, log, now: new Date() }, signal),
  };
}

/** Gives all digests that are due. One that fails keeps no other from its turn and is tried again in the next round. */
export async function giveDigests({ database, log, now }: Digesting, signal?: AbortSignal): Promise<void> {
  const dueAfter = (after: string | null) =>
    database.withoutCompany((tx) => findCompaniesDue(tx, now, after, companiesAtOnce));
  for (let due = await dueAfter(null); due.length > 0; due = await dueAfter(due.at(-1) ?? null)) {
    for (const companyId of due) {
      const members = await database.withCompany(companyId, async (tx) => {
        const { timeZone } = await findCompanySettings(tx);
        return findMembersDue(tx, timeZone, now);
      });
      for (const userId of members) {
        if (signal?.aborted) return;
        await database
          .withCompany(companyId, (tx) => giveDigest(tx, userId, now))
          .catch((error: unknown) => log.warn({ err: error, companyId, userId }, 'a daily digest could not be given'));
      }
    }
  }
}

async function giveDigest(tx: Tx, userId: string, now: Date): Promise<void> {
  const { timeZone } = await findCompanySettings(tx);
  const digest = await takeDigest(tx, userId, timeZone, now);
  const [contact] = await findContacts(tx, userId);
  const isAllowed = (await allowedOf(tx, 'dailyDigest', [userId])).length === 1;
  if (!digest || !contact || !isAllowed) return;
  const movements = await movementsSince(tx, digest.from, localeOf(contact.language));
  const waiting = await countWaitingFor(tx, userId);
  if (!movements.hasMoved && waiting === 0 && !digest.isAlwaysSent) return;
  const said = (figure: string | null) => figure ?? { text: 'alert.unknown' };
  await notify(tx, {
    kind: 'alert.dailyDigest',
    sourceId: newId(),
    values: {
      date: { day: dayOf({ at: now.toISOString(), timeZone }) },
      from: { at: digest.from.toISOString() },
      total: said(movements.total),
      paidIn: said(movements.paidIn),
      paidOut: said(movements.paidOut),
      currency: movements.currency,
      waiting,
    },
    link: '/app/home',
    to: [userId],
    facts: movements.wallets.map(factOf),
  });
}

/** A wallet by its name, with its balance and what came in and went out. */
function factOf({ asset, place, balance, changes }: Movements['wallets'][number]): NoticeFact {
  const moved = changes.length === 0 ? '' : ` (${changes.join(', ')})`;
  return { label: { name: `${asset} · ${place}` }, value: `${balance} ${asset}${moved}` };
}
