import {
  addRateAlert,
  getAlerts,
  listRateAlerts,
  removeRateAlert,
  setAlerts,
  watchWallet,
} from '@causeway/contract/alerts.ts';
import { type Http, route } from '../../platform/http/route.ts';
import { choose, describeChoice, watch } from './service/choosing.ts';
import { add, list, remove } from './service/rate-alerts.ts';

export function registerAlertsRoutes(http: Http): void {
  route.read(http, getAlerts, describeChoice);
  route.write(http, setAlerts, choose);
  route.write(http, watchWallet, watch);
  route.read(http, listRateAlerts, list);
  route.write(http, addRateAlert, add);
  route.write(http, removeRateAlert, remove);
}
