import * as calls from '@causeway/contract/operator-health.ts';
import { type Http, route } from '../../../platform/http/route.ts';
import { get, listFailed, listRates, listRuns, retry, setAside, tables } from './service.ts';

/** The operator's calls about the health of the installation. */
export function registerHealthRoutes(http: Http): void {
  route.operatorRead(http, calls.getHealth, get);
  route.operatorRead(http, calls.listMarketRates, listRates);
  route.operatorRead(http, calls.listTables, tables);
  route.operatorRead(http, calls.listVerifications, listRuns);
  route.operatorRead(http, calls.listFailedJobs, listFailed);
  route.operatorWrite(http, calls.retryJob, retry);
  route.operatorWrite(http, calls.setJobAside, setAside);
}
