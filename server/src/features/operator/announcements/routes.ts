import * as calls from '@causeway/contract/operator-announcements.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { cancel, edit, list, write } from './service.ts';

/** The operator's calls about announcements. */
export function registerAnnouncementRoutes(given: Http, core: ConsoleCore): void {
  const http = withPorts(given, core);
  route.operatorRead(http, calls.listAnnouncements, list);
  route.operatorWrite(http, calls.writeAnnouncement, write);
  route.operatorWrite(http, calls.editAnnouncement, edit);
  route.operatorWrite(http, calls.cancelAnnouncement, cancel);
}
