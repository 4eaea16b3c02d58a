import { exportAudit, getAuditEvent, getAuditKey, listAudit, listAuditFilters } from '@causeway/contract/audit.ts';
import type { Database } from '../database.ts';
import { type Http, route } from '../http.ts';
import { exportCsv } from './csv.ts';
import { exportChain } from './export.ts';
import { filters, get, list } from './list.ts';
import { findKeys } from './store.ts';
import type { AuditNames } from './words.ts';

interface Dependencies {
  database: Database;
  /** The features know what things are called. */
  names: AuditNames;
  /** How long an export waits for the signature that covers it. */
  signatureWithinMs?: number;
}

/** The audit log's calls. */
export function registerAuditRoutes(http: Http, { database, names, signatureWithinMs = 10_000 }: Dependencies): void {
  route(http, listAudit, ({ query }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => list(tx, names, query, locale)),
  );
  route(http, getAuditEvent, ({ params }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => get(tx, names, session.companyId, params.id, locale)),
  );
  route(http, listAuditFilters, (_, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => filters(tx, names, locale)),
  );
  route(http, exportAudit, ({ query }, context) =>
    query.format === 'jsonl'
      ? exportChain(database, names, context, query, signatureWithinMs)
      : exportCsv(database, names, context, query),
  );
  route(http, getAuditKey, async () => {
    const keys = await database.withoutCompany(findKeys);
    return {
      keys: keys.map(({ keyId, publicKey, since }) => ({
        keyId,
        publicKey: publicKey.toString('base64url'),
        since: since.toISOString(),
      })),
    };
  });
}
