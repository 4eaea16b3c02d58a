import * as calls from '@causeway/contract/operator-exceptions.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { acts, list, propose } from './service.ts';

/** The operator's calls about exceptions. */
export function registerExceptionRoutes(given: Http, core: ConsoleCore): void {
  const http = withPorts(given, core);
  route.operatorRead(http, calls.listExceptions, list);
  route.operatorRead(http, calls.getExceptionActs, acts);
  route.operatorWrite(http, calls.proposeException, propose);
}
