import * as calls from '@causeway/contract/operator-solvency.ts';
import { type Http, route } from '../../../platform/http/route.ts';
import { check, download, get, listHeld, listOwed, listTiming, request, series } from './service/console.ts';

/** The operator's calls about solvency. */
export function registerSolvencyRoutes(http: Http): void {
  route.operatorRead(http, calls.getSolvency, get);
  route.operatorRead(http, calls.listSolvencySeries, series);
  route.operatorRead(http, calls.listSolvencyOwed, listOwed);
  route.operatorRead(http, calls.listSolvencyHeld, listHeld);
  route.operatorRead(http, calls.listSolvencyTiming, listTiming);
  route.operatorRead(http, calls.checkSolvency, check);
  // It notes the download.
  route.operatorWrite(http, calls.downloadSolvency, download);
  route.operatorWrite(http, calls.requestSolvency, request);
}
