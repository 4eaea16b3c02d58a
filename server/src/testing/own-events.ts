import * as identity from '@causeway/contract/identity.ts';
import type { MainApp, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/** A filter of the audit log that finds what the administrator did to themselves: at least one event. */
export async function ownEvents(world: MainApp, { admin }: Tenant): Promise<Record<string, string>> {
  // Back and forth: the same language again would be no event.
  for (const language of ['zh_HK', 'en_US']) {
    await succeed(world, identity.setLanguage, { as: admin, body: { language } });
  }
  return { actor: admin.session.userId, subjectId: admin.session.userId };
}
