import * as calls from '@causeway/contract/payout-templates.ts';
import { type Http, route } from '../../../platform/http/route.ts';
import { end, pause, schedule } from './schedule.ts';
import { add, edit, makeBatch, remove } from './service.ts';
import { get, list } from './view.ts';

/** What an operator's look shows of templates, too. */
export function registerTemplateReading(http: Http): void {
  route.read(http, calls.listPayoutTemplates, list);
  route.read(http, calls.getPayoutTemplate, get);
}

/** Templates of batches and their schedules. */
export function registerTemplateRoutes(http: Http): void {
  registerTemplateReading(http);
  route.write(http, calls.addPayoutTemplate, add);
  route.write(http, calls.editPayoutTemplate, edit);
  route.write(http, calls.removePayoutTemplate, remove);
  route.write(http, calls.makeTemplateBatch, makeBatch);
  route.write(http, calls.schedulePayoutTemplate, schedule);
  route.write(http, calls.pausePayoutSchedule, pause);
  route.write(http, calls.endPayoutSchedule, end);
}
