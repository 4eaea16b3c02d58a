import {
  deleteNotices,
  deleteReadNotices,
  getNoticePreferences,
  listNotices,
  readAllNotices,
  readNotices,
  setNoticePreferences,
} from '@causeway/contract/notices.ts';
import type { Database } from '../../platform/database.ts';
import { type Http, route } from '../../platform/http.ts';
import { getPreferences, setPreferences } from './service/preferences.ts';
import { list, read, readAll, remove, removeRead } from './service/reading.ts';

export function registerNoticesRoutes(http: Http, { database }: { database: Database }): void {
  route(http, listNotices, ({ query }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => list(tx, session.userId, query, locale)),
  );
  route(http, readNotices, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => read(tx, session.userId, query)),
  );
  route(http, readAllNotices, (_, { session }) =>
    database.withCompany(session.companyId, (tx) => readAll(tx, session.userId)),
  );
  route(http, deleteNotices, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => remove(tx, session.userId, query)),
  );
  route(http, deleteReadNotices, (_, { session }) =>
    database.withCompany(session.companyId, (tx) => removeRead(tx, session.userId)),
  );
  route(http, getNoticePreferences, (_, { session }) =>
    database.withCompany(session.companyId, (tx) => getPreferences(tx, session.userId)),
  );
  route(http, setNoticePreferences, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => setPreferences(tx, context, body)),
  );
}
