import type { Call } from '@causeway/contract/call.ts';
import { getFirstSteps } from '@causeway/contract/home.ts';
import * as identity from '@causeway/contract/identity.ts';
import { beginLook, lookOwnCalls, notInLooks } from '@causeway/contract/operator-look.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { begin, endLook, type LookPorts, lookUser } from './service.ts';

/** The operator's call that begins a look. */
export function registerBeginningLooks(given: Http, core: ConsoleCore & LookPorts): void {
  route.operatorWrite(withPorts(given, core), beginLook, begin);
}

/** Whether looks serve a call of the companies as their own process does: every reading call but those that are listed. */
export function isServedInLooks({ name, method }: Pick<Call, 'name' | 'method'>): boolean {
  return method === 'GET' && !(name in notInLooks) && !lookOwnCalls.has(name);
}

/** The few calls that a look has in a way of its own: who looks, and its end. A language is chosen for the tab alone. */
export function registerLookOwnRoutes(given: Http, databases: { console: Database; look: Database }): void {
  const http = withPorts({ ...given, serves: () => true }, { databases });
  route.open(http, identity.getUser, 'slow work', lookUser);
  // A member's own steps.
  route.open(http, getFirstSteps, 'no data', async () => ({ dismissed: true, steps: [] }));
  route.open(http, identity.logout, 'slow work', endLook);
  // The look-up of the look noted it.
  route.open(http, identity.reportActivity, 'no data', async () => undefined);
  route.open(http, identity.setLanguage, 'no data', async () => undefined);
}
