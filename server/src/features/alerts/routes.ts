import { getAlerts, setAlerts, watchWallet } from '@causeway/contract/alerts.ts';
import { type Http, route } from '../../platform/http/route.ts';
import { choose, describeChoice, watch } from './service/choosing.ts';

export function registerAlertsRoutes(http: Http): void {
  route.read(http, getAlerts, describeChoice);
  route.write(http, setAlerts, choose);
  route.write(http, watchWallet, watch);
}
