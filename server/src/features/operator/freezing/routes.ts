import * as calls from '@causeway/contract/operator-freezing.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { freeze, list, proposeUnfreeze } from './service.ts';

/** The operator's calls that freeze and unfreeze. */
export function registerFreezingRoutes(given: Http, core: ConsoleCore): void {
  const http = withPorts(given, core);
  route.operatorRead(http, calls.listFreezes, list);
  route.operatorWrite(http, calls.freezeSubject, freeze);
  route.operatorWrite(http, calls.proposeUnfreeze, proposeUnfreeze);
}
