import { dismissFirstSteps, getFirstSteps } from '@causeway/contract/home.ts';
import { type Http, route } from '../../platform/http/route.ts';
import { describeFirstSteps, dismiss } from './service.ts';

export function registerHomeRoutes(http: Http): void {
  route.read(http, getFirstSteps, describeFirstSteps);
  route.write(http, dismissFirstSteps, dismiss);
}
