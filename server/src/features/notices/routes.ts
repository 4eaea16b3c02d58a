import { listNotices, readAllNotices, readNotices } from '@causeway/contract/notices.ts';
import type { Database } from '../../platform/database.ts';
import { type Http, route } from '../../platform/http.ts';
import { list, read, readAll } from './service.ts';

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
}
