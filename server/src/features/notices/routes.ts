import {
  deleteNotices,
  deleteReadNotices,
  getNoticePreferences,
  listNotices,
  readAllNotices,
  readNotices,
  setNoticePreferences,
} from '@causeway/contract/notices.ts';
import { type Http, route } from '../../platform/http/route.ts';
import { getPreferences, setPreferences } from './service/preferences.ts';
import { list, read, readAll, remove, removeRead } from './service/reading.ts';

export function registerNoticesRoutes(http: Http): void {
  route.read(http, listNotices, list);
  route.write(http, readNotices, read);
  route.write(http, readAllNotices, readAll);
  route.write(http, deleteNotices, remove);
  route.write(http, deleteReadNotices, removeRead);
  route.read(http, getNoticePreferences, getPreferences);
  route.write(http, setNoticePreferences, setPreferences);
}
