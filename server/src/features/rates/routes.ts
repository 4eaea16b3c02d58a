import { getRateHistory, listRates } from '@causeway/contract/rates.ts';
import { type Http, route } from '../../platform/http/route.ts';
import { type HeldAssets, history, list } from './service.ts';

export function registerRatesRoutes(http: Http, heldAssets: HeldAssets): void {
  route.read(http, listRates, (tx, context) => list(tx, context, heldAssets));
  route.read(http, getRateHistory, history);
}
