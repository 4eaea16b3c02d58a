import { listRates } from '@causeway/contract/rates.ts';
import { type Http, route } from '../../platform/http/route.ts';
import { list } from './service.ts';

export function registerRatesRoutes(http: Http): void {
  route.read(http, listRates, list);
}
